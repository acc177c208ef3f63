//! Runs plans.
//!
//! - [`drive`] calls micro-kernels, compiled once and without vector instructions.
//! - [`scratch`] has the loops around a step, and those of tiles whose rows or columns go through a scratch buffer.
//! - `bit_runs` has the loops of bit permutes.
//! - [`paths`] runs a plan by its path, also in blocks that fit a scratch buffer.
//! - `static_moves` has moves whose plans are constants, and compiles the loops of small ones into the caller.
//! - `parallel` runs moves in parts.

#[cfg(all(feature = "alloc", feature = "records"))]
mod bit_runs;
mod drive;
#[cfg(feature = "rayon")]
mod parallel;
mod paths;
mod scratch;
mod static_moves;

#[cfg(feature = "rayon")]
pub use parallel::{LEAST_PART, par_run, runs_alone};
pub use static_moves::{StaticMove, run_static, static_pads, static_plan};

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
