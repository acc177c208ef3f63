//! Compiles programs in C and C++ with gcc and clang, and runs them with sanitizers. It needs both compilers, so CI runs
//! it by `.ci/languages`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// What every program must compile with.
const WARNINGS: [&str; 5] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g"];

/// The static library, which cargo builds beside this test.
fn library() -> PathBuf {
    let mut folder = std::env::current_exe().expect("this program");
    while folder.pop() {
        let found = folder.join("liblayout_c.a");
        if found.exists() {
            return found;
        }
    }
    panic!("no `liblayout_c.a` beside this program; `cargo test -p tensor-layout-c` builds it");
}

/// Compiles a program, runs it, and returns what it prints.
fn run(compiler: &str, options: &[&str], source: &str, argument: &str) -> String {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let name = format!("{}-{compiler}-{}", source.replace(['/', '.'], "-"), options.join(""));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let compiled = Command::new(compiler)
        .args(WARNINGS)
        .args(options)
        .arg("-I")
        .arg(own.join("include"))
        .arg(own.join(source))
        .args(["-x", "none"])
        .arg(library())
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program)
        .output()
        .unwrap_or_else(|error| panic!("{compiler}: {error}; `.ci/install gcc g++ clang`"));
    assert!(
        compiled.status.success(),
        "{compiler} {options:?} {source}: {}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let folder = env!("CARGO_TARGET_TMPDIR");
    let ran = Command::new(&program)
        .arg(argument)
        .current_dir(folder)
        .output()
        .expect("the program runs");
    assert!(
        ran.status.success(),
        "{compiler} {options:?} {source} {argument}: {}",
        String::from_utf8_lossy(&ran.stderr)
    );
    String::from_utf8(ran.stdout).expect("text")
}

#[test]
#[ignore = "needs gcc and clang; `.ci/languages` runs it"]
fn every_function_in_c_and_cpp() {
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock").subsec_nanos();
    let seed = seed.to_string();
    for (compiler, options) in [
        ("gcc", &["-std=c11", "-fsanitize=address,undefined"][..]),
        ("clang", &["-std=c11", "-O2", "-fsanitize=address,undefined"]),
        ("g++", &["-x", "c++", "-std=c++17", "-O1"]),
        ("clang++", &["-x", "c++", "-std=c++17", "-Wno-missing-field-initializers"]),
    ] {
        let printed = run(compiler, options, "tests/c/all.c", &seed);
        assert_eq!(printed, "all is well\n", "seed {seed}");
    }
}

#[test]
#[ignore = "needs gcc and clang; `.ci/languages` runs it"]
fn the_examples() {
    let printed = run("gcc", &["-std=c11"], "examples/relayout.c", "");
    assert_eq!(printed, "green at row 2, column 3: -1.2312\n");
    let printed = run("clang", &["-std=c11"], "examples/strided.c", "");
    assert_eq!(printed, "28 38 48\n");
}
