//! Whether coordinates keep apart, and whether they leave gaps.

use super::{AxisDigits, Digit};
use crate::layout::Layout;
use crate::spec::{LayoutError, MAX_FACTORS, MAX_RANK, Rule};

impl Layout {
    /// Whether no two coordinates share an offset.
    ///
    /// Law: `a != b` implies `offset(a) != offset(b)`.
    pub const fn is_unique(&self) -> bool {
        self.shared_axis().is_none()
    }

    /// An axis along which coordinates share elements, if there is one.
    #[doc(hidden)]
    pub const fn shared_axis(&self) -> Option<char> {
        if self.count() == 0 {
            return None;
        }
        // A memory order gives every digit the room of all the faster ones, explicit strides were
        // searched when the layout was made, and a view has some of the elements of a layout. So
        // only digits of stride 0 share elements, where the axis has two values of them beside the
        // same other digits.
        let mut i = 0;
        while i < self.digit_count {
            let Digit { axis, size, stride, .. } = self.digits[i];
            if stride == 0 && size > 1 && !AxisDigits::of(self, axis).is_unique() {
                return Some(self.letters().at(axis));
            }
            i += 1;
        }
        None
    }

    /// Whether the coordinates reach every offset of the storage: no padding and no gaps.
    ///
    /// Law: each offset below `length` is that of some coordinate.
    pub const fn is_exhaustive(&self) -> bool {
        // What follows comes to the same where no coordinates share an offset, for all values of each
        // axis are distinct then: only a short cut, since most layouts are looked at at run time.
        if self.is_unique() {
            return self.count() == self.length;
        }
        let (rank, mut reached) = (self.rank(), 1usize);
        let mut i = 0;
        while i < rank {
            reached = reached.saturating_mul(AxisDigits::of(self, i).distinct());
            i += 1;
        }
        self.length == 0 || reached == self.length
    }

    /// An error if two coordinates share an offset although they differ on more than broadcast
    /// axes.
    ///
    /// Looks for the difference of two such coordinates: steps of each digit, at least one of
    /// them not 0, that cancel out. The search leaves a branch as soon as the faster digits
    /// cannot make up for what the slower ones have added, so that nested strides, each larger
    /// than the reach of all smaller ones, take one step a digit. Strides that interleave in many
    /// ways can take exponentially many, so the search gives up in the end.
    pub(crate) const fn overlap(&self) -> Option<LayoutError> {
        const STEPS: usize = 20_000;
        let mut left = STEPS;
        let mut reach = [0i128; MAX_FACTORS + 1];
        let mut i = self.digit_count;
        while i > 0 {
            i -= 1;
            let digit = &self.digits[i];
            let steps = digit.size.saturating_sub(1) as i128;
            reach[i] = reach[i + 1] + steps * digit.stride.unsigned_abs() as i128;
        }
        let mut steps = [0i128; MAX_FACTORS];
        let mut last = [0i128; MAX_FACTORS];
        let mut sum = [0i128; MAX_FACTORS + 1];
        let mut level = 0;
        let mut back = false;
        loop {
            if left == 0 {
                return Some(LayoutError(Rule::OverlapUnknown { steps: STEPS }));
            }
            left -= 1;
            if back {
                if level == 0 {
                    return None;
                }
                level -= 1;
                steps[level] += 1;
            } else if level == self.digit_count {
                if sum[level] == 0 && !all_zero(&steps, level) {
                    return Some(self.witness(&steps));
                }
                back = true;
                continue;
            } else {
                let digit = &self.digits[level];
                let most = digit.size.saturating_sub(1) as i128;
                let stride = digit.stride as i128;
                if stride == 0 {
                    steps[level] = 0;
                    last[level] = 0;
                } else {
                    // |sum + steps * stride| <= reach
                    let a = div_floor(-sum[level] - reach[level + 1], stride.abs());
                    let b = div_floor(-sum[level] + reach[level + 1], stride.abs());
                    let (low, high) = if stride > 0 { (a, b) } else { (-b, -a) };
                    // The negative of a difference is one too: the first step is not negative.
                    let lowest = if all_zero(&steps, level) { 0 } else { -most };
                    steps[level] = if low > lowest { low } else { lowest };
                    last[level] = if high < most { high } else { most };
                }
            }
            back = steps[level] > last[level];
            if !back {
                sum[level + 1] = sum[level] + steps[level] * self.digits[level].stride as i128;
                level += 1;
            }
        }
    }

