//! How much memory a layout takes: `len` elements, `span` of them up to the last, `bytes`, `units` of a buffer.

use core::ops::Range;

use crate::algebra::AxisDigits;
use crate::layout::Layout;

impl Layout {
    /// The elements that storage holds, padding included.
    #[expect(
        clippy::len_without_is_empty,
        reason = "a view without coordinates is as long as its buffer"
    )]
    pub const fn len(&self) -> usize {
        self.length
    }

    /// The bytes that storage takes, padding included.
    pub const fn bytes(&self) -> usize {
        self.bytes_of(self.length)
    }

    /// The bytes that a relayout has to do with: all of storage with its padding, but of a view only
    /// its elements.
    #[doc(hidden)]
    pub const fn moved_bytes(&self) -> usize {
        match self.explicit && self.count() < self.length {
            true => self.bytes_of(self.count()),
            false => self.bytes(),
        }
    }

    /// The bytes that `elements` take, which are no more than storage holds.
    #[doc(hidden)]
    pub const fn bytes_of(&self, elements: usize) -> usize {
        match self.element.bytes_of(elements) {
            Some(bytes) => bytes,
            // `Layout::new` refuses such a length.
            None => unreachable!(),
        }
    }

    /// The units that a buffer holds: elements, or bytes for elements of less than a byte.
    pub const fn units(&self) -> usize {
        if self.element.bits() < 8 { self.bytes() } else { self.length }
    }

    /// The elements from the start of the buffer to the last, plus one, padding after the last
    /// left out: mdspan's `required_span_size`.
    ///
    /// Law: the largest offset of a coordinate, plus one; 0 for an empty tensor.
    pub const fn span(&self) -> usize {
        self.range().end
    }

    /// The offsets from the first element to the last, empty for an empty tensor. All of a view
    /// lies in this part of its buffer.
    ///
    /// Law: from the smallest offset of a coordinate to below the largest plus one.
    #[doc(hidden)]
    pub const fn range(&self) -> Range<usize> {
        if self.count() == 0 {
            return 0..0;
        }
        let (mut start, mut last) = (self.base, self.base);
        let mut axis = 0;
        while axis < self.rank() {
            let (low, high) = AxisDigits::of(self, axis).range();
            start = start.wrapping_add_signed(low);
            last = last.wrapping_add_signed(high);
            axis += 1;
        }
        self.swizzled_range(start, last)
    }

    /// The same elements in a part of the buffer that holds them all, and begins at a multiple of the
    /// [`swizzle_period`](Self::swizzle_period) unless there are none.
    ///
    /// Law: `offset(part, c) + start == offset(self, c)`.
    #[doc(hidden)]
    pub const fn part(&self, start: usize, length: usize) -> Self {
        let range = self.range();
        let is_empty = range.start == range.end;
        debug_assert!(is_empty || start <= range.start);
        debug_assert!(is_empty || range.end <= start + length);
        debug_assert!(is_empty || start % self.swizzle_period() == 0);
        let alignment = self.alignment_at(start);
        let swizzle = match self.swizzle {
            Some(swizzle) if !is_empty && swizzle.first_read() < start + length => Some(swizzle),
            _ => None,
        };
        Self { base: self.base.wrapping_sub(start), length, alignment, swizzle, ..self.view() }
    }

    /// The offsets after which a swizzle begins anew: 1 without one.
    #[doc(hidden)]
    pub const fn swizzle_period(&self) -> usize {
        match self.swizzle {
            Some(swizzle) => swizzle.period(),
            None => 1,
        }
    }

    /// The alignment of element `start` of a buffer that is aligned as this layout asks, in bytes.
    pub(in crate::algebra) const fn alignment_at(&self, start: usize) -> usize {
        match self.bytes_of(start) {
            0 => self.alignment,
            bytes if bytes.trailing_zeros() < self.alignment.trailing_zeros() => {
                1 << bytes.trailing_zeros()
            }
            _ => self.alignment,
        }
    }

    /// The bytes that the start of a buffer must be a multiple of, so that elements and aligned
    /// rows are.
    pub const fn align(&self) -> usize {
        self.alignment
    }

    /// Whether storage holds elements that are no coordinate's and belong to the layout:
    /// padding of blocks and of alignments. Gaps between explicit strides are not its own.
    #[doc(hidden)]
    pub const fn has_padding(&self) -> bool {
        !self.explicit && !self.is_exhaustive()
    }

    /// Whether an axis ends inside of a block.
    pub(crate) const fn is_cut_short(&self) -> bool {
        let mut cut = false;
        let mut i = 0;
        while i < self.digit_count {
            let digit = &self.digits[i];
            // What the lanes hold together in a row is no block.
            let weight = match self.distributed() {
                Some(distributed)
                    if distributed.axis == digit.axis && digit.weight > distributed.together =>
                {
                    distributed.together
                }
                _ => digit.weight,
            };
            cut |= self.extents[digit.axis] % weight != 0;
            i += 1;
        }
        cut
    }

    /// The bits of a buffer's unit that is all padding: 0 where none are declared.
    #[doc(hidden)]
    pub const fn unit_of_fill(&self) -> u64 {
        match self.fill {
            Some(bits) if self.element.per_byte() > 1 => {
                // The multiple whose digits of so many bits are all 1.
                let ones = 0xff / ((1 << self.element.bits()) - 1);
                (bits & ((1 << self.element.bits()) - 1)) * ones
            }
            Some(bits) => bits,
            None => 0,
        }
    }
}
