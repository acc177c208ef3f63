//! Moves in parts, on the threads of rayon.

use std::vec::Vec;

use rayon::prelude::*;

use crate::isa::Isa;
use crate::plan::{Move, Plan, Stores};

/// The most bytes that one thread moves alone. On both virtual machines that were measured, of two cores,
/// two threads gained nothing by so many: on one it takes 50 us to wake a thread, in which another moves 2 MiB
/// or more; on the other one thread saturates memory.
const ALONE: usize = 8 << 20;

/// The fewest bytes of a part, so that one thread that is late does not leave much to wait for, nor has many to
/// begin.
const PART: usize = 512 << 10;

/// Moves on as many threads as rayon has here, if that is worth it, and fills padding where a [`Plan`] of the move does.
/// False, and nothing is moved, if a side is too short or there is no plan for the move.
#[must_use]
pub fn par_run(of: &Move, stores: Stores, source: &[u8], destination: &mut [u8]) -> bool {
    let Ok(whole) = Plan::new(of) else { return false };
    let whole = whole.with_stores(stores);
    if !whole.fits(source.len(), destination.len()) {
        return false;
    }
    if whole.bytes() <= ALONE {
        return whole.run(source, destination);
    }
    let count = (2 * rayon::current_num_threads()).min(whole.bytes() / PART).max(1);
    let plan = |index| Plan::for_part(of, Isa::best(), index, count);
    let Ok(parts) = (0..count).map(plan).collect::<Result<Vec<_>, _>>() else {
        return whole.run(source, destination);
    };
    if parts.iter().any(|part| part.bytes() > 0 && part.pads() != whole.pads()) {
        return whole.run(source, destination);
    }
    // A part is smaller than the whole, whose stores it takes.
    let stores = if whole.is_streamed() { Stores::NonTemporal } else { Stores::Cached };
    let destination = Shared { start: destination.as_mut_ptr() };
    parts.par_iter().for_each(|part| {
        let part = part.with_stores(stores);
        // SAFETY: a part touches no more of either side than the whole, which fits; no two of them move to one byte.
        unsafe { part.run_unchecked(source, destination.start()) };
        part.finish();
    });
    true
}

/// A destination that several threads write.
struct Shared {
    start: *mut u8,
}

// SAFETY: threads only copy the pointer; who writes through it proves that no other thread writes
// or reads the same bytes.
unsafe impl Sync for Shared {}

impl Shared {
    /// A method, so that a closure takes a reference to the whole, which threads may share.
    fn start(&self) -> *mut u8 {
        self.start
    }
}
