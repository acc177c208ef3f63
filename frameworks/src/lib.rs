//! Tensors of [`tensor_layout`] as those of frameworks, and back; a feature and a module each.
//!
//! | module | ours to theirs | theirs to ours |
//! |---|---|---|
//! | `faer` | no copy, any strides | no copy where columns or rows lie side by side |
//! | `candle` | no copy of a tensor over a `Vec` | no copy, any strides |
//! | `tract` | tract owns its memory: elements are written straight into it, in one pass | no copy |
//! | `burn` | no copy of a tensor over a `Vec` | no copy |
//! | `ort` | no copy | no copy |
//! | `cudarc` | the host's memory is copied to the device, once | the other way round |
//!
//! faer, candle and CUDA's buffers have strides or any layout at all. tract, burn and ONNX Runtime hold one array in C
//! order, which is the *storage* of a layout, its axes and blocks in memory order: an `NHWC<1, 3, 4, 6>` is an array
//! of 1 x 4 x 6 x 3. A model that wants planes takes a tensor of `NCHW`; what a camera gives is moved and converted
//! on the way, in the same pass.
//!
//! What does not fit is an [`AdapterError`] that names both sides.
#![deny(unsafe_code)]

#[cfg(feature = "burn")]
pub mod burn;
#[cfg(feature = "candle")]
pub mod candle;
#[cfg(feature = "cudarc")]
pub mod cudarc;
#[cfg(feature = "faer")]
pub mod faer;
#[cfg(feature = "ort")]
pub mod ort;
#[cfg(feature = "tract")]
pub mod tract;

pub use tensor_layout::adapters::AdapterError;

/// The error of a framework, or of what it does not take.
#[cfg(any(
    feature = "burn",
    feature = "candle",
    feature = "cudarc",
    feature = "faer",
    feature = "ort",
    feature = "tract"
))]
fn refused(
    library: &'static str,
    problem: impl std::fmt::Display,
    remedy: &'static str,
) -> AdapterError {
    let problem = problem.to_string();
    AdapterError(tensor_layout::adapters::Cause::Other { library, problem, remedy })
}
