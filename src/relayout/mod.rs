//! Moving a tensor from one layout to another: a plan, and what runs it.
//!
//! `lowering` turns loops over elements into moves of kernels, `plan` keeps those of two layouts. `run` moves a
//! tensor, box by box with `box_moves` and `swizzled_rows`, `parallel` on several threads, `in_place` in its buffer,
//! `constant` while the program compiles; `explanation` says why a plan is what it is; `tensors` moves one tensor into
//! another, `types` is what the types of both say of that.

mod box_moves;
mod constant;
#[cfg(feature = "pictures")]
mod explanation;
mod in_place;
mod lowering;
#[cfg(feature = "rayon")]
mod parallel;
mod plan;
mod run;
mod swizzled_rows;
mod tensors;
mod types;

pub use constant::constant;
#[cfg(feature = "pictures")]
pub use explanation::{BoxExplanation, RelayoutExplanation};
pub use in_place::{relayout_in_place, run_in_place};
pub(crate) use lowering::moved;
#[cfg(feature = "rayon")]
pub use parallel::par_relayout;
pub use plan::Plan;
pub(crate) use plan::write_moved;
pub use run::{Relayout, relayout, run, run_tensors};
pub use tensors::try_tensors;
pub(crate) use types::check_axes;
pub use types::{array_align_of, checked_plan, known, units_of};
