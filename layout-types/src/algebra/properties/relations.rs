//! What two layouts have in common.

use crate::algebra::AxisDigits;
use crate::layout::Digit;
use crate::layout::Layout;
use crate::spec::Factor;

impl Layout {
    /// Whether axes and blocks of the two follow one another in memory in the same order. Extents,
    /// element types, gaps and directions have no say.
    ///
    /// A view, and a layout out of strides, has no order of what it has one of: where it has one
    /// coordinate of an axis, or no more than a block, it has the same format as layouts that place
    /// these anywhere.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let small = Layout::of("NHWC", &[1, 3, 2, 2], ElementType::U8)?;
    /// let large = Layout::of("NHWC", &[4, 8, 5, 5], ElementType::F32)?;
    /// assert!(small.same_format(&large) && small.same_format(&large.slice('W', 4, -2, 2)?));
    /// assert!(!small.same_format(&Layout::of("NCHW", &[1, 3, 2, 2], ElementType::U8)?));
    ///
    /// let blocks = Layout::of("NCHW4", &[2, 8, 3, 3], ElementType::I8)?;
    /// assert!(blocks.same_format(&blocks.slice('C', 4, 1, 4)?)); // one block
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn same_format(&self, other: &Self) -> bool {
        let mut same = self.digits().len() == other.digits().len();
        let mut i = 0;
        while same && i < self.digits().len() {
            same = same_factor(self.factor(i), other.factor(i));
            i += 1;
        }
        same || (self.explicit && self.lies_like(other))
            || (other.explicit && other.lies_like(self))
    }

    /// A digit as one writes it down.
    const fn factor(&self, i: usize) -> Factor {
        let digit: &Digit = &self.digits()[i];
        let letter = self.letters().at(digit.axis);
        match self.is_rest(digit) {
            true if digit.stride == 0 && digit.size > 1 => Factor::Broadcast(letter),
            true => Factor::Axis(letter),
            false => Factor::Weighted(letter, digit.size, digit.weight),
        }
    }

    /// Whether the axes have strides for all digits of `other` of which they have several values, and
    /// these in the same order.
    const fn lies_like(&self, other: &Self) -> bool {
        let mut slower = usize::MAX;
        let mut same = self.rank() == other.rank();
        let mut i = 0;
        while same && i < other.digits().len() {
            let digit = &other.digits()[i];
            let Some(axis) = self.letters().position(other.letters().at(digit.axis)) else {
                return false;
            };
            let own = AxisDigits::of(self, axis);
            let end = match other.is_rest(digit) {
                true => usize::MAX,
                false => digit.weight * digit.size,
            };
            if own.extent > digit.weight {
                let distance = match own.stride_between(digit.weight, end) {
                    Some(stride) if digit.shift == 0 => stride.unsigned_abs(),
                    _ => 0,
                };
                same = distance > 0 && distance < slower && digit.stride != 0;
                slower = distance;
            }
            i += 1;
        }
        same
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
                first = first.wrapping_add(a.offset(0));
                second = second.wrapping_add(b.offset(0));
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
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let of = |format, element| Layout::of(format, &[2, 8, 1, 1], element);
    /// let (nchw, nhwc) = (of("NCHW", ElementType::F32)?, of("NHWC", ElementType::F32)?);
    /// assert!(nchw.same_bytes(&nhwc) && nchw.same_bytes(&of("NCHW", ElementType::I32)?));
    /// assert!(!nchw.same_bytes(&of("NCHW", ElementType::F16)?));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn same_bytes(&self, other: &Self) -> bool {
        self.element().bits() == other.element().bits() && self.same_map(other)
    }
}

/// `==` in a `const fn`.
const fn same_factor(a: Factor, b: Factor) -> bool {
    match (a, b) {
        (Factor::Axis(a), Factor::Axis(b)) | (Factor::Broadcast(a), Factor::Broadcast(b)) => {
            a as u32 == b as u32
        }
        (Factor::Weighted(a, size, weight), Factor::Weighted(b, other, own)) => {
            a as u32 == b as u32 && size == other && weight == own
        }
        _ => false,
    }
}

impl AxisDigits {
    /// The one stride of all steps of `weight` coordinates that stay between multiples of `end`, if
    /// there is one.
    const fn stride_between(&self, weight: usize, end: usize) -> Option<isize> {
        if self.shift > 0 {
            return None;
        }
        let mut own = 1usize;
        let mut i = 0;
        while i + 1 < self.count && own * self.sizes[i] <= weight {
            own *= self.sizes[i];
            i += 1;
        }
        let last = if self.extent < end { self.extent } else { end };
        let fits = i + 1 == self.count || last <= own * self.sizes[i];
        if !fits || weight % own != 0 {
            return None;
        }
        Some(self.strides[i].wrapping_mul((weight / own) as isize))
    }
}
