//! Whether coordinates keep apart, and whether they leave gaps.

use super::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, MAX_FACTORS, MAX_RANK};

impl Layout {
    /// Whether no two coordinates share an offset.
    ///
    /// Law: `a != b` implies `offset(a) != offset(b)`.
    pub const fn is_unique(&self) -> bool {
        if self.count() == 0 {
            return true;
        }
        let mut i = 0;
        while i < self.digit_count {
            if self.digits[i].stride == 0 && self.digits[i].size > 1 {
                return false;
            }
            i += 1;
        }
        // A memory order gives every digit the room of all the faster ones, explicit strides were
        // searched when the layout was made, and a view has some of the elements of a layout.
        true
    }

    /// Whether the coordinates reach every offset of the storage: no padding and no gaps.
    ///
    /// Law: each offset below `length` is that of some coordinate.
    pub const fn is_exhaustive(&self) -> bool {
        let mut reached = 1usize;
        let mut i = 0;
        while i < self.rank() {
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
                return Some(LayoutError::OverlapUnknown { steps: STEPS });
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
        LayoutError::Overlap { axes: self.letters, first, second, exact }
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
    /// How many different places the coordinates have.
    const fn distinct(&self) -> usize {
        // A digit of stride 0 beside others keeps the axis from beginning inside a block.
        let mut rest = self.extent;
        let mut weight = self.block();
        let mut distinct = 0;
        let mut i = self.count;
        while i > 0 {
            i -= 1;
            let (full, below) = (rest / weight, self.distinct_below(i));
            let shared = self.strides[i] == 0 && self.sizes[i] > 1;
            if shared && full > 0 {
                return distinct + below;
            }
            distinct += full * below;
            rest %= weight;
            if i > 0 {
                weight /= self.sizes[i - 1];
            }
        }
        distinct
    }

    /// How many different places the digits below this one have.
    const fn distinct_below(&self, digit: usize) -> usize {
        let mut distinct = 1;
        let mut i = 0;
        while i < digit {
            if self.strides[i] != 0 {
                distinct *= self.sizes[i];
            }
            i += 1;
        }
        distinct
    }
}
