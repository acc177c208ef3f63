//! An axis backwards.

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
