//! Whether a layout is one without gaps in some memory order, and the same in such an order.
//!
//! As in PyTorch, axes of extent 1 have no say, so that a layout can be in several formats at once,
//! and so has where in its buffer it begins.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{AsFormat, Factor, Format, LayoutError, MAX_FACTORS, NAMED_FORMATS, Spec};

impl Layout {
    /// Whether the elements lie one after the other in coordinate order, the last axis fastest.
    /// An axis of more than one coordinate that is broadcast is not contiguous.
    ///
    /// Law: `offset(c) == offset(0) + i` for the coordinate `c` that `i` others come before; true
    /// for an empty tensor.
    pub const fn is_contiguous(&self) -> bool {
        let mut space = 1;
        let mut axis = self.rank();
        while axis > 0 && self.count() > 0 {
            axis -= 1;
            let digits = AxisDigits::of(self, axis);
            if digits.extent > 1 && !matches!(digits.stride(), Some(stride) if stride == space) {
                return false;
            }
            space *= digits.extent as isize;
        }
        self.count() == 0 || self.is_moved_as_one()
    }

    /// Whether the elements lie as a layout of this format places them, wherever they begin;
    /// padding of its blocks may be anybody's. Of NHWC, it is what PyTorch answers to
    /// `is_contiguous(memory_format=torch.channels_last)`: an empty tensor matches its coordinate order,
    /// and another format where it has its strides, up to those of an axis of extent 0.
    ///
    /// Text that is not a format matches no layout.
    ///
    /// Law: `offset(c) - offset(0)` is that of the padded layout of the format, for every coordinate of
    /// a tensor that is not empty.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let tensor = Layout::of("NHWC", &[2, 3, 4, 4], ElementType::F32)?;
    /// assert!(tensor.matches("NHWC") && !tensor.matches("NCHW"));
    /// // With one pixel a channel there is nothing to tell them apart.
    /// let both = Layout::of("NHWC", &[2, 3, 1, 1], ElementType::F32)?;
    /// assert!(both.matches("NHWC") && both.matches("NCHW"));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn matches(&self, format: impl AsFormat) -> bool {
        matches!(format.as_format(), Ok(format) if self.is_in(&format))
    }

    /// [`matches`](Self::matches) in a `const fn`.
    pub(crate) const fn is_in(&self, format: &Format) -> bool {
        // Bits that are an element of any type.
        let Ok(dense) = self.placed_in(format, Some(0)) else { return false };
        if self.count() > 0 && !self.is_moved_as_one() {
            return false;
        }
        if self.count() == 0 {
            return self.is_contiguous_in_order(format) || self.strides_of(&dense);
        }
        let mut axis = 0;
        while axis < self.rank() {
            if !AxisDigits::of(self, axis).runs_like(&AxisDigits::of(&dense, axis)) {
                return false;
            }
            axis += 1;
        }
        true
    }

    /// Whether the format is the coordinate order, without blocks: what is empty is contiguous.
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

    /// Whether the digits of an empty layout have the strides that they have in `dense`, from the fastest
    /// to the one of an axis of extent 0.
    const fn strides_of(&self, dense: &Self) -> bool {
        let mut i = dense.digits().len();
        while i > 0 {
            i -= 1;
            let digit = &dense.digits()[i];
            if digit.size == 1 {
                continue;
            }
            let mut same = false;
            let mut k = 0;
            while k < self.digits().len() {
                let own = &self.digits()[k];
                same |= own.axis == digit.axis
                    && own.weight == digit.weight
                    && own.size == digit.size
                    && own.stride == digit.stride;
                k += 1;
            }
            if !same || digit.size == 0 {
                return same;
            }
        }
        true
    }

    /// The format that the layout [`matches`](Self::matches), if there is one whose blocks it shows
    /// or that has a name. Of several, it is the one in which axes of extent 1 stand where their
    /// strides put them; [`formats`](Self::formats) lists the others.
    pub const fn format(&self) -> Option<Format> {
        let mut factors = [Factor::Axis('A'); MAX_FACTORS];
        let mut i = 0;
        while i < self.digits().len() {
            let digit = &self.digits()[i];
            let letter = self.letters().at(digit.axis);
            factors[i] = match self.is_rest(digit) {
                true => Factor::Axis(letter),
                false => Factor::Weighted(letter, digit.size, digit.weight),
            };
            i += 1;
        }
        let format = Format::of(factors.split_at(i).0);
        if self.is_in(&format) {
            return Some(format);
        }
        // An axis that ends in its only block does not show the block.
        let mut i = 0;
        while i < NAMED_FORMATS.len() {
            if let Ok(format) = Format::parse(NAMED_FORMATS[i].1) {
                if self.is_in(&format) {
                    return Some(format);
                }
            }
            i += 1;
        }
        None
    }

    /// A layout of the same axes in a buffer of its own, in this format: what a relayout moves a
    /// view to.
    ///
    /// # Errors
    /// Text that is not a format, other axes than the format's, or extents that are no multiples of its
    /// blocks; [`LayoutBuilder::extents_of`](crate::LayoutBuilder::extents_of) takes options, such as padding.
    ///
    /// ```
    /// use tensor_layout::Layout;
    ///
    /// let image = Layout::parse("NHWC<1, 2, 1, 3>, u8")?;
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
