//! Windows with padding at the edges, for kernels of convolutions.

use core::array::from_fn;

/// Returns the items at `SIZE` positions from `first`; a position for which `item` returns `None` has `padding`.
///
/// ```
/// use tensor_layout::tensor::window;
///
/// let row = [5, 6, 7];
/// let at = |first| window(first, |i| row.get(i).copied(), 0);
/// assert_eq!([at(-1), at(0), at(2)], [[0, 5, 6], [5, 6, 7], [7, 0, 0]]);
/// ```
#[inline(always)]
pub fn window<T: Copy, const SIZE: usize>(
    first: isize,
    item: impl Fn(usize) -> Option<T>,
    padding: T,
) -> [T; SIZE] {
    // Positions before 0 wrap to ones beyond every extent.
    from_fn(|i| item(first.wrapping_add_unsigned(i) as usize).unwrap_or(padding))
}

/// Returns the number of positions of padding before an axis of this extent, so that windows of `size` positions,
/// `stride` apart, are `extent / stride` rounded up, as TensorFlow's padding `SAME`. The rest of the padding follows
/// the axis.
///
/// # Panics
/// If the stride is 0.
///
/// ```
/// use tensor_layout::tensor::same_padding;
///
/// assert_eq!([same_padding(5, 3, 1), same_padding(5, 3, 2), same_padding(6, 3, 2)], [1, 1, 0]);
/// ```
#[track_caller]
pub const fn same_padding(extent: usize, size: usize, stride: usize) -> usize {
    let last = extent.div_ceil(stride).saturating_sub(1).saturating_mul(stride);
    last.saturating_add(size).saturating_sub(extent) / 2
}
