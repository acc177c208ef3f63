//! Assembly listings of packages of this workspace.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// The instructions of each function of a package, built for release with other arguments for
/// cargo and for rustc.
pub(crate) fn functions(
    package: &str,
    cargo: &[&str],
    rustc: &[&str],
) -> BTreeMap<String, Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // A directory for each list of arguments: the newest listing there is theirs.
    let target = root.join("target/listing").join(rustc.concat());
    let status = Command::new(env!("CARGO"))
        .args(["rustc", "--quiet", "--release", "--lib", "--package", package, "--target-dir"])
        .arg(&target)
        .args(cargo)
        .args(["--", "--emit=asm", "-Ccodegen-units=1", "-Cdebuginfo=0"])
        .args(rustc)
        .current_dir(root)
        .status()
        .expect("cargo runs");
    assert!(status.success(), "package `{package}` does not compile");

    let name = format!("{}-", package.replace('-', "_"));
    let newest = std::fs::read_dir(target.join("release/deps"))
        .expect("cargo wrote its output")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "s"))
        .filter(|path| path.file_name().is_some_and(|own| own.to_string_lossy().starts_with(&name)))
        .max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok())
        .expect("rustc wrote an assembly listing");
    parse(&std::fs::read_to_string(newest).expect("the listing is text"))
}

/// The instructions of each function of a listing.
fn parse(assembly: &str) -> BTreeMap<String, Vec<String>> {
    let mut functions = BTreeMap::new();
    let mut current: Option<(String, Vec<String>)> = None;
    for line in assembly.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        if let Some(label) = line.strip_suffix(':') {
            if !label.starts_with(['.', 'L']) {
                functions.extend(current.take());
                current = Some((label.trim_start_matches('_').to_owned(), Vec::new()));
            }
        } else if let Some((alias, of)) =
            line.strip_prefix(".set").map_or(line.split_once(" = "), |set| set.split_once(','))
        {
            // Two functions that the compiler found to be one.
            functions.insert(alias.trim().to_owned(), vec![format!("jmp {}", of.trim())]);
        } else if !line.is_empty() && !line.starts_with(['.', '#']) {
            if let Some((_, instructions)) = &mut current {
                instructions.push(line.split_whitespace().collect::<Vec<_>>().join(" "));
            }
        }
    }
    functions.extend(current);
    functions
}