    /// Two coordinates with this difference share an offset.
    const fn witness(&self, steps: &[i128; MAX_FACTORS]) -> LayoutError {
        let (mut first, mut second) = ([0u32; MAX_RANK], [0u32; MAX_RANK]);
        let mut exact = true;
        let mut i = 0;
        while i < self.digit_count {
            let digit = &self.digits[i];
            // Digits of explicit strides are whole axes.
            let way = steps[i].unsigned_abs();
            exact &= way <= u32::MAX as u128;
            let side = if steps[i] > 0 { &mut first } else { &mut second };
            side[digit.axis] = way as u32;
            i += 1;
        }
        LayoutError(Rule::Overlap { axes: self.letters, first, second, exact })
    }
}

const fn all_zero(steps: &[i128; MAX_FACTORS], count: usize) -> bool {
    let mut i = 0;
    while i < count {
        if steps[i] != 0 {
            return false;
        }
        i += 1;
    }
    true
}

/// The largest whole number not above `a / b`, for `b > 0`.
const fn div_floor(a: i128, b: i128) -> i128 {
    a.div_euclid(b)
}

impl AxisDigits {
    /// Whether no two coordinates differ in nothing but digits of stride 0.
    const fn is_unique(&self) -> bool {
        self.distinct() == self.extent
    }

    /// How many different places the coordinates have.
    pub(super) const fn distinct(&self) -> usize {
        let (top, block) = (self.count - 1, self.block());
        let end = self.shift + self.extent;
        if self.extent < 2 {
            return self.extent;
        }
        // The end of a block, whole ones, and the beginning of one.
        let whole = (end - 1) / block - 1;
        let rest = end - (whole + 1) * block;
        if self.strides[top] != 0 {
            let ends =
                self.distinct_below(top, 0, self.shift) + self.distinct_below(top, rest, block);
            ends + whole * self.distinct_below(top, block, block)
        } else if whole > 0 {
            self.distinct_below(top, block, block)
        } else {
            self.distinct_below(top, rest, self.shift)
        }
    }

    /// How many different places the positions have, in a block of the digits below `count`, that
    /// are below `end` or from `start` on.
    const fn distinct_below(&self, count: usize, end: usize, start: usize) -> usize {
        let mut block = 1;
        let mut full = 1;
        let mut i = 0;
        while i < count {
            block *= self.sizes[i];
            if self.strides[i] != 0 {
                full *= self.sizes[i];
            }
            i += 1;
        }
        if end >= start {
            return full;
        }
        if end == 0 && start == block {
            return 0;
        }
        // Where there is no digit left, the block is one position, which was either of these.
        let top = count - 1;
        let (size, below) = (self.sizes[top], block / self.sizes[top]);
        let (last, first) = (end / below, start / below);
        let (end, start) = (end % below, start % below);
        // A value all of whose positions are there.
        let all = last + (size - first) - (start > 0) as usize;
        let full = if self.strides[top] != 0 { full / size } else { full };
        if self.strides[top] == 0 {
            return match all {
                0 => self.distinct_below(top, end, if start > 0 { start } else { below }),
                _ => full,
            };
        }
        if last == first && end > 0 && start > 0 {
            return all * full + self.distinct_below(top, end, start);
        }
        let mut distinct = all * full;
        if end > 0 {
            distinct += self.distinct_below(top, end, below);
        }
        if start > 0 {
            distinct += self.distinct_below(top, 0, start);
        }
        distinct
    }
}
