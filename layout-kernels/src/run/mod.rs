//! Runs plans.
//!
//! - [`drive`] has the loops around micro-kernels, compiled once and without vector instructions; [`each`] calls
//!   something in every iteration, and moves the first rows of a matrix on their own, so that the stores of the others
//!   cross no cache line.
//! - [`scratch`] has the loops of tiles whose rows or columns go through a scratch buffer.
//! - `bit_runs` has the loops of bit permutes.
//! - [`blocked`] runs moves in blocks that fit a scratch buffer. [`paths`] runs a plan by its path.
//! - `static_moves` has moves whose plans are constants, and their loops. `inlined` compiles these loops into the
//!   caller on targets without vectors, and `small` into one function for each instruction set. `static_loops` leaves loops
//!   over short units to the compiler.
//! - `parallel` runs moves in parts.

#[cfg(all(feature = "alloc", feature = "records"))]
mod bit_runs;
mod blocked;
mod drive;
mod each;
#[cfg(any(test, not(all(target_arch = "x86_64", feature = "std"))))]
mod inlined;
#[cfg(feature = "rayon")]
mod parallel;
mod paths;
mod scratch;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod small;
#[cfg(any(test, not(all(target_arch = "x86_64", feature = "std"))))]
mod static_loops;
mod static_moves;

#[cfg(feature = "rayon")]
pub use parallel::{LEAST_PART, par_run, runs_alone};
pub use static_moves::{StaticMove, static_plan};

#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
use crate::isa::Isa;
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

/// Runs a static move. Returns false, without moving anything, if a side is too short.
///
/// On targets without vectors all moves are inlined. So are moves of up to 16 KiB that one kernel can move, in x86-64
/// builds with `std` and without debug assertions, for AVX2 and AVX-512. Other moves call the kernels of a constant
/// plan.
#[inline]
#[must_use]
pub fn run_static<M: StaticMove>(source: &[u8], destination: &mut [u8]) -> bool {
    (const { runner::<M>() })(source, destination)
}

/// Returns the function that runs a static move. The constants of a function that is not returned are not evaluated.
const fn runner<M: StaticMove>() -> fn(&[u8], &mut [u8]) -> bool {
    // Builds with debug assertions rarely optimize. Inlined code would gain nothing there, and the compiler takes a
    // tenth of a second for that of a small move.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    if !cfg!(debug_assertions) {
        return small::run_best::<M>;
    }
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    if matches!(Isa::compiled(), Isa::Portable) {
        return inlined::run::<M>;
    } else if static_loops::PlainMove::<M>::IS_CHOSEN {
        return static_loops::PlainMove::<M>::run;
    }
    run_planned::<M>
}

/// Runs the plan of a static move, which is a constant.
#[inline]
fn run_planned<M: StaticMove>(source: &[u8], destination: &mut [u8]) -> bool {
    static_plan::<M>().run_for_this_cpu(source, destination)
}

/// Whether a static move fills its padding on this CPU. If not, the caller does.
#[inline]
pub fn static_pads<M: StaticMove>() -> bool {
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    if const { static_loops::PlainMove::<M>::PADS } {
        return true;
    }
    static_plan::<M>().pads()
}
