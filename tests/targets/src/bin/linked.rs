//! Code that `.ci/linked` checks besides the firmware: relayouts that transpose, relayouts in place, and conversions
//! between integers.
#![cfg_attr(target_os = "none", no_std, no_main)]

targets::board!(crate::board::wrong());

#[cfg(target_os = "none")]
mod board {
    use core::hint::black_box;

    use tensor_layout::{Conversion, FixedPoint, Relayout, layout};

    const PIXELS: usize = 7 * 7;
    const BYTES: usize = 16 * PIXELS;

    type Planes = layout!(NCHW<1, 16, 7, 7>, u8);

    #[derive(Relayout)]
    #[relayout(Planes => layout!(NCHW4<1, 16, 7, 7>, u8))]
    struct Interleave;

    #[derive(Relayout)]
    #[relayout(Planes => layout!(NHWC<N = 1, C = 16, H = 7, W = 7>, u8))]
    struct Transpose;

    type Sums = layout!(NHWC<N = 1, C = 16, H = 7, W = 7>, i32);
    type Nibbles = layout!(NHWC<N = 1, C = 16, H = 7, W = 7>, i4);
    type Activations = layout!(NHWC<N = 1, C = 16, H = 7, W = 7>, i8);

    const HALVES: FixedPoint = FixedPoint::double().zero_point(-3).range(-100, 127);
    #[unsafe(no_mangle)]
    static DATA_MULTIPLIERS: [i32; 16] = [1 << 30; 16];
    #[unsafe(no_mangle)]
    static DATA_SHIFTS: [i32; 16] = [0, -1, -2, -3, -4, -5, -6, -7, 0, -1, -2, -3, -4, -5, -6, -7];

    #[derive(Relayout)]
    #[relayout(Sums => Activations, convert = Conversion::requantize(1 << 30, -3, HALVES))]
    struct Requantize;

    #[derive(Relayout)]
    #[relayout(Sums => layout!(NCHW4<1, 16, 7, 7>, i8), convert = Conversion::requantize_per_axis('C', &DATA_MULTIPLIERS, &DATA_SHIFTS, HALVES))]
    struct RequantizeEach;

    #[derive(Relayout)]
    #[relayout(Nibbles => Activations, convert = Conversion::cast())]
    struct Unpack;

    /// The byte at a position of the planes.
    fn byte(place: usize) -> u8 {
        (place * 31 + place / 251 * 17) as u8
    }

    /// Whether each byte is the one that belongs there. Nothing here may panic.
    fn holds(moved: &[u8], source_of: fn(usize) -> usize) -> bool {
        moved.iter().enumerate().all(|(place, &found)| found == byte(source_of(place)))
    }

    /// Moves the planes with and without a second buffer.
    fn moves(
        run: fn(&[u8; BYTES], &mut [u8; BYTES]),
        run_in_place: fn(&mut [u8; BYTES]),
        source_of: fn(usize) -> usize,
    ) -> bool {
        let mut planes = [0; BYTES];
        planes.iter_mut().enumerate().for_each(|(place, to)| *to = byte(place));
        let mut moved = [0; BYTES];
        run(black_box(&planes), &mut moved);
        run_in_place(black_box(&mut planes));
        holds(&moved, source_of) && holds(&planes, source_of)
    }

    /// A number for a position.
    fn number(place: usize) -> i32 {
        place as i32 * 7 % 201 - 100
    }

    /// Converts integers; whether each became the one that belongs there.
    fn converts<S: Copy, const FROM: usize>(
        run: fn(&[S; FROM], &mut [i8; BYTES]),
        source: fn(usize) -> S,
        expected: fn(usize) -> i32,
    ) -> bool {
        let (from, mut to) = (core::array::from_fn(source), [0; BYTES]);
        run(black_box(&from), &mut to);
        to.iter().enumerate().all(|(place, to)| i32::from(*to) == expected(place))
    }

    fn clamped(product: i32) -> i32 {
        (product - 3).clamp(-100, 127)
    }

    /// Sums of each multiplier and shift, without a rest.
    fn conversions() -> bool {
        let sum = |place| number(place) * 256;
        converts(Requantize::run_arrays, sum, |place| clamped(number(place) * 16))
            && converts(RequantizeEach::run_arrays, sum, |place| {
                let (pixel, channel) = (place / 4 % PIXELS, place / (4 * PIXELS) * 4 + place % 4);
                clamped(number(pixel * 16 + channel) << (7 - channel % 8))
            })
            && converts(
                Unpack::run_arrays,
                |byte| byte as u8,
                |place| {
                    let nibble = (place / 2) as i32 >> (place % 2 * 4) & 15;
                    if nibble > 7 { nibble - 16 } else { nibble }
                },
            )
    }

    /// What is wrong, a bit each.
    pub(crate) fn wrong() -> i32 {
        let interleaved = moves(Interleave::run_arrays, Interleave::run_in_place, |place| {
            let (block, pixel) = (place / (4 * PIXELS), place / 4 % PIXELS);
            (4 * block + place % 4) * PIXELS + pixel
        });
        let transposed = moves(Transpose::run_arrays, Transpose::run_in_place, |place| {
            place % 16 * PIXELS + place / 16
        });
        let converted = conversions();
        i32::from(!interleaved) + 2 * i32::from(!transposed) + 4 * i32::from(!converted)
    }
}
