//! One axis from a coordinate on.

use crate::algebra::AxisDigits;
use crate::layout::Layout;

impl Layout {
    /// The same storage with `extent` coordinates of `axis`, from `from` on.
    ///
    /// Law: `offset(result, c) == offset(self, c + from on the axis)`.
    pub(crate) const fn narrowed(mut self, axis: usize, from: usize, extent: usize) -> Self {
        let mut i = 0;
        while i < self.digit_count {
            if self.digits[i].axis == axis {
                self.digits[i].shift += from;
            }
            i += 1;
        }
        self.extents[axis] = extent;
        self
    }

    /// How far, in elements, coordinate `from + width` of `axis` is from coordinate `from`; 0 past
    /// the end.
    pub(crate) const fn step_of(&self, axis: usize, from: usize, width: usize) -> isize {
        if from + width >= self.extents[axis] {
            return 0;
        }
        let digits = AxisDigits::of(self, axis);
        digits.offset(from + width).wrapping_sub(digits.offset(from))
    }

    /// A number of coordinates of `axis` from `from` on, in which each is as far from the one
    /// `width` before it; at least one width. Steps of whole blocks are even as far as the next larger
    /// blocks do, others to the end of a block.
    pub(crate) const fn even_run(&self, axis: usize, from: usize, width: usize) -> usize {
        let digits = AxisDigits::of(self, axis);
        let (position, rest) = (digits.shift + from, self.extents[axis] - from);
        let (mut weight, mut run) = (1usize, width);
        let mut i = 0;
        // Steps of whole blocks leave the digits below as they are, and count up the next.
        while i < digits.count && width % weight == 0 {
            weight = weight.saturating_mul(digits.sizes[i]);
            i += 1;
            let end = if i == digits.count { rest } else { weight - position % weight };
            run = if end > run { end } else { run };
        }
        if rest < run { rest } else { run }
    }
}
