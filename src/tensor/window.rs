//! What kernels of convolutions are made of: windows with padding at the edges, and products of bytes.

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
/// `stride` apart, are `extent / stride` rounded up, as TensorFlow's padding `SAME`. The rest of the padding follows the
/// axis.
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

/// Adds to `sums[pixel][row]` the product of a pixel's channels and a row of weights, in groups of four as the blocks
/// of `OI4o4i` hold them: `weights[group][row]` has the weights of four channels, and `pixels[pixel][group]` the
/// channels. It stops where the shortest of all ends. Sums wrap around.
///
/// ```
/// use tensor_layout::tensor::add_products;
///
/// let mut sums = [[1, 2]];
/// add_products(&mut sums, [&[[1, 1, 1, -1]]], &[[[5, 6, 7, 8], [1, 0, 0, 9]]]);
/// assert_eq!(sums, [[1 + 5 + 6 + 7 - 8, 2 + 1 - 9]]);
/// ```
#[inline(always)]
pub fn add_products<const PIXELS: usize, const ROWS: usize>(
    sums: &mut [[i32; ROWS]; PIXELS],
    pixels: [&[[i8; 4]]; PIXELS],
    weights: &[[[i8; 4]; ROWS]],
) {
    for (i, weights) in weights.iter().enumerate() {
        for (sums, pixel) in sums.iter_mut().zip(&pixels) {
            let Some(channels) = pixel.get(i) else { return };
            for (sum, weights) in sums.iter_mut().zip(weights) {
                for (channel, weight) in channels.iter().zip(weights) {
                    *sum = sum.wrapping_add(i32::from(*channel) * i32::from(*weight));
                }
            }
        }
    }
}
