//! Moving a tensor from one layout to another: a plan, and what runs it.

mod boxes;
mod classify;
mod constant;
mod convert;
#[cfg(test)]
mod convert_tests;
mod cut;
mod in_place;
mod levels;
mod nest;
mod nibbles;
mod padding;
mod pair;
#[cfg(feature = "rayon")]
mod parallel;
mod pass;
mod passes;
mod periods;
mod plan;
mod run;
#[cfg(test)]
mod set_tests;
mod shuffles;
mod tensor;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod view_tests;

pub(crate) use boxes::Boxes;
pub use constant::constant;
pub use convert::{ConversionPlan, Converts, conversion_plan, convert, run_conversion};
pub use in_place::{relayout_in_place, run_in_place};
pub(crate) use levels::{Level, MAX_LEVELS};
pub(crate) use nest::Nest;
pub(crate) use pair::{Pair, check_length, wrong_length};
#[cfg(feature = "rayon")]
pub use parallel::par_relayout;
pub use plan::Plan;
pub use run::{Relayout, plan, relayout, run};
