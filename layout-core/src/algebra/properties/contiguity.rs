//! Contiguity: whether a layout has no gaps in some memory order, and the same layout in such an order.
//!
//! As in PyTorch, axes of extent 1 do not matter, so a layout can match several formats. The position of the first
//! element in the buffer does not matter either.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{AsFormat, Format, LayoutError, NAMED_FORMATS, Spec};

/// The largest number of coordinates of a swizzled layout that are checked one by one.
const MOST: usize = 4096;

impl Layout {
    /// Whether each element directly follows the one before it, in coordinate order with the last axis fastest.
    ///
    /// A broadcast axis of more than one coordinate is not contiguous. An empty tensor is contiguous.
    ///
    /// A swizzle can make a layout contiguous that is not so without it. This is found for up to 4096 coordinates.
    ///
    /// Law: `offset(c) == offset(0) + i` for each coordinate `c`, where `i` coordinates precede `c`.
    pub const fn is_contiguous(&self) -> bool {
        if self.swizzle().is_some() && self.numel() <= MOST {
            return self.is_contiguous_one_by_one();
        }
        let mut space = 1;
        let mut axis = self.rank();
        while axis > 0 && self.numel() > 0 {
            axis -= 1;
            let digits = AxisDigits::of(self, axis);
            if digits.extent > 1 && !matches!(digits.stride(), Some(stride) if stride == space) {
                return false;
            }
            space *= digits.extent as isize;
        }
        self.numel() == 0 || self.is_moved_as_one()
    }

    /// [`is_contiguous`](Self::is_contiguous), by the offset of every coordinate.
    const fn is_contiguous_one_by_one(&self) -> bool {
        let mut first = 0;
        each!(before, 0..self.numel(), {
            let offset = self.offset_of_index(before);
            if before == 0 {
                first = offset;
            }
            if offset != first.wrapping_add(before) {
                return false;
            }
        });
        true
    }

    /// Whether the elements have the order of this format: PyTorch's `is_contiguous(memory_format=..)`, for any
    /// format. NHWC is PyTorch's `torch.channels_last`.
    ///
    /// The first element may be anywhere in the buffer. If the format has blocks, their padding need not belong to
    /// this layout. An empty tensor matches its coordinate order. It matches another format if it has the strides of
    /// that format, up to those of an axis of extent 0, as in PyTorch. Text that is not a format matches no layout.
    ///
    /// Law, unless the tensor is empty: `offset(c) - offset(0)` is the same in the padded layout of the format, for
    /// every coordinate `c`.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let tensor = Layout::of("NHWC", &[2, 3, 4, 4], ElementType::F32)?;
    /// assert!(tensor.matches("NHWC") && !tensor.matches("NCHW"));
    /// // With one pixel for each channel, both orders are the same.
    /// let both = Layout::of("NHWC", &[2, 3, 1, 1], ElementType::F32)?;
    /// assert!(both.matches("NHWC") && both.matches("NCHW"));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn matches(&self, format: impl AsFormat) -> bool {
        matches!(format.as_format(), Ok(format) if self.is_in(&format))
    }

    /// [`matches`](Self::matches) in a `const fn`.
    pub(crate) const fn is_in(&self, format: &Format) -> bool {
        // These bits are an element of any type.
        let Ok(dense) = self.placed_in(format, Some(0)) else { return false };
        if self.numel() > 0 && !self.is_moved_as_one() {
            return false;
        }
        if self.numel() == 0 {
            return self.is_contiguous_in_order(format) || self.strides_of(&dense);
        }
        each!(axis, 0..self.rank(), {
            if !AxisDigits::of(self, axis).runs_like(&AxisDigits::of(&dense, axis)) {
                return false;
            }
        });
        true
    }

    /// Whether the format is the coordinate order, without blocks. Every empty layout matches it.
    const fn is_contiguous_in_order(&self, format: &Format) -> bool {
        let axes = format.axes();
        let mut same = format.factors().len() == axes.count() && axes.count() == self.rank();
        let mut i = 0;
        while same && i < self.rank() {
            same = axes.at(i) as u32 == self.letters().at(i) as u32;
            i += 1;
        }
        same
    }

    /// Whether the digits of an empty layout have the same strides as in `dense`, from the fastest digit to the one of
    /// an axis of extent 0.
    const fn strides_of(&self, dense: &Self) -> bool {
        let digits = dense.digits();
        each!(rev i, 0..digits.count, {
            let digit = &digits.list[i];
            if digit.size == 1 {
                continue;
            }
            let same = match self.digit_of(digit.axis, digit.weight) {
                Some(own) => own.size == digit.size && own.stride == digit.stride,
                None => false,
            };
            if !same || digit.size == 0 {
                return same;
            }
        });
        true
    }

    /// The format that the layout [`matches`](Self::matches), or `None` if there is none. Blocks are found if the
    /// strides show them, or if the format has a name.
    ///
    /// If several formats match, this is the one that orders axes of extent 1 by their strides.
    /// [`formats`](Self::formats) lists the others.
    pub const fn format(&self) -> Option<Format> {
        let format = self.factors(true);
        if self.is_in(&format) {
            return Some(format);
        }
        // The strides of an axis that ends in its only block do not show the block.
        each!(i, 0..NAMED_FORMATS.len(), {
            if let Ok(format) = Format::parse(NAMED_FORMATS[i].1) {
                if self.is_in(&format) {
                    return Some(format);
                }
            }
        });
        None
    }

    /// Returns a layout of the same axes in a buffer of its own, in this format. A relayout can move a view to it.
    ///
    /// # Errors
    /// - The text is not a format.
    /// - The axes of the format are not those of this layout.
    /// - An extent is not a multiple of its block. [`LayoutBuilder::extents_of`](crate::LayoutBuilder::extents_of)
    ///   takes options such as padding.
    ///
    /// ```
    /// use tensor_layout::Layout;
    ///
    /// let image = Layout::parse("NHWC<N = 1, C = 2, H = 1, W = 3>, u8")?;
    /// let reversed = image.flip('W')?;
    /// let planes = reversed.in_format("NCHW")?;
    /// assert_eq!(planes.to_string(), "NCHW<1, 2, 1, 3>, u8");
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn in_format(&self, format: impl AsFormat) -> Result<Self, LayoutError> {
        self.placed_in(&format.as_format()?, None)
    }

    const fn placed_in(&self, format: &Format, fill: Option<u64>) -> Result<Self, LayoutError> {
        let (axes, element) = (self.axes_and_extents(), self.element());
        let axes = axes.split_at(self.rank()).0;
        Self::new(&Spec { element, axes, factors: format.factors(), fill })
    }
}
