//! The kernels that move the bytes of tensors: bytes in, bytes out, no layouts.
//!
//! This crate is the inside of `tensor-layout`; depend on that one. Its interface may change in any
//! version.
//!
//! `plan` turns [`Loops`] over elements into a [`Job`]: strides in bytes, and a kernel for the innermost
//! loops. `kernel` runs jobs with the best instructions that the CPU has. [`Convert`] runs plain loops
//! that change elements in the same way.
#![no_std]

#[cfg(any(feature = "std", test))]
extern crate std;

mod kernel;
mod plan;
#[cfg(test)]
mod tests;

pub use kernel::{
    Convert, Converter, Job, KnownJob, LINE, Loop, Named, PERIOD, Runs, Stores, converter,
    converters, run_known,
};
pub use plan::{Fill, Loops, Units, jobs, padded, units};
