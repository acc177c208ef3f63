//! What relayouts cost on a Cortex-M4: instructions, of those of bytes beside plain loops, and bytes of
//! stack.
//!
//! The emulator must count time in instructions, a nanosecond each: `-icount shift=0`.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(all(target_os = "none", target_arch = "arm")))]
fn main() {}

#[cfg(all(target_os = "none", target_arch = "arm"))]
#[path = "../../../../examples/networks/src/instructions.rs"]
mod instructions;

#[cfg(all(target_os = "none", target_arch = "arm"))]
mod costs {
    use core::hint::black_box;

    use bytemuck::{cast_slice, cast_slice_mut};
    use cortex_m_rt::entry;
    use semihosting::{println, process};
    use targets::stack;
    use tensor_layout::{Conversion, FixedPoint, Relayout, layout};

    const PIXELS: usize = 14 * 14;

    /// Whether this is compiled for speed.
    const FAST: bool = cfg!(not(small_code));

    type Planes = layout!(NCHW<1, 16, 14, 14>, u8);
    type Blocks = layout!(NCHW4<1, 16, 14, 14>, u8);
    type Last = layout!(NHWC<N = 1, C = 16, H = 14, W = 14>, u8);
    type Image = layout!(NHWC<N = 1, C = 3, H = 14, W = 14>, u8);
    type Padded = layout!(NCHW4<1, 3, 14, 14>, u8, pad);

    /// Of powers of two, which move in many short cycles.
    type Powers = layout!(NCHW<1, 16, 16, 32>, u8);
    type PowersLast = layout!(NHWC<N = 1, C = 16, H = 16, W = 32>, u8);

    #[derive(Relayout)]
    #[relayout(Powers => PowersLast)]
    struct ShortCycles;

    type Floats = layout!(NCHW<1, 16, 14, 14>, f32);
    type Quantized = layout!(NCHW4<1, 16, 14, 14>, i8);
    type Input = layout!(NCHW<1, 3, 14, 14>, f32);

    #[derive(Relayout)]
    #[relayout(Floats => Quantized, convert = Conversion::quantize(0.05, 3))]
    struct Quantize;

    #[derive(Relayout)]
    #[relayout(Image => Input, convert = Conversion::normalize_per_axis('C', &[124.0, 116.0, 104.0], &[0.017; 3]))]
    struct Normalize;

    type Sums = layout!(NHWC<N = 1, C = 16, H = 14, W = 14>, i32);
    type Activations = layout!(NHWC<N = 1, C = 16, H = 14, W = 14>, i8);
    type Nibbles = layout!(NHWC<N = 1, C = 16, H = 14, W = 14>, i4);

    const MULTIPLIERS: [i32; 16] = [0x5a82_799a; 16];
    const SHIFTS: [i32; 16] = [-7, -6, -8, -7, -9, -7, -7, -6, -7, -8, -7, -5, -7, -7, -6, -7];
    const DOUBLE: FixedPoint = FixedPoint::double().zero_point(-3).range(-128, 127);

    #[derive(Relayout)]
    #[relayout(Sums => Activations, convert = Conversion::requantize(MULTIPLIERS[0], SHIFTS[0], DOUBLE))]
    struct Requantize;

    #[derive(Relayout)]
    #[relayout(Sums => Activations, convert = Conversion::requantize_per_axis('C', &MULTIPLIERS, &SHIFTS, DOUBLE))]
    struct RequantizeEach;

    #[derive(Relayout)]
    #[relayout(Nibbles => Activations, convert = Conversion::cast())]
    struct Unpack;

    #[inline(never)]
    fn requantize_plain(from: &[i32; Sums::UNITS], to: &mut [i8; Activations::UNITS]) {
        let (multiplier, shift) = (black_box(MULTIPLIERS[0]), black_box(SHIFTS[0]));
        for (from, to) in from.iter().zip(to) {
            *to = DOUBLE.requantize(*from, multiplier, shift) as i8;
        }
    }

