//! How much memory a layout takes: its length, span, bytes and units, and the same elements in another buffer.

use core::ops::Range;

use crate::algebra::AxisDigits;
use crate::layout::{After, Layout};
use crate::spec::{LayoutError, Rule};

impl Layout {
    /// The number of elements that storage holds, padding included.
    #[expect(
        clippy::len_without_is_empty,
        reason = "a view without coordinates is as long as its buffer"
    )]
    pub const fn len(&self) -> usize {
        self.buffer.length
    }

    /// The number of bytes that storage takes, padding included.
    pub const fn bytes(&self) -> usize {
        self.bytes_of(self.buffer.length)
    }

    /// The bytes that a relayout reads or writes: the whole storage with its padding, or only the elements of a view.
    #[doc(hidden)]
    pub const fn moved_bytes(&self) -> usize {
        match self.buffer.explicit && self.numel() < self.buffer.length {
            true => self.bytes_of(self.numel()),
            false => self.bytes(),
        }
    }

    /// The bytes that `elements` take. They must fit in the storage.
    #[doc(hidden)]
    pub const fn bytes_of(&self, elements: usize) -> usize {
        match self.element().bytes_of(elements) {
            Some(bytes) => bytes,
            // `Layout::new` refuses such a length.
            None => unreachable!(),
        }
    }

    /// The number of units of a buffer: elements, or bytes for elements of less than a byte.
    pub const fn units(&self) -> usize {
        if self.element().bits() < 8 { self.bytes() } else { self.buffer.length }
    }

    /// The number of elements from offset 0 to the last one that a coordinate reaches, inclusive: mdspan's
    /// `required_span_size`. Padding after it is not included.
    ///
    /// Law: the largest offset of a coordinate, plus one, or 0 for an empty tensor. With a swizzle and more than 1024
    /// coordinates that lie far apart or whose strides interleave, it may be larger.
    #[doc(alias = "cosize")]
    pub const fn span(&self) -> usize {
        self.range().end
    }

    /// The range of offsets from the first element to the last one. It is empty for an empty tensor. All elements of a
    /// view are in this part of its buffer.
    ///
    /// Law: from the smallest offset of a coordinate to the largest, inclusive.
    #[doc(hidden)]
    pub const fn range(&self) -> Range<usize> {
        let Range { start, end } = self.reach();
        // The storage holds all elements, so it ends a range whose end is not found exactly.
        start..if end < self.buffer.length { end } else { self.buffer.length }
    }

    /// [`range`](Self::range) of a layout whose length is not known yet.
    pub(crate) const fn reach(&self) -> Range<usize> {
        if self.numel() == 0 {
            return 0..0;
        }
        let (mut start, mut last) = (self.base(), self.base());
        each!(axis, 0..self.rank(), {
            let (low, high) = AxisDigits::of(self, axis).range();
            start = start.wrapping_add_signed(low);
            last = last.wrapping_add_signed(high);
        });
        self.swizzled_range(start, last)
    }

    /// The same elements in a part of the buffer: `length` elements from `start` on.
    ///
    /// Law: `offset(part, c) + start == offset(self, c)`.
    ///
    /// # Errors
    /// - The part leaves the buffer, or does not hold all elements.
    /// - The layout has coordinates and a swizzle, and `start` is not a multiple of the
    ///   [`swizzle_period`](Self::swizzle_period).
    #[doc(hidden)]
    pub const fn part(&self, start: usize, length: usize) -> Result<Self, LayoutError> {
        if start > self.buffer.length || length > self.buffer.length - start {
            let (span, length) = (length, self.buffer.length);
            return Err(LayoutError(Rule::WithinBuffer { start, span, length }));
        }
        let range = self.range();
        let is_empty = range.start == range.end;
        if !is_empty && (start > range.start || range.end > start + length) {
            return Err(LayoutError(Rule::OutsideOfBuffer { length }));
        }
        if !is_empty && !self.buffer.after.commutes_with(start as isize) {
            let period = self.swizzle_period();
            return Err(LayoutError(Rule::SwizzleStart { start, period }));
        }
        let mut part = self.view();
        part.buffer.after = match self.swizzle() {
            Some(swizzle) if !is_empty && swizzle.first_read() < start + length => {
                After::swizzled(swizzle)
            }
            _ => After::NOTHING,
        };
        part.buffer.base = self.base().wrapping_sub(start);
        part.buffer.length = length;
        part.buffer.set_alignment(self.alignment_at(start));
        Ok(part)
    }

    /// The period of the swizzle, in elements: its pattern repeats after this distance. 1 without a swizzle.
    #[doc(hidden)]
    pub const fn swizzle_period(&self) -> usize {
        self.buffer.after.period()
    }

    /// The alignment in bytes of element `start` of a buffer that has the alignment of this layout.
    pub(in crate::algebra) const fn alignment_at(&self, start: usize) -> usize {
        // 0 has as many zeros as a number has bits.
        let zeros = self.bytes_of(start).trailing_zeros();
        if zeros < self.align().trailing_zeros() { 1 << zeros } else { self.align() }
    }

    /// The alignment of the start of a buffer, in bytes. With it, elements and aligned rows are aligned too.
    pub const fn align(&self) -> usize {
        self.buffer.alignment()
    }

    /// Whether storage holds elements that no coordinate reaches and that belong to the layout: padding of blocks and
    /// of alignments. Gaps between explicit strides belong to somebody else.
    #[doc(hidden)]
    pub const fn has_padding(&self) -> bool {
        !self.buffer.explicit && !self.is_exhaustive()
    }

    /// Whether an axis ends inside a block.
    #[doc(hidden)]
    pub const fn is_cut_short(&self) -> bool {
        let (mut cut, mut axis) = (false, 0);
        while axis < self.rank() {
            let stored = self.stored(axis);
            // The coordinates of one row of lanes are not a block.
            let weight = match self.distributed() {
                Some(distributed) if distributed.axis == axis => distributed.together,
                _ => stored.weight(stored.blocks),
            };
            cut |= self.extent(axis) % weight != 0;
            axis += 1;
        }
        cut
    }

    /// The bits of a unit of a buffer that is all padding; 0 if the layout declares none.
    #[doc(hidden)]
    pub const fn unit_of_fill(&self) -> u64 {
        match self.fill() {
            Some(bits) if self.element().per_byte() > 1 => {
                // Repeats the element in each part of the byte: a factor with bit 0 of each part set.
                let ones = 0xff / ((1 << self.element().bits()) - 1);
                (bits & ((1 << self.element().bits()) - 1)) * ones
            }
            Some(bits) => bits,
            None => 0,
        }
    }

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
