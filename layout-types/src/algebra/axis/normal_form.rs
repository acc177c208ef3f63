//! The normal form of an axis.
//!
//! **Statement.** Digits in normal form have these properties, over `extent` positions from `shift` on:
//! 1. no digit is constant, but for that of an axis of one coordinate or none;
//! 2. none follows the one below it: `stride[k + 1] != stride[k] * size[k]`;
//! 3. digits that change at one position alone are one digit, and the axis begins with a block there if
//!    the first block is the longer one;
//! 4. an axis of half a block, whole ones and half a block is written in pairs of halves.
//!
//! So an axis has one digit if and only if its coordinates are evenly spaced, and axes that begin with a
//! block have the same offsets if and only if they have the same digits.
//!
//! **Reason.** Let `w[k]` be the weight of digit `k`. Its value at position `p` is `p / w[k] % size[k]`,
//! and `p / w[k] % size[k] == p / w[k] - size[k] * (p / w[k + 1])`, so the offset is a sum of floors:
//!
//! ```text
//! offset(p) = sum over k of c[k] * (p / w[k]),  c[k] = stride[k] - stride[k - 1] * size[k - 1]
//! ```
//!
//! with `c[0] = stride[0]`. Every term is a staircase that steps where `w[k]` divides the position.
//! - A term is constant where no multiple of its weight is among the positions after the first: (1).
//! - A term with `c[k] == 0` adds nothing: (2).
//! - Staircases that step once, at the same position, are one staircase: (3). Which weight that has is
//!   free, as long as no second multiple of it is among the positions.
//! - `x + 1/2` rounded down is `2x` rounded down less `x` rounded down (Hermite's identity): a staircase
//!   that begins half a step in is one of half the weight less one of the whole, and both begin with a
//!   block: (4).
//! - What is left steps at positions of its own: between two multiples of `w[k]` is one at which no
//!   slower digit changes, and there the step differs from the usual one by `c[k]`. So the axis is evenly
//!   spaced only if no term but `c[0]` is left. From a block on, the first position at which the step is
//!   another one is `w[1]`, the first of those where it is another than at `w[1]` is `w[2]`, and so on: the
//!   offsets say every weight and stride.
//!
//! **Example.** Digits of sizes 4, 3 and strides 1, 4 are one of 12 by (2). Positions 3 4 5 of sizes 4, 3
//! and strides 1, 10 have offsets 3 10 11: the second digit changes at position 4 alone, after one
//! coordinate and before two, so the block stays as it is. Positions 1 to 4 have offsets 1 2 3 10: there the
//! first block is the longer one, and the axis is of sizes 3, 2 and strides 1, 9 by (3).

use super::AxisDigits;
use crate::spec::MAX_FACTORS;

impl AxisDigits {
    /// The same with a slower digit: rule 2.
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

    /// Whether a digit of this stride counts on from the last value of the slowest one.
    const fn follows(&self, stride: isize) -> bool {
        let last = self.count - 1;
        match self.strides[last].checked_mul(self.sizes[last] as isize) {
            Some(distance) => distance == stride,
            None => false,
        }
    }

    /// The normal form of the digits over `extent` coordinates from position `shift` on.
    pub(in crate::algebra) const fn normalized(mut self, shift: usize, extent: usize) -> Self {
        self.extent = extent;
        self.shift = shift;
        if shift.checked_add(extent).is_none() {
            // No coordinates: axes of tensors that are not empty end below `usize::MAX`, since merged
            // ones end below `isize::MAX`, and others with blocks in a buffer.
            return self.strided_as(extent, self.strides[0]);
        }
        if extent < 2 {
            self.start = self.start.wrapping_add(self.distance(shift));
            self.shift = 0;
            self.sizes[0] = extent;
            self.count = 1;
            return self;
        }
        if extent == 2 && self.count > 1 {
            let (first, second) = (self.distance(shift), self.distance(shift + 1));
            self.start = self.start.wrapping_add(first);
            return self.strided_as(2, second.wrapping_sub(first));
        }
        // Positions inside one step of the slowest digit leave it constant.
        loop {
            let weight = self.block();
            let value = self.shift / weight;
            let whole = value * weight;
            if self.count > 1 && (self.shift + (extent - 1)) / weight == value {
                self.count -= 1;
                let distance = self.strides[self.count].wrapping_mul(value as isize);
                self.start = self.start.wrapping_add(distance);
                self.shift -= whole;
                continue;
            }
            let last = self.count - 1;
            let distance = self.strides[last].wrapping_mul(value as isize);
            self.start = self.start.wrapping_add(distance);
            self.shift -= whole;
            self.sizes[last] = (self.shift + extent).div_ceil(weight);
            return match self.single_boundary() {
                Some(digit) => self.cut_at_boundary(digit, false),
                None => self.in_pairs(),
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
        let (first, second) = (self.distance(base), self.distance(base + weight));
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
        // From the first position after the boundary back to what is now the first of the block.
        let back = (block / inner) as isize - (weight / inner) as isize;
        let distance = self.strides[digit - 1].wrapping_mul(back);
        new.start = self.start.wrapping_add(first).wrapping_sub(distance);
        new = new.with(block / inner, self.strides[digit - 1]);
        new.with(2, stride.wrapping_add(distance)).normalized(block - low, self.extent)
    }

    /// The same as pairs that begin and end with a block, where it is the second half of a block,
    /// whole ones, and the first half of one.
    const fn in_pairs(self) -> Self {
        let (top, block) = (self.count - 1, self.block());
        let halves = self.shift * 2 == block && self.extent % block == 0;
        if self.shift == 0 || !halves || self.sizes[top - 1] % 2 != 0 {
            return self;
        }
        let (size, stride) = (self.sizes[top - 1] / 2, self.strides[top - 1]);
        let distance = stride.wrapping_mul(size as isize);
        if distance == 0 {
            // Halves of a block share elements, which those of two would not look like.
            return self;
        }
        let first = self.offset(0);
        let mut pairs = Self { start: first, overflow: self.overflow, ..Self::NONE };
        let mut i = 0;
        while i + 1 < top {
            pairs = pairs.with(self.sizes[i], self.strides[i]);
            i += 1;
        }
        let pairs = pairs.with(size, stride).with(2, self.strides[top].wrapping_sub(distance));
        pairs.with(self.extent / block, self.strides[top]).normalized(0, self.extent)
    }

    /// One digit of this stride.
    pub(in crate::algebra) const fn strided_as(&self, extent: usize, stride: isize) -> Self {
        let Self { start, overflow, .. } = *self;
        Self { start, overflow, ..Self::single(extent, stride) }
    }
}
