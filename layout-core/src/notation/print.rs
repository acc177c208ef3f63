//! Prints a layout as text, and makes the layout of the same text with another element type.

use core::fmt;

use super::layout_template::LayoutTemplate;
use super::options::{AxisBytes, BufferPart};
use crate::layout::{Digit, Layout};
use crate::spec::{
    ElementType, Factor, Format, LayoutError, Length, MAX_FACTORS, MAX_RANK, Rule, Swizzling,
    padded_row,
};

/// Writes text that [`Layout::parse`] reads: `NCHW4c<2, 63, 3, 3>, i8, pad = -1`. [`layout!`](crate) reads it too. A
/// layout may have several texts. This is one of them.
impl fmt::Display for Layout {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printed::of(self).text.fmt(formatter)
    }
}

/// Writes the text, and the digits, base, length and alignment that it stands for.
impl fmt::Debug for Layout {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Layout")
            .field("layout", &format_args!("{self}"))
            .field("element", &self.element())
            .field("digits", &self.digits().as_slice())
            .field("base", &self.base())
            .field("length", &self.len())
            .field("alignment", &self.align())
            .field("explicit", &self.buffer.explicit)
            .finish()
    }
}

impl Layout {
    /// Whether the digit is what remains of its axis after its blocks.
    #[doc(hidden)]
    pub const fn is_rest(&self, digit: &Digit) -> bool {
        let stored = self.stored(digit.axis);
        digit.weight == stored.weight(stored.blocks)
    }

    /// The format of the digits in memory order. The lanes are left out if `lanes` is true.
    pub(crate) const fn factors(&self, lanes: bool) -> Format {
        let mut factors = [Factor::Axis('A'); MAX_FACTORS];
        let digits = self.digits();
        let digits = digits.as_slice();
        let (mut count, mut i) = (0, 0);
        while i < digits.len() {
            let digit = &digits[i];
            i += 1;
            if !lanes && self.is_lane(digit) {
                continue;
            }
            let letter = self.letters().at(digit.axis);
            factors[count] = match self.is_rest(digit) {
                true => Factor::Axis(letter),
                false => Factor::Weighted(letter, digit.size, digit.weight),
            };
            count += 1;
        }
        Format::of(factors.split_at(count).0)
    }
}

/// A layout and its text.
pub(super) struct Printed<'a> {
    layout: &'a Layout,
    text: LayoutTemplate,
}

impl<'a> Printed<'a> {
    /// What does not depend on strides: format, extents, coordinate order and swizzle.
    fn new(layout: &'a Layout, format: Format) -> Self {
        let axes = &layout.axes_and_extents()[..layout.rank()];
        let mut text = LayoutTemplate::new(&format, layout.element()).over(axes);
        text.options.swizzle = layout
            .swizzle()
            .map(|swizzle| Swizzling::Elements(swizzle.bits(), swizzle.base(), swizzle.shift()));
        Self { layout, text }
    }

    /// The first of several texts that parses to this layout.
    fn of(layout: &'a Layout) -> Self {
        Self::pitched(layout).filter(Self::is_exact).unwrap_or_else(|| Self::without_pitch(layout))
    }

    /// The first of several texts without a pitch.
    pub(super) fn without_pitch(layout: &'a Layout) -> Self {
        if layout.buffer.explicit {
            return Self::axis_strides(layout)
                .filter(Self::is_exact)
                .unwrap_or_else(|| Self::view(layout));
        }
        Self::memory_order(layout).filter(Self::is_exact).unwrap_or_else(|| Self::owned(layout))
    }

    /// Whether the text parses to the layout.
    fn is_exact(&self) -> bool {
        self.with_element(self.layout.element()) == Ok(*self.layout)
    }

    /// The layout of the same text with another element type.
    pub(super) fn with_element(&self, element: ElementType) -> Result<Layout, LayoutError> {
        LayoutTemplate { element, ..self.text }.layout().map_err(|(error, _)| error)
    }

    /// A memory order with alignments. `None` if anything other than an axis or the lanes is aligned.
    fn memory_order(layout: &'a Layout) -> Option<Self> {
        let format = layout.factors(false);
        let mut new = Self::new(layout, format);
        new.text.options.fill = layout.fill();
        new.find_lanes();
        new.find_broadcast();
        new.find_alignments().then_some(new)
    }

