//! Moving a tensor from one layout to another: a plan, and what runs it.

mod boxes;
mod classify;
mod constant;
mod nest;
mod nibbles;
mod plan;
mod run;
#[cfg(test)]
mod tests;

pub use constant::constant;
pub use plan::Plan;
pub(crate) use plan::{check_length, wrong_length};
pub use run::{Relayout, plan, relayout, run};