    #[inline(never)]
    fn requantize_each_plain(from: &[i32; Sums::UNITS], to: &mut [i8; Activations::UNITS]) {
        let factors = (black_box(&MULTIPLIERS), black_box(&SHIFTS));
        for (from, to) in from.chunks_exact(16).zip(to.chunks_exact_mut(16)) {
            for ((from, to), factor) in from.iter().zip(to).zip(factors.0.iter().zip(factors.1)) {
                *to = DOUBLE.requantize(*from, *factor.0, *factor.1) as i8;
            }
        }
    }

    #[inline(never)]
    fn unpack_plain(from: &[u8; Nibbles::UNITS], to: &mut [i8; Activations::UNITS]) {
        for (from, to) in from.iter().zip(to.chunks_exact_mut(2)) {
            (to[0], to[1]) = ((from << 4) as i8 >> 4, *from as i8 >> 4);
        }
    }

    /// The most bytes of stack besides buffers.
    const STACK: usize = 512;

    /// Functions that do the same: by the library, by plain loops, and by words.
    macro_rules! pairs {
        ($(
            $name:ident: $from:ident => $to:ident, $ours:ident, $plain:ident = $loops:expr, $words:ident = $by_words:expr;
        )*) => {$(
            #[derive(Relayout)]
            #[relayout($from => $to)]
            struct $name;

            #[unsafe(no_mangle)]
            #[inline(never)]
            fn $ours(from: &Array<{ $from::LEN }>, to: &mut Array<{ $to::LEN }>) {
                $name::run_arrays(&from.0, &mut to.0);
            }

            #[unsafe(no_mangle)]
            #[inline(never)]
            fn $plain(from: &Array<{ $from::LEN }>, to: &mut Array<{ $to::LEN }>) {
                let loops: fn(&[u8; $from::LEN], &mut [u8; $to::LEN]) = $loops;
                loops(&from.0, &mut to.0);
            }

            #[unsafe(no_mangle)]
            #[inline(never)]
            fn $words(from: &Array<{ $from::LEN }>, to: &mut Array<{ $to::LEN }>) {
                let words: fn(&[u32; $from::LEN / 4], &mut [u32; $to::LEN / 4]) = $by_words;
                let (from, to) = (cast_slice(&from.0), cast_slice_mut(&mut to.0));
                words(from.try_into().unwrap(), to.try_into().unwrap());
            }
        )*};
    }

    pairs! {
        Interleave: Planes => Blocks, blocks_ours, blocks_plain = |from, to| {
            for block in 0..4 {
                for pixel in 0..PIXELS {
                    for channel in 0..4 {
                        let at = (4 * block + channel) * PIXELS + pixel;
                        to[(block * PIXELS + pixel) * 4 + channel] = from[at];
                    }
                }
            }
        }, blocks_words = |from, to| {
            for block in 0..4 {
                for four in 0..PIXELS / 4 {
                    let at = block * PIXELS + four;
                    let rows = [0, 1, 2, 3].map(|row| from[at + row * (PIXELS / 4)]);
                    to[block * PIXELS + four * 4..][..4].copy_from_slice(&transposed(rows));
                }
            }
        };
        Transpose: Planes => Last, last_ours, last_plain = |from, to| {
            for pixel in 0..PIXELS {
                for channel in 0..16 {
                    to[pixel * 16 + channel] = from[channel * PIXELS + pixel];
                }
            }
        }, last_words = |from, to| {
            for four in 0..PIXELS / 4 {
                for block in 0..4 {
                    let at = block * PIXELS + four;
                    let rows = [0, 1, 2, 3].map(|row| from[at + row * (PIXELS / 4)]);
                    for (pixel, word) in transposed(rows).into_iter().enumerate() {
                        to[(four * 4 + pixel) * 4 + block] = word;
                    }
                }
            }
        };
        Pad: Image => Padded, padded_ours, padded_plain = |from, to| {
            for pixel in 0..PIXELS {
                for channel in 0..3 {
                    to[pixel * 4 + channel] = from[pixel * 3 + channel];
                }
                to[pixel * 4 + 3] = 0;
            }
        }, padded_words = |from, to| {
            for (from, to) in from.chunks_exact(3).zip(to.chunks_exact_mut(4)) {
                to[0] = from[0] & 0xff_ffff;
                to[1] = from[0] >> 24 | from[1] << 8 & 0xff_ff00;
                to[2] = from[1] >> 16 | from[2] << 16 & 0xff_0000;
                to[3] = from[2] >> 8;
            }
        };
    }

