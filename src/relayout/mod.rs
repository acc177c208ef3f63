//! Moving a tensor from one layout to another: a plan, and the code that runs it.
//!
//! - `lowering` turns loops over elements into moves of kernels, and `plan` keeps the moves between two layouts.
//! - `blocked` cuts boxes into blocks that fit a scratch buffer.
//! - `run_plan` moves a tensor, and `run` one between two layout types. `box_moves` moves one box of it, and `swizzled`
//!   one between swizzles.
//! - `parallel` moves a tensor on several threads, `in_place` within its buffer, and `constant` at compile time.
//! - `explanation` says why a plan takes its path, and `cost` about how long.
//! - `tensors` moves one tensor into another, and `types` does what depends on their types alone.

pub(crate) mod blocked;
mod box_moves;
mod constant;
mod cost;
#[cfg(feature = "pictures")]
mod explanation;
mod in_place;
mod lowering;
#[cfg(feature = "rayon")]
mod parallel;
mod plan;
mod run;
mod run_plan;
mod swizzled;
mod tensors;
mod types;

pub use constant::constant;
pub use cost::relayout_cost;
#[cfg(feature = "pictures")]
pub use explanation::{BoxExplanation, RelayoutExplanation};
pub use in_place::{InPlaceError, can_run_in_place, run_in_place};
pub(crate) use lowering::{moved, padding};
#[cfg(feature = "rayon")]
pub use parallel::par_run_in_parts;
pub use plan::Plan;
pub(crate) use plan::write_moved;
#[cfg(feature = "records")]
pub(crate) use run::{HasStaticPlan, run_static_bytes};
pub use run::{Relayout, run, run_arrays};
pub use tensors::try_run;
pub use types::{Allocates, array_align_of, checked_plan, expect_static, units_of};
pub(crate) use types::{Matched, check_axes};
