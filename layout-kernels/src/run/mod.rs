//! Runs plans.
//!
//! - [`drive`] calls micro-kernels, compiled once and without vector instructions.
//! - [`scratch`] has the loops around a step, and those of tiles whose rows or columns go through a scratch buffer.
//! - [`paths`] runs a plan by its path, also in blocks that fit a scratch buffer, and bit permutes.
//! - `static_moves` has moves whose plans are constants, and compiles the loops of small ones into the caller.
//! - This file has moves in parts, on the threads of rayon.

mod drive;
mod paths;
mod scratch;
mod static_moves;

pub use static_moves::{StaticMove, run_static, static_pads, static_plan};

#[cfg(feature = "rayon")]
use crate::isa::Isa;
#[cfg(feature = "rayon")]
use crate::plan::Move;
use crate::plan::{Plan, Stores};

impl Plan {
    /// Runs the plan. Returns false, without moving anything, if a side has fewer bytes than
    /// [`source_len`](Self::source_len) or [`destination_len`](Self::destination_len), or if the CPU lacks the
    /// instruction set.
    #[inline]
    #[must_use]
    pub fn run(&self, source: &[u8], destination: &mut [u8]) -> bool {
        let done = self.run_unfenced(source, destination);
        self.finish();
        done
    }

    /// [`run`](Self::run) for one of many moves. Call [`finish`](Self::finish) after the last one: it makes
    /// non-temporal stores visible to other threads, which waits for memory.
    ///
    /// It is always inlined without vectors: of a constant plan a board then has the code and the stack of one path.
    #[cfg_attr(vectors, inline)]
    #[cfg_attr(not(vectors), inline(always))]
    #[must_use]
    pub fn run_unfenced(&self, source: &[u8], destination: &mut [u8]) -> bool {
        let fits = self.fits(source.len(), destination.len());
        if fits {
            // SAFETY: both sides hold every unit, a mutably borrowed slice overlaps no other, and the CPU has the
            // instruction set.
            unsafe { self.run_unchecked(source, destination.as_mut_ptr()) };
        }
        fits
    }

    /// [`run`](Self::run) of a plan for an instruction set that the CPU is known to have. It is inlined: for a
    /// constant plan, not much more remains than the call of its micro-kernel.
    #[inline(always)]
    pub(crate) fn run_for_this_cpu(&self, source: &[u8], destination: &mut [u8]) -> bool {
        let fits = source.len() >= self.source_end && destination.len() >= self.destination_end;
        if fits {
            let stream = self.is_streamed();
            // SAFETY: both sides hold every unit, a mutably borrowed slice overlaps no other, and the CPU has the
            // instruction set.
            unsafe { paths::run(self, source, destination.as_mut_ptr(), stream) };
            if stream {
                Stores::NonTemporal.finish();
            }
        }
        fits
    }

    /// Moves to a destination of which other threads may write other parts. [`finish`](Self::finish) follows.
    ///
    /// # Safety
    /// - The plan must [`fit`](Self::fits) the source and the bytes that are writable at `destination`. The two must
    ///   not overlap.
    /// - Nothing else may access the bytes that the plan writes at the same time. If it moves elements of less than a
    ///   byte, nothing else may access any byte up to the last one written.
    #[inline]
    pub unsafe fn run_unchecked(&self, source: &[u8], destination: *mut u8) {
        debug_assert!(self.fits(source.len(), usize::MAX), "{} bytes", source.len());
        // SAFETY: the caller's promise.
        unsafe { paths::run(self, source, destination, self.is_streamed()) };
    }

    /// Makes this thread's non-temporal stores visible to others, as plain stores are.
    #[inline]
    pub fn finish(&self) {
        if self.is_streamed() {
            Stores::NonTemporal.finish();
        }
    }
}

impl Stores {
    /// Makes the non-temporal stores of all plans of this thread visible, as plain stores are. That waits for memory,
    /// so call it once, after all of them.
    #[inline]
    pub fn finish(self) {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if self != Self::Cached {
            // SAFETY: the instruction is part of SSE, which every x86-64 CPU has.
            unsafe { core::arch::x86_64::_mm_sfence() }
        }
    }
}

/// The minimal number of bytes of a part, for which [`par_run`] is fast. Small parts keep the wait for a late thread
/// short; fewer of them take less time to start.
#[cfg(feature = "rayon")]
pub const LEAST_PART: usize = 512 << 10;

/// Whether one thread alone runs plans of `bytes` bytes that take `cycles` [cycles](Plan::cycles) in all, in parts of
/// `least_part` bytes: waking another takes as long as one needs for some MiB that it copies, or for fewer that it
/// transposes.
#[cfg(feature = "rayon")]
pub fn runs_alone(bytes: usize, cycles: impl FnOnce() -> u64, least_part: usize) -> bool {
    bytes <= 2 * least_part || cycles() <= 2 * least_part as u64
}

/// Runs a move on all threads of rayon's pool unless it [takes too little time](runs_alone), in parts of `least_part`
/// bytes, [`LEAST_PART`] for speed. It fills padding if a [`Plan`] of the move does. Returns false, without moving anything,
/// if a side is too short or the move cannot be planned.
#[cfg(feature = "rayon")]
#[must_use]
pub fn par_run(
    of: &Move,
    stores: Stores,
    least_part: usize,
    source: &[u8],
    destination: &mut [u8],
) -> bool {
    use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};
    use std::vec::Vec;

    use rayon::prelude::*;

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
