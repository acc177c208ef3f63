//! Examples, run as commands.

mod attention_views;
mod pack_image;
mod shared_memory;
mod tpu_local;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

/// What the command did.
struct Outcome {
    success: bool,
    out: String,
    errors: String,
}

/// Runs the example `name` in `directory`.
fn run(name: &str, directory: &Path, arguments: &[&OsStr]) -> Outcome {
    let output = Command::new(built().join(format!("{name}{}", env::consts::EXE_SUFFIX)))
        .current_dir(directory)
        .args(arguments)
        .output()
        .expect("the example starts");
    let text = |bytes| String::from_utf8(bytes).expect("the example prints UTF-8");
    Outcome {
        success: output.status.success(),
        out: text(output.stdout),
        errors: text(output.stderr),
    }
}

/// An empty directory of one test's own.
fn empty_directory(test: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    if directory.exists() {
        fs::remove_dir_all(&directory).expect("the last run's directory can go");
    }
    fs::create_dir_all(&directory).expect("the directory can be made");
    directory
}

/// The folder with all examples, built as this test is. After `cargo test --workspace --all-features`
/// nothing is left to build.
fn built() -> &'static Path {
    static EXAMPLES: OnceLock<PathBuf> = OnceLock::new();
    EXAMPLES.get_or_init(|| {
        // This program is `TARGET/PROFILE/deps/NAME`, or `TARGET/TRIPLE/PROFILE/deps/NAME`.
        let program = env::current_exe().expect("a program knows its path");
        let profile = program.ancestors().nth(2).expect("a test is in TARGET/PROFILE/deps");
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a folder of TARGET");
        let name = |folder: &Path| folder.file_name().map(OsStr::to_os_string);
        let mut command = Command::new(env!("CARGO"));
        command
            .args(["build", "--quiet", "--workspace", "--all-features", "--examples"])
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
            .arg("--target-dir")
            .arg(target)
            .arg("--profile")
            .arg(name(profile).filter(|name| name != "debug").unwrap_or("dev".into()));
        if let Some(triple) = profile.parent().filter(|&parent| parent != target).and_then(name) {
            command.arg("--target").arg(triple);
        }
        assert!(command.status().expect("cargo runs").success(), "an example does not compile");
        profile.join("examples")
    })
}
