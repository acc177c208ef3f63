//! Derived relayouts of small images, with padding or a conversion, against plain loops over arrays of the same
//! lengths.
//!
//! `cargo bench --bench statics` prints CSV: the move, the pixels of a side, the nanoseconds of the loop and of the
//! derived relayout, and the time of the loop over that of the relayout. Each figure is the least of many rounds, in
//! which both take turns. `--package tensor-layout-benches --no-default-features` measures a build without `std`, which
//! the tests of the library would turn on, and `CARGO_PROFILE_BENCH_LTO=fat` one with link-time optimization.

#![allow(clippy::incompatible_msrv, reason = "with `std` the library needs Rust 1.89 too")]

use std::hint::black_box;
use std::time::Instant;

use tensor_layout::{Conversion, Relayout, layout};

/// The number of rounds. In each, a call is repeated for some microseconds.
const ROUNDS: usize = 40;

/// Nanoseconds that one call takes, repeated `repeats` times.
fn nanoseconds(repeats: u32, mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..repeats).for_each(|_| call());
    start.elapsed().as_secs_f64() * 1e9 / f64::from(repeats)
}

/// Prints the row of a move, `ours` against `plain`.
fn compare(name: &str, side: usize, mut ours: impl FnMut(), mut plain: impl FnMut()) {
    let once = nanoseconds(8, &mut plain).max(1.0);
    let repeats = (20e3 / once).clamp(1.0, 1e4) as u32;
    let mut least = [f64::MAX; 2];
    for _ in 0..ROUNDS {
        least[0] = least[0].min(nanoseconds(repeats, &mut ours));
        least[1] = least[1].min(nanoseconds(repeats, &mut plain));
    }
    let [ours, plain] = least;
    println!("{name}; {side}; {plain:.1}; {ours:.1}; {:.2}", plain / ours);
}

/// The plain loop's conversion to `i8`, as PyTorch quantizes.
#[inline(always)]
fn quantized(x: f32) -> i8 {
    ((x * (1.0 / 0.02)).round_ties_even() + 3.0).clamp(-128.0, 127.0) as i8
}

/// One move of images of all sizes: its layouts, and the plain loop from `$from` to `$to` with `$side` pixels to a
/// side.
macro_rules! moves {
    ($($name:literal: $of:ident, $source:ident of $channels:literal $s:ty => $destination:ident of $stored:literal $d:ty,
        [$($option:tt)*] [$($conversion:tt)*]; |$from:ident, $to:ident, $pixels:ident| $plain:block)*) => {
        $(mod $of {
            use super::*;

            pub(super) fn all() {
                moves!(@sizes [$name, $source $channels $s, $destination $stored $d, [$($option)*] [$($conversion)*],
                    |$from, $to, $pixels| $plain] 4 8 16 32 64);
            }
        })*

        fn main() {
            println!("move; pixels; plain ns; ours ns; plain / ours");
            $($of::all();)*
        }
    };
    (@sizes $move:tt $($side:literal)*) => {
        $(moves!(@one $side $move);)*
    };
    (@one $side:literal [$name:literal, $source:ident $channels:literal $s:ty, $destination:ident $stored:literal $d:ty,
        [$($option:tt)*] [$($conversion:tt)*], |$from:ident, $to:ident, $pixels:ident| $plain:block]) => {{
        #[derive(Relayout)]
        #[relayout(
            layout!($source<N = 1, C = $channels, H = $side, W = $side>, $s)
                => layout!($destination<N = 1, C = $channels, H = $side, W = $side>, $d $($option)*)
            $($conversion)*
        )]
        struct Ours;

        #[inline(never)]
        fn ours(from: &[$s; $side * $side * $channels], to: &mut [$d; $side * $side * $stored]) {
            Ours::run_arrays(from, to);
        }

        #[inline(never)]
        fn plain($from: &[$s; $side * $side * $channels], $to: &mut [$d; $side * $side * $stored]) {
            #[allow(unused_variables, reason = "some loops need no bound")]
            let $pixels = $side * $side;
            $plain
        }

        let mut from: Box<[$s; _]> = Box::new([Default::default(); $side * $side * $channels]);
        from.iter_mut().enumerate().for_each(|(i, own)| *own = (i % 251) as $s);
        let mut to: [Box<[$d; _]>; 2] =
            std::array::from_fn(|_| Box::new([1 as $d; $side * $side * $stored]));
        let [own, by_hand] = &mut to;
        compare(
            $name,
            $side,
            || ours(black_box(&from), black_box(&mut *own)),
            || plain(black_box(&from), black_box(&mut *by_hand)),
        );
        assert_eq!(to[0], to[1], "both write the same");
    }};
}

