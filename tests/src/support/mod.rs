//! What tests compare with: naive computations, random layouts, and a model of a chip.

#[path = "../../../examples/tpu_local/device.rs"]
pub(crate) mod device;
pub(crate) mod oracle;
pub(crate) mod random;
