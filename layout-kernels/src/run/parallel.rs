//! Moves in parts, on the threads of rayon.

use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};
use std::vec::Vec;

use rayon::prelude::*;

use crate::isa::Isa;
use crate::plan::{Move, Plan, Stores};

/// The minimal number of bytes of a part, for which [`par_run`] is fast. Small parts keep the wait for a late thread
/// short; fewer of them take less time to start.
pub const LEAST_PART: usize = 512 << 10;

/// Whether one thread alone runs plans of `bytes` bytes that take `cycles` [cycles](Plan::cycles) in all, in parts of
/// `least_part` bytes: waking another takes as long as one needs for some MiB that it copies, or for fewer that it
/// transposes.
pub fn runs_alone(bytes: usize, cycles: impl FnOnce() -> u64, least_part: usize) -> bool {
    bytes <= 2 * least_part || cycles() <= 2 * least_part as u64
}

/// Runs a move on all threads of rayon's pool unless it [takes too little time](runs_alone), in parts of `least_part`
/// bytes, [`LEAST_PART`] for speed. It fills padding if a [`Plan`] of the move does. Returns false, without moving anything,
/// if a side is too short or the move cannot be planned.
#[must_use]
pub fn par_run(
    of: &Move,
    stores: Stores,
    least_part: usize,
    source: &[u8],
    destination: &mut [u8],
) -> bool {
    let Ok(whole) = Plan::new(of) else { return false };
    let whole = whole.with_stores(stores);
    if !whole.fits(source.len(), destination.len()) {
        return false;
    }
    if runs_alone(whole.bytes(), || whole.cycles(of), least_part) {
        return whole.run(source, destination);
    }
    let count = (2 * rayon::current_num_threads()).min(whole.bytes() / least_part.max(1));
    let plan = |index| Plan::for_part(of, Isa::best(), index, count);
    let Ok(parts) = (0..count).map(plan).collect::<Result<Vec<_>, _>>() else {
        return whole.run(source, destination);
    };
    if parts.iter().any(|part| part.bytes() > 0 && part.pads() != whole.pads()) {
        return whole.run(source, destination);
    }
    // A part is smaller than the whole move but uses the same stores.
    let stores = if whole.is_streamed() { Stores::NonTemporal } else { Stores::Cached };
    // Threads only copy the pointer.
    let destination = AtomicPtr::new(destination.as_mut_ptr());
    parts.into_par_iter().for_each(|part| {
        let part = part.with_stores(stores);
        // SAFETY: a part accesses a subset of the bytes of the whole move, which fits, and no two parts write the
        // same byte.
        unsafe { part.run_unchecked(source, destination.load(Relaxed)) };
        part.finish();
    });
    true
}
