//! Strides, for layouts that have one for each axis.

use super::Digit;
use crate::layout::Layout;
use crate::spec::MAX_RANK;

impl Layout {
    /// One stride for each axis in coordinate order, in elements, or `None` where an axis has no
    /// single stride because it is cut into blocks that do not lie one behind the other.
    /// Only the first [`rank`](Self::rank) entries count.
    ///
    /// Law: `offset(c + 1 on axis k) == offset(c) + strides[k]` wherever both are coordinates.
    pub const fn strides(&self) -> Option<[isize; MAX_RANK]> {
        let mut strides = [0; MAX_RANK];
        let mut axis = 0;
        while axis < self.rank() {
            strides[axis] = match self.stride(axis) {
                Some(stride) => stride,
                None => return None,
            };
            axis += 1;
        }
        Some(strides)
    }

    /// The stride of one axis.
    pub(crate) const fn stride(&self, axis: usize) -> Option<isize> {
        // Two coordinates are one step apart, however many digits it changes.
        if self.extents[axis] == 2 {
            return Some(self.step(axis));
        }
        let mut stride = None;
        let mut i = self.digit_count;
        while i > 0 {
            i -= 1;
            let digit = &self.digits[i];
            // A digit that is always the same has no say, unless the axis has no other.
            if digit.axis != axis || (digit.weight > 1 && self.stays(digit)) {
                continue;
            }
            let one = digit.stride / digit.weight as isize;
            match stride {
                _ if digit.stride % digit.weight as isize != 0 => return None,
                Some(other) if other != one => return None,
                _ => stride = Some(one),
            }
        }
        match stride {
            Some(stride) => Some(stride),
            // Rank 0 has no axis to ask for; every other has a digit of weight 1.
            None => Some(0),
        }
    }

    /// How far coordinate 1 is from coordinate 0.
    const fn step(&self, axis: usize) -> isize {
        let mut step = 0;
        let mut i = 0;
        while i < self.digit_count {
            let digit = &self.digits[i];
            if digit.axis == axis {
                let (from, to) = (digit.value(0, 2), digit.value(1, 2));
                step += (to as isize - from as isize) * digit.stride;
            }
            i += 1;
        }
        step
    }

    /// Whether the digit has one value for all coordinates.
    const fn stays(&self, digit: &Digit) -> bool {
        let last = self.extents[digit.axis].saturating_sub(1);
        digit.shift / digit.weight == (digit.shift + last) / digit.weight
    }
}
