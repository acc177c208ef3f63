//! What two layouts have in common.

use super::{AxisDigits, Digit};
use crate::layout::Layout;

impl Layout {
    /// Whether axes and blocks of the two follow one another in memory in the same order. Extents,
    /// element types, gaps and directions have no say.
    ///
    /// ```
    /// use layout_types::{ElementType, Format, Layout};
    ///
    /// let nhwc = Format::parse("NHWC")?;
    /// let small = Layout::of(&nhwc, &[1, 3, 2, 2], ElementType::U8)?;
    /// let large = Layout::of(&nhwc, &[4, 8, 5, 5], ElementType::F32)?;
    /// assert!(small.same_format(&large) && small.same_format(&large.slice('W', 4, -2, 2)?));
    /// assert!(!small.same_format(&Layout::of(&Format::parse("NCHW")?, &[1, 3, 2, 2], ElementType::U8)?));
    /// # Ok::<(), layout_types::LayoutError>(())
    /// ```
    pub const fn same_format(&self, other: &Self) -> bool {
        let mut same = self.digits().len() == other.digits().len();
        let mut i = 0;
        while same && i < self.digits().len() {
            let (a, b) = (self.factor(i), other.factor(i));
            same = a.0 as u32 == b.0 as u32 && a.1 == b.1;
            i += 1;
        }
        same
    }

    /// The letter of a digit, and its size if it is a block.
    const fn factor(&self, i: usize) -> (char, usize) {
        let digit: &Digit = &self.digits()[i];
        let size = if self.is_rest(digit) { 0 } else { digit.size };
        (self.letters().at(digit.axis), size)
    }

    /// Whether the two have the same axes and extents, and every coordinate at the same offset.
    /// Axes are matched by letter, so coordinate orders may differ.
    ///
    /// Law: `offset(self, c) == offset(other, c)` for all coordinates.
    pub const fn same_map(&self, other: &Self) -> bool {
        if self.rank() != other.rank() {
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
                first = first.wrapping_add(a.place(0));
                second = second.wrapping_add(b.place(0));
            }
            axis += 1;
        }
        self.count() == 0 || (same && first == second)
    }

    /// Whether the element of every coordinate is the same bytes of a buffer in both: the same map
    /// and elements of the same width. Then the one can be read as the other, and a relayout
    /// between the two moves nothing.
    ///
    /// ```
    /// use layout_types::{ElementType, Format, Layout};
    ///
    /// let of = |format, element| Layout::of(&Format::parse(format)?, &[2, 8, 1, 1], element);
    /// let (nchw, nhwc) = (of("NCHW", ElementType::F32)?, of("NHWC", ElementType::F32)?);
    /// assert!(nchw.same_bytes(&nhwc) && nchw.same_bytes(&of("NCHW", ElementType::I32)?));
    /// assert!(!nchw.same_bytes(&of("NCHW", ElementType::F16)?));
    /// # Ok::<(), layout_types::LayoutError>(())
    /// ```
    pub const fn same_bytes(&self, other: &Self) -> bool {
        self.element().bits() == other.element().bits() && self.same_map(other)
    }
}

impl AxisDigits {
    /// Whether every coordinate has the same place in both but for a constant.
    pub(crate) const fn runs_like(&self, other: &Self) -> bool {
        if self.extent != other.extent {
            return false;
        }
        if self.extent < 2 {
            return true;
        }
        if self.shift > 0 || other.shift > 0 {
            // An axis that begins inside a block can be cut in more than one way.
            let mut i = 1;
            while i < self.extent {
                if self.place(i) - self.place(0) != other.place(i) - other.place(0) {
                    return false;
                }
                i += 1;
            }
            return true;
        }
        let mut same = self.count == other.count;
        let mut i = 0;
        while same && i < self.count {
            same = self.sizes[i] == other.sizes[i] && self.strides[i] == other.strides[i];
            i += 1;
        }
        same
    }
}
