//! Windows of an axis, which may overlap.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, Rule};

impl Layout {
    /// Windows of `size` coordinates of an axis, one every `step` coordinates: the axis counts the windows, and
    /// `into` comes in as the last axis and counts what is in one. PyTorch's `unfold`, NumPy's
    /// `sliding_window_view`.
    ///
    /// Windows that overlap share elements. They can be read and be the source of a relayout, which is im2col
    /// of convolutions; they are refused as a destination. Of a window, [`slice`](Self::slice) takes every n-th
    /// coordinate, for dilated convolutions.
    ///
    /// Law: `offset(windows, c) == offset(self, d)` where `d` is `c` without its last index `i` and with
    /// `w * step + i` in place of the axis' index `w`.
    ///
    /// # Errors
    /// An axis that there is not, a letter that is taken, windows of 0 coordinates or of more than the axis has,
    /// a step of 0, or an axis with blocks.
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
    pub const fn windows(
        &self,
        axis: char,
        size: usize,
        step: usize,
        into: char,
    ) -> Result<Self, LayoutError> {
        let axis = ok!(self.axis(axis));
        let (letter, extent) = (self.letters().at(axis), self.extents()[axis]);
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
        view.overlapping |= step < size && count > 1 && stride != 0;
        Ok(view)
    }
}
