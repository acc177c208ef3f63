//! Tensors in other crates' types and in files, each behind a feature of its own.
//!
//! Nothing is copied where the memory is the same. What does not fit is an error that names both
//! sides; nothing is half-written then.
//!
//! ndarray, nalgebra and DLPack know strides, so a layout with one for each axis goes over as it is, its
//! axes in coordinate order. An image finds its axes by their letters.
//!
//! Files, Arrow and most inference engines know nothing of blocks or of coordinate order: they hold one array. So
//! they are matched with the *storage* of a layout, its axes and blocks in memory order: `NHWC<1, 3, 224, 224>` is an
//! array of 1 x 224 x 224 x 3, `NCHW4c<1, 64, 56, 56>` one of 1 x 16 x 56 x 56 x 4. [`storage`] and [`from_storage`]
//! are the two sides of that for whatever takes a shape and a slice. An [`Array`] is what a file holds
//! before that: it becomes any layout, with gaps and alignments too, converted or quantized on the way.
//!
//! Package `tensor-layout-frameworks`, beside this one, has adapters for packages that take a minute and more to
//! build: faer, candle, tract, burn and ONNX Runtime.

#[cfg(any(feature = "npy", feature = "safetensors"))]
mod array;
#[cfg(feature = "arrow")]
pub mod arrow;
mod axis_strides;
#[cfg(feature = "dlpack")]
pub mod dlpack;
mod error;
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
pub use storage_array::{from_storage, storage, storage_mut, storage_shape};