moves! {
    "f32 NHWC to NCHW": planes_f32, NHWC of 3 f32 => NCHW of 3 f32, [] []; |from, to, pixels| {
        for (i, from) in from.as_chunks::<3>().0.iter().enumerate() {
            for (c, from) in from.iter().enumerate() {
                to[c * pixels + i] = *from;
            }
        }
    }
    "f32 NHWC to NCHW4, padded": packed_f32, NHWC of 3 f32 => NCHW4 of 4 f32, [, pad] []; |from, to, pixels| {
        for (from, to) in from.as_chunks::<3>().0.iter().zip(to.as_chunks_mut::<4>().0) {
            *to = [from[0], from[1], from[2], 0.0];
        }
    }
    "f32 NHWC to NCHW8, padded": packed_8_f32, NHWC of 3 f32 => NCHW8 of 8 f32, [, pad] []; |from, to, pixels| {
        for (from, to) in from.as_chunks::<3>().0.iter().zip(to.as_chunks_mut::<8>().0) {
            *to = [from[0], from[1], from[2], 0.0, 0.0, 0.0, 0.0, 0.0];
        }
    }
    "u8 NHWC to NCHW4, padded": packed_u8, NHWC of 3 u8 => NCHW4 of 4 u8, [, pad] []; |from, to, pixels| {
        for (from, to) in from.as_chunks::<3>().0.iter().zip(to.as_chunks_mut::<4>().0) {
            *to = [from[0], from[1], from[2], 0];
        }
    }
    "u8 NCHW to NCHW4, padded": blocked_u8, NCHW of 3 u8 => NCHW4 of 4 u8, [, pad] []; |from, to, pixels| {
        for (i, to) in to.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            *to = [from[i], from[pixels + i], from[2 * pixels + i], 0];
        }
    }
    "u8 NHWC to f32 NCHW, normalized": normalized, NHWC of 3 u8 => NCHW of 3 f32, []
        [, convert = Conversion::normalize(127.5, 1.0 / 127.5)]; |from, to, pixels| {
        for (i, from) in from.as_chunks::<3>().0.iter().enumerate() {
            for (c, from) in from.iter().enumerate() {
                to[c * pixels + i] = (f32::from(*from) - 127.5) * (1.0 / 127.5);
            }
        }
    }
    "u8 NHWC to f32 NHWC, cast": cast, NHWC of 3 u8 => NHWC of 3 f32, [] [, convert = Conversion::cast()];
        |from, to, pixels| {
        for (from, to) in from.iter().zip(to) {
            *to = f32::from(*from);
        }
    }
    "f32 NCHW to i8 NCHW, quantized": quantized_planes, NCHW of 4 f32 => NCHW of 4 i8, []
        [, convert = Conversion::quantize(0.02, 3)]; |from, to, pixels| {
        for (from, to) in from.iter().zip(to) {
            *to = quantized(*from);
        }
    }
    "f32 NHWC to i8 NCHW4, quantized, padded": quantized_packed, NHWC of 3 f32 => NCHW4 of 4 i8, [, pad]
        [, convert = Conversion::quantize(0.02, 3)]; |from, to, pixels| {
        for (from, to) in from.as_chunks::<3>().0.iter().zip(to.as_chunks_mut::<4>().0) {
            *to = [quantized(from[0]), quantized(from[1]), quantized(from[2]), 0];
        }
    }
}
