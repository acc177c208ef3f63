//! The public interface: `PACKAGE.txt` beside this file lists the items of each published package that
//! are not hidden, one a line.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What rustdoc writes about the packages, built with all features: the folder of its files. It warns of nothing.
fn documented(root: &Path) -> PathBuf {
    // The format is meant for nightly compilers, but stable ones have it. The script enables it for rustdoc alone,
    // since build scripts would see the variable too, and all packages would be built again. With an example, packages
    // have the features that tests need too, as clippy and the tests have built them. Programs with the name of a
    // library are left out: both would write one file.
    let programs = ["--bin", "co*", "--bin", "f*", "--bin", "l*", "--bin", "r*"];
    let status = Command::new(env!("CARGO"))
        .args(["doc", "--quiet", "--lib", "--example", "pack_image"])
        .args(programs)
        .args(["--no-deps", "--workspace", "--all-features"])
        .env("RUSTDOC", root.join("tests/surface/rustdoc"))
        .env("RUSTDOCFLAGS", "-D warnings -Zunstable-options --output-format json")
        .current_dir(root)
        .status()
        .expect("cargo runs");
    assert!(status.success(), "rustdoc warns of something, or fails");
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target directory").join("doc")
}

/// The libraries that are published: the top level and those of the folders `layout-*` beside it.
fn published(root: &Path) -> Vec<String> {
    let entries = fs::read_dir(root).expect("the repository");
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    // The Python package is outside the workspace: its interface is that of Python.
    let is_library = |name: &String| {
        let is_ours = name.starts_with("layout-") && name != "layout-python";
        is_ours && root.join(name).join("src/lib.rs").exists()
    };
    let mut all: Vec<_> = names.filter(is_library).collect();
    all.sort();
    all.push("tensor-layout".into());
    all
}

/// After a change that is meant: `SURFACE=overwrite cargo test --package surface`, then read the
/// difference.
#[test]
fn the_interface_is_the_listing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let is_overwritten = env::var_os("SURFACE").is_some_and(|how| how == "overwrite");
    let mut changed = Vec::new();
    let folder = documented(&root);
    for package in published(&root) {
        let file = folder.join(package.replace('-', "_")).with_extension("json");
        let api = public_api::Builder::from_rustdoc_json(file)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .omit_auto_derived_impls(true)
            .build()
            .expect("public-api reads what this compiler's rustdoc writes");
        let own = api.to_string();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{package}.txt"));
        if is_overwritten {
            fs::write(&path, &own).expect("the listing can be written");
        }
        let listed = fs::read_to_string(&path).unwrap_or_default();
        let only = |all: &str, other: &str, mark: char| -> Vec<String> {
            let missing = |line: &&str| !other.lines().any(|own| own == *line);
            all.lines().filter(missing).map(|line| format!("{mark} {line}")).collect()
        };
        changed.extend(only(&listed, &own, '-'));
        changed.extend(only(&own, &listed, '+'));
    }
    assert!(
        changed.is_empty(),
        "the public interface is not what tests/surface lists; if that is meant, run \
         `SURFACE=overwrite cargo test --package surface`:\n{}",
        changed.join("\n")
    );
}

/// Users see the examples of all packages of the facade, and copy them from there.
#[test]
fn examples_import_the_facade() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders: Vec<_> =
        published(&root).iter().map(|name| root.join(name).join("src")).collect();
    let mut wrong = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let documented = text.lines().filter(|line| {
                let line = line.trim_start();
                line.starts_with("///") || line.starts_with("//!")
            });
            let inside = documented.filter(|line| line.contains("layout_types::"));
            wrong.extend(inside.map(|line| format!("{}: {}", path.display(), line.trim())));
        }
    }
    assert!(wrong.is_empty(), "examples import `tensor_layout`:\n{}", wrong.join("\n"));
}
