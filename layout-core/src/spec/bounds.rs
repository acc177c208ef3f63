//! The smaller and the larger of two numbers, and what divides both, as `const fn`s.

/// The smaller number.
#[inline(always)]
pub(crate) const fn least(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

/// The larger number.
#[inline(always)]
pub(crate) const fn greatest(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// The largest number that divides both, of which 0 is divided by every number.
#[doc(hidden)]
pub const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// [`gcd`] of counts.
#[doc(hidden)]
pub const fn greatest_divisor(a: usize, b: usize) -> usize {
    gcd(a as u64, b as u64) as usize
}
