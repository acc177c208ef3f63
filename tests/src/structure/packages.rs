//! What users get: the packages of a first build, and the links of the published front page.

use std::collections::BTreeSet;
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// What cargo prints about the package `tensor-layout`.
fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--package", "tensor-layout", "--quiet"])
        .current_dir(ROOT)
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_first_build_has_no_package_of_a_feature() {
    let tree = cargo(&["tree", "--edges", "normal", "--prefix", "none", "--format", "{p}"]);
    let names = tree.lines().filter_map(|line| line.split(' ').next());
    let own: BTreeSet<_> = names.filter(|name| name.starts_with("tensor-layout")).collect();
    let expected =
        ["", "-core", "-kernels", "-macros", "-types"].map(|end| format!("tensor-layout{end}"));
    assert_eq!(own.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn links_of_the_readme_lead_into_its_package() {
    let files = cargo(&["package", "--list", "--allow-dirty"]);
    let files: BTreeSet<_> = files.lines().collect();
    let readme = std::fs::read_to_string(format!("{ROOT}/README.md")).expect("README.md");
    let targets = readme.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let own: Vec<_> = targets.filter(|target| !target.contains("://")).collect();
    assert!(own.len() > 5, "{own:?}");
    let outside: Vec<_> = own.into_iter().filter(|target| !files.contains(target)).collect();
    assert!(outside.is_empty(), "not in the package: {outside:?}");
}
