//! The lines of the contract, as they stand.

use tensor_layout::{Relayout, f16, layout};

type Act = layout!(NCHW4<2, 64, 3, 3>, f16);
const _: () = assert!(Act::LEN == 1152 && Act::BYTES == 2304 && Act::RANK == 4);
const AT: usize = Act::offset([1, 5, 2, 0]); // 576 + 36 + 24 + 1
type Same = layout!(NCHW4c<N = 2, C = 64, H = 3, W = 3>, f16);
type Last = layout!(NHWC<N = 1, C = 64, H = 5, W = 4>, f32);
const _: () = assert!(matches!(Last::STRIDES, Some([1280, 1, 256, 64])));
type Packed = layout!(OIHW4i16o4i<64, 64, 3, 3>, i8);
type Rgb = layout!(NCHW4<1, 3, 224, 224>, u8, pad);
type Spread = layout!(NCHW<4, 3, 2, 2>, i8, strides = [24, 8, 4, 2]);
type Nibbles = layout!(NCHW64<1, 64, 7, 7>, i4);

type Src = layout!(NCHW<2, 64, 3, 3>, f16);
#[derive(Relayout)]
#[relayout(Src => Act)]
struct Pack;

#[derive(Relayout)]
#[relayout(layout!(OIHW<64, 64, 3, 3>, i8) => Packed)]
struct PackWeights;
#[allow(clippy::large_const_arrays, reason = "the contract has a const here")]
const RAW: [i8; 36864] = {
    let mut raw = [0; 36864];
    let mut i = 0;
    while i < raw.len() {
        raw[i] = (i % 251) as i8;
        i += 1;
    }
    raw
};
#[allow(clippy::large_const_arrays, reason = "the contract has a const here")]
const WEIGHTS: [i8; Packed::LEN] = PackWeights::constant(&RAW);

fn sum<const N: usize, const C: usize, const H: usize, const W: usize>() -> usize {
    <layout!(NCHW<N, C, H, W>, f32)>::LEN
}

#[test]
fn contract() {
    assert_eq!(AT, 576 + 36 + 24 + 1);
    let same: fn(Act) = |_: Same| {};
    same(Act::default());
    assert_eq!(Rgb::LEN, 4 * 224 * 224);
    assert_eq!(Rgb::EXTENTS, [1, 3, 224, 224]);
    assert_eq!(Spread::SPAN, 95);
    assert_eq!(Nibbles::BYTES * 2, Nibbles::LEN);
    let mut src = [f16::ZERO; Src::LEN];
    for (i, element) in src.iter_mut().enumerate() {
        *element = f16::from_bits(i as u16);
    }
    let mut dst = [f16::ZERO; Act::LEN];
    Pack::run_arrays(&src, &mut dst);
    assert_eq!(dst[AT].to_bits(), 576 + 5 * 9 + 6);
    assert_eq!(WEIGHTS[1], RAW[9]);
    assert_eq!(sum::<2, 3, 4, 5>(), 120);
}
