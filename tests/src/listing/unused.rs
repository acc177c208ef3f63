//! What a relayout does not need is not compiled with it: that would be most of what one costs a build.

use super::functions::functions;

/// Kernels are compiled once, with their own package: the program has calls of them.
#[test]
fn a_debug_build_compiles_no_kernels_for_a_relayout() {
    let debug = ["-Copt-level=0", "-Csymbol-mangling-version=v0"];
    let functions = functions("codegen", &[], &debug);
    assert!(functions.keys().any(|name| name.contains("10run_static")), "relayouts are run");
    // Copies of numbers are generic and a few instructions, and a table that is a constant names them.
    let is_number = |name: &str| ["4ones", "4twos", "5fours"].iter().any(|own| name.contains(own));
    let is_kernel = |name: &&String| name.contains("5micro") && !is_number(name);
    let kernels: Vec<_> = functions.keys().filter(is_kernel).collect();
    assert!(kernels.is_empty(), "{kernels:?}");
}
