//! What other systems call a layout: their names read as layouts, and layouts printed as their names.
//!
//! A module for each system has `parse` and `print`, the rule that its names follow, and where that rule is
//! from. [`System`] has both for a system that is chosen while the program runs, and [`of`] lists what all of
//! them call a layout. What a system cannot express is an error that says so.
//!
//! A name says where elements lie. Reading and printing keep that:
//!
//! - `parse(print(layout))` has the length and the offsets of `layout`, except that CuTe and PyTorch say
//!   neither where a buffer ends, nor PyTorch where in it a tensor begins.
//! - Names of all systems but TVM number the axes, so the letters of the layout that `parse` returns are those of
//!   the system.
//! - Axes that end inside a block are padded with zeros.

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
