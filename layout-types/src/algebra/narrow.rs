//! One axis from a coordinate on.

use super::AxisDigits;
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
        digits.place(from + width).wrapping_sub(digits.place(from))
    }

    /// A number of coordinates of `axis` from `from` on, in which each is as far from the one
    /// `width` before it; no more than up to the end of a block where the axis has blocks.
    pub(crate) const fn even_run(&self, axis: usize, from: usize, width: usize) -> usize {
        let mut run = self.extents[axis] - from;
        if AxisDigits::of(self, axis).stride().is_some() {
            return run;
        }
        if width > 1 {
            return width;
        }
        let mut i = 0;
        while i < self.digit_count {
            let digit = &self.digits[i];
            if digit.axis == axis && digit.weight > 1 {
                let end = digit.weight - (from + digit.shift) % digit.weight;
                run = if end < run { end } else { run };
            }
            i += 1;
        }
        run
    }
}
