//! Pairs of functions that must compile to the same code: an offset of a layout, and the
//! expression one writes by hand for it.
#![no_std]

use tensor_layout::tensor::zip;
use tensor_layout::typed::At;
use tensor_layout::{Conversion, Layout, Relayout, Tensor, layout, view};

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
    permuted_ours, permuted_by_hand: layout!(NHWC<N = 1, C = 64, H = 5, W = 4>, f32),
        n c h w => n * 1280 + c + h * 256 + w * 64;
    /// A layout with strides of its own, one of them negative.
    strided_ours, strided_by_hand: layout!(NCHW<4, 3, 2, 2>, i8, strides = [24, 8, -4, 2]),
        n c h w => (4 + n * 24 + c * 8 + w * 2).wrapping_sub(h * 4);
    /// Blocks in another order: scale factors of block-scaled products.
    digits_ours, digits_by_hand: layout!(NCHW32h4h/32 4w<2, 4, 256, 8>, u8),
        n c h w => n * 8192 + c * 2048 + h / 128 * 1024 + w / 4 * 512 + h % 32 * 16 + h / 32 % 4 * 4 + w % 4;
    /// A swizzled tile.
    swizzled_ours, swizzled_by_hand: layout!(NCHW<2, 4, 128, 64>, f16, swizzle = b128),
        n c h w => {
            let offset = n * 32768 + c * 8192 + h * 64 + w;
            offset ^ (offset >> 6 & 7) << 3
        };
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