    /// Four bytes of four rows as four columns.
    #[inline(always)]
    fn transposed([a, b, c, d]: [u32; 4]) -> [u32; 4] {
        let even = |low: u32, high: u32| low & 0xff_00ff | (high & 0xff_00ff) << 8;
        let odd = |low: u32, high: u32| low >> 8 & 0xff_00ff | high & 0xff00_ff00;
        let (ab, ab_odd, cd, cd_odd) = (even(a, b), odd(a, b), even(c, d), odd(c, d));
        let low = |ab: u32, cd: u32| ab & 0xffff | cd << 16;
        let high = |ab: u32, cd: u32| ab >> 16 | cd & 0xffff_0000;
        [low(ab, cd), low(ab_odd, cd_odd), high(ab, cd), high(ab_odd, cd_odd)]
    }

    /// Bytes at an address that is a multiple of 4.
    #[repr(align(4))]
    struct Array<const N: usize>([u8; N]);

    /// The instructions that `run` takes, to one or two.
    fn instructions(mut run: impl FnMut()) -> u32 {
        const RUNS: u32 = 100;
        crate::instructions::instructions(|| (0..RUNS).for_each(|_| run())) / RUNS
    }

    /// What a case may cost, in hundredths of the plain loops.
    fn compare<const FROM: usize, const TO: usize>(
        name: &str,
        most: u32,
        [ours, plain, words]: [fn(&Array<FROM>, &mut Array<TO>); 3],
    ) {
        let from = Array(core::array::from_fn(|i| (i * 31 + i / 251 * 17) as u8));
        let [mut moved, mut expected, mut by_words] = [1, 2, 3].map(|byte| Array([byte; TO]));
        let [ours, plain, words] = [ours, plain, words].map(black_box);
        let depth = stack(2 * STACK, || ours(&from, &mut moved));
        let own = instructions(|| ours(&from, &mut moved));
        let loops = instructions(|| plain(&from, &mut expected));
        let peer = instructions(|| words(&from, &mut by_words));
        assert!(moved.0 == expected.0 && moved.0 == by_words.0, "{name}");
        let percent = own * 100 / loops;
        println!("| {name} | {loops} | {peer} | {own} | {percent} % | {depth} |");
        assert!(depth <= STACK, "{name} takes too much stack");
        // Compiled for size, the library moves one by one as plain loops do.
        if FAST {
            assert!(percent <= most, "{name} takes more than {most} % of plain loops");
            assert!(own <= peer, "{name} takes more than by words");
        }
    }

    /// The cost of `run` for each of a number of elements: at most `most` instructions.
    fn measure(name: &str, elements: usize, most: usize, run: &mut dyn FnMut()) {
        let depth = stack(2 * STACK, &mut *run);
        let each = instructions(run) as usize / elements;
        println!("| {name} | {each} | {depth} |");
        assert!(depth <= STACK, "{name} takes too much stack");
        assert!(!FAST || each <= most, "{name} takes more than {most} instructions an element");
    }

