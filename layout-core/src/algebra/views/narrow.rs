//! Narrows an axis to a range of its coordinates.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{greatest, least};

impl Layout {
    /// The same storage with `extent` coordinates of `axis`, beginning at `from`.
    ///
    /// Law: `offset(narrowed, c) == offset(self, d)`, where `d` is `c` with `from` added on the axis.
    pub(crate) const fn narrowed(mut self, axis: usize, from: usize, extent: usize) -> Self {
        self.set_range(axis, from, extent);
        self
    }

    /// The distance, in elements, from coordinate `from` of `axis` to coordinate `from + width`; 0 if that is beyond
    /// the extent.
    #[doc(hidden)]
    pub const fn step_of(&self, axis: usize, from: usize, width: usize) -> isize {
        if from + width >= self.extent(axis) {
            return 0;
        }
        let digits = AxisDigits::of(self, axis);
        digits.offset(from + width).wrapping_sub(digits.offset(from))
    }

    /// The number of coordinates of `axis` from `from` of which each has the same distance from the one `width` before
    /// it; at least `width`. If `width` is a multiple of whole blocks, such a run ends at the next larger block.
    /// Otherwise it ends with the block.
    #[doc(hidden)]
    pub const fn even_run(&self, axis: usize, from: usize, width: usize) -> usize {
        let digits = AxisDigits::of(self, axis);
        let (position, rest) = (digits.shift + from, self.extent(axis) - from);
        let (mut weight, mut run) = (1usize, width);
        let mut i = 0;
        // Steps of whole blocks keep the faster digits as they are and count up the next digit.
        while i < digits.count && width % weight == 0 {
            weight = weight.saturating_mul(digits.sizes[i]);
            i += 1;
            let end = if i == digits.count { rest } else { weight - position % weight };
            run = greatest(run, end);
        }
        least(rest, run)
    }
}
