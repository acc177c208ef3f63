//! Runs bit permutes: the loops around their vectors.

use crate::plan::BitPermute;
use crate::steps::Loop;

/// The bytes of the destination that all vectors are made in before the next ones, so that these and the source stay in
/// the first-level cache, and the least number of blocks for which a vector is worth a call.
const CACHED: usize = 10 << 10;
const LEAST_BLOCKS: usize = 32;

impl BitPermute {
    /// Moves the bits. Returns false, without moving anything, if a side is too short.
    #[must_use]
    pub fn run(&self, source: &[u8], destination: &mut [u8]) -> bool {
        if source.len() < self.source_end || destination.len() < self.destination_end {
            return false;
        }
        let most = (CACHED / self.block.max(1)).max(LEAST_BLOCKS);
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
                for vector in &self.vectors {
                    // SAFETY: in the last iteration of all loops, whose strides are not negative, windows end within the
                    // source and vectors within the destination, which is borrowed mutably. The CPU has the instruction
                    // set, which is the best one that it has.
                    unsafe {
                        (self.kernel)(vector, blocks, from, to.wrapping_add(vector.destination))
                    };
                }
                first += blocks.size;
            }
        }
        true
    }
}
