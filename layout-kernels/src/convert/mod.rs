//! Plain loops that convert runs of elements, compiled for each set of instructions.

mod dispatch;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod f16c;
mod prefetch;
mod runs;

pub use dispatch::{Converter, best, sets};
pub use runs::{Convert, PERIOD, Runs};
