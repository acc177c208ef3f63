//! From loops over elements to jobs: strides in bytes, a unit that is moved as one, a kernel.
//!
//! `loops` is what is asked for, `padding` what is filled besides. `classify` chooses the kernel,
//! `shuffles` weighs byte permutes against the others, and `nibbles` turns 4-bit elements into bytes.

mod classify;
mod loops;
mod nibbles;
mod padding;
mod shuffles;

pub use classify::{Units, jobs, padded, units};
pub use loops::Loops;
pub use padding::Fill;
