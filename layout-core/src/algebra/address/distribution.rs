//! Distribution of an axis over lanes.

use crate::layout::{Buffer, Digit, Layout};

impl Layout {
    /// Whether the value of the digit is the lane.
    pub(crate) const fn is_lane(&self, digit: &Digit) -> bool {
        let Buffer { lanes, lane_axis, .. } = self.buffer;
        if lanes < 2 || digit.axis != lane_axis as usize {
            return false;
        }
        let own = self.stored(digit.axis);
        digit.weight == own.weight(own.blocks - 1)
    }

    /// The axis that is distributed over lanes, in pieces that stay together.
    pub(crate) const fn distributed(&self) -> Option<Distributed> {
        let Buffer { lanes, lane_axis, .. } = self.buffer;
        if lane_axis == Buffer::NO_AXIS {
            return None;
        }
        let axis = lane_axis as usize;
        let own = self.stored(axis);
        // The slowest block counts the lanes, unless there is only one.
        let together = own.weight(own.blocks - (lanes > 1) as usize);
        let end = (own.extent() + own.shift).div_ceil(together);
        let row_stride = own.stride(own.blocks);
        Some(Distributed { axis, lanes, together, start: own.shift / together, end, row_stride })
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
