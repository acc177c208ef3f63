//! Runs plans.
//!
//! [`drive`]: the loops around micro-kernels, compiled once and without vector instructions. [`scratch`]: those of
//! tiles whose rows or columns go through a scratch. [`sub_byte`]: the paths of a plan. `known`: moves whose plans are
//! constants; those that run in place: `inlined` without vectors, `small` with several instruction sets. `parallel`: moves in parts.

mod drive;
#[cfg(any(test, not(all(target_arch = "x86_64", feature = "std"))))]
mod inlined;
mod known;
#[cfg(feature = "rayon")]
mod parallel;
mod scratch;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod small;
mod sub_byte;

pub use known::{KnownMove, known};
#[cfg(feature = "rayon")]
pub use parallel::par_run;

#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
use crate::isa::Isa;
use crate::plan::{Plan, Stores};

impl Plan {
    /// Moves. False, and nothing is moved, if a side has fewer bytes than [`source_len`](Self::source_len) or
    /// [`destination_len`](Self::destination_len), or the CPU lacks the instruction set.
    #[inline]
    #[must_use]
    pub fn run(&self, source: &[u8], destination: &mut [u8]) -> bool {
        let done = self.run_unfenced(source, destination);
        self.finish();
        done
    }

    /// [`run`](Self::run) for one of many moves: after the last, [`finish`](Self::finish) makes visible to other
    /// threads what they stored non-temporally, which waits for memory.
    #[inline]
    #[must_use]
    pub fn run_unfenced(&self, source: &[u8], destination: &mut [u8]) -> bool {
        let fits = self.fits(source.len(), destination.len());
        if fits {
            // SAFETY: both sides hold every unit; a slice borrowed mutably overlaps no other; the CPU has the
            // instruction set.
            unsafe { self.run_unchecked(source, destination.as_mut_ptr()) };
        }
        fits
    }

    /// [`run`](Self::run) of a plan for an instruction set that the CPU is known to have. Inlined: of a plan that is a
    /// constant little more is left than the call of its micro-kernel.
    #[inline(always)]
    pub(crate) fn run_for_this_cpu(&self, source: &[u8], destination: &mut [u8]) -> bool {
        let fits = source.len() >= self.source_end && destination.len() >= self.destination_end;
        if fits {
            let stream = self.is_streamed();
            // SAFETY: both sides hold every unit; a slice borrowed mutably overlaps no other; the CPU has the
            // instruction set.
            unsafe { sub_byte::run(self, source, destination.as_mut_ptr(), stream) };
            if stream {
                Stores::NonTemporal.finish();
            }
        }
        fits
    }

    /// Moves to a destination that other threads may write to elsewhere. [`finish`](Self::finish) follows.
    ///
    /// # Safety
    /// - the plan [`fits`](Self::fits) the source and the bytes that are writable at `destination`, and the two do
    ///   not overlap;
    /// - nothing else touches the bytes that the plan moves to meanwhile; if it moves elements of less than a byte, none of the bytes up
    ///   to the last of those.
    #[inline]
    pub(crate) unsafe fn run_unchecked(&self, source: &[u8], destination: *mut u8) {
        debug_assert!(self.fits(source.len(), usize::MAX), "{} bytes", source.len());
        // SAFETY: the caller's promise.
        unsafe { sub_byte::run(self, source, destination, self.is_streamed()) };
    }

    /// Makes what this thread stored non-temporally visible to others as plain stores are.
    #[inline]
    pub fn finish(&self) {
        if self.is_streamed() {
            Stores::NonTemporal.finish();
        }
    }
}

impl Stores {
    /// Makes what plans of this thread stored non-temporally visible, as what is stored plainly is. That waits for
    /// memory, so it comes once, after all of them.
    #[inline]
    pub fn finish(self) {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if self != Self::Cached {
            // SAFETY: part of SSE, which every x86-64 has.
            unsafe { core::arch::x86_64::_mm_sfence() }
        }
    }
}

/// Runs a known move. False, and nothing is moved, if a side is too short for it.
///
/// Without vectors only what the move needs is compiled, in place.
#[inline]
#[must_use]
pub fn run_known<M: KnownMove>(source: &[u8], destination: &mut [u8]) -> bool {
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    if const { matches!(Isa::compiled(), Isa::Portable) } {
        return inlined::run::<M>(source, destination);
    }
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    return small::run_best::<M>(source, destination);
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    known::<M>().run_for_this_cpu(source, destination)
}
