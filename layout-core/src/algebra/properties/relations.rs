//! Comparison of two layouts.

use crate::algebra::AxisDigits;
use crate::layout::Layout;

impl Layout {
    /// Whether both layouts have the same axes and extents, and the same offset for every coordinate. Axes are matched
    /// by letter, so coordinate orders may differ.
    ///
    /// If elements also have the same width, a tensor of the one layout can be read as one of the other, and a
    /// relayout between them moves nothing.
    ///
    /// Law: if true, `offset(self, c) == offset(other, c)` for all coordinates. Layouts of different swizzles compare
    /// as different, even if the swizzles agree at all offsets of the layouts.
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
        let (mut first, mut second) = (self.base() as isize, other.base() as isize);
        let mut same = true;
        each!(axis, 0..self.rank(), {
            let Some(position) = other.letters().position(self.letters().at(axis)) else {
                return false;
            };
            let (a, b) = (AxisDigits::of(self, axis), AxisDigits::of(other, position));
            if a.extent != b.extent {
                return false;
            }
            if self.numel() > 0 {
                same &= a.runs_like(&b);
                first = first.wrapping_add(a.offset(0));
                second = second.wrapping_add(b.offset(0));
            }
        });
        self.numel() == 0 || (same && first == second)
    }
}

/// Whether both layouts have the same swizzle, or none. A swizzle that changes no offset of a view counts as different
/// from no swizzle.
const fn same_swizzle(a: &Layout, b: &Layout) -> bool {
    a.numel() == 0 && b.numel() == 0 || a.buffer.after.same(b.buffer.after)
}
