//! The lowest and the highest offset of an axis.
//!
//! **Statement.** One pass over the digits finds the lowest and the highest offset of positions `first..=last`,
//! whatever the signs of the strides.
//!
//! **Reason.** Digits are independent except at both ends of the range. At the slowest digit that differs between
//! `first` and `last`, its first value occurs with faster digits from those of `first` on, its last value with faster
//! digits up to those of `last`, and each value between with all faster digits. The best offset of each of the three
//! kinds follows from the best three of the faster digits:
//!
//! - all: the best value, plus the best of all below;
//! - from `a`: value `a` plus the best from there below, or a larger value plus the best of all below;
//! - up to `b`: value `b` plus the best up to there below, or a smaller value plus the best of all below.
//!
//! **Example.** Sizes 4, 3 and strides -1, 10 from position 3 to 6: offsets -3 10 9 8. The best values of the first
//! digit are -3 from 3 on and 0 up to 2. The highest offset is 0 * 10 - 3 with the first value of the second digit, or
//! 1 * 10 + 0 with its last: 10.

use super::AxisDigits;

impl AxisDigits {
    /// The lowest and the highest offset of the coordinates. There must be a coordinate.
    pub(in crate::algebra) const fn range(&self) -> (isize, isize) {
        let (low, high) = (self.extreme(-1), self.extreme(1));
        (self.start - low, self.start + high)
    }

    /// The largest `sign * offset` over the positions of the axis.
    const fn extreme(&self, sign: isize) -> isize {
        let (mut first, mut last) = (self.shift, self.shift + (self.extent - 1));
        // For the digits so far: the best over all values, over those from the first position's on, and over those up
        // to the last position's.
        let (mut free, mut from, mut to) = (0isize, 0isize, 0isize);
        let mut i = 0;
        while i + 1 < self.count {
            let size = self.sizes[i];
            let stride = sign * self.strides[i];
            let (a, b) = (first % size, last % size);
            let all = best(stride, 0, size - 1);
            from = match a + 1 < size {
                true => max(a as isize * stride + from, best(stride, a + 1, size - 1) + free),
                false => a as isize * stride + from,
            };
            to = match b > 0 {
                true => max(b as isize * stride + to, best(stride, 0, b - 1) + free),
                false => to,
            };
            free += all;
            first /= size;
            last /= size;
            i += 1;
        }
        if first == last {
            // An axis of one coordinate. No coordinate uses the stride of its digit.
            return 0;
        }
        let stride = sign * self.strides[i];
        let ends = max(first as isize * stride + from, last as isize * stride + to);
        match first + 1 < last {
            true => max(ends, best(stride, first + 1, last - 1) + free),
            false => ends,
        }
    }
}

const fn max(a: isize, b: isize) -> isize {
    if a > b { a } else { b }
}

/// The largest `value * stride` over the values from `first` to `last`.
const fn best(stride: isize, first: usize, last: usize) -> isize {
    if stride < 0 { first as isize * stride } else { last as isize * stride }
}
