//! A program with `include_tensor!`, from a library under another name, is compiled again when the file
//! changes, and only then.

use std::fs;
use std::path::Path;
use std::process::Command;

const MANIFEST: &str = r#"
[package]
name = "rebuilt"
version = "0.0.0"
edition = "2024"

[dependencies]
layouts = { package = "tensor-layout", path = "LIBRARY", features = ["include"] }

[workspace]
"#;

const PROGRAM: &str = r#"
fn main() {
    let tensor = layouts::include_tensor!("two.bin", A => A<A = 2>, u8);
    layouts::include_tensor! { struct Floats = "two.bin", A, f16 => A<A = 1>, i8, quantize }
    let _ = (Floats::TENSOR, Floats::SCALE);
    print!("{:?}", tensor.buffer());
}
"#;

/// What the program prints, built as it is now, and whether cargo had to compile it.
fn run(package: &Path) -> (String, bool) {
    let output = Command::new(env!("CARGO"))
        .args(["run", "--offline", "--manifest-path"])
        .arg(package.join("Cargo.toml"))
        // Where trybuild keeps what it has built, so that macros are built once for both.
        .env(
            "CARGO_TARGET_DIR",
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tests/trybuild"),
        )
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo runs");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{log}");
    (String::from_utf8(output.stdout).unwrap(), log.contains("Compiling rebuilt "))
}

#[test]
fn a_file_that_changes_is_packed_again() {
    let library = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rebuilt");
    fs::create_dir_all(package.join("src")).unwrap();
    fs::write(package.join("Cargo.toml"), MANIFEST.replace("LIBRARY", library)).unwrap();
    fs::write(package.join("src/main.rs"), PROGRAM).unwrap();
    // The versions that this workspace is tested with, which are there without a network.
    fs::copy(Path::new(library).join("Cargo.lock"), package.join("Cargo.lock")).unwrap();

    fs::write(package.join("two.bin"), [1, 2]).unwrap();
    assert_eq!(run(&package).0, "[1, 2]");
    assert_eq!(run(&package), ("[1, 2]".to_owned(), false));
    fs::write(package.join("two.bin"), [3, 4]).unwrap();
    assert_eq!(run(&package), ("[3, 4]".to_owned(), true));
}