    /// A memory order with a pitch: strides of which one is larger than the space of the faster digits. A layout does
    /// not know whether it was written so.
    fn pitched(layout: &'a Layout) -> Option<Self> {
        let format = layout.factors(true);
        let mut new = Self::new(layout, format);
        let (element, mut space, mut pitch) = (layout.element(), 1, None);
        for digit in layout.digits().iter().rev().filter(|digit| digit.stride != 0) {
            let stride = usize::try_from(digit.stride).ok()?;
            if stride != space {
                let is_row =
                    layout.is_rest(digit) && stride > space && space > 1 && pitch.is_none();
                let whole = is_row && stride % element.per_byte() == 0;
                pitch = Some((whole.then_some(digit.axis)?, element.bytes_of(stride)?));
            }
            space = layout.space_after(stride, digit.size)?;
        }
        let (axis, bytes) = pitch.filter(|_| layout.buffer.explicit)?;
        let axis = format.axes().position(layout.letters().at(axis))?;
        new.text.options.bytes[AxisBytes::Pitch as usize][axis] = Some(Length::Fixed(bytes));
        new.find_broadcast();
        Some(new)
    }

    /// One stride for each axis, as in `layout!`. The format lists the axes in coordinate order.
    fn axis_strides(layout: &'a Layout) -> Option<Self> {
        if layout.rank() == 0 || layout.digit_count() != layout.rank() {
            return None;
        }
        let mut factors = [Factor::Axis('A'); MAX_RANK];
        for (axis, factor) in factors.iter_mut().enumerate().take(layout.rank()) {
            *factor = Factor::Axis(layout.letters().at(axis));
        }
        let format = Format::of(&factors[..layout.rank()]);
        let mut new = Self::new(layout, format);
        new.find_lanes();
        new.find_strides();
        new.find_broadcast();
        Some(new)
    }

    /// A view: strides, and the position in its buffer. The format lists the axes in coordinate order if no axis has
    /// blocks, and if this order keeps that of digits of equal strides.
    fn view(layout: &'a Layout) -> Self {
        let in_order = Self::axis_strides(layout).map(Self::placed).filter(Self::is_exact);
        in_order.unwrap_or_else(|| {
            let format = layout.factors(true);
            let mut new = Self::new(layout, format);
            new.find_lanes();
            new.find_strides();
            new.find_broadcast();
            new.find_block_positions();
            new.placed()
        })
    }

    /// Adds the alignment of the buffer and the position of the view in it.
    fn placed(mut self) -> Self {
        let layout = self.layout;
        self.text.options.overlap = layout.buffer.overlapping;
        if layout.align() != layout.element().align() {
            self.text.options.alignment = Some(layout.align());
        }
        // If a view is its whole buffer, strides alone determine its position.
        if self.text.options.strides.is_none() || !self.is_exact() {
            let start = match layout.numel() {
                0 => layout.base(),
                _ => layout.linear().offset(&[0; MAX_RANK][..layout.rank()]),
            };
            let (start, length) = (start as isize, layout.len());
            self.text.options.part = Some(BufferPart::View { start, length });
        }
        self
    }

    /// A stride for each axis, or for each digit if axes have blocks, in a buffer whose gaps are padding.
    fn owned(layout: &'a Layout) -> Self {
        let mut new = Self::new(layout, layout.factors(true));
        new.text.options.fill = layout.fill();
        new.find_lanes();
        new.find_strides();
        new.find_broadcast();
        new.text.options.part = Some(BufferPart::Whole { length: layout.len() });
        if layout.align() != layout.element().align() {
            new.text.options.alignment = Some(layout.align());
        }
        new
    }

    fn find_lanes(&mut self) {
        if let Some(lanes) = self.layout.lanes() {
            let (count, start) = (lanes.count(), lanes.start());
            self.text.options.lanes = Some(match lanes.axis() {
                Some(axis) => Factor::Lanes(axis, count, start),
                None => Factor::LaneArray(count),
            });
        }
    }

    /// Strides in coordinate order if no axis has blocks, else in the order of the format.
    fn find_strides(&mut self) {
        let layout = self.layout;
        if layout.rank() == 0 {
            return;
        }
        let mut strides = [0; MAX_FACTORS];
        let blocks = layout.digit_count() > layout.rank();
        for (i, digit) in layout.digits().iter().enumerate() {
            strides[if blocks { i } else { digit.axis }] = digit.stride;
        }
        self.text.options.strides = Some(strides);
        self.text.options.stride_count = layout.digit_count();
    }

    /// Finds axes of stride 0. For axes of extent 1, the strides say which have stride 0.
    fn find_broadcast(&mut self) {
        let axes = self.text.format.axes();
        for digit in &self.layout.digits() {
            let whole = digit.weight == 1 && self.layout.is_rest(digit);
            let shown = self.layout.buffer.explicit && digit.size < 2;
            if digit.stride == 0 && whole && !shown {
                if let Some(axis) = axes.position(self.layout.letters().at(digit.axis)) {
                    self.text.options.broadcast[axis] = true;
                }
            }
        }
    }

