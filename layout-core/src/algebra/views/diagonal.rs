//! Takes the diagonal of two axes.

use crate::algebra::AxisDigits;
use crate::algebra::axis::inference::{KnownOffsets, Unfit};
use crate::layout::Layout;
use crate::spec::{LayoutError, Rule, greatest, least};

impl Layout {
    /// Returns the view of the elements at which two axes have the same index. Axis `into` replaces both: it is the
    /// last axis, and its extent is the smaller of the two.
    ///
    /// To take another diagonal, [`slice`](Self::slice) one of the axes first.
    ///
    /// Law: `offset(diagonal, c) == offset(self, d)`, where the index of both axes in `d` is the last index of `c`.
    ///
    /// # Errors
    /// - The layout does not have one of the axes.
    /// - Both axes are the same.
    /// - Another axis has the letter `into`.
    /// - The blocks of one axis do not divide those of the other, so no digits describe both axes at once.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let matrix = Layout::of("MK", &[4, 8], ElementType::F32)?;
    /// let above = matrix.slice('K', 1, 1, 7)?.diagonal('M', 'K', 'D')?;
    /// assert_eq!((above.extents(), above.offset(&[2])), (&[4][..], 2 * 8 + 3));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn diagonal(
        &self,
        first: char,
        second: char,
        into: char,
    ) -> Result<Self, LayoutError> {
        let (a, b) = (ok!(self.axis(first)), ok!(self.axis(second)));
        let letter = self.letters().at(a);
        if a == b {
            return Err(LayoutError(Rule::DiagonalOfOne { letter }));
        }
        let other = self.letters().at(b);
        let mut view = self.view();
        let first = view.take(a);
        let second = view.take(if b > a { b - 1 } else { b });
        let into = ok!(view.new_letter(into));
        let both = match first.diagonal(&second) {
            Ok(both) => both,
            Err(unfit) => {
                let blocks = Rule::DiagonalBlock { first: letter, second: other };
                return Err(unfit.error(letter, blocks));
            }
        };
        ok!(view.put(view.rank(), into, &both));
        Ok(view)
    }
}

impl AxisDigits {
    /// The diagonal of two axes over the smaller of their extents, unless no digits describe it.
    ///
    /// Law: `offset(diagonal, i) == offset(self, i) + offset(other, i)`.
    pub(in crate::algebra) const fn diagonal(&self, other: &Self) -> Result<Self, Unfit> {
        let extent = least(self.extent, other.extent);
        let a = ok!(self.slice(0, 1, extent));
        let b = ok!(other.slice(0, 1, extent));
        let start = a.start.wrapping_add(b.start);
        let overflow = a.overflow || b.overflow;
        let mut new = Self { start, overflow, ..Self::NONE };
        if extent < 2 {
            let stride = a.strides[0].wrapping_add(b.strides[0]);
            return Ok(new.with(extent, stride).normalized(0, extent));
        }
        if a.shift != b.shift {
            return Self::from_offsets(&KnownOffsets::Sum(&a, &b), extent);
        }
        let (mut i, mut j) = (0, 0);
        let (mut first, mut second) = (a.sizes[0], b.sizes[0]);
        let (mut one, mut two) = (a.strides[0], b.strides[0]);
        loop {
            let (top_a, top_b) = (i + 1 == a.count, j + 1 == b.count);
            let stride = one.wrapping_add(two);
            if top_a && top_b {
                let size = greatest(first, second);
                return Ok(new.with(size, stride).normalized(a.shift, extent));
            }
            let size = if top_b || (!top_a && first <= second) { first } else { second };
            if (!top_a && first % size != 0) || (!top_b && second % size != 0) {
                return Self::from_offsets(&KnownOffsets::Sum(&a, &b), extent);
            }
            new = new.with(size, stride);
            if !top_a && first == size {
                i += 1;
                (first, one) = (a.sizes[i], a.strides[i]);
            } else {
                (first, one) = (first / size, one.wrapping_mul(size as isize));
            }
            if !top_b && second == size {
                j += 1;
                (second, two) = (b.sizes[j], b.strides[j]);
            } else {
                (second, two) = (second / size, two.wrapping_mul(size as isize));
            }
        }
    }
}
