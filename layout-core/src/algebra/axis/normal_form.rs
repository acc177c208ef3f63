//! The normal form of an axis.
//!
//! **Statement.** Digits in normal form have these properties, over `extent` positions from `shift`:
//! 1. No digit is constant, except that of an axis of one coordinate or none.
//! 2. No digit continues the one below it: `stride[k + 1] != stride[k] * size[k]`.
//! 3. Digits that all change at a single position are one digit. The axis begins with a block there if its first block
//!    is the longer one.
//! 4. An axis of half a block, whole blocks and half a block is written in pairs of halves.
//!
//! So an axis has one digit if and only if its coordinates are evenly spaced. Axes that begin with a block have the
//! same offsets if and only if they have the same digits.
//!
//! **Reason.** Let `w[k]` be the weight of digit `k`. Its value at position `p` is `p / w[k] % size[k]`,
//! and `p / w[k] % size[k] == p / w[k] - size[k] * (p / w[k + 1])`, so the offset is a sum of floors:
//!
//! ```text
//! offset(p) = sum over k of c[k] * (p / w[k]),  c[k] = stride[k] - stride[k - 1] * size[k - 1]
//! ```
//!
//! with `c[0] = stride[0]`. Every term is a staircase that steps where `w[k]` divides the position.
//! - A term is constant if no position after the first is a multiple of its weight: (1).
//! - A term with `c[k] == 0` adds nothing: (2).
//! - Staircases that step once, at the same position, add up to one staircase: (3). Its weight is arbitrary, as long
//!   as no other position is a multiple of it.
//! - `floor(x + 1/2) == floor(2x) - floor(x)` (Hermite's identity). So a staircase that begins half a step in is one
//!   of half the weight minus one of the whole weight, and both begin with a block: (4).
//! - Each remaining term has steps of its own: between two multiples of `w[k]` is a position at which no slower digit
//!   changes, and the step there differs from the usual one by `c[k]`. So the axis is evenly spaced only if `c[0]` is
//!   the only term. For an axis that begins with a block, the first position at which the step differs is `w[1]`, the
//!   first of those at which it differs from the step at `w[1]` is `w[2]`, and so on: the offsets determine every weight
//!   and stride.
//!
//! **Example.** Digits of sizes 4, 3 and strides 1, 4 are one digit of 12 values by (2). Positions 3 4 5 of sizes 4, 3
//! and strides 1, 10 have offsets 3 10 11: the second digit changes at position 4 alone. One coordinate precedes it
//! and two follow, so the block stays as it is. Positions 1 to 4 have offsets 1 2 3 10: the first block is the longer
//! one, so the axis has sizes 3, 2 and strides 1, 9 by (3).

use super::AxisDigits;
use crate::spec::MAX_FACTORS;

impl AxisDigits {
    /// Adds a slower digit, merged by rule 2 if it continues the last one.
    pub(in crate::algebra) const fn push(&mut self, size: usize, stride: isize) {
        if self.count == 1 && self.sizes[0] == 1 {
            if size != 1 {
                self.sizes[0] = size;
                self.strides[0] = stride;
            }
        } else if self.count > 0 && size == 1 {
            // A digit of one value is always 0.
        } else if self.count > 0 && self.follows(stride) {
            self.sizes[self.count - 1] = self.sizes[self.count - 1].saturating_mul(size);
        } else if self.count == MAX_FACTORS {
            self.overflow = true;
        } else {
            self.sizes[self.count] = size;
            self.strides[self.count] = stride;
            self.count += 1;
        }
    }

    /// The same digits and a slower one.
    pub(in crate::algebra) const fn with(mut self, size: usize, stride: isize) -> Self {
        self.push(size, stride);
        self
    }

    /// Whether a digit of this stride continues the slowest one.
    const fn follows(&self, stride: isize) -> bool {
        let last = self.count - 1;
        match self.strides[last].checked_mul(self.sizes[last] as isize) {
            Some(distance) => distance == stride,
            None => false,
        }
    }

    /// The normal form of the digits over `extent` coordinates from position `shift`.
    pub(in crate::algebra) const fn normalized(mut self, shift: usize, extent: usize) -> Self {
        self.normalize(shift, extent);
        self
    }

