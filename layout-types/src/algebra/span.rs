//! How much memory a layout takes.

use crate::layout::Layout;

impl Layout {
    /// The elements that storage holds, padding included.
    pub const fn length(&self) -> usize {
        self.length
    }

    /// The bytes that storage takes, padding included.
    pub const fn bytes(&self) -> usize {
        self.bytes_of(self.length)
    }

    /// The bytes that `elements` take, which are no more than storage holds.
    pub(crate) const fn bytes_of(&self, elements: usize) -> usize {
        match self.element.bytes_of(elements) {
            Some(bytes) => bytes,
            // `Layout::new` refuses such a length.
            None => unreachable!(),
        }
    }

    /// The units a buffer is made of: elements, or bytes for 4-bit elements.
    pub const fn units(&self) -> usize {
        if self.element.bits() < 8 { self.bytes() } else { self.length }
    }

    /// The elements from the first to the last, plus one, padding behind the last left out:
    /// mdspan's `required_span_size`.
    ///
    /// Law: the largest offset of a coordinate, plus one; 0 for an empty tensor.
    pub const fn span(&self) -> usize {
        if self.length == 0 {
            return 0;
        }
        let mut span = 1;
        let mut i = 0;
        while i < self.rank() {
            span += self.farthest(i);
            i += 1;
        }
        span
    }

    /// The farthest that a coordinate of `axis` lies above the lowest one.
    const fn farthest(&self, axis: usize) -> usize {
        // All digits at their largest is out of reach where the axis is padded. The farthest
        // coordinate then has the digits of the last one down to some point, one less there, and
        // all the faster ones at their largest; so these are all there are to compare. With a
        // negative stride it is coordinate 0.
        let last = self.extents[axis] - 1;
        let mut farthest = self.way(axis, last);
        if self.way(axis, 0) > farthest {
            farthest = self.way(axis, 0);
        }
        let mut i = 0;
        while i < self.digit_count {
            let digit = &self.digits[i];
            let below = (digit.shift + last + 1) / digit.weight * digit.weight;
            if digit.axis == axis && below > digit.shift {
                let way = self.way(axis, below - digit.shift - 1);
                if way > farthest {
                    farthest = way;
                }
            }
            i += 1;
        }
        farthest
    }

    /// How far `coordinate` of `axis` lies above the lowest one.
    const fn way(&self, axis: usize, coordinate: usize) -> usize {
        let mut way = 0;
        let mut i = 0;
        while i < self.digit_count {
            let digit = &self.digits[i];
            if digit.axis == axis {
                let value = digit.value(coordinate, self.extents[axis]);
                let up = if digit.stride < 0 { digit.size - 1 - value } else { value };
                way += up * digit.stride.unsigned_abs();
            }
            i += 1;
        }
        way
    }

    /// The bytes that the start of a buffer must be a multiple of, so that elements and aligned
    /// rows are.
    pub const fn alignment(&self) -> usize {
        self.alignment
    }

    /// Whether storage holds elements that are no coordinate's and belong to the layout:
    /// padding of blocks and of alignments. Gaps between explicit strides are not its own.
    pub const fn has_padding(&self) -> bool {
        !self.explicit && !self.is_exhaustive()
    }

    /// The bits of a buffer's unit that is all padding: 0 where none are declared.
    pub(crate) const fn unit_of_fill(&self) -> u64 {
        match self.fill {
            Some(bits) if self.element.bits() < 8 => bits & 0xf | (bits & 0xf) << 4,
            Some(bits) => bits,
            None => 0,
        }
    }
}
