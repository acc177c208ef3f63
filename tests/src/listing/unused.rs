//! What a relayout does not need is not compiled with it: that would be most of what one costs a build.

use super::functions::functions;

#[test]
fn a_debug_build_compiles_no_kernels_for_a_relayout_that_has_no_code_of_its_own() {
    let debug = ["-Copt-level=0", "-Csymbol-mangling-version=v0"];
    let functions = functions("codegen", &[], &debug);
    let of = |parts: &[&str]| {
        functions.keys().filter(|name| parts.iter().all(|part| name.contains(part))).count()
    };
    // Parts of mangled names: the function whose instances are kernels for one relayout, and that.
    assert!(of(&["13known_entries", "5Small"]) > 0, "a small relayout has code of its own");
    assert_eq!(of(&["13known_entries", "5Large"]), 0, "a large one has not");
}
