//! Code that `.ci/linked` checks besides the firmware: relayouts that transpose, relayouts in place, and
//! conversions between integers.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(target_os = "none"))]
fn main() {}

#[cfg(target_os = "none")]
mod board {
    use core::hint::black_box;

    #[cfg(target_arch = "arm")]
    use cortex_m_rt::entry;
    #[cfg(target_arch = "riscv32")]
    use riscv_rt::entry;
    use semihosting::process;
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
    type Bytes = layout!(NHWC<N = 1, C = 16, H = 7, W = 7>, i8);

    const DOUBLE: FixedPoint = FixedPoint::double();

    #[derive(Relayout)]
    #[relayout(Sums => Bytes, convert = Conversion::requantize_per_axis('C', &[1 << 30; 16], &[-7; 16], DOUBLE))]
    struct Requantize;

    #[derive(Relayout)]
    #[relayout(layout!(NHWC<N = 1, C = 16, H = 7, W = 7>, i4) => Bytes, convert = Conversion::cast())]
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

    #[entry]
    fn main() -> ! {
        let interleaved = moves(Interleave::run_arrays, Interleave::run_in_place, |place| {
            let (block, pixel) = (place / (4 * PIXELS), place / 4 % PIXELS);
            (4 * block + place % 4) * PIXELS + pixel
        });
        let transposed = moves(Transpose::run_arrays, Transpose::run_in_place, |place| {
            place % 16 * PIXELS + place / 16
        });
        // Numbers times 2^-8, and pairs of halves of bytes.
        let mut small = [0; BYTES];
        Requantize::run_arrays(black_box(&[256 * 5; BYTES]), &mut small);
        let requantized = small == [5; BYTES];
        Unpack::run_arrays(black_box(&[0xf7; BYTES / 2]), &mut small);
        let unpacked = small.chunks(2).all(|pair| pair == [7, -1]);
        let wrong = [interleaved, transposed, requantized, unpacked].map(|is_right| !is_right);
        process::exit(wrong.iter().rev().fold(0, |all, own| all << 1 | i32::from(*own)))
    }
}
