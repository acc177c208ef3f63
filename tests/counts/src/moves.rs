//! Relayouts between types, in place too.

use core::hint::black_box;

use tensor_layout::{Relayout, layout};

use crate::{bytes, count, floats};

/// Relayouts between arrays, of units that functions return: `name: layout, units => layout, unit of the destination`.
macro_rules! moves {
    ($($name:literal: $from:ty, $units:expr => $to:ty, $unit:expr;)*) => {$({
        #[derive(Relayout)]
        #[relayout($from => $to)]
        struct Move;

        #[inline(never)]
        fn run() {
            let from: [_; <$from>::UNITS] = $units;
            let mut to = [$unit; <$to>::UNITS];
            count($name, &mut || Move::run_arrays(black_box(&from), black_box(&mut to)));
        }
        run();
    })*};
}

pub(crate) fn run() {
    moves! {
        "f32 NHWC of 3 to NCHW": layout!(NHWC<N = 1, C = 3, H = 16, W = 16>, f32), floats()
            => layout!(NCHW<1, 3, 16, 16>, f32), 0.0;
        "f32 NHWC of 3 to NCHW4, padded": layout!(NHWC<N = 1, C = 3, H = 16, W = 16>, f32), floats()
            => layout!(NCHW4<1, 3, 16, 16>, f32, pad), 0.0;
        "f32 NCHW to NHWC": layout!(NCHW<1, 64, 8, 8>, f32), floats()
            => layout!(NHWC<N = 1, C = 64, H = 8, W = 8>, f32), 0.0;
        "f32 NCHW to NCHW4": layout!(NCHW<1, 16, 8, 8>, f32), floats() => layout!(NCHW4<1, 16, 8, 8>, f32), 0.0;
        "u8 NHWC of 3 to NCHW": layout!(NHWC<N = 1, C = 3, H = 16, W = 16>, u8), bytes()
            => layout!(NCHW<1, 3, 16, 16>, u8), 0;
        "u8 NHWC of 3 to NCHW, large": layout!(NHWC<N = 1, C = 3, H = 40, W = 40>, u8), bytes()
            => layout!(NCHW<1, 3, 40, 40>, u8), 0;
        "u8 NHWC of 3 to NCHW4, padded": layout!(NHWC<N = 1, C = 3, H = 16, W = 16>, u8), bytes()
            => layout!(NCHW4<1, 3, 16, 16>, u8, pad), 0;
        "u8 NCHW of 3 to NCHW4, padded": layout!(NCHW<1, 3, 16, 16>, u8), bytes()
            => layout!(NCHW4<1, 3, 16, 16>, u8, pad), 0;
        "u8 NCHW to NHWC": layout!(NCHW<2, 64, 7, 7>, u8), bytes() => layout!(NHWC<N = 2, C = 64, H = 7, W = 7>, u8), 0;
        "u8 NCHW to NHWC, large": layout!(NCHW<1, 32, 20, 20>, u8), bytes()
            => layout!(NHWC<N = 1, C = 32, H = 20, W = 20>, u8), 0;
        "i8 OIHW to OIHW4i16o4i": layout!(OIHW<16, 32, 3, 3>, u8), bytes() => layout!(OIHW4i16o4i<16, 32, 3, 3>, u8), 0;
        "u16 rows to a swizzled tile": layout!(MK<M = 32, K = 64>, u16), core::array::from_fn(|i| i as u16)
            => layout!(MK<M = 32, K = 64>, u16, swizzle = b128), 0;
        "u4 to its transpose": layout!(NK<N = 32, K = 32>, u4), bytes() => layout!(KN<N = 32, K = 32>, u4), 0;
    }
    in_place();
}

#[inline(never)]
fn in_place() {
    #[derive(Relayout)]
    #[relayout(layout!(NCHW<1, 8, 6, 6>, u8) => layout!(NHWC<N = 1, C = 8, H = 6, W = 6>, u8))]
    struct Move;

    let mut tensor = bytes::<288>();
    count("u8 NCHW to NHWC, in place", &mut || Move::run_in_place(black_box(&mut tensor)));
}
