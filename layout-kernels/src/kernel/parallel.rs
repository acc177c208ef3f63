//! Jobs cut into parts, and the threads of rayon that run them.

use std::vec::Vec;

use rayon::prelude::*;

use super::job::{Job, Kernel};
use super::loops::Loop;
use super::pad::Pad;

/// The most bytes of a job that one thread moves alone. On both virtual machines that were measured, of two cores,
/// two threads gained nothing by so many: on one it takes 50 us to wake a thread, in which another moves 2 MiB
/// or more; on the other one thread saturates memory.
const ALONE: usize = 8 << 20;

/// The fewest bytes of a part, so that one thread that is late does not leave much to wait for, nor has many to
/// begin.
const PART: usize = 512 << 10;

/// What a job is cut along: one of its outer loops, or what its kernel has.
#[derive(Clone, Copy)]
enum Cut {
    Outer(usize),
    Columns,
    Rows,
    Line,
}

/// What is cut: so many steps, of which some stay together, so far apart in bytes.
struct Level<'a> {
    steps: &'a mut usize,
    together: usize,
    source: isize,
    destination: isize,
}

impl<'a> Level<'a> {
    fn new(level: &'a mut Loop, together: usize) -> Self {
        let (source, destination) =
            (level.source * together as isize, level.destination * together as isize);
        Self { steps: &mut level.size, together, source, destination }
    }

    fn chunks(&self) -> usize {
        self.steps.div_ceil(self.together)
    }
}

impl Job {
    /// Runs the job in parts, on as many threads as rayon has here.
    ///
    /// # Safety
    /// As [`run`](Self::run), and no two of its units share a place in the destination.
    pub unsafe fn run_in_parallel(&self, source: &[u8], destination: &mut [u8]) {
        let bytes = self.bytes();
        let count = (2 * rayon::current_num_threads()).min(bytes / PART);
        let parts = if bytes > ALONE { self.parts(count) } else { Vec::new() };
        if parts.len() < 2 {
            // SAFETY: the caller's promise; `finish` follows.
            unsafe { self.run(source, destination) };
            return self.stores.finish();
        }
        let destination = Shared { start: destination.as_mut_ptr(), length: destination.len() };
        parts.par_iter().for_each(|part| {
            // SAFETY: every unit of a part is one of the job, and each of them is in one part only.
            // So by the caller's promise other threads write other bytes; and two units that share
            // a byte are in one part. `finish` follows.
            unsafe { part.run_at(source, destination.start(), destination.length) };
            part.stores.finish();
        });
    }

    /// About so many jobs that do together what this one does, each unit in exactly one.
    pub(crate) fn parts(&self, count: usize) -> Vec<Self> {
        let mut job = *self;
        let mut best = (0, Cut::Line);
        let outer = (0..Self::CAPACITY).map(Cut::Outer);
        for cut in outer.chain([Cut::Columns, Cut::Rows, Cut::Line]) {
            let Some(level) = job.level(cut) else { continue };
            // The slowest loop that gives as many, or else the one that gives the most.
            if best.0 < count && level.chunks() > best.0 {
                best = (level.chunks(), cut);
            }
        }
        let (chunks, cut) = best;
        if chunks < 2 || count < 2 {
            return [*self].into();
        }
        let each = chunks.div_ceil(count);
        (0..chunks).step_by(each).filter_map(|first| self.part(cut, first, each)).collect()
    }

    /// So many chunks of what is cut, or as many as are left from the first on.
    fn part(&self, cut: Cut, first: usize, chunks: usize) -> Option<Self> {
        let mut part = *self;
        let level = part.level(cut)?;
        let start = first * level.together;
        *level.steps = (*level.steps - start).min(chunks * level.together);
        let (source, destination) =
            (first as isize * level.source, first as isize * level.destination);
        part.source = part.source.wrapping_add_signed(source);
        part.destination = part.destination.wrapping_add_signed(destination);
        Some(part)
    }

    /// What can be cut, if the job has it. Whole lines of a kernel stay together, so that no tile
    /// is cut; the last part has what is left, which may be less than a line.
    fn level(&mut self, cut: Cut) -> Option<Level<'_>> {
        let line = 64 / self.unit;
        match (cut, &mut self.kernel) {
            // Two of these elements, of different loops, may share a byte.
            (_, Kernel::StridedNibbles(_)) => None,
            (Cut::Outer(level), _) => Some(Level::new(&mut self.outer[level], 1)),
            (Cut::Columns, Kernel::TransposeNibbles { columns, .. }) => {
                Some(Level { source: 64, ..Level::new(columns, 128) })
            }
            (Cut::Rows, Kernel::TransposeNibbles { rows, .. }) => {
                Some(Level { destination: 64, ..Level::new(rows, 128) })
            }
            (
                Cut::Columns,
                Kernel::Transpose { columns: level, .. }
                | Kernel::Groups { columns: level, .. }
                | Kernel::Interleave { columns: level, .. },
            )
            | (
                Cut::Rows,
                Kernel::Transpose { rows: level, .. }
                | Kernel::ColumnGroups { rows: level, .. }
                | Kernel::Deinterleave { rows: level, .. },
            )
            | (Cut::Line, Kernel::Strided(level)) => Some(Level::new(level, line)),
            (Cut::Columns, Kernel::ColumnGroups { groups, .. }) => Some(Level::new(groups, 16)),
            // 64 steps are whole lines.
            (Cut::Line, Kernel::Shuffle(shuffle)) => Some(Level::new(&mut shuffle.steps, 64)),
            (Cut::Line, Kernel::Copy(bytes)) => {
                Some(Level { steps: bytes, together: 64, source: 64, destination: 64 })
            }
            (Cut::Line, Kernel::Pad(Pad { pixels, .. })) => Some(Level {
                steps: pixels,
                together: 64,
                source: 64 * Pad::FROM as isize,
                destination: 64 * Pad::TO as isize,
            }),
            _ => None,
        }
    }
}

/// A destination that several threads write.
struct Shared {
    start: *mut u8,
    length: usize,
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
