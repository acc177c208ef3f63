//! Relayouts between static layouts, whose plans are constants.

use bytemuck::{cast_slice, cast_slice_mut};
use tensor_layout::{Relayout, layout};

/// A derived relayout with the notation of its sides.
#[derive(Clone, Copy)]
pub struct StaticMove {
    /// The source, as `layout!` has it.
    pub source: &'static str,
    /// The destination, as `layout!` has it.
    pub destination: &'static str,
    /// Moves bytes, which must be aligned for the elements.
    pub run: fn(&[u8], &mut [u8]),
}

macro_rules! moves {
    ($([$($source:tt)*] => [$($destination:tt)*];)*) => {
        /// Derived relayouts: copies, transposes, interleaves, shuffles, padding, of 4 to 64 bits.
        pub const STATICS: &[StaticMove] = &[$({
            #[derive(Relayout)]
            #[relayout(layout!($($source)*) => layout!($($destination)*))]
            struct Move;

            StaticMove {
                source: stringify!($($source)*),
                destination: stringify!($($destination)*),
                run: |source, destination| {
                    Move::run_slices(cast_slice(source), cast_slice_mut(destination)).expect("the right lengths");
                },
            }
        }),*];
    };
}

moves! {
    [NCHW<2, 3, 5, 7>, u8] => [NHWC<N = 2, C = 3, H = 5, W = 7>, u8];
    [NHWC<N = 2, C = 3, H = 5, W = 7>, f32] => [NCHW<2, 3, 5, 7>, f32];
    [NCHW<1, 64, 7, 9>, u8] => [NHWC<N = 1, C = 64, H = 7, W = 9>, u8];
    [NHWC<N = 1, C = 65, H = 7, W = 9>, u16] => [NCHW<1, 65, 7, 9>, u16];
    [NCHW<2, 8, 7, 7>, i8] => [NCHW4c<2, 8, 7, 7>, i8];
    [NCHW<1, 7, 5, 6>, u8] => [NCHW4c<1, 7, 5, 6>, u8, pad = 3];
    [NHWC<N = 1, C = 3, H = 9, W = 11>, u8] => [NCHW4c<1, 3, 9, 11>, u8, pad = 128];
    [NCHW4c<2, 8, 5, 5>, f16] => [NHWC<N = 2, C = 8, H = 5, W = 5>, f16];
    [NCHW<4, 3, 9, 9>, u16] => [CHWN4n<N = 4, C = 3, H = 9, W = 9>, u16];
    [OIHW<32, 32, 3, 3>, i8] => [OIHW4i16o4i<32, 32, 3, 3>, i8];
    [OIHW<16, 12, 3, 3>, f32] => [OIHW8o4i<16, 12, 3, 3>, f32];
    [NCHW<1, 6, 4, 10>, i4] => [NHWC<N = 1, C = 6, H = 4, W = 10>, i4];
    [NCHW<1, 3, 20, 33>, u8] => [NCHW<1, 3, 20, 33>, u8, align(H = 64)];
    [NCHW<1, 3, 8, 8>, f64] => [NHWC<N = 1, C = 3, H = 8, W = 8>, f64];
    [MK<37, 41>, f32] => [KM<M = 37, K = 41>, f32];
    [MK<64, 64>, f64] => [KM<M = 64, K = 64>, f64];
    [NCHW<1, 5, 3, 15>, u8] => [NHWC<N = 1, C = 5, H = 3, W = 15>, u8];
    [NCHW<8, 8, 3, 3>, i8] => [NCHW4c<8, 8, 3, 3>, i8];
    [NCHW<1, 2, 1, 1>, u8] => [NHWC<N = 1, C = 2, H = 1, W = 1>, u8];
}
