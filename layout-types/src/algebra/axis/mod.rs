//! One axis: its digits in normal form. What is done to them stands where layouts have it done.

mod digit;
pub(in crate::algebra) mod inference;

pub use digit::Digit;

use crate::layout::Layout;
use crate::spec::MAX_FACTORS;

/// The digits of one axis, fastest first.
///
/// The weight of a digit is the product of the sizes below it; the sizes multiply up to at least
/// `shift + extent`. In normal form no digit is constant (an axis of extent 1 or 0 has a digit all
/// the same), and none goes on where the one below it ends.
#[derive(Clone, Copy)]
pub(crate) struct AxisDigits {
    pub(crate) extent: usize,
    /// The position of coordinate 0, counted from where all digits are 0.
    pub(crate) shift: usize,
    /// What constant digits add to every offset, in elements.
    pub(crate) start: isize,
    pub(crate) sizes: [usize; MAX_FACTORS],
    pub(crate) strides: [isize; MAX_FACTORS],
    pub(crate) count: usize,
    /// Whether there were more digits than a layout can have.
    pub(crate) overflow: bool,
}

impl AxisDigits {
    /// No digits yet.
    pub(in crate::algebra) const NONE: Self = Self {
        extent: 0,
        shift: 0,
        start: 0,
        sizes: [1; MAX_FACTORS],
        strides: [0; MAX_FACTORS],
        count: 0,
        overflow: false,
    };

    /// An axis of one digit.
    pub(crate) const fn single(extent: usize, stride: isize) -> Self {
        Self::NONE.with(extent, stride).settled(0, extent)
    }

    /// The axis of `layout` at this position.
    pub(crate) const fn of(layout: &Layout, axis: usize) -> Self {
        let mut new = Self::NONE;
        let mut shift = 0;
        let mut weight = 1;
        loop {
            let mut next = None;
            let mut i = 0;
            while i < layout.digit_count {
                let digit = &layout.digits[i];
                if digit.axis == axis && digit.weight == weight {
                    next = Some(digit);
                }
                i += 1;
            }
            let Some(digit) = next else { break };
            shift = digit.shift;
            new = new.with(digit.size, digit.stride);
            // Digits of one value are the slowest of their axis.
            if digit.size < 2 {
                break;
            }
            weight = weight.saturating_mul(digit.size);
        }
        new.settled(shift, layout.extents[axis])
    }

    /// The same with a slower digit.
    pub(in crate::algebra) const fn with(mut self, size: usize, stride: isize) -> Self {
        if self.count == 1 && self.sizes[0] == 1 {
            if size != 1 {
                self.sizes[0] = size;
                self.strides[0] = stride;
            }
        } else if self.count > 0 && size == 1 {
            // Always 0.
        } else if self.count > 0 && self.follows(stride) {
            self.sizes[self.count - 1] = self.sizes[self.count - 1].saturating_mul(size);
        } else if self.count == MAX_FACTORS {
            self.overflow = true;
        } else {
            self.sizes[self.count] = size;
            self.strides[self.count] = stride;
            self.count += 1;
        }
        self
    }

    /// Whether a digit of this stride goes on where the slowest one ends.
    const fn follows(&self, stride: isize) -> bool {
        let last = self.count - 1;
        match self.strides[last].checked_mul(self.sizes[last] as isize) {
            Some(way) => way == stride,
            None => false,
        }
    }

    /// The normal form of the digits over `extent` coordinates from position `shift` on.
    pub(in crate::algebra) const fn settled(mut self, shift: usize, extent: usize) -> Self {
        self.extent = extent;
        self.shift = shift;
        if shift.checked_add(extent).is_none() {
            // No coordinates: axes of tensors that are not empty end below `usize::MAX`, since merged
            // ones end below `isize::MAX`, and others with blocks in a buffer.
            return self.straight(extent, self.strides[0]);
        }
        if extent < 2 {
            self.start = self.start.wrapping_add(self.way(shift));
            self.shift = 0;
            self.sizes[0] = extent;
            self.count = 1;
            return self;
        }
        if extent == 2 && self.count > 1 {
            let (first, second) = (self.way(shift), self.way(shift + 1));
            self.start = self.start.wrapping_add(first);
            return self.straight(2, second.wrapping_sub(first));
        }
        // Positions inside one step of the slowest digit leave it constant.
        loop {
            let weight = self.block();
            let value = self.shift / weight;
            let whole = value * weight;
            if self.count > 1 && (self.shift + (extent - 1)) / weight == value {
                self.count -= 1;
                let way = self.strides[self.count].wrapping_mul(value as isize);
                self.start = self.start.wrapping_add(way);
                self.shift -= whole;
                continue;
            }
            let last = self.count - 1;
            let way = self.strides[last].wrapping_mul(value as isize);
            self.start = self.start.wrapping_add(way);
            self.shift -= whole;
            self.sizes[last] = (self.shift + extent).div_ceil(weight);
            return match self.single_boundary() {
                Some(digit) => self.cut_at_boundary(digit, false),
                None => self.paired(),
            };
        }
    }

    /// The fastest of the digits that change at one position alone, if there is one.
    pub(in crate::algebra) const fn single_boundary(&self) -> Option<usize> {
        let last = self.shift + (self.extent - 1);
        let mut weight = 1;
        let mut digit = 1;
        // Where an axis begins with a block, each digit changes alone before the next slower one does.
        while digit < self.count && self.shift > 0 {
            weight *= self.sizes[digit - 1];
            if last / weight - self.shift / weight == 1 {
                return Some(digit);
            }
            digit += 1;
        }
        None
    }

