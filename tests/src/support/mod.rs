//! What tests compare with: naive computations, random layouts, and a model of a chip.

// What `arithmetic` speaks of: the library's own tests include it, under another name of the library.
use tensor_layout::{HighFirst, Number, bf16, f4e2m1, f8e4m3, f8e5m2, f16, i2, i4, u1, u2, u4};

pub(crate) mod arithmetic;
#[path = "../../../examples/tpu_local/device.rs"]
pub(crate) mod device;
pub(crate) mod oracle;
pub(crate) mod random;

/// How random cases are run: as they say.
fn config(config: proptest::test_runner::Config) -> proptest::test_runner::Config {
    config
}