    /// Converts integers, beside a loop over them: at most this many hundredths of it.
    fn integers<S: Copy, D: Copy + PartialEq, const FROM: usize, const TO: usize>(
        name: &str,
        most: u32,
        from: &[S; FROM],
        zero: D,
        [ours, plain]: [fn(&[S; FROM], &mut [D; TO]); 2],
    ) {
        let [mut own, mut expected] = [[zero; TO]; 2];
        let [ours, plain] = [ours, plain].map(black_box);
        let depth = stack(2 * STACK, || ours(from, &mut own));
        let [taken, loops] =
            [instructions(|| ours(from, &mut own)), instructions(|| plain(from, &mut expected))];
        assert!(own == expected, "{name}");
        let [each, hand] = [taken, loops].map(|all| [all / TO as u32, all * 10 / TO as u32 % 10]);
        let percent = taken * 100 / loops;
        println!(
            "| {name} | {}.{} | {}.{} | {percent} % | {depth} |",
            hand[0], hand[1], each[0], each[1]
        );
        assert!(depth <= STACK, "{name} takes too much stack");
        assert!(!FAST || percent <= most, "{name} takes more than {most} % of plain loops");
    }

    /// Moves in the buffer that a tensor lies in.
    fn in_place<const LENGTH: usize>(name: &str, most: usize, ours: fn(&mut Array<LENGTH>)) {
        let mut tensor = Array([0; LENGTH]);
        let ours = black_box(ours);
        measure(name, LENGTH, most, &mut || ours(&mut tensor));
    }

    /// Converts from elements of this value.
    fn convert<S: Copy, D: Copy, const FROM: usize, const TO: usize>(
        name: &str,
        most: usize,
        value: S,
        ours: fn(&[S; FROM], &mut [D; TO]),
        zero: D,
    ) {
        let (from, mut to) = ([value; FROM], [zero; TO]);
        let ours = black_box(ours);
        measure(name, FROM, most, &mut || ours(&from, &mut to));
    }

    #[entry]
    fn main() -> ! {
        let known = stack(4096, || {
            black_box([0u8; 1024]);
        });
        assert!((1024..1280).contains(&known), "1024 bytes of stack count as {known}");
        println!("| relayout | loops | words | ours | of loops | stack |");
        println!("|---|---|---|---|---|---|");
        compare("NCHW to NCHW4", 65, [blocks_ours, blocks_plain, blocks_words]);
        compare("NCHW to NHWC", 65, [last_ours, last_plain, last_words]);
        compare("NHWC of 3 to NCHW4, padded", 50, [padded_ours, padded_plain, padded_words]);
        println!("| each element | loop | ours | of the loop | stack |");
        println!("|---|---|---|---|---|");
        let sums = core::array::from_fn(|i| i as i32 * 7919 % 65536 - 32768);
        integers(
            "i32 to i8, requantized",
            105,
            &sums,
            0,
            [Requantize::run_arrays, requantize_plain],
        );
        let each = [RequantizeEach::run_arrays, requantize_each_plain];
        integers("i32 to i8, requantized, a factor for each C", 105, &sums, 0, each);
        let nibbles = core::array::from_fn(|i| (i * 31 + i / 251 * 17) as u8);
        integers("i4 to i8", 110, &nibbles, 0, [Unpack::run_arrays, unpack_plain]);
        println!("| each element | instructions | stack |");
        println!("|---|---|---|");
        in_place("NCHW to NCHW4 in place", 12, |tensor| Interleave::run_in_place(&mut tensor.0));
        in_place("NCHW to NHWC in place", 15, |tensor| Transpose::run_in_place(&mut tensor.0));
        in_place("powers of two in place", 30, |tensor| ShortCycles::run_in_place(&mut tensor.0));
        convert("NCHW f32 to NCHW4 i8, quantized", 25, 1.3, Quantize::run_arrays, 0);
        convert("NHWC of 3 u8 to NCHW f32, normalized", 10, 7, Normalize::run_arrays, 0.0);
        process::exit(0)
    }
}
