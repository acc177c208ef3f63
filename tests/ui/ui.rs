//! Mistakes and the messages they get: `GROUP/MISTAKE.rs` beside its `.stderr`.

/// After a change of messages: `TRYBUILD=overwrite cargo test --package ui`, then read the
/// difference.
#[test]
fn mistakes() {
    trybuild::TestCases::new().compile_fail("*/*.rs");
    // A case that passes makes trybuild build, and only a build evaluates generic functions.
    let built = trybuild::TestCases::new();
    built.pass("generic/passes/*.rs");
    built.compile_fail("generic/fails/*.rs");
}

/// What is wrong with files or with how they are asked for.
#[test]
fn mistakes_about_files() {
    use std::fs;
    use std::path::Path;

    // The cases are compiled as a package that trybuild makes, whose files these are.
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tests");
    let package = package.join("trybuild").join(env!("CARGO_PKG_NAME")).join("tests/files");
    fs::create_dir_all(&package).unwrap();
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("../files");
    for entry in fs::read_dir(files).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), package.join(entry.file_name())).unwrap();
        }
    }
    trybuild::TestCases::new().compile_fail("include/fails/*.rs");
}
