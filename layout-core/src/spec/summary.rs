//! A summary of the axes and factors of a spec, gathered in one pass over each.
//!
//! Const evaluation checks and resolves every layout type, and a call of a function costs it more than ten plain steps.
//! So this loop and that of `place_plain` call no function for the usual factors, and rules that the summary rules out
//! are not checked one by one.

use super::factor::{AxisExtent, Factor, MAX_RANK};

/// One slot for each upper-case letter, and a last one for all other characters.
pub(crate) const SLOTS: usize = 27;

/// The slot of an axis. A macro, since a call takes most of the time in const evaluation.
macro_rules! slot_of {
    ($letter:expr) => {
        match $letter {
            letter @ 'A'..='Z' => letter as usize - 'A' as usize,
            _ => $crate::spec::SLOTS - 1,
        }
    };
}

/// The slot of an axis.
pub(crate) const fn slot(letter: char) -> usize {
    slot_of!(letter)
}

blank! {
    /// The summary of each axis, by its slot.
    pub(crate) struct Summary, const EMPTY {
        /// The number of axes.
        pub(crate) rank: usize = 0,
        /// Whether an axis has a letter other than A to Z.
        pub(super) has_other_letters: bool = false,
        /// The position of the axis in the coordinate, or [`MAX_RANK`] if there is no such axis.
        pub(crate) axis: [usize; SLOTS] = [MAX_RANK; SLOTS],
        /// The product of the blocks, or `None` beyond `usize::MAX`.
        pub(crate) blocks: [Option<usize>; SLOTS] = [Some(1); SLOTS],
        /// The number of factors that are what remains of the axis after its blocks: one, unless a rule is broken.
        pub(super) rests: [usize; SLOTS] = [0; SLOTS],
        pub(super) is_broadcast: [bool; SLOTS] = [false; SLOTS],
        /// The slot of the axis that is distributed over lanes, the number of lanes, and the start lane.
        lanes: (usize, usize, usize) = (SLOTS, 1, 0),
        /// Whether strides are given, and not derived from the memory order.
        pub(crate) has_strides: bool = false,
        /// Whether an option of views is given, or the stride of a block: digits keep the order in which they are
        /// listed.
        pub(crate) is_view: bool = false,
        /// The factor that says which part of a buffer has the elements, or [`Self::NONE`].
        pub(crate) part: usize = Self::NONE,
        /// Whether this part is the whole buffer, so that gaps between strides are padding.
        pub(crate) is_whole: bool = false,
        /// Whether coordinates may share elements.
        pub(crate) overlaps: bool = false,
        /// Whether a stride is given as a pitch, and gaps belong to somebody else.
        pub(crate) has_pitch: bool = false,
        /// A factor that is a pitch not known yet, or [`Self::NONE`].
        pub(crate) open_pitch: usize = Self::NONE,
        /// The alignment of the buffer in bytes, or 0 if it follows from those of the axes.
        pub(crate) start: usize = 0,
        /// Whether a block has a weight.
        pub(super) has_weights: bool = false,
        /// Whether all factors are axes and blocks of at least one position, without weights. Rules about other factors
        /// cannot be broken then.
        pub(crate) is_plain: bool = true,
        /// Whether each axis has one rest, and no factor has another letter.
        pub(super) names_each_axis_once: bool = true,
        /// The number of digits: one for each factor of an axis.
        pub(crate) digits: usize = 0,
        /// How many of the digits are broadcast.
        pub(crate) broadcasts: usize = 0,
        /// How many of the digits are blocks of one position, or a single lane. A layout keeps none of them.
        pub(crate) ones: usize = 0,
    }
}

impl Summary {
    /// Stands for a factor that there is not.
    pub(crate) const NONE: usize = usize::MAX;

    /// The summary of factors alone.
    pub(crate) const fn of_factors(factors: &[Factor]) -> Self {
        Self::of(&[], factors)
    }

