//! The placement of tensors in the local memory of accelerators, and the DMA descriptors that move them.
//!
//! This crate is the inside of `tensor-layout`, whose feature `chip` exports it; depend on that one.
//!
//! Chips, their storages and layouts seen from lanes are in `layout-core`, since the notation of layouts has storages.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod descriptor;
mod dimensions;
mod lane_runs;
mod local;
mod local_tensor;
mod placement;
mod transfer;

pub use descriptor::{Descriptor, Direction};
pub use local::LocalMemory;
#[doc(hidden)]
pub use local::room;
pub use local_tensor::{LocalTensor, Misplaced};
pub use transfer::Transfer;
