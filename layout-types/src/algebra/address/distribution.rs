//! How layouts distribute an axis over the lanes of a memory.

use crate::layout::Digit;
use crate::layout::{LaneImage, Layout};

impl Layout {
    /// Whether the value of the digit is the lane.
    pub(crate) const fn is_lane(&self, digit: &Digit) -> bool {
        match self.lanes {
            Some(LaneImage { lanes, axis: Some((axis, together)), .. }) => {
                lanes > 1
                    && self.letters.at(digit.axis) as u32 == axis as u32
                    && digit.weight == together
            }
            _ => false,
        }
    }

    /// The axis that is distributed over lanes, in pieces that stay together.
    pub(crate) const fn distributed(&self) -> Option<Distributed> {
        let Some(LaneImage { lanes, axis: Some((axis, together)), .. }) = self.lanes else {
            return None;
        };
        let Some(axis) = self.letters.position(axis) else { return None };
        let (mut shift, mut row_stride) = (0, 0);
        let mut i = 0;
        while i < self.digit_count {
            let digit = &self.digits[i];
            if digit.axis == axis {
                shift = digit.shift;
                if digit.weight == together * lanes {
                    row_stride = digit.stride;
                }
            }
            i += 1;
        }
        let end = (self.extents[axis] + shift).div_ceil(together);
        Some(Distributed { axis, lanes, together, start: shift / together, end, row_stride })
    }
}

/// An axis that is distributed over lanes, as pieces that stay together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Distributed {
    pub(crate) axis: usize,
    pub(crate) lanes: usize,
    /// How many coordinates a piece holds.
    pub(crate) together: usize,
    /// Where the first piece stands, counted from lane 0, and where the last ends.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// How far the next row is, in elements.
    pub(crate) row_stride: isize,
}
