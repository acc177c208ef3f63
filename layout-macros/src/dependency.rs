//! The name by which a crate refers to tensor-layout. `layout!` gets it from `$crate`. A derive reads the manifest of
//! the package that is compiled.

use std::fs;
use std::path::PathBuf;

/// The package to find.
const PACKAGE: &str = "tensor-layout";

/// Returns the name of the crate, if the package renames its dependency.
pub(crate) fn name() -> Option<String> {
    let directory = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR")?);
    let manifest = fs::read_to_string(directory.join("Cargo.toml")).ok()?;
    let package = Dependencies::of(&manifest);
    if package.keys.contains(&PACKAGE) {
        return None;
    }
    let key = match package.renamed {
        Some(key) => key.to_owned(),
        None => directory.ancestors().skip(1).find_map(|directory| {
            let manifest = fs::read_to_string(directory.join("Cargo.toml")).ok()?;
            // The workspace's key for the dependency, if this package inherits it.
            let key = Dependencies::of(&manifest).renamed?;
            package.keys.contains(&key).then(|| key.to_owned())
        })?,
    };
    Some(key.replace('-', "_"))
}

/// The dependencies of a manifest.
#[derive(Default)]
struct Dependencies<'a> {
    keys: Vec<&'a str>,
    /// The key of the dependency on the package, if it differs from the package's name.
    renamed: Option<&'a str>,
}

impl<'a> Dependencies<'a> {
    /// Reads `[dependencies]` and similar sections, with dependencies inline or as tables of their own. An inline
    /// table ends at the end of its line.
    fn of(manifest: &'a str) -> Self {
        let mut new = Self::default();
        let mut section = Section::Other;
        for line in manifest.lines().map(str::trim) {
            if let Some(header) = line.strip_prefix('[') {
                section = Section::of(header.trim_end_matches(']'));
                if let Section::Of(key) = section {
                    new.keys.push(key);
                }
                continue;
            }
            let Some((left, right)) = line.split_once('=') else { continue };
            let key = left.trim().split('.').next().unwrap_or_default().trim_matches('"');
            let key = match section {
                Section::All => {
                    new.keys.push(key);
                    if names_package(right) { key } else { continue }
                }
                Section::Of(dependency) if key == "package" && is_package(right) => dependency,
                _ => continue,
            };
            if key != PACKAGE {
                new.renamed = Some(key);
            }
        }
        new
    }
}

/// The kind of the lines after a header.
enum Section<'a> {
    /// Dependencies.
    All,
    /// The table of one dependency.
    Of(&'a str),
    Other,
}

impl<'a> Section<'a> {
    fn of(header: &'a str) -> Self {
        let is_list = |part: &str| part.trim().ends_with("dependencies");
        match header.rsplit_once('.') {
            _ if is_list(header) => Self::All,
            Some((list, key)) if is_list(list) => Self::Of(key.trim().trim_matches('"')),
            _ => Self::Other,
        }
    }
}

/// Whether the table of a dependency contains `package = "tensor-layout"`.
fn names_package(table: &str) -> bool {
    table.split(['{', ',']).any(|part| match part.split_once('=') {
        Some((key, value)) => key.trim() == "package" && is_package(value),
        None => false,
    })
}

/// Whether a value is the name of the package.
fn is_package(value: &str) -> bool {
    value.split('"').nth(1) == Some(PACKAGE)
}

#[cfg(test)]
mod tests {
    use super::Dependencies;

    #[test]
    fn names_are_found_however_they_are_written() {
        for (manifest, renamed) in [
            ("[dependencies]\ntensor-layout = \"0.1\"", None),
            ("[dependencies]\na = { package = \"tensor-layout\", version = \"0.1\" }", Some("a")),
            (
                "[dev-dependencies]\n\"b-c\" = { path = \"..\", package=\"tensor-layout\" }",
                Some("b-c"),
            ),
            ("[dependencies.d]\nversion = \"0.1\"\npackage = \"tensor-layout\"", Some("d")),
            ("[target.'cfg(unix)'.dependencies]\ne = { package = \"tensor-layout\" }", Some("e")),
            ("[workspace.dependencies]\nf = { package = \"tensor-layout\" }", Some("f")),
            ("[dependencies]\ng = { package = \"tensor-layout-tests\" }", None),
            ("[package.metadata]\nh = { package = \"tensor-layout\" }", None),
        ] {
            assert_eq!(Dependencies::of(manifest).renamed, renamed, "{manifest}");
        }
        let keys =
            Dependencies::of("[dependencies]\na.workspace = true\n[dependencies.b]\npath = \"b\"")
                .keys;
        assert_eq!(keys, ["a", "b"]);
    }
}
