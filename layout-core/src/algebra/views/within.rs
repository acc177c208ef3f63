//! Places a layout inside a larger buffer.

use crate::layout::Layout;
use crate::spec::{LayoutError, Rule};

impl Layout {
    /// Places the same elements in a buffer of `len` elements, beginning at element `start`. Use it for a tensor in
    /// memory that others share, such as a batch, an arena or a mapped file.
    ///
    /// Gaps and everything around the tensor belong to somebody else. The alignment of the buffer is that of this
    /// layout, as far as `start` allows it.
    ///
    /// Law: `offset(within, c) == offset(self, c) + start`.
    ///
    /// # Errors
    /// - The elements do not fit in `len` elements after `start`.
    /// - The layout has a swizzle, and `start` is not a multiple of its period.
    ///
    /// ```
    /// use tensor_layout::{Dynamic, ElementType, Layout, Tensor};
    ///
    /// // Two channels of pixels of 4 bytes each, beginning at the second byte of each pixel.
    /// let planes = Layout::from_strides("CW", &[2, 3], &[1, 4], ElementType::U8)?;
    /// let planes = planes.within(1, 12)?;
    /// let pixels = [0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23];
    /// let planes = Tensor::with_layout(Dynamic::<u8, 2>::new(planes)?, pixels)?;
    /// assert_eq!(planes.to_string(), "[[1, 11, 21],\n [2, 12, 22]]");
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn within(&self, start: usize, len: usize) -> Result<Self, LayoutError> {
        let fits = match start.checked_add(self.span()) {
            Some(end) => end <= len,
            None => false,
        };
        if self.element().bytes_of(len).is_none() {
            return Err(LayoutError(Rule::TooLarge { element: self.element() }));
        }
        if !fits {
            let span = self.span();
            return Err(LayoutError(Rule::WithinBuffer { start, span, length: len }));
        }
        if !self.buffer.after.commutes_with(start as isize) {
            let period = self.swizzle_period();
            return Err(LayoutError(Rule::SwizzleStart { start, period }));
        }
        let mut view = self.view();
        // The base of an empty layout may have wrapped.
        view.buffer.base = self.base().wrapping_add(start);
        view.buffer.length = len;
        view.buffer.set_alignment(self.alignment_at(start));
        Ok(view)
    }
}
