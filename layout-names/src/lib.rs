//! Names of layouts in other systems: parsed as layouts, and printed from layouts.
//!
//! This crate is the inside of `tensor-layout`, whose feature `names` exports it; depend on that one.
//!
//! The module of each system has `parse` and `print`, the rule of its names, and the source of that rule. [`System`]
//! has both for a system chosen at run time, and [`of`] lists the names in all systems. A layout that a system cannot
//! express is an error that says so.
//!
//! A name determines offsets. Parsing and printing keep them:
//!
//! - `parse(print(layout))` has the length and the offsets of `layout`, with two exceptions: CuTe's and PyTorch's
//!   names do not contain the length of the buffer, and PyTorch's do not contain the start of the tensor in it.
//! - Names of all systems except TVM number the axes, so the result of `parse` has the letters of the system.
//! - Axes that end inside a block are padded with zeros.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

pub mod ascend;
pub mod cublaslt;
pub mod cute;
mod error;
pub mod ethosu;
mod every;
pub mod hipblaslt;
mod index_map;
mod memory_order;
pub mod mlir;
pub mod onednn;
pub mod pytorch;
pub mod rknn;
mod scanner;
mod system;
mod table;
pub mod tensorrt;
pub mod tvm;
pub mod xla;
mod xla_tiles;

pub use error::{LayoutName, NameError};
pub use every::{Named, Names, of};
pub use system::System;
