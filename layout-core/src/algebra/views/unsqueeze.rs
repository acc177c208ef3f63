//! Inserts an axis of extent 1.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, Rule};

impl Layout {
    /// Inserts an axis of extent 1 at `position` of the coordinate. [`index`](Self::index) at 0 removes it again.
    ///
    /// The stride of the new axis is the span of the axis that it precedes, or 1 at the end. So the result can be
    /// passed as a contiguous array if the layout could.
    ///
    /// Law: `offset(unsqueeze, c) == offset(self, d)`, where `d` is `c` without the new index.
    ///
    /// # Errors
    /// - Another axis has the letter.
    /// - `position` is larger than the rank.
    /// - The layout already has 12 axes.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let matrix = Layout::of("MK", &[4, 8], ElementType::F32)?;
    /// assert_eq!(matrix.unsqueeze('B', 0)?.extents(), [1, 4, 8]);
    /// assert_eq!(matrix.unsqueeze('B', 2)?.extents(), [4, 8, 1]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[doc(alias = "expand_dims")]
    pub const fn unsqueeze(&self, letter: char, position: usize) -> Result<Self, LayoutError> {
        let mut view = self.view();
        let letter = ok!(view.new_letter(letter));
        if position > self.rank() {
            let rank = self.rank();
            return Err(LayoutError(Rule::NewPosition { letter, position, rank }));
        }
        let stride = if position < self.rank() { AxisDigits::of(self, position).span() } else { 1 };
        ok!(view.put(position, letter, &AxisDigits::single(1, stride)));
        Ok(view)
    }
}

impl AxisDigits {
    /// The span of the axis, in elements: the largest stride times size of its digits.
    pub(in crate::algebra) const fn span(&self) -> isize {
        let mut span = 0;
        each!(i, 0..self.count, {
            // A size of 0 counts as 1.
            let size = if self.sizes[i] == 0 { 1 } else { self.sizes[i] };
            let own = self.strides[i].unsigned_abs().saturating_mul(size);
            if own > span {
                span = own;
            }
        });
        if span > isize::MAX as usize { isize::MAX } else { span as isize }
    }
}
