//! The smaller and the larger of two numbers, as `const fn`s.

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
