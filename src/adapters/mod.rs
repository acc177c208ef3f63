//! Tensors in other crates' types and in files. Each adapter has a feature of its own.
//!
//! An adapter copies nothing if the memory is the same. A tensor that does not fit is an error that names both sides,
//! and nothing is half-written.
//!
//! - ndarray, nalgebra and DLPack describe memory by strides. They take a layout with one stride for each axis, with
//!   its axes in coordinate order.
//! - An image finds its axes by their letters.
//! - Files, Arrow and most inference engines describe neither blocks nor coordinate order: they hold one array. So they
//!   are matched with the memory of a layout.
//!
//!   Its *axes* are an array if the blocks of each axis are neighbors: `NHWC<N = 1, C = 3, H = 224, W = 224>` is an array
//!   of 1 x 224 x 224 x 3, and `O32o2o/32 I<256, 8>`, whose rows are in another order, one of 256 x 8. Its *storage* is
//!   an array of all axes and blocks: `NCHW4c<1, 64, 56, 56>` is one of 1 x 16 x 56 x 56 x 4. Either array is read.
//!   Files get the axes, or the storage where the name of a function says so.
//!
//!   [`storage`] and [`from_storage`] go from a tensor to a shape and a slice, and back.
//! - An [`Array`] is the array of a file, or of bytes with a shape, before that match. It can be moved to any layout,
//!   also one with gaps and alignments, and converted or quantized on the way.
//!
//! The package `tensor-layout-frameworks` has adapters for libraries that take a minute or more to build: faer, candle,
//! tract, burn and ONNX Runtime.

mod array;
#[cfg(feature = "arrow")]
pub mod arrow;
mod axis_strides;
#[cfg(feature = "dlpack")]
pub mod dlpack;
mod error;
mod file_units;
#[cfg(feature = "image")]
pub mod image;
#[cfg(feature = "nalgebra")]
pub mod nalgebra;
#[cfg(feature = "ndarray")]
pub mod ndarray;
#[cfg(feature = "npy")]
pub mod npy;
#[cfg(feature = "safetensors")]
pub mod safetensors;
mod storage_array;

pub use array::{Array, ArrayOrder};
pub use axis_strides::strides;
pub use error::AdapterError;
#[doc(hidden)]
pub use error::Cause;
use file_units::Units;
pub use layout_types::numbers::ByteOrder;
pub use storage_array::{from_storage, storage, storage_mut, storage_shape};
