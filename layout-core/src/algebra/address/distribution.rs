//! Distribution of an axis over lanes.

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

/// An axis that is distributed over lanes, in pieces that stay together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Distributed {
    pub(crate) axis: usize,
    pub(crate) lanes: usize,
    /// The number of coordinates in a piece.
    pub(crate) together: usize,
    /// The position of the first piece, counted from lane 0, and the end of the last one.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The distance to the next row, in elements.
    pub(crate) row_stride: isize,
}
