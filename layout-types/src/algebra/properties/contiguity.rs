//! Whether a layout is one without gaps in some memory order, and the same in such an order.
//!
//! As in PyTorch, axes of extent 1 have no say, so that a layout can be in several formats at once,
//! and so has where in its buffer it begins.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{
    AxisExtent, Factor, Format, LayoutError, Length, MAX_FACTORS, MAX_RANK, NAMED_FORMATS, Spec,
};

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
        true
    }

    /// Whether the elements lie as a layout of this format places them, wherever they begin;
    /// padding of its blocks may be anybody's. Of NHWC, it is what PyTorch answers to
    /// `is_contiguous(memory_format=torch.channels_last)`: an empty tensor matches its coordinate order,
    /// and another format where it has its strides, up to those of an axis of extent 0.
    ///
    /// Law: `offset(c) - offset(0)` is that of the [`padded`](Self::padded) layout of the format,
    /// for every coordinate of a tensor that is not empty.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Format, Layout};
    ///
    /// let (nchw, nhwc) = (Format::parse("NCHW")?, Format::parse("NHWC")?);
    /// let tensor = Layout::of(&nhwc, &[2, 3, 4, 4], ElementType::F32)?;
    /// assert!(tensor.matches(&nhwc) && !tensor.matches(&nchw));
    /// // With one pixel a channel there is nothing to tell them apart.
    /// let both = Layout::of(&nhwc, &[2, 3, 1, 1], ElementType::F32)?;
    /// assert!(both.matches(&nhwc) && both.matches(&nchw));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn matches(&self, format: &Format) -> bool {
        // Bits that are an element of any type.
        let Ok(dense) = self.placed_in(format, Some(0)) else { return false };
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
                false => Factor::Block(letter, digit.size),
            };
            i += 1;
        }
        let format = Format::of(factors.split_at(i).0);
        if self.matches(&format) {
            return Some(format);
        }
        // An axis that ends in its only block does not show the block.
        let mut i = 0;
        while i < NAMED_FORMATS.len() {
            if let Ok(format) = Format::parse(NAMED_FORMATS[i].1) {
                if self.matches(&format) {
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
    /// Other axes than the format's, or extents that are no multiples of its blocks.
    ///
    /// ```
    /// use tensor_layout::{Format, Layout};
    ///
    /// let image = Layout::parse("NHWC<1, 2, 1, 3>, u8")?;
    /// let reversed = image.flip('W')?;
    /// let planes = reversed.in_format(&Format::parse("NCHW")?)?;
    /// assert_eq!(planes.to_string(), "NCHW<1, 2, 1, 3>, u8");
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn in_format(&self, format: &Format) -> Result<Self, LayoutError> {
        self.placed_in(format, None)
    }

    /// [`in_format`](Self::in_format), where axes may end inside a block, and padding holds the
    /// element of these bits, lowest first.
    ///
    /// # Errors
    /// As [`in_format`](Self::in_format), but for extents that are no multiples of their blocks.
    pub const fn in_format_padded(&self, format: &Format, fill: u64) -> Result<Self, LayoutError> {
        self.placed_in(format, Some(fill))
    }

    const fn placed_in(&self, format: &Format, fill: Option<u64>) -> Result<Self, LayoutError> {
        let mut axes = [AxisExtent { letter: 'A', extent: Length::Unknown }; MAX_RANK];
        let mut i = 0;
        while i < self.rank() {
            let extent = Length::Runtime(self.extents()[i]);
            axes[i] = AxisExtent { letter: self.letters().at(i), extent };
            i += 1;
        }
        let (axes, element) = (axes.split_at(i).0, self.element());
        Self::new(&Spec { element, axes, factors: format.factors(), fill })
    }
}