macro_rules! mixed_pairs {
    ($($(#[$about:meta])* $ours:ident, $by_hand:ident: $layout:ty, $extents:ident: $count:literal, $n:ident $c:ident $h:ident $w:ident => $expression:expr;)*) => {$(
        $(#[$about])*
        #[unsafe(no_mangle)]
        pub fn $ours(layout: &$layout, $n: usize, $c: usize, $h: usize, $w: usize) -> usize {
            layout.offset([$n, $c, $h, $w])
        }

        /// The same by hand.
        #[unsafe(no_mangle)]
        #[allow(unused_variables, reason = "some expressions need no extent")]
        pub fn $by_hand($extents: &[usize; $count], $n: usize, $c: usize, $h: usize, $w: usize) -> usize {
            $expression
        }
    )*};
}

mixed_pairs! {
    /// The slowest extent is not known: no stride depends on it, and it is not read.
    batch_ours, batch_by_hand: layout!(NCHW4<_, 64, 56, 56>, f32), unknown: 1,
        n c h w => n * 200704 + c / 4 * 12544 + h * 224 + w * 4 + c % 4;
    /// The extent of a blocked axis is not known: one stride depends on it.
    channels_ours, channels_by_hand: layout!(NCHW4<2, _, 56, 56>, f32), unknown: 1,
        n c h w => (n * (unknown[0] / 4) + c / 4) * 12544 + h * 224 + w * 4 + c % 4;
    /// The same, where the last block may be padding.
    padded_ours, padded_by_hand: layout!(NCHW4<2, _, 56, 56>, f32, pad), unknown: 1,
        n c h w => (n * ((unknown[0] + 3) >> 2) + c / 4) * 12544 + h * 224 + w * 4 + c % 4;
    /// The fastest extents are not known.
    image_ours, image_by_hand: layout!(NCHW<_, 3, _, _>, f32), unknown: 3,
        n c h w => ((n * 3 + c) * unknown[1] + h) * unknown[2] + w;
    /// Rows of unknown length, rounded up.
    rows_ours, rows_by_hand: layout!(NCHW<1, 3, _, _>, u8, align(H = 64)), unknown: 2,
        n c h w => ((n * 3 + c) * unknown[0] + h) * ((unknown[1] + 63) & !63) + w;
    /// Extents that no stride depends on.
    given_ours, given_by_hand: layout!(NCHW<_, 3, _, 8>, u8, strides = [24, 8, 480, 1]), unknown: 2,
        n c h w => n * 24 + c * 8 + h * 480 + w;
}

type Tokens = layout!(BSHD<B = 2, S = 5, H = 4, D = 8>, f32);
const HEADS: Layout = view!(Tokens::LAYOUT, permute("BHSD"), slice('H', 1, 1, 2));

/// A constant view with a stride for each axis.
#[unsafe(no_mangle)]
pub fn heads_ours(b: usize, h: usize, s: usize, d: usize) -> usize {
    HEADS.offset(&[b, h, s, d])
}

/// The same by hand.
#[unsafe(no_mangle)]
pub fn heads_by_hand(b: usize, h: usize, s: usize, d: usize) -> usize {
    8 + b * 160 + h * 8 + s * 32 + d
}

type Act = layout!(NCHW4<2, 64, 3, 3>, u32);

/// An element of a tensor: each axis is compared, the buffer is not.
#[unsafe(no_mangle)]
pub fn get_ours(units: &[u32; 1152], n: usize, c: usize, w: usize) -> u32 {
    let Ok(tensor) = Tensor::<Act, _>::new(units) else { return 0 };
    tensor.get([n, c, 1, w]).unwrap_or(0)
}

/// The same by hand.
#[unsafe(no_mangle)]
pub fn get_by_hand(units: &[u32; 1152], n: usize, c: usize, w: usize) -> u32 {
    if (n < 2) & (c < 64) & (w < 3) {
        // SAFETY: the largest offset is that of the last element, 1151.
        unsafe { *units.get_unchecked(n * 576 + c / 4 * 36 + 12 + w * 4 + c % 4) }
    } else {
        0
    }
}

/// An element of a view of a view whose layouts are types.
#[unsafe(no_mangle)]
pub fn static_view_ours(units: &[u32; 1152], n: usize, h: usize) -> u32 {
    let Ok(tensor) = Tensor::<Act, _>::new(units) else { return 0 };
    tensor.viewed(At::<'C'>(5)).viewed(At::<'W'>(1)).get([n, h]).unwrap_or(0)
}

/// The same by hand.
#[unsafe(no_mangle)]
pub fn static_view_by_hand(units: &[u32; 1152], n: usize, h: usize) -> u32 {
    if (n < 2) & (h < 3) {
        // SAFETY: the largest offset is that of n = 1 and h = 2, 641.
        unsafe { *units.get_unchecked(n * 576 + 36 + h * 12 + 4 + 1) }
    } else {
        0
    }
}

/// Rows and panels in a matrix product: no check is left in it.
#[unsafe(no_mangle)]
pub fn kernel_product(a: &[f32; 512], b: &[f32; 1024], c: &mut [f32; 512]) {
    let (Ok(a), Ok(b), Ok(mut c)) = (
        Tensor::<layout!(MK<M = 16, K = 32>, f32), _>::new(a),
        Tensor::<layout!(NK16n<N = 32, K = 32>, f32), _>::new(b),
        Tensor::<layout!(NM16n<N = 32, M = 16>, f32), _>::new(c),
    ) else {
        return;
    };
    for n in 0..2 {
        for m in 0..16 {
            let mut sums = [0.0; 16];
            for (a, b) in a.row([m]).iter().zip(b.panel([n])) {
                for (sum, b) in sums.iter_mut().zip(b) {
                    *sum += a * b;
                }
            }
            *c.row_mut([n, m]) = sums;
        }
    }
}

/// Rows in a convolution, with an output that is smaller.
#[unsafe(no_mangle)]
pub fn kernel_rows(x: &[f32; 1024], y: &mut [f32; 900], weight: f32) {
    let (Ok(x), Ok(mut y)) = (
        Tensor::<layout!(HW<32, 32>, f32), _>::new(x),
        Tensor::<layout!(HW<30, 30>, f32), _>::new(y),
    ) else {
        return;
    };
    for h in 0..30 {
        let row = x.row([h + 2]);
        for (w, y) in y.row_mut([h]).iter_mut().enumerate() {
            *y += row[w + 2] * weight;
        }
    }
}

/// Indices in nested loops: the comparisons are gone too.
#[unsafe(no_mangle)]
pub fn kernel_index(x: &[f32; 1024], y: &mut [f32; 900], weight: f32) {
    let (Ok(x), Ok(mut y)) = (
        Tensor::<layout!(HW<32, 32>, f32), _>::new(x),
        Tensor::<layout!(HW<30, 30>, f32), _>::new(y),
    ) else {
        return;
    };
    for h in 0..30 {
        for w in 0..30 {
            y[[h, w]] += x[[h + 2, w + 2]] * weight;
        }
    }
}

type Padded = layout!(CHW<4, 18, 18>, f32);
type Filter = layout!(CHW<4, 3, 3>, f32);
type Convolved = layout!(CHW<4, 16, 16>, f32);

/// Indices in nested loops over slices of any length, borrowed first, with loops inside.
#[unsafe(no_mangle)]
pub fn kernel_borrowed(
    x: &Tensor<Padded, &[f32]>,
    filter: &Tensor<Filter, &[f32]>,
    y: &mut Tensor<Convolved, &mut [f32]>,
) {
    let (x, filter, mut y) = (x.borrow(), filter.borrow(), y.borrow_mut());
    for c in 0..4 {
        for h in 0..16 {
            for w in 0..16 {
                let mut sum = 0.0;
                for r in 0..3 {
                    for s in 0..3 {
                        sum += x[[c, h + r, w + s]] * filter[[c, r, s]];
                    }
                }
                y[[c, h, w]] = sum;
            }
        }
    }
}

type Planes = layout!(CHW<8, 16, 16>, f32);
type Packed = layout!(CHW4c<8, 16, 16>, f32);

/// Elements of two layouts at once: the loops are constants.
#[unsafe(no_mangle)]
pub fn kernel_zip(x: &[f32; 2048], y: &mut [f32; 2048]) {
    let x: Tensor<Planes, _> = x.into();
    let mut y: Tensor<Packed, _> = y.into();
    if let Ok(both) = zip((&x, &mut y)) {
        both.for_each(|x, y| *y += x * 3.0);
    }
}

/// All elements by `iter`.
#[unsafe(no_mangle)]
pub fn kernel_iter(x: &[u32; 1024]) -> u32 {
    let Ok(x) = Tensor::<layout!(HW<32, 32>, u32), _>::new(x) else { return 0 };
    x.iter().map(|(_, element)| element).sum()
}

type Batch = layout!(NCHW<_, 3, 224, 224>, f32);

/// A stride that depends on no unknown extent.
#[unsafe(no_mangle)]
pub fn fixed_stride_ours(layout: &Batch) -> isize {
    layout.strides().map_or(0, |strides| strides[0])
}

/// The same by hand.
#[unsafe(no_mangle)]
pub fn fixed_stride_by_hand(_: &[usize; 1]) -> isize {
    150528
}

/// A relayout that gets code of its own.
#[derive(Relayout)]
#[relayout(layout!(NCHW<2, 64, 7, 7>, u8) => layout!(NHWC<N = 2, C = 64, H = 7, W = 7>, u8))]
pub struct Small;

/// Runs it.
#[unsafe(no_mangle)]
pub fn small_relayout(from: &[u8; 6272], to: &mut [u8; 6272]) {
    Small::run_arrays(from, to);
}

/// One that is too large for that.
#[derive(Relayout)]
#[relayout(layout!(NCHW<2, 64, 28, 28>, u8) => layout!(NHWC<N = 2, C = 64, H = 28, W = 28>, u8))]
pub struct Large;

/// Runs it.
#[unsafe(no_mangle)]
pub fn large_relayout(from: &[u8; 100_352], to: &mut [u8; 100_352]) {
    Large::run_arrays(from, to);
}

macro_rules! statics {
    ($($(#[$about:meta])* $of:ident by $name:ident: $from:ty, $s:ty; $count:literal => $to:ty, $d:ty; $stored:literal $(, $conversion:expr)?;)*) => {$(
        $(#[$about])*
        #[derive(Relayout)]
        #[relayout($from => $to $(, convert = $conversion)?)]
        pub struct $of;

        /// Runs it.
        #[unsafe(no_mangle)]
        pub fn $name(from: &[$s; $count], to: &mut [$d; $stored]) {
            $of::run_arrays(from, to);
        }
    )*};
}

statics! {
    /// Pixels of three floats to four.
    PadFloats by static_padded_floats: layout!(NHWC<N = 1, C = 3, H = 16, W = 16>, f32), f32; 768
        => layout!(NCHW4<1, 3, 16, 16>, f32, pad), f32; 1024;
    /// Pixels of three bytes to four.
    PadBytes by static_padded_bytes: layout!(NHWC<N = 1, C = 3, H = 16, W = 16>, u8), u8; 768
        => layout!(NCHW4<1, 3, 16, 16>, u8, pad = 7), u8; 1024;
    /// Few floats to bytes.
    QuantizeFew by static_quantized: layout!(NCHW<1, 4, 4, 4>, f32), f32; 64
        => layout!(NCHW<1, 4, 4, 4>, i8), i8; 64, Conversion::quantize(0.05, 3);
    /// Few floats to bytes in blocks with padding.
    QuantizePadded by static_quantized_padded: layout!(NHWC<N = 1, C = 3, H = 4, W = 4>, f32), f32; 48
        => layout!(NCHW4<1, 3, 4, 4>, i8, pad), i8; 64, Conversion::quantize(0.05, 3);
    /// Pixels of bytes to planes of floats.
    Normalize by static_normalized: layout!(NHWC<N = 1, C = 3, H = 16, W = 16>, u8), u8; 768
        => layout!(NCHW<1, 3, 16, 16>, f32), f32; 768, Conversion::normalize(127.5, 1.0 / 127.5);
}

/// [`PadFloats`] by hand, as what follows.
#[unsafe(no_mangle)]
pub fn hand_padded_floats(from: &[f32; 768], to: &mut [f32; 1024]) {
    for (from, to) in from.as_chunks::<3>().0.iter().zip(to.as_chunks_mut::<4>().0) {
        *to = [from[0], from[1], from[2], 0.0];
    }
}

/// [`PadBytes`].
#[unsafe(no_mangle)]
pub fn hand_padded_bytes(from: &[u8; 768], to: &mut [u8; 1024]) {
    for (from, to) in from.as_chunks::<3>().0.iter().zip(to.as_chunks_mut::<4>().0) {
        *to = [from[0], from[1], from[2], 7];
    }
}

/// A number as PyTorch quantizes it.
#[inline(always)]
fn quantized(x: f32) -> i8 {
    // Adding this rounds numbers of some million to whole ones, half to even, as `round_ties_even` of `std` does.
    const MAGIC: f32 = 12_582_912.0;
    let scaled = (x * (1.0 / 0.05)).clamp(-1e6, 1e6);
    (scaled + MAGIC - MAGIC + 3.0).clamp(-128.0, 127.0) as i8
}

/// [`QuantizeFew`].
#[unsafe(no_mangle)]
pub fn hand_quantized(from: &[f32; 64], to: &mut [i8; 64]) {
    for (from, to) in from.iter().zip(to) {
        *to = quantized(*from);
    }
}

/// [`QuantizePadded`].
#[unsafe(no_mangle)]
pub fn hand_quantized_padded(from: &[f32; 48], to: &mut [i8; 64]) {
    for (from, to) in from.as_chunks::<3>().0.iter().zip(to.as_chunks_mut::<4>().0) {
        *to = [quantized(from[0]), quantized(from[1]), quantized(from[2]), 0];
    }
}

/// [`Normalize`].
#[unsafe(no_mangle)]
pub fn hand_normalized(from: &[u8; 768], to: &mut [f32; 768]) {
    for (i, from) in from.as_chunks::<3>().0.iter().enumerate() {
        for (c, from) in from.iter().enumerate() {
            to[c * 256 + i] = (f32::from(*from) - 127.5) * (1.0 / 127.5);
        }
    }
}
