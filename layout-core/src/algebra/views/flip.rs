//! Reverses an axis.

use crate::algebra::AxisDigits;
use crate::algebra::axis::to_last;
use crate::layout::Layout;
use crate::spec::LayoutError;

impl Layout {
    /// Reverses axis `axis`.
    ///
    /// Law: `offset(flip, c) == offset(self, d)`, where `d` is `c` with index `extent - 1 - i` on the axis instead of
    /// `i`.
    ///
    /// # Errors
    /// - The layout does not have the axis.
    /// - Part of the axis is broadcast, and the axis ends inside a block.
    pub const fn flip(&self, axis: char) -> Result<Self, LayoutError> {
        let extent = self.extent(ok!(self.axis(axis)));
        self.slice(axis, extent.saturating_sub(1), -1, extent)
    }
}

impl AxisDigits {
    /// The axis in reverse.
    ///
    /// Law: `offset(flip, i) == offset(self, extent - 1 - i)`.
    pub(in crate::algebra) const fn flip(mut self) -> Self {
        if self.extent < 2 {
            return self;
        }
        each!(i, 0..self.count, {
            self.start = self.start.wrapping_add(to_last(self.sizes[i], self.strides[i]));
            self.strides[i] = self.strides[i].wrapping_neg();
        });
        // The padding of the last block, which comes first now.
        let block = self.block();
        let over = (self.shift + self.extent) % block;
        self.normalized(if over > 0 { block - over } else { 0 }, self.extent)
    }
}
