//! Takes windows of an axis, which may overlap.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, Rule};

impl Layout {
    /// Takes windows of `size` coordinates of an axis, one every `step` coordinates. The axis counts the windows, and
    /// a new last axis `into` counts the coordinates in a window. It is PyTorch's `unfold` and, for a step of 1,
    /// NumPy's `sliding_window_view`.
    ///
    /// Overlapping windows share elements. They can be read, and they can be the source of a relayout: im2col of
    /// convolutions is one. As a destination, they are an error. For dilated convolutions, [`slice`](Self::slice)
    /// takes every n-th coordinate of the windows.
    ///
    /// Law: `offset(windows, c) == offset(self, d)`, where `i` is the last index of `c`, and `d` is the rest of `c`
    /// with index `w * step + i` on the axis instead of `w`.
    ///
    /// # Errors
    /// - The layout does not have the axis.
    /// - Another axis has the letter `into`.
    /// - `size` is 0 or larger than the extent.
    /// - `step` is 0.
    /// - The axis has blocks.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Row = layout!(CW<C = 1, W = 5>, u8);
    ///
    /// let row: Tensor<Row, _> = [1, 2, 3, 4, 5].into();
    /// let windows = row.view::<3>(|layout| layout.windows('W', 3, 1, 'K'))?;
    /// assert_eq!(windows.to_string(), "[[[1, 2, 3],\n  [2, 3, 4],\n  [3, 4, 5]]]");
    ///
    /// let columns = windows.to_format("CKW")?; // a copy, in which no elements are shared
    /// assert_eq!(columns.buffer(), [1, 2, 3, 2, 3, 4, 3, 4, 5]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[doc(alias("unfold", "sliding_window_view", "im2col"))]
    pub const fn windows(
        &self,
        axis: char,
        size: usize,
        step: usize,
        into: char,
    ) -> Result<Self, LayoutError> {
        let axis = ok!(self.axis(axis));
        let (letter, extent) = (self.letters().at(axis), self.extent(axis));
        if size == 0 || size > extent {
            return Err(LayoutError(Rule::WindowSize { letter, extent, size }));
        }
        if step == 0 {
            return Err(LayoutError(Rule::ZeroStep { letter }));
        }
        let mut view = self.view();
        let into = ok!(view.new_letter(into));
        let whole = view.take(axis);
        let Some(stride) = whole.stride() else {
            return Err(LayoutError(Rule::WindowBlock { letter, block: whole.block() }));
        };
        let count = (extent - size) / step + 1;
        let windows = match whole.slice(0, step, count) {
            Ok(windows) => windows,
            // An axis of one stride has no blocks.
            Err(_) => unreachable!(),
        };
        ok!(view.put(axis, letter, &windows));
        ok!(view.put(view.rank(), into, &AxisDigits::single(size, stride)));
        view.buffer.overlapping |= step < size && count > 1 && stride != 0;
        Ok(view)
    }
}
