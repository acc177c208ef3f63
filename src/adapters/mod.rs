//! Tensors in other crates' types and in files, each behind a feature of its own.
//!
//! Nothing is copied where the memory is the same. What does not fit is an error that names both
//! sides; nothing is half-written then.
//!
//! ndarray, nalgebra and DLPack know strides, so a layout with one for each axis goes over as it is, its
//! axes in coordinate order. An image finds its axes by their letters.
//!
//! A file knows nothing of blocks or of coordinate order: it holds one array. So files are matched
//! with the *storage* of a layout, its axes and blocks in memory order: `NHWC<1, 3, 224, 224>` is an
//! array of 1 x 224 x 224 x 3, `NCHW4c<1, 64, 56, 56>` one of 1 x 16 x 56 x 56 x 4. An [`Array`] is what a file holds
//! before that: it becomes any layout, with gaps and alignments too, converted or quantized on the way.

#[cfg(any(feature = "npy", feature = "safetensors"))]
mod array;
#[cfg(any(feature = "npy", feature = "safetensors"))]
mod array_shape;
#[cfg(any(feature = "dlpack", feature = "image", feature = "nalgebra", feature = "ndarray"))]
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

#[cfg(any(feature = "npy", feature = "safetensors"))]
pub use array::Array;
pub use error::AdapterError;
#[doc(hidden)]
pub use error::Cause;
