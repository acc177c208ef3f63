//! Code that `.ci/linked` checks besides the firmware: relayouts that transpose, and relayouts in place.
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
    use tensor_layout::{Relayout, layout};

    const PIXELS: usize = 7 * 7;
    const BYTES: usize = 16 * PIXELS;

    type Planes = layout!(NCHW<1, 16, 7, 7>, u8);

    #[derive(Relayout)]
    #[relayout(Planes => layout!(NCHW4<1, 16, 7, 7>, u8))]
    struct Interleave;

    #[derive(Relayout)]
    #[relayout(Planes => layout!(NHWC<N = 1, C = 16, H = 7, W = 7>, u8))]
    struct Transpose;

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
        process::exit(i32::from(!interleaved) + 2 * i32::from(!transposed))
    }
}
