//! Mistakes and the messages they get: `tests/ui/GROUP/MISTAKE.rs` beside its `.stderr`.

/// After a change of messages: `TRYBUILD=overwrite cargo test --test ui`, then read the difference.
#[test]
fn mistakes() {
    trybuild::TestCases::new().compile_fail("tests/ui/*/*.rs");
    // A case that passes makes trybuild build, and only a build evaluates generic functions.
    let built = trybuild::TestCases::new();
    built.pass("tests/ui/generic/passes/*.rs");
    built.compile_fail("tests/ui/generic/fails/*.rs");
}
