//! Copies on several threads.

use rayon::prelude::*;

use layout_kernels::{LEAST_PART, Loop, Stores, runs_alone};

use super::plan::{StridedCopy, run_iteration};

/// A side that several threads access.
struct SharedPointer<T> {
    start: T,
}

// SAFETY: threads only copy the pointer. Whoever uses it proves that no other thread writes the same bytes.
unsafe impl Sync for SharedPointer<*const u8> {}

// SAFETY: the same.
unsafe impl Sync for SharedPointer<*mut u8> {}

impl<T: Copy> SharedPointer<T> {
    /// A method, so that a closure captures a reference to the whole struct, which threads may share.
    fn start(&self) -> T {
        self.start
    }
}

impl StridedCopy {
    /// [`run_pointers`](Self::run_pointers) on all threads of rayon's pool. The calling thread alone does what takes less
    /// than about a third of a millisecond.
    ///
    /// # Safety
    /// The same as [`run_pointers`](Self::run_pointers).
    pub unsafe fn par_run_pointers(&self, source: *const u8, destination: *mut u8) {
        let bytes = self.numel().saturating_mul(self.unit());
        let outer = self.outer();
        let count = outer.iter().map(|outer_loop| outer_loop.size).product::<usize>();
        let kernel = self.kernel.as_ref().filter(|kernel| {
            let cycles = || kernel.cycles(&self.inner()).saturating_mul(count as u64);
            !runs_alone(bytes, cycles, LEAST_PART)
        });
        let Some(kernel) = kernel else {
            // SAFETY: the caller's promise.
            return unsafe { self.run_pointers(source, destination) };
        };
        if outer.is_empty() {
            // SAFETY: the kernel reads a part of the source, of at most `isize::MAX` bytes.
            let from = unsafe { source.offset(self.start.0) };
            // SAFETY: the source has these bytes, and nothing writes them meanwhile.
            let from = unsafe { core::slice::from_raw_parts(from, kernel.source_len()) };
            // SAFETY: the kernel writes a part of the destination.
            let to = unsafe { destination.offset(self.start.1) };
            // SAFETY: the destination has these bytes, and nothing else accesses them meanwhile.
            let to = unsafe { core::slice::from_raw_parts_mut(to, kernel.destination_len()) };
            if !layout_kernels::par_run(&self.inner(), Stores::Auto, LEAST_PART, from, to) {
                // SAFETY: the caller's promise.
                unsafe { self.run_pointers(source, destination) };
            }
            return;
        }
        let (source, destination) =
            (SharedPointer { start: source }, SharedPointer { start: destination });
        (0..count).into_par_iter().for_each(|iteration| {
            let (from, to) = at(outer, self.start, iteration);
            // SAFETY: the iteration is one of those of `run_pointers`. No two iterations write the same byte, since no
            // two units overlap.
            unsafe { run_iteration(kernel, (source.start(), from), (destination.start(), to)) };
            kernel.finish();
        });
    }
}

/// The offsets of an iteration of the loops, the first loop fastest.
fn at(loops: &[Loop], start: (isize, isize), mut iteration: usize) -> (isize, isize) {
    loops.iter().fold(start, |(from, to), outer_loop| {
        let step = (iteration % outer_loop.size) as isize;
        iteration /= outer_loop.size;
        (from + step * outer_loop.source, to + step * outer_loop.destination)
    })
}
