//! Two axes at once.

use crate::layout::Layout;
use crate::spec::{LayoutError, ViewError};

impl Layout {
    /// Where two axes have the same index: both go, and `into` comes in as the last axis, as long
    /// as the shorter of them. Another diagonal is that of a [`slice`](Self::slice).
    ///
    /// Law: `offset(diagonal, c) == offset(self, d)` where both axes of `d` have the last index of
    /// `c`.
    ///
    /// # Errors
    /// An axis that there is not, one with itself, a letter that is taken, or blocks of the two
    /// that do not divide one another.
    ///
    /// ```
    /// use layout_types::{ElementType, Format, Layout};
    ///
    /// let matrix = Layout::of(&Format::parse("MK")?, &[4, 8], ElementType::F32)?;
    /// let above = matrix.slice('K', 1, 1, 7)?.diagonal('M', 'K', 'D')?;
    /// assert_eq!((above.extents(), above.offset(&[2])), (&[4][..], 2 * 8 + 3));
    /// # Ok::<(), layout_types::LayoutError>(())
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
            return Err(LayoutError::RepeatedName { letter });
        }
        let other = self.letters().at(b);
        let mut view = self.view();
        let first = view.take(a);
        let second = view.take(if b > a { b - 1 } else { b });
        let into = ok!(view.new_letter(into));
        let Some(both) = first.diagonal(&second) else {
            return Err(LayoutError::View(ViewError::DiagonalBlock {
                first: letter,
                second: other,
            }));
        };
        ok!(view.put(view.rank(), into, &both));
        Ok(view)
    }
}
