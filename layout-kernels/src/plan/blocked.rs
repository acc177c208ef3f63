//! Moves in blocks that fit a scratch buffer: a step from the source to the buffer, and one from there to the
//! destination.

use super::code::Pass;
use crate::isa::Isa;
use crate::sets::PlanesKernel;
use crate::steps::{OuterLoop, OuterLoops, Planes, for_each};

/// The maximal number of loops around blocks and around both steps together.
const MOST_OUTER_LOOPS: usize = 12;

/// A move in blocks. The last block of a loop may overlap the one before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocked {
    pub(crate) isa: Isa,
    /// The bytes that the move has, and those of a block.
    pub(crate) bytes: usize,
    pub(crate) block: usize,
    /// Where the first block begins on both sides.
    pub(crate) source: isize,
    pub(crate) destination: isize,
    /// The loops around blocks, those of the first step and those of the second one, and how many there are of each.
    loops: [OuterLoop; MOST_OUTER_LOOPS],
    counts: [usize; 3],
    pub(crate) first: First,
    pub(crate) second: Pass,
}

/// How a block gets to the scratch buffer.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant, reason = "a plan allocates nothing")]
pub(crate) enum First {
    /// As planes of elements of less than a byte.
    Planes(Planes, PlanesKernel),
    /// By a step. Without vectors, small digits are not worth a scratch buffer.
    #[cfg(vectors)]
    Pass {
        pass: Pass,
        /// The bytes of the source from the beginning of a block to its end.
        length: usize,
        /// What both steps cost together.
        cost: usize,
    },
}

impl Blocked {
    /// A move of nothing with this first step. Inlined, since a constant would be copied whole.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(super) const fn nothing(first: First) -> Self {
        Self {
            isa: Isa::Portable,
            bytes: 0,
            block: 0,
            source: 0,
            destination: 0,
            loops: [OuterLoop::ONCE; MOST_OUTER_LOOPS],
            counts: [0; 3],
            first,
            second: Pass::nothing(),
        }
    }

    /// Returns the loops around blocks, those of the first step and those of the second one.
    pub(crate) fn loops(&self) -> [&[OuterLoop]; 3] {
        let mut rest = self.loops.as_slice();
        self.counts.map(|count| {
            let (own, after) = rest.split_at_checked(count).unwrap_or((rest, &[]));
            rest = after;
            own
        })
    }

    /// Adds the loops around blocks, of the first step or of the second one, in this order. Returns false if there are
    /// too many.
    #[inline(never)]
    pub(super) const fn push(&mut self, loops: &OuterLoops, which: usize) -> bool {
        let [a, b, c] = self.counts;
        let before = a + b + c;
        if before + loops.count > MOST_OUTER_LOOPS {
            return false;
        }
        for_each!(i, 0..loops.count, {
            self.loops[before + i] = loops.all[i];
        });
        self.counts[which] = loops.count;
        true
    }
}
