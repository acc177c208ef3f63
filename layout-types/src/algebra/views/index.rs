//! One coordinate of an axis.

use crate::layout::Layout;
use crate::spec::{LayoutError, Rule};

impl Layout {
    /// What lies at one coordinate of an axis; the axis is gone.
    ///
    /// Law: `offset(index, c) == offset(self, d)` where `d` is `c` with the coordinate where the
    /// axis was.
    ///
    /// # Errors
    /// An axis that there is not, or a coordinate outside of it.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let act = Layout::of("NCHW4", &[2, 8, 3, 3], ElementType::I8)?;
    /// let channel = act.index('C', 6)?.index('N', 1)?;
    /// assert_eq!(channel.to_string(), "HW<3, 3>, i8, strides = [12, 4], from 110 of 144");
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn index(&self, axis: char, coordinate: usize) -> Result<Self, LayoutError> {
        let axis = ok!(self.axis(axis));
        let (letter, extent) = (self.letters().at(axis), self.extents()[axis]);
        if coordinate >= extent {
            return Err(LayoutError(Rule::Coordinate { letter, extent, coordinate }));
        }
        let mut view = self.view();
        let distance = view.take(axis).offset(coordinate);
        view.base = view.base.wrapping_add_signed(distance);
        Ok(view)
    }
}
