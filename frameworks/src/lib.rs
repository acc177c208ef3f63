//! Tensors of [`tensor_layout`] as tensors of frameworks, and back. Each framework has a feature and a module.
//!
//! | module | ours to theirs | theirs to ours |
//! |---|---|---|
//! | `faer` | no copy, any strides | no copy if columns or rows are contiguous |
//! | `candle` | no copy of a tensor over a `Vec` | no copy, any strides |
//! | `tract` | tract owns its memory: elements are written straight into it, in one pass | no copy |
//! | `burn` | no copy of a tensor over a `Vec` | no copy |
//! | `ort` | no copy | no copy |
//! | `cudarc` | one copy from the host to the device | one copy from the device to the host |
//!
//! Tensors of faer and candle have strides, and buffers of CUDA hold any layout. tract, burn and ONNX Runtime hold one
//! array in C order. That array is the *storage* of a layout, its axes and blocks in memory order:
//! `NHWC<N = 1, C = 3, H = 4, W = 6>` is an array of 1 x 4 x 6 x 3. A model that takes planes takes a tensor of `NCHW`. A
//! conversion moves a camera's frame to it and converts its elements in one pass.
//!
//! A tensor that does not fit is an [`AdapterError`] that names both sides.
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

/// The error of a framework, or of a tensor that it does not take.
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
