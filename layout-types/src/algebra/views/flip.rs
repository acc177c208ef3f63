//! An axis backwards.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::LayoutError;

impl Layout {
    /// An axis backwards.
    ///
    /// Law: `offset(flip, c) == offset(self, d)` where `d` is `c` with `extent - 1 - i` in place of
    /// the axis' index `i`.
    ///
    /// # Errors
    /// An axis that there is not, or one that is broadcast in part and ends inside a block.
    pub const fn flip(&self, axis: char) -> Result<Self, LayoutError> {
        let position = ok!(self.axis(axis));
        let extent = self.extents()[position];
        self.slice(axis, extent.saturating_sub(1), -1, extent)
    }
}

impl AxisDigits {
    /// The coordinates in reverse.
    ///
    /// Law: `offset(flip, i) == offset(self, extent - 1 - i)`.
    pub(in crate::algebra) const fn flip(mut self) -> Self {
        if self.extent < 2 {
            return self;
        }
        let mut i = 0;
        while i < self.count {
            let distance = self.strides[i].wrapping_mul((self.sizes[i] as isize).wrapping_sub(1));
            self.start = self.start.wrapping_add(distance);
            self.strides[i] = self.strides[i].wrapping_neg();
            i += 1;
        }
        // What is left of the last block, which is now the first.
        let block = self.block();
        let over = (self.shift + self.extent) % block;
        self.normalized(if over > 0 { block - over } else { 0 }, self.extent)
    }
}
