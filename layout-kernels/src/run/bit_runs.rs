//! Runs bit permutes: the loops around their blocks.

use crate::plan::BitPermute;
use crate::steps::{LEAST_BLOCKS, Loop};

/// The bytes of the destination that are written by all steps before the next ones, so that these and the source stay in
/// the first-level cache.
const CACHED: usize = 5 << 10;

impl BitPermute {
    /// The most blocks of a step.
    pub(crate) fn most(&self) -> usize {
        (CACHED / self.block.max(1) + 1).next_multiple_of(LEAST_BLOCKS)
    }

    /// Moves the bits. Returns false, without moving anything, if a side is too short.
    #[must_use]
    pub fn run(&self, source: &[u8], destination: &mut [u8]) -> bool {
        if source.len() < self.source_end || destination.len() < self.destination_end {
            return false;
        }
        let most = self.most();
        for i in 0..self.loops.iter().map(|own| own.size).product() {
            let (mut from, mut to, mut rest) = (0, 0, i);
            for own in self.loops.iter().rev() {
                let step = (rest % own.size) as isize;
                rest /= own.size;
                (from, to) = (from + step * own.source, to + step * own.destination);
            }
            let mut first = 0;
            while first < self.blocks.size {
                let blocks = Loop { size: (self.blocks.size - first).min(most), ..self.blocks };
                let step = first as isize;
                let from = source.as_ptr().wrapping_offset(from + step * blocks.source);
                let to = destination.as_mut_ptr().wrapping_offset(to + step * blocks.destination);
                // SAFETY: in the last iteration of all loops, whose strides are not negative, squares, words and windows end within
                // the source, and what is made of them within the destination, which is borrowed mutably. The CPU has the
                // instruction set, which is the best one that it has.
                unsafe { (self.kernel)(&self.steps, blocks, from, to) };
                first += blocks.size;
            }
        }
        true
    }
}
