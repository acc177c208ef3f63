//! Digits in the order of their strides.

use crate::layout::Digit;
use crate::spec::MAX_FACTORS;

/// Sorts digits from the largest to the smallest stride, and keeps the order of equal strides. A digit of one value
/// with stride 0 stays before the digit that follows it.
pub(super) const fn sort(digits: &mut [Digit; MAX_FACTORS], count: usize) {
    let mut keys = [0; MAX_FACTORS];
    let mut i = count;
    while i > 0 {
        i -= 1;
        let digit = &digits[i];
        keys[i] = match digit.stride.unsigned_abs() {
            0 if digit.size < 2 && i + 1 < count => keys[i + 1],
            key => key,
        };
    }
    let mut i = 1;
    while i < count {
        let mut k = i;
        while k > 0 && keys[k - 1] < keys[k] {
            (digits[k], digits[k - 1]) = (digits[k - 1], digits[k]);
            (keys[k], keys[k - 1]) = (keys[k - 1], keys[k]);
            k -= 1;
        }
        i += 1;
    }
}
