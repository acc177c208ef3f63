//! Reorders the axes of coordinates.

use crate::layout::Layout;
use crate::spec::{LayoutError, Rule};

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
        let named = self.axes_named(order);
        let positions = match &named {
            Ok(positions) => positions.as_slice(),
            Err(error) => return Err(*error),
        };
        if positions.len() < self.rank() {
            return Err(LayoutError(Rule::MissingAxis { letter: self.missing_from(positions) }));
        }
        let mut result = Ok(*self);
        if let Ok(view) = &mut result {
            view.buffer.become_view();
            view.reorder_axes(self, positions);
        }
        result
    }

    /// The first axis that is not among these.
    const fn missing_from(&self, positions: &[usize]) -> char {
        let (mut axis, mut i) = (0, 0);
        while i < positions.len() {
            if positions[i] == axis {
                (axis, i) = (axis + 1, 0);
            } else {
                i += 1;
            }
        }
        self.letters().at(axis)
    }
}
