//! The example `tpu_local`, run as a command: what it prints of a convolution in local memory, and
//! that all data arrived, which it checks itself.

use std::path::Path;

use super::run;

#[test]
fn a_convolution_in_local_memory() {
    let outcome = run("tpu_local", Path::new(env!("CARGO_TARGET_TMPDIR")), &[]);
    assert!(outcome.success, "{}", outcome.errors);
    let (out, errors) = (outcome.out, outcome.errors);
    assert_eq!(errors, "");
    for line in [
        "weights: OIHW64i<64, 64, 3, 3>, i8, pad, align(lanes = 64), lanes(O, 64): 576 bytes and \
         1 row in each lane",
        "SUMS     0x0c000  100352  0-63    .  .  .  #  #  #  #  #  #  +  .  .  .  .  .  .",
        "OUTPUT   0x28000   25088  0-63    .  .  .  .  .  .  .  .  .  .  #  +  .  .  .  .",
        "5 descriptors for the weights and both halves:",
        "Weights, 16 images and their result: every byte where it belongs",
    ] {
        assert!(out.lines().any(|own| own == line), "{line}\nis not in\n{out}");
    }
}
