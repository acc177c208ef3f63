//! Moving a tensor to a layout with another element type: a plan, and the code that runs it.
//!
//! - `element_loops` gives the kernels their arithmetic.
//! - `pass` cuts a box into tiles that fit the scratch buffer. `passes` makes passes of two layouts, and `plan` keeps
//!   them.
//! - `periods` holds the parameters of a run.
//! - `run` converts the units of one tensor, `parallel` on several threads, and `into` one tensor into another.
//! - `tiny` converts elements of static layouts in loops, if they are few.
//! - `quantize` computes scales first.

mod element_loops;
mod into;
#[cfg(feature = "rayon")]
mod parallel;
mod pass;
mod passes;
mod periods;
mod plan;
#[cfg(feature = "alloc")]
mod quantize;
mod run;
#[cfg(test)]
mod tests;
mod tiny;

pub use into::try_run_conversion;
pub use plan::{ConversionPlan, Converts};
#[cfg(feature = "alloc")]
pub use quantize::Quantized;
#[cfg(feature = "std")]
pub(crate) use quantize::{converted, quantized};
pub use run::{
    checked_conversion_plan, run_conversion, run_conversion_of_arrays, run_conversion_of_slices,
};
