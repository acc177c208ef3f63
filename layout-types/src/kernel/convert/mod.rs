//! Kernels that convert runs of numbers: a run lies together in source and destination.

mod dispatch;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod f16c;
mod loops;
mod prefetch;

#[cfg(test)]
pub(crate) use dispatch::sets;
pub(crate) use dispatch::{Converter, best};
pub(crate) use loops::{Arithmetic, PERIOD, Parameters, Runs};
