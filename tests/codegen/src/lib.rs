//! Pairs of functions that must compile to the same code: an offset of a layout, and the
//! expression one writes by hand for it.
#![no_std]

use tensor_layout::layout;

macro_rules! pairs {
    ($($(#[$about:meta])* $ours:ident, $by_hand:ident: $layout:ty, $n:ident $c:ident $h:ident $w:ident => $expression:expr;)*) => {$(
        $(#[$about])*
        #[unsafe(no_mangle)]
        pub fn $ours($n: usize, $c: usize, $h: usize, $w: usize) -> usize {
            <$layout>::offset([$n, $c, $h, $w])
        }

        /// The same by hand.
        #[unsafe(no_mangle)]
        pub fn $by_hand($n: usize, $c: usize, $h: usize, $w: usize) -> usize {
            $expression
        }
    )*};
}

pairs! {
    /// A blocked layout whose block is a power of two.
    blocked_ours, blocked_by_hand: layout!(NCHW4<2, 64, 3, 3>, f32),
        n c h w => n * 576 + c / 4 * 36 + h * 12 + w * 4 + c % 4;
    /// A blocked layout whose block is not, with padding.
    odd_block_ours, odd_block_by_hand: layout!(NCHW6c<2, 64, 5, 7>, u8, pad),
        n c h w => n * 2310 + c / 6 * 210 + h * 42 + w * 6 + c % 6;
    /// Several blocks of one axis.
    weights_ours, weights_by_hand: layout!(OIHW4i16o4i<64, 64, 3, 3>, i8),
        o i h w => o / 16 * 9216 + i / 16 * 2304 + h * 768 + w * 256 + i / 4 % 4 * 64 + o % 16 * 4 + i % 4;
    /// A permuted layout.
    permuted_ours, permuted_by_hand: layout!(NHWC<1, 64, 5, 4>, f32),
        n c h w => n * 1280 + c + h * 256 + w * 64;
    /// A layout with strides of its own, one of them negative.
    strided_ours, strided_by_hand: layout!(NCHW<4, 3, 2, 2>, i8, strides = [24, 8, -4, 2]),
        n c h w => (4 + n * 24 + c * 8 + w * 2).wrapping_sub(h * 4);
}

/// An element of a blocked tensor in an array, both bounds checked once by the array.
#[unsafe(no_mangle)]
pub fn element_ours(tensor: &[u32; 1152], c: usize) -> u32 {
    tensor[<layout!(NCHW4<2, 64, 3, 3>, u32)>::offset([1, c, 2, 1])]
}

/// The same by hand.
#[unsafe(no_mangle)]
pub fn element_by_hand(tensor: &[u32; 1152], c: usize) -> u32 {
    tensor[576 + c / 4 * 36 + 2 * 12 + 4 + c % 4]
}
