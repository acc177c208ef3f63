//! Moving a tensor to a layout of other elements: a plan, and what runs it.
//!
//! `element_loops` is what kernels know of numbers. `pass` is tiles of one shape that fit a scratch, `cut` makes
//! them of a nest, `passes` of two layouts, `plan` keeps them; `periods` are the parameters of a run,
//! `run` converts a tensor, `into` one into another, and `quantize` finds scales first.

mod cut;
mod element_loops;
mod into;
mod pass;
mod passes;
mod periods;
mod plan;
#[cfg(feature = "alloc")]
mod quantize;
mod run;
#[cfg(test)]
mod tests;

pub use into::try_convert_tensors;
pub use plan::ConversionPlan;
#[cfg(feature = "alloc")]
pub use quantize::Quantized;
#[cfg(any(feature = "npy", feature = "safetensors"))]
pub(crate) use quantize::{converted, quantized};
pub use run::{
    Converts, checked_conversion_plan, convert, run_conversion, run_conversion_of_tensors,
};
