//! Examples, run as commands.

mod attention_views;
mod pack_image;
mod tpu_local;

use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

/// What the command did.
struct Outcome {
    success: bool,
    out: String,
    errors: String,
}

/// Runs the example `name` in `directory`.
fn run(name: &str, directory: &Path, arguments: &[&OsStr]) -> Outcome {
    // Tests lie in `deps`, beside `examples`.
    let test = env::current_exe().expect("a test knows where it is");
    let built = test.parent().and_then(Path::parent).expect("a test lies in target/PROFILE/deps");
    let command = built.join("examples").join(format!("{name}{}", env::consts::EXE_SUFFIX));
    assert!(
        command.is_file(),
        "{} is not there; run `cargo build --example {name}` with the options of this test, or the \
         whole `cargo test`",
        command.display()
    );
    let output = Command::new(command)
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
