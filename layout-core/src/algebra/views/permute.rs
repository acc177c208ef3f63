//! Reorders the axes of coordinates.

use crate::layout::Layout;
use crate::spec::{LayoutError, Letters, Rule};

impl Layout {
    /// Reorders the axes of coordinates. `order` names each axis once, by letters or by positions as digits.
    ///
    /// Law: `offset(permute, c) == offset(self, d)`, where `d` has the indices of `c` in the axis order of this layout.
    ///
    /// # Errors
    /// - The layout does not have one of the axes.
    /// - An axis is named twice, or not at all.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let image = Layout::of("NCHW", &[1, 3, 4, 5], ElementType::U8)?;
    /// let last = image.permute("NHWC")?;
    /// assert_eq!((last.extents(), last.offset(&[0, 2, 1, 2])), (&[1, 4, 5, 3][..], 40 + 10 + 1));
    /// assert_eq!(image.permute("0231")?, last);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[doc(alias("transpose", "swapaxes"))]
    pub const fn permute(&self, order: &str) -> Result<Self, LayoutError> {
        let mut view = self.view();
        view.letters = Letters::EMPTY;
        let positions = ok!(self.axes_named(order));
        let mut i = 0;
        while i < positions.count {
            let axis = positions.list[i];
            view.letters = view.letters.with(self.letters().at(axis));
            view.extents[i] = self.extents()[axis];
            i += 1;
        }
        let mut axis = 0;
        while axis < self.rank() {
            let letter = self.letters().at(axis);
            let Some(position) = view.letters.position(letter) else {
                return Err(LayoutError(Rule::MissingAxis { letter }));
            };
            let mut k = 0;
            while k < self.digit_count {
                if self.digits[k].axis == axis {
                    view.digits[k].axis = position;
                }
                k += 1;
            }
            axis += 1;
        }
        Ok(view)
    }
}