    /// The same with one digit of two values in place of those from `digit` on, which change at one
    /// position alone.
    ///
    /// What these digits count below that position and above it is free, as long as the positions are
    /// in the two blocks next to it. So the block is as long as the first side, if that is the longer
    /// one and faster digits allow it: then the axis begins with a block. Else it is as it was, or, if
    /// the axis is to end with a block, as long as the second side.
    ///
    /// Offsets 6 7 8 of positions 6 7 8 in digits of sizes 2 2 2 2 and strides 1 4 2 8: all but the
    /// fastest change at position 8 alone, which is 1 from position 7. One digit of weight 2 and stride
    /// 2 takes the place of the three; it follows the fastest one, so the axis has stride 1.
    pub(in crate::algebra) const fn cut_at_boundary(self, digit: usize, ends: bool) -> Self {
        let (mut weight, mut inner) = (1, 1);
        let mut i = 0;
        while i < digit {
            (inner, weight) = (weight, weight * self.sizes[i]);
            i += 1;
        }
        let base = self.shift / weight * weight;
        let (first, second) = (self.way(base), self.way(base + weight));
        let stride = second.wrapping_sub(first);
        // The coordinates on either side.
        let low = base + weight - self.shift;
        let high = self.extent - low;
        // Only blocks of the length that was given show which coordinates share elements.
        let shares = stride == 0 && self.extent > weight;
        let block = match shares {
            false if low >= high && low % inner == 0 => low,
            false if ends && high >= low && high % inner == 0 => high,
            _ => weight,
        };
        if digit + 1 == self.count && block == weight {
            return self;
        }
        let mut new = Self { overflow: self.overflow, ..Self::NONE };
        let mut i = 0;
        while i + 1 < digit {
            new = new.with(self.sizes[i], self.strides[i]);
            i += 1;
        }
        // From the first position behind the boundary back to what is now the first of the block.
        let back = (block / inner) as isize - (weight / inner) as isize;
        let way = self.strides[digit - 1].wrapping_mul(back);
        new.start = self.start.wrapping_add(first).wrapping_sub(way);
        new = new.with(block / inner, self.strides[digit - 1]);
        new.with(2, stride.wrapping_add(way)).settled(block - low, self.extent)
    }

    /// The same as pairs that begin and end with a block, where it is the second half of a block,
    /// whole ones, and the first half of one.
    const fn paired(self) -> Self {
        let (top, block) = (self.count - 1, self.block());
        let halves = self.shift * 2 == block && self.extent % block == 0;
        if self.shift == 0 || !halves || self.sizes[top - 1] % 2 != 0 {
            return self;
        }
        let (size, stride) = (self.sizes[top - 1] / 2, self.strides[top - 1]);
        let way = stride.wrapping_mul(size as isize);
        if way == 0 {
            // Halves of a block share elements, which those of two would not look like.
            return self;
        }
        let first = self.place(0);
        let mut pairs = Self { start: first, overflow: self.overflow, ..Self::NONE };
        let mut i = 0;
        while i + 1 < top {
            pairs = pairs.with(self.sizes[i], self.strides[i]);
            i += 1;
        }
        let pairs = pairs.with(size, stride).with(2, self.strides[top].wrapping_sub(way));
        pairs.with(self.extent / block, self.strides[top]).settled(0, self.extent)
    }

    /// One digit of this stride.
    pub(in crate::algebra) const fn straight(&self, extent: usize, stride: isize) -> Self {
        let Self { start, overflow, .. } = *self;
        Self { start, overflow, ..Self::single(extent, stride) }
    }

    /// The product of all sizes but the slowest.
    pub(crate) const fn block(&self) -> usize {
        let mut block = 1usize;
        let mut i = 0;
        while i + 1 < self.count {
            block = block.saturating_mul(self.sizes[i]);
            i += 1;
        }
        block
    }

    /// The smallest block, with those inside it, that neither divides `size` nor is divided by it.
    pub(in crate::algebra) const fn block_beside(&self, size: usize) -> Option<usize> {
        let mut block = 1usize;
        let mut i = 0;
        while i + 1 < self.count {
            block *= self.sizes[i];
            if block % size != 0 && size % block != 0 {
                return Some(block);
            }
            i += 1;
        }
        None
    }

    /// The smallest block, with those inside it, that is a multiple of `size`, or the largest.
    pub(in crate::algebra) const fn block_around(&self, size: usize) -> usize {
        let mut block = 1usize;
        let mut i = 0;
        while i + 1 < self.count && block % size != 0 {
            block *= self.sizes[i];
            i += 1;
        }
        block
    }

    /// Whether the axis begins and ends with a block.
    pub(crate) const fn is_whole(&self) -> bool {
        self.shift == 0 && self.extent % self.block() == 0
    }

    /// How far from where all digits are 0 `position` lies.
    pub(in crate::algebra) const fn way(&self, position: usize) -> isize {
        let mut way = 0isize;
        let mut rest = position;
        let mut i = 0;
        while i < self.count {
            let value = if i + 1 < self.count { rest % self.sizes[i] } else { rest };
            way = way.wrapping_add(self.strides[i].wrapping_mul(value as isize));
            rest /= if self.sizes[i] == 0 { 1 } else { self.sizes[i] };
            i += 1;
        }
        way
    }

    /// How far from the layout's base `coordinate` lies.
    pub(crate) const fn place(&self, coordinate: usize) -> isize {
        self.start.wrapping_add(self.way(self.shift + coordinate))
    }

    /// The axis of one stride, if it has one.
    pub(crate) const fn stride(&self) -> Option<isize> {
        if self.count == 1 { Some(self.strides[0]) } else { None }
    }
}
