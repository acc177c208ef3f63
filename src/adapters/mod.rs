//! Tensors in other crates' types and in files. Each adapter has a feature of its own.
//!
//! An adapter copies nothing if the memory is the same. A tensor that does not fit is an error that names both sides,
//! and nothing is half-written.
//!
//! - ndarray, nalgebra and DLPack describe memory by strides. They take a layout with one stride for each axis, with
//!   its axes in coordinate order.
//! - An image finds its axes by their letters.
//! - Files, Arrow and most inference engines describe neither blocks nor coordinate order: they hold one array. So they
//!   are matched with the *storage* of a layout, its axes and blocks in memory order.
//!   `NHWC<N = 1, C = 3, H = 224, W = 224>` is an array of 1 x 224 x 224 x 3, and `NCHW4c<1, 64, 56, 56>` is one of
//!   1 x 16 x 56 x 56 x 4. [`storage`] and [`from_storage`] go from a tensor to a shape and a slice, and back.
//! - An [`Array`] is the array of a file before that match. It can be moved to any layout, also one with gaps and
//!   alignments, and converted or quantized on the way.
//!
//! The package `tensor-layout-frameworks` has adapters for libraries that take a minute or more to build: faer, candle,
//! tract, burn and ONNX Runtime.

#[cfg(any(feature = "npy", feature = "safetensors"))]
mod array;
#[cfg(feature = "arrow")]
pub mod arrow;
mod axis_strides;
#[cfg(feature = "dlpack")]
pub mod dlpack;
mod error;
#[cfg(any(feature = "npy", feature = "safetensors"))]
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

#[cfg(any(feature = "npy", feature = "safetensors"))]
pub use array::Array;
pub use axis_strides::strides;
pub use error::AdapterError;
#[doc(hidden)]
pub use error::Cause;
#[cfg(any(feature = "npy", feature = "safetensors"))]
use file_units::Units;
pub use storage_array::{from_storage, storage, storage_mut, storage_shape};