    /// Finds the position of each axis in its block.
    fn find_block_positions(&mut self) {
        let (layout, axes) = (self.layout, self.text.format.axes());
        for axis in 0..layout.rank() {
            let Some(memory) = axes.position(layout.letters().at(axis)) else { continue };
            self.text.options.from[memory] = layout.stored(axis).shift;
        }
    }

    /// Finds the axes whose stride is larger than the space of the faster factors, and the alignment of the buffer if
    /// it does not follow from them. Returns false if a block has a larger stride.
    fn find_alignments(&mut self) -> bool {
        let (layout, axes) = (self.layout, self.text.format.axes());
        let element = layout.element();
        let mut space = 1;
        let mut aligned = element.align();
        let mut even = None;
        // Rows of elements of less than a byte are rounded up to whole bytes without an option.
        let whole = |space: usize| space.checked_next_multiple_of(element.per_byte());
        let is_row = |stride, space| padded_row(space, element.per_byte()) == Some(stride);
        let bytes = |stride| element.bytes_of(stride).unwrap_or(usize::MAX);
        let placed = |digit: &&Digit| digit.stride != 0 && !layout.is_lane(digit);
        for digit in layout.digits().iter().rev().filter(placed) {
            let stride = digit.stride.unsigned_abs();
            let axis = axes.position(layout.letters().at(digit.axis));
            let axis = axis.filter(|_| layout.is_rest(digit));
            if stride != space && !is_row(stride, space) {
                let alignment = alignment_between(layout, bytes(space), bytes(stride));
                aligned = aligned.max(power_of_two_in(alignment));
                match axis {
                    Some(axis) => self.align(axis, alignment),
                    None => return false,
                }
            } else if even.is_none() && bytes(stride) % layout.align() == 0 {
                even = axis;
            }
            space = layout.space_after(stride, digit.size).unwrap_or(usize::MAX);
        }
        let rest = (aligned < layout.align()).then_some(layout.align());
        match (layout.lane_len().filter(|_| layout.distributed().is_some()), even) {
            (Some(length), _) if length > 0 && length != space && whole(space) != Some(length) => {
                let alignment = alignment_between(layout, bytes(space), bytes(length));
                self.text.options.lane_align = Some(alignment);
            }
            (Some(_), _) => self.text.options.lane_align = rest,
            (None, Some(axis)) if aligned < layout.align() => self.align(axis, layout.align()),
            (None, _) => self.text.options.alignment = rest,
        }
        true
    }

    fn align(&mut self, axis: usize, bytes: usize) {
        self.text.options.bytes[AxisBytes::Align as usize][axis] = Some(Length::Fixed(bytes));
    }
}

/// An alignment that rounds `space` up to `stride`, both in bytes, and is not larger than the alignment of the buffer
/// if possible.
fn alignment_between(layout: &Layout, space: usize, stride: usize) -> usize {
    if space.checked_next_multiple_of(layout.align()) == Some(stride) {
        return layout.align();
    }
    let mut alignment = stride;
    while power_of_two_in(alignment) > layout.align() {
        alignment /= 2;
    }
    alignment
}

/// The largest power of two that divides `bytes`.
fn power_of_two_in(bytes: usize) -> usize {
    1 << bytes.trailing_zeros().min(usize::BITS - 1)
}

impl Layout {
    /// Returns the layout with the same format, extents and options, and another element type.
    ///
    /// Alignments keep their number of bytes, and explicit strides their number of elements. A layout does not know
    /// whether its strides were written as a pitch, so they keep their number of elements then too; a pitch of a type
    /// or a text keeps its number of bytes.
    ///
    /// Law: `with_element(e).to_string()` is `to_string()` with the name of `e` instead of the element type, and with
    /// the same number of elements in a pitch.
    ///
    /// # Errors
    /// - Memory cannot hold an array of the new elements, a type of your own.
    /// - The fill of padding is not 0.
    /// - A row of elements of less than a byte ends inside a byte.
    /// - An alignment is not a whole number of elements.
    /// - The layout takes more than `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let image = Layout::parse("NHWC<N = 1, C = 3, H = 4, W = 5>, u8, align(W = 16)")?;
    /// let scaled = image.with_element(ElementType::F32)?;
    /// assert_eq!(scaled.to_string(), "NHWC<N = 1, C = 3, H = 4, W = 5>, f32, align(W = 16)");
    /// assert_eq!((image.len(), scaled.len()), (320, 80));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_element(&self, element: ElementType) -> Result<Self, LayoutError> {
        match self.fill() {
            Some(bits) if bits != 0 => {
                return Err(LayoutError(Rule::FillOfAnother { bits, element: self.element() }));
            }
            _ => {}
        }
        Printed::without_pitch(self).with_element(element)
    }
}
