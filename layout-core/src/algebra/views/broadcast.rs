//! Repeats one coordinate along an axis.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, Rule};

impl Layout {
    /// Expands an axis of extent 1 to `extent` coordinates, which share their elements: its stride becomes 0.
    ///
    /// [`unsqueeze`](Self::unsqueeze) inserts a new axis of extent 1.
    ///
    /// Law: `offset(broadcast, c) == offset(self, d)`, where `d` is `c` with index 0 on the axis.
    ///
    /// # Errors
    /// - The layout does not have the axis.
    /// - The extent of the axis is not 1.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let bias = Layout::of("NCHW", &[1, 64, 1, 1], ElementType::F32)?;
    /// let all = bias.broadcast('H', 56)?.broadcast('W', 56)?;
    /// assert_eq!(all.offset(&[0, 7, 33, 44]), 7);
    /// assert!(!all.is_unique() && !all.is_contiguous());
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[doc(alias("expand", "broadcast_to"))]
    pub const fn broadcast(&self, axis: char, extent: usize) -> Result<Self, LayoutError> {
        let axis = ok!(self.axis(axis));
        let (letter, given) = (self.letters().at(axis), self.extent(axis));
        if given != 1 {
            return Err(LayoutError(Rule::Broadcast { letter, extent: given }));
        }
        let mut view = self.view();
        let distance = view.take(axis).offset(0);
        view.buffer.base = view.base().wrapping_add_signed(distance);
        ok!(view.put(axis, letter, &AxisDigits::single(extent, 0)));
        Ok(view)
    }
}
