//! Which loops are a shuffle: those that lie together in the destination and come from near each other.

use super::classify::MOST_LOOPS;
use crate::kernel::{Kernel, Loop, Shuffle};

/// A shuffle that the fastest loops are.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) shuffle: Shuffle,
    /// How many of the loops it takes over.
    pub(super) loops: usize,
    /// The bytes of the destination that a vector of one lane brings.
    bytes: usize,
    /// How many parts of the source they come from.
    parts: usize,
}

/// The bytes of a lane.
const LANE: usize = 16;

/// What a run of steps costs before it begins, in look-ups.
const BEGINNING: usize = 4;

/// The best shuffle of the fastest loops over units of so many bytes.
pub(super) const fn shuffle(
    loops: &[Loop; MOST_LOOPS],
    count: usize,
    unit: usize,
) -> Option<Found> {
    let mut best: Option<Found> = None;
    let mut inner = [Loop::ONCE; 2];
    let mut step = unit;
    let mut taken = 0;
    while taken < 3 && taken < count && step <= LANE {
        let steps = loops[count - 1 - taken];
        if steps.destination != step as isize {
            break;
        }
        taken += 1;
        let shuffle = Shuffle { unit, inner, steps };
        step *= steps.size;
        if step >= LANE {
            if let Some((bytes, parts)) = shuffle.gain() {
                let found = Found { shuffle, loops: taken, bytes, parts };
                best = match best {
                    Some(best) if best.is_as_good_as(&found) => Some(best),
                    _ => Some(found),
                };
            }
        }
        inner = if taken == 1 { [Loop::ONCE, steps] } else { [steps, inner[1]] };
    }
    best
}

impl Found {
    /// What all steps cost, in look-ups and stores.
    const fn cost(&self) -> usize {
        self.shuffle.bytes().div_ceil(self.bytes) * (1 + self.parts) + BEGINNING
    }

    /// Whether it takes no longer for a byte than another.
    const fn is_as_good_as(&self, other: &Self) -> bool {
        let (own, others) = (self.shuffle.bytes(), other.shuffle.bytes());
        self.cost().saturating_mul(others) <= other.cost().saturating_mul(own)
    }

    /// The kernel, and which of so many loops it takes over.
    pub(super) const fn kernel(&self, count: usize) -> (Kernel, [bool; MOST_LOOPS]) {
        let mut taken = [false; MOST_LOOPS];
        let mut i = 1;
        while i <= self.loops {
            taken[count - i] = true;
            i += 1;
        }
        (Kernel::Shuffle(self.shuffle), taken)
    }

    /// Whether it costs no more than to move pieces of so many bytes each for itself, of which one costs so much.
    pub(super) const fn beats_pieces(&self, bytes: usize, cost: usize) -> bool {
        self.cost() <= self.shuffle.bytes() / bytes * cost
    }

    /// Whether it takes less time than tiles of which a few columns are wanted.
    pub(super) const fn beats_few_columns(&self, unit: usize, columns: usize) -> bool {
        let steps = self.shuffle.steps.source.unsigned_abs() / unit;
        let near = 1 <= steps && steps <= 4 && steps * unit <= 8;
        near && columns * unit < LANE
    }
}
