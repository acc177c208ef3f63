//! What two layouts have in common.

use crate::algebra::AxisDigits;
use crate::layout::Layout;

impl Layout {
    /// Whether the two have the same axes and extents, and every coordinate at the same offset.
    /// Axes are matched by letter, so coordinate orders may differ.
    ///
    /// Where elements have the same width too, the one can be read as the other, and a relayout between
    /// the two moves nothing.
    ///
    /// Law: `offset(self, c) == offset(other, c)` for all coordinates. False for layouts of different swizzles,
    /// although these may come to the same at the offsets that there are.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let of = |format| Layout::of(format, &[2, 8, 1, 1], ElementType::F32);
    /// assert!(of("NCHW")?.same_map(&of("NHWC")?));
    /// assert!(!of("NCHW")?.same_map(&of("CHWN")?));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn same_map(&self, other: &Self) -> bool {
        if self.rank() != other.rank() || !same_swizzle(self, other) {
            return false;
        }
        let (mut first, mut second) = (self.base as isize, other.base as isize);
        let mut same = true;
        let mut axis = 0;
        while axis < self.rank() {
            let Some(position) = other.letters().position(self.letters().at(axis)) else {
                return false;
            };
            let (a, b) = (AxisDigits::of(self, axis), AxisDigits::of(other, position));
            if a.extent != b.extent {
                return false;
            }
            if self.count() > 0 {
                same &= a.runs_like(&b);
                first = first.wrapping_add(a.offset(0));
                second = second.wrapping_add(b.offset(0));
            }
            axis += 1;
        }
        self.count() == 0 || (same && first == second)
    }
}

/// Whether the two have the same swizzle, or none: of two that differ, one that changes no offset of a view
/// counts as another.
const fn same_swizzle(a: &Layout, b: &Layout) -> bool {
    match (a.swizzle, b.swizzle) {
        _ if a.count() == 0 && b.count() == 0 => true,
        (None, None) => true,
        (Some(a), Some(b)) => {
            a.bits() == b.bits() && a.base() == b.base() && a.shift() == b.shift()
        }
        _ => false,
    }
}