    pub(crate) const fn of(axes: &[AxisExtent], factors: &[Factor]) -> Self {
        let rank = axes.len();
        // A copy of a constant is one step.
        let mut new = Self::EMPTY;
        new.rank = rank;
        each!(i, 0..rank, {
            let at = slot_of!(axes[i].letter);
            new.axis[at] = i;
            new.has_other_letters |= at == SLOTS - 1;
        });
        let (count, mut all_rests) = (factors.len(), 0);
        let mut i = 0;
        while i < count {
            let (letter, is_rest) = match factors[i] {
                Factor::Axis(letter) => (letter, true),
                Factor::Block(letter, _) => (letter, false),
                other => match new.add_unusual(i, other) {
                    Some(found) => found,
                    None => {
                        i += 1;
                        continue;
                    }
                },
            };
            let at = slot_of!(letter);
            new.digits += 1;
            // If no letter has two rests, and the number of rests is that of axes, no two axes have one letter, and
            // each has one rest. Axes beyond the largest rank have none.
            new.names_each_axis_once &= new.axis[at] < MAX_RANK && !(is_rest && new.rests[at] > 0);
            if is_rest {
                new.rests[at] += 1;
                all_rests += 1;
            } else if let Factor::Block(_, size)
            | Factor::Weighted(_, size, _)
            | Factor::StridedBlock(_, size, ..) = factors[i]
            {
                new.is_plain &= size > 0;
                new.ones += (size == 1) as usize;
                new.blocks[at] = match new.blocks[at] {
                    Some(block) => block.checked_mul(size),
                    None => None,
                };
            }
            i += 1;
        }
        new.names_each_axis_once &= all_rests == rank;
        new
    }

    /// Notes a factor that is neither an axis nor a block. Returns its axis, if it has one, and whether the factor is
    /// the rest of it.
    const fn add_unusual(&mut self, i: usize, factor: Factor) -> Option<(char, bool)> {
        self.is_plain = false;
        match factor {
            Factor::Axis(letter) => Some((letter, true)),
            Factor::Block(letter, _) => Some((letter, false)),
            Factor::Weighted(letter, ..) => {
                self.has_weights = true;
                Some((letter, false))
            }
            Factor::Align(_) | Factor::LaneArray(_) | Factor::Swizzle(_) => None,
            Factor::Start(bytes) => {
                self.start = bytes;
                None
            }
            Factor::Pitch(pitch) => {
                self.has_pitch = true;
                if pitch.value().is_none() {
                    self.open_pitch = i;
                }
                None
            }
            Factor::Stride(letter, _) => {
                self.has_strides = true;
                Some((letter, true))
            }
            Factor::StridedBlock(letter, ..) => {
                (self.has_strides, self.is_view, self.has_weights) = (true, true, true);
                Some((letter, false))
            }
            Factor::Shift(..) => {
                self.is_view = true;
                None
            }
            Factor::Overlap => {
                (self.is_view, self.overlaps) = (true, true);
                None
            }
            Factor::Part(..) | Factor::Whole(..) => {
                (self.is_view, self.has_strides, self.part) = (true, true, i);
                self.is_whole = matches!(factor, Factor::Whole(..));
                None
            }
            Factor::Broadcast(letter) => {
                self.is_broadcast[slot(letter)] = true;
                self.broadcasts += 1;
                Some((letter, true))
            }
            Factor::Lanes(letter, lanes, start) => {
                // Lanes that are not the first factor break a rule.
                if i == 0 {
                    self.lanes = (slot(letter), lanes, start);
                }
                self.ones += (lanes == 1) as usize;
                Some((letter, false))
            }
        }
    }

    /// The length of a buffer whose gaps are padding, and the stride of its lanes, if these factors give them.
    pub(crate) const fn whole(&self, factors: &[Factor]) -> Option<(usize, isize)> {
        if !self.is_whole {
            return None;
        }
        match factors[self.part] {
            Factor::Whole(length, stride) => Some((length, stride)),
            _ => None,
        }
    }

    /// The number of lanes of an axis and its start lane: one lane if it is not distributed.
    pub(crate) const fn lanes(&self, slot: usize) -> (usize, usize) {
        if self.lanes.0 == slot { (self.lanes.1, self.lanes.2) } else { (1, 0) }
    }

    /// The position of coordinate 0 of an axis with blocks of `block` coordinates, and the coordinates in all its
    /// blocks and lanes together. `None` beyond `usize::MAX`.
    pub(crate) const fn over_lanes(&self, slot: usize, block: usize) -> Option<(usize, usize)> {
        let (lanes, start) = self.lanes(slot);
        match (block.checked_mul(start), block.checked_mul(lanes)) {
            (Some(shift), Some(whole)) => Some((shift, whole)),
            _ => None,
        }
    }

    /// The largest extent of an axis whose slowest digit has `values` values. It saturates.
    pub(crate) const fn extent_of(&self, slot: usize, values: usize) -> usize {
        let (lanes, start) = self.lanes(slot);
        let Some(block) = self.blocks[slot] else { return usize::MAX };
        block.saturating_mul(lanes.saturating_mul(values).saturating_sub(start))
    }

    /// Whether an axis is distributed over lanes.
    pub(super) const fn has_lanes(&self, slot: usize) -> bool {
        self.lanes.0 == slot
    }
}

pub(crate) use slot_of;
