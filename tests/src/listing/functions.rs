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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    // One cargo at a time can use a directory: those that build other things have others.
    let target = root.join("target/listing").join(package);
    // Cargo takes what was built with the same arguments for fresh, whatever was built in between: each
    // of these has a listing of its own.
    let listing = target.join(format!("listing{}.s", [cargo, rustc].concat().concat()));
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
        .arg(&target)
        // Faster, and without effect on the package itself, which is one unit of code.
        .args(["--config", "profile.release.lto='off'"])
        .args(cargo)
        .args(["--", "-Ccodegen-units=1", "-Cdebuginfo=0"])
        .arg(format!("--emit=asm={}", listing.display()))
        .args(rustc)
        .current_dir(root)
        .status()
        .expect("cargo runs");
    assert!(status.success(), "package `{package}` does not compile");

    parse(&std::fs::read_to_string(&listing).expect("rustc wrote an assembly listing"))
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
