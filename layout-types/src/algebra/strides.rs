//! Strides, for layouts that have one for each axis.

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
    const fn stride(&self, axis: usize) -> Option<isize> {
        let mut stride = None;
        let mut i = self.digit_count;
        while i > 0 {
            i -= 1;
            let digit = &self.digits[i];
            // A digit that is always 0 has no say, unless the axis has no other.
            if digit.axis != axis || (digit.weight >= self.extents[axis] && digit.weight > 1) {
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
}