    /// Brings the digits over `extent` coordinates from position `shift` into normal form.
    pub(in crate::algebra) const fn normalize(&mut self, shift: usize, extent: usize) {
        self.extent = extent;
        self.shift = shift;
        if shift.checked_add(extent).is_none() {
            // Without coordinates. The extent fits, since axes of a tensor that is not empty are below `usize::MAX`:
            // merged ones are at most `isize::MAX`, and axes with blocks are limited by the buffer.
            *self = self.strided_as(extent, self.strides[0]);
            return;
        }
        if extent < 2 {
            self.start = self.start.wrapping_add(self.distance(shift));
            self.shift = 0;
            self.sizes[0] = extent;
            self.count = 1;
            return;
        }
        if extent == 2 && self.count > 1 {
            let (first, second) = (self.distance(shift), self.distance(shift + 1));
            self.start = self.start.wrapping_add(first);
            *self = self.strided_as(2, second.wrapping_sub(first));
            return;
        }
        // The slowest digit is constant if no position is in another of its steps.
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
            if self.shift > 0 {
                *self = match self.single_boundary() {
                    Some(digit) => self.cut_at_boundary(digit, false),
                    None => self.in_pairs(),
                };
            }
            return;
        }
    }

    /// The fastest of the digits that all change at a single position, if there is one.
    pub(in crate::algebra) const fn single_boundary(&self) -> Option<usize> {
        let last = self.shift + (self.extent - 1);
        let mut weight = 1;
        let mut digit = 1;
        // If an axis begins with a block, each digit changes alone before the next slower one does.
        while digit < self.count && self.shift > 0 {
            weight *= self.sizes[digit - 1];
            if last / weight - self.shift / weight == 1 {
                return Some(digit);
            }
            digit += 1;
        }
        None
    }

    /// Replaces the digits from `digit` on, which all change at a single position, by one digit of two values.
    ///
    /// Any block size works, as long as all positions are in the two blocks next to that boundary. If the first side
    /// is the longer one and faster digits allow it, the block gets its length, so the axis begins with a block. If
    /// `ends` is true, the block gets the length of the second side instead, so the axis ends with a block. Otherwise
    /// it stays as it was.
    ///
    /// **Example.** Positions 6 7 8 in digits of sizes 2 2 2 2 and strides 1 4 2 8 have offsets 6 7 8. All digits
    /// except the fastest change at position 8 alone, by a step of 1 from position 7. One digit of weight 2 and stride
    /// 2 replaces the three. It continues the fastest digit, so the axis has stride 1.
    pub(in crate::algebra) const fn cut_at_boundary(self, digit: usize, ends: bool) -> Self {
        let (mut weight, mut inner) = (1, 1);
        each!(i, 0..digit, {
            (inner, weight) = (weight, weight * self.sizes[i]);
        });
        let base = self.shift / weight * weight;
        let (first, second) = (self.distance(base), self.distance(base + weight));
        let stride = second.wrapping_sub(first);
        // The number of coordinates on each side.
        let low = base + weight - self.shift;
        let high = self.extent - low;
        // If coordinates share elements, only blocks of the given size show which ones.
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
        // From the first position after the boundary back to the new first position of the block.
        let back = ((block / inner) as isize).wrapping_sub((weight / inner) as isize);
        let distance = self.strides[digit - 1].wrapping_mul(back);
        new.start = self.start.wrapping_add(first).wrapping_sub(distance);
        new = new.with(block / inner, self.strides[digit - 1]);
        new.with(2, stride.wrapping_add(distance)).normalized(block - low, self.extent)
    }

    /// Writes the second half of a block, whole blocks and the first half of a block as pairs of halves, which begin
    /// and end with a block.
    const fn in_pairs(self) -> Self {
        let (top, block) = (self.count - 1, self.block());
        let halves = self.shift * 2 == block && self.extent % block == 0;
        if self.shift == 0 || !halves || self.sizes[top - 1] % 2 != 0 {
            return self;
        }
        let (size, stride) = (self.sizes[top - 1] / 2, self.strides[top - 1]);
        let distance = stride.wrapping_mul(size as isize);
        if distance == 0 {
            // The halves of a block share elements. The halves of two blocks would not show that.
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

    /// The same axis with one digit of this stride.
    pub(in crate::algebra) const fn strided_as(&self, extent: usize, stride: isize) -> Self {
        let Self { start, overflow, .. } = *self;
        Self { start, overflow, ..Self::single(extent, stride) }
    }
}
