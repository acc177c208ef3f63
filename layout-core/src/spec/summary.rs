//! A summary of the factors of each axis, gathered in one pass.
//!
//! Const evaluation checks and resolves every layout type, at about 300 ns for each step. Reading all factors again
//! for each axis took half of the build time of a layout.

use super::factor::Factor;

/// One slot for each upper-case letter, and a last one for all other characters.
pub(crate) const SLOTS: usize = 27;

/// The slot of an axis.
pub(crate) const fn slot(letter: char) -> usize {
    let slot = (letter as usize).wrapping_sub('A' as usize);
    if slot < SLOTS - 1 { slot } else { SLOTS - 1 }
}

/// The summary of each axis, by its slot.
pub(crate) struct Summary {
    /// The product of the blocks, or `None` beyond `usize::MAX`.
    pub(crate) blocks: [Option<usize>; SLOTS],
    /// The number of factors that are what remains of the axis after its blocks: one, unless a rule is broken.
    pub(super) rests: [usize; SLOTS],
    pub(super) is_broadcast: [bool; SLOTS],
    /// The slot of the axis that is distributed over lanes, the number of lanes, and the start lane.
    lanes: (usize, usize, usize),
    /// Whether strides are given, and not derived from the memory order.
    pub(crate) has_strides: bool,
    /// Whether a block has a weight.
    pub(super) has_weights: bool,
    /// The number of digits: one for each factor of an axis.
    pub(super) digits: usize,
}

impl Summary {
    pub(crate) const fn of(factors: &[Factor]) -> Self {
        let mut new = Self {
            blocks: [Some(1); SLOTS],
            rests: [0; SLOTS],
            is_broadcast: [false; SLOTS],
            lanes: (SLOTS, 1, 0),
            has_strides: false,
            has_weights: false,
            digits: 0,
        };
        let count = factors.len();
        let mut others = 0;
        let mut i = 0;
        while i < count {
            match factors[i] {
                Factor::Axis(letter) => new.rests[slot(letter)] += 1,
                Factor::Block(letter, size) | Factor::Weighted(letter, size, _) => {
                    new.has_weights |= matches!(factors[i], Factor::Weighted(..));
                    let at = slot(letter);
                    new.blocks[at] = match new.blocks[at] {
                        Some(block) => block.checked_mul(size),
                        None => None,
                    };
                }
                Factor::Align(_) | Factor::LaneArray(_) | Factor::Swizzle(_) => others += 1,
                Factor::Stride(letter, _) => {
                    new.rests[slot(letter)] += 1;
                    new.has_strides = true;
                }
                Factor::Broadcast(letter) => {
                    new.rests[slot(letter)] += 1;
                    new.is_broadcast[slot(letter)] = true;
                }
                // Lanes that are not the first factor break a rule.
                Factor::Lanes(letter, lanes, start) => {
                    if i == 0 {
                        new.lanes = (slot(letter), lanes, start);
                    }
                }
            }
            i += 1;
        }
        new.digits = count - others;
        new
    }

    /// The number of lanes of an axis and its start lane: one lane if it is not distributed.
    pub(crate) const fn lanes(&self, slot: usize) -> (usize, usize) {
        if self.lanes.0 == slot { (self.lanes.1, self.lanes.2) } else { (1, 0) }
    }

    /// Whether an axis is distributed over lanes.
    pub(super) const fn has_lanes(&self, slot: usize) -> bool {
        self.lanes.0 == slot
    }
}
