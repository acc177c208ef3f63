//! From loops over elements to jobs: strides in bytes, a unit that is moved as one, a kernel.
//!
//! `asked` is what is asked for, `padded` what is filled besides. `classify` chooses the kernel,
//! `shuffles` weighs byte permutes against the others, and `nibbles` turns 4-bit elements into bytes.

mod asked;
mod classify;
mod nibbles;
mod padded;
mod shuffles;

use crate::kernel::{Job, Stores};

pub use asked::Loops;
pub use classify::{Units, padded, units};
pub use padded::Fill;

/// The job that does what `nest` says with elements of `bits` bits, and one more where that leaves
/// 4-bit elements over; or `None` where jobs cannot say it, for the nest has too many loops or
/// its 4-bit elements begin inside bytes.
pub const fn jobs(nest: &Loops, bits: usize, stores: Stores) -> Option<(Job, Option<Job>)> {
    if bits < 8 {
        return nibbles::jobs(nest, stores);
    }
    match classify::job(nest, bits / 8, stores) {
        Some(job) => Some((job, None)),
        None => None,
    }
}
