//! One layout at the offsets of another, CuTe's composition, and what is made with it.
//!
//! **Statement.** Coordinates of the outer layout are counted through with the last axis fastest. Each offset of
//! the inner layout is such a count, and the composition has, at each coordinate of the inner layout, the offset
//! of the outer one's coordinate of that count.
//!
//! **Reason.** A count is a number in mixed radix, in the digits of all outer axes. Adding a stride of the inner
//! layout changes those digits alike each time as long as nothing carries from one into the next: then the
//! stride of the composition is the same step in the outer strides ([`digits`]). Where it carries, the next
//! steps differ from the last ones, and there is a composition only if they do so as the steps of some digits do
//! ([`carry_chain`]).
//!
//! **Example.** Rows of 6 elements 10 apart, counted through, and every third: counts 0 3 6 9 12 are offsets 0 3
//! 10 13 20. A step of 3 goes twice into 6 and never carries in between: digits of sizes 2, n and strides 3, 10.
//! Every fourth has offsets 0 4 12 20 24: steps 4 8 8 4 8 8, which digits of sizes 3, n have, from their
//! third value on.

pub(in crate::algebra) mod carry_chain;
mod complement;
mod digits;
mod inverses;
mod product;
mod tilers;

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, Rule};

impl Layout {
    /// The coordinates of this layout, counted with the last axis fastest, at the offsets of
    /// `inner`: CuTe's composition. The result has the axes of `inner` and the buffer of this
    /// layout.
    ///
    /// Law: `offset(compose, c) == offset(self, d)` for the coordinate `d` that
    /// `offset(inner, c)` others come before.
    ///
    /// What it takes depends on the number of axes and blocks, not on extents. Where steps carry from
    /// one block of this layout into the next, some thousand coordinates are looked at, and refused
    /// if their steps have not repeated by then.
    ///
    /// # Errors
    /// Offsets that there are no coordinates for, and steps of `inner` that leave the blocks in
    /// which this layout lies so that no digits describe the result.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// // Every other column of a matrix, from a layout that knows nothing of rows and columns.
    /// let matrix = Layout::of("KM", &[4, 6], ElementType::F32)?;
    /// let pairs = Layout::from_strides("XY", &[4, 3], &[6, 2], ElementType::F32)?;
    /// let composed = matrix.compose(&pairs)?;
    /// assert_eq!(composed.offset(&[3, 2]), matrix.offset(&[3, 4]));
    ///
    /// let fours = Layout::from_strides("XY", &[4, 6], &[1, 4], ElementType::F32)?;
    /// assert_eq!(
    ///     matrix.compose(&fours).unwrap_err().to_string(),
    ///     "steps along axis `Y` of the inner layout land at different positions in the outer layout's \
    ///      blocks of 6; write strides and extents that divide the block, or move the tensor to another \
    ///      format first",
    /// );
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn compose(&self, inner: &Self) -> Result<Self, LayoutError> {
        if inner.swizzle.is_some() {
            return Err(LayoutError(Rule::ComposeSwizzle));
        }
        if let Some(swizzle) = self.swizzle {
            // A swizzle comes after all offsets.
            let view = ok!(self.linear().compose(inner));
            return Ok(Self { swizzle: Some(swizzle), ..view });
        }
        let mut view = self.origin();
        let (count, span) = (self.count(), inner.span());
        if span > count {
            return Err(LayoutError(Rule::ComposeSpan { span, count }));
        }
        if inner.count() == 0 {
            let mut axis = 0;
            while axis < inner.rank() {
                let digits = AxisDigits::single(inner.extents()[axis], 0);
                ok!(view.put(axis, inner.letters().at(axis), &digits));
                axis += 1;
            }
            return Ok(view);
        }
        if self.checked_count().is_none() {
            return Err(LayoutError(Rule::TooLarge { element: self.element }));
        }
        let found = match self.compose_digits(inner) {
            Some(found) => found,
            None => ok!(self.compose_carry_chain(inner)),
        };
        view.base = found.0;
        let mut axis = 0;
        while axis < inner.rank() {
            ok!(view.put(axis, inner.letters().at(axis), &found.1[axis]));
            axis += 1;
        }
        // Coordinates that share an offset in neither layout share none in the composition.
        if !(self.is_unique() && inner.is_unique()) {
            ok!(view.check_open());
        }
        Ok(view)
    }
}
