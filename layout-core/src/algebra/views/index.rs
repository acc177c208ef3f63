//! Selects one coordinate of an axis.

use crate::layout::Layout;
use crate::spec::{LayoutError, Letters, Rule};

impl Layout {
    /// Selects one coordinate of an axis and removes the axis.
    ///
    /// Law: `offset(index, c) == offset(self, d)`, where `d` is `c` with `coordinate` inserted at the position of the
    /// axis.
    ///
    /// # Errors
    /// - The layout does not have the axis.
    /// - The coordinate is not below the extent.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let act = Layout::of("NCHW4", &[2, 8, 3, 3], ElementType::I8)?;
    /// let channel = act.index('C', 6)?.index('N', 1)?;
    /// assert_eq!(channel.to_string(), "HW<3, 3>, i8, strides = [12, 4], from 110 of 144");
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[doc(alias("select", "squeeze"))]
    pub const fn index(&self, axis: char, coordinate: usize) -> Result<Self, LayoutError> {
        changed!(self, view => view.index_in_place(axis, coordinate))
    }

    const fn index_in_place(&mut self, axis: char, coordinate: usize) -> Result<(), LayoutError> {
        let axis = ok!(self.axis(axis));
        let (letter, extent) = (self.letters().at(axis), self.extent(axis));
        if coordinate >= extent {
            let axes = Letters::EMPTY;
            return Err(LayoutError(Rule::Coordinate { axes, letter, extent, coordinate }));
        }
        self.buffer.become_view();
        self.buffer.base = self.buffer.base.wrapping_add(self.stored(axis).place(coordinate));
        self.remove_axis(axis);
        Ok(())
    }
}
