//! Assembly listings of packages of this workspace.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The instructions of each function of a package, built for release with other arguments for
/// cargo and for rustc.
pub(crate) fn functions(
    package: &str,
    cargo: &[&str],
    rustc: &[&str],
) -> BTreeMap<String, Vec<String>> {
    let target = listings().join(package);
    // Cargo takes what was built with the same arguments for fresh, whatever was built in between: each
    // of these has a listing of its own.
    let listing = target.join(format!("listing{}.s", [cargo, rustc].concat().concat()));
    let emit = format!("--emit=asm={}", listing.display());
    // Faster, and without effect on the package itself, which is one unit of code.
    let cargo = [&["--config", "profile.release.lto='off'"], cargo].concat();
    build(package, &target, &cargo, &[&["-Ccodegen-units=1", &emit], rustc].concat());
    parse(&std::fs::read_to_string(&listing).expect("rustc wrote an assembly listing"))
}

/// The instructions of each function of a package that is built for release as a program does it: in several units of
/// code, of which each inlines what it has of the others.
pub(crate) fn functions_of_units(package: &str, cargo: &[&str]) -> BTreeMap<String, Vec<String>> {
    // Those of units that are no longer there would stay.
    let target = listings().join("units").join(package);
    let _ = std::fs::remove_dir_all(&target);
    let rustc = ["-Ccodegen-units=16", "--emit=asm", "-Csymbol-mangling-version=v0"];
    build(package, &target, cargo, &rustc);
    let files = std::fs::read_dir(target.join("release/deps")).expect("the folder of the package");
    let listings = files.map(|file| file.expect("a file").path());
    let listings: Vec<_> = listings.filter(|path| path.extension() == Some("s".as_ref())).collect();
    assert!(listings.len() > 1, "{} units", listings.len());
    listings
        .iter()
        .flat_map(|path| parse(&std::fs::read_to_string(path).expect("a listing")))
        .collect()
}

/// The folder of what is built here. One cargo at a time can use a directory: those that build other things have others.
fn listings() -> PathBuf {
    root().join("target/listing")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Builds a package for release.
fn build(package: &str, target: &Path, cargo: &[&str], rustc: &[&str]) {
    let mut command = Command::new(env!("CARGO"));
    // The names of listings say nothing of flags for all packages, or for all of a target, and what is
    // looked for is in code for any CPU.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().ends_with("RUSTFLAGS") {
            command.env_remove(name);
        }
    }
    let status = command
        .args(["rustc", "--quiet", "--release", "--lib", "--package", package, "--target-dir"])
        .arg(target)
        .args(cargo)
        .args(["--", "-Cdebuginfo=0"])
        .args(rustc)
        .current_dir(root())
        .status()
        .expect("cargo runs");
    assert!(status.success(), "package `{package}` does not compile");
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
