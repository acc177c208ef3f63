//! Uniqueness: whether coordinates share offsets, and whether they leave gaps; and whether two layouts have the same offsets.

use crate::algebra::AxisDigits;
use crate::layout::{Digit, Layout};

impl Layout {
    /// Whether no two coordinates share an offset.
    ///
    /// Of a part of overlapping [`windows`](Self::windows), it can be false although none do.
    ///
    /// Law: `a != b` implies `offset(a) != offset(b)`.
    pub const fn is_unique(&self) -> bool {
        self.shared_axis().is_none()
    }

    /// An axis along which coordinates share elements, or `None`.
    #[doc(hidden)]
    pub const fn shared_axis(&self) -> Option<char> {
        if self.buffer.overlapping && self.numel() > 0 {
            if let Some(axis) = self.overlapping_axis() {
                return Some(self.letters().at(axis));
            }
        }
        if !self.has_stride_0() {
            return None;
        }
        // Every other layout is open, so only digits of stride 0 share elements. They do if the axis has two
        // coordinates that differ in nothing else.
        let digits = self.digits();
        each!(i, 0..digits.count, {
            let Digit { axis, size, stride, .. } = digits.list[i];
            if stride == 0 && size > 1 && !AxisDigits::of(self, axis).is_unique() {
                return if self.numel() == 0 { None } else { Some(self.letters().at(axis)) };
            }
        });
        None
    }

    /// Whether every offset below [`len`](Self::len) belongs to a coordinate: no padding and no gaps.
    ///
    /// [`windows`](Self::windows) that overlap are never exhaustive.
    pub const fn is_exhaustive(&self) -> bool {
        // The code below would give the same result for unique layouts, since all coordinates of each axis are
        // distinct then. This is a shortcut: most layouts that are checked at run time are unique.
        if self.is_unique() {
            return self.numel() == self.buffer.length;
        }
        if self.buffer.overlapping {
            return self.buffer.length == 0;
        }
        let (rank, mut reached) = (self.rank(), 1usize);
        each!(i, 0..rank, {
            reached = reached.saturating_mul(AxisDigits::of(self, i).distinct());
        });
        self.buffer.length == 0 || reached == self.buffer.length
    }

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
        // A swizzle that changes no offset of a view counts as different from no swizzle.
        let same_swizzle =
            self.numel() == 0 && other.numel() == 0 || self.buffer.after.same(other.buffer.after);
        if self.rank() != other.rank() || !same_swizzle {
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
