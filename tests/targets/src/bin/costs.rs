//! What relayouts of bytes cost on a Cortex-M4, beside plain loops: instructions and bytes of stack.
//!
//! The emulator must count time in instructions, a nanosecond each: `-icount shift=0`.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(all(target_os = "none", target_arch = "arm")))]
fn main() {}

#[cfg(all(target_os = "none", target_arch = "arm"))]
mod costs {
    use core::hint::black_box;

    use cortex_m_rt::entry;
    use semihosting::{println, process};
    use tensor_layout::{Relayout, layout};

    const PIXELS: usize = 14 * 14;

    type Planes = layout!(NCHW<1, 16, 14, 14>, u8);
    type Blocks = layout!(NCHW4<1, 16, 14, 14>, u8);
    type Last = layout!(NHWC<1, 16, 14, 14>, u8);
    type Image = layout!(NHWC<1, 3, 14, 14>, u8);
    type Padded = layout!(NCHW4<1, 3, 14, 14>, u8, pad);

    /// Two functions that do the same: by the library, and by plain loops.
    macro_rules! pairs {
        ($($name:ident: $from:ident => $to:ident, $ours:ident, $plain:ident = $loops:expr;)*) => {$(
            #[derive(Relayout)]
            #[relayout($from => $to)]
            struct $name;

            #[unsafe(no_mangle)]
            #[inline(never)]
            fn $ours(from: &Array<{ $from::LEN }>, to: &mut Array<{ $to::LEN }>) {
                $name::run(&from.0, &mut to.0);
            }

            #[unsafe(no_mangle)]
            #[inline(never)]
            fn $plain(from: &Array<{ $from::LEN }>, to: &mut Array<{ $to::LEN }>) {
                let loops: fn(&[u8; $from::LEN], &mut [u8; $to::LEN]) = $loops;
                loops(&from.0, &mut to.0);
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
        };
        Transpose: Planes => Last, last_ours, last_plain = |from, to| {
            for pixel in 0..PIXELS {
                for channel in 0..16 {
                    to[pixel * 16 + channel] = from[channel * PIXELS + pixel];
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
        };
    }

    /// Bytes at an address that is a multiple of 4.
    #[repr(align(4))]
    struct Array<const N: usize>([u8; N]);

    /// The instructions that `run` takes, to one or two.
    fn instructions(mut run: impl FnMut()) -> u32 {
        const RUNS: u32 = 100;
        const NANOSECONDS: u32 = 40;
        const CONTROL: *mut u32 = 0xe000_e010_usize as _;
        const RELOAD: *mut u32 = 0xe000_e014_usize as _;
        const CURRENT: *mut u32 = 0xe000_e018_usize as _;
        // SAFETY: the registers of the system timer, which nothing else uses.
        unsafe { RELOAD.write_volatile(0xff_ffff) };
        // SAFETY: as above.
        unsafe { CURRENT.write_volatile(0) };
        // SAFETY: as above.
        unsafe { CONTROL.write_volatile(5) };
        // SAFETY: as above.
        let start = unsafe { CURRENT.read_volatile() };
        for _ in 0..RUNS {
            run();
        }
        // SAFETY: as above.
        let end = unsafe { CURRENT.read_volatile() };
        (start.wrapping_sub(end) & 0xff_ffff) * NANOSECONDS / RUNS
    }

    /// About how many bytes of stack `run` takes, 64 or more.
    #[inline(never)]
    fn stack(run: impl FnOnce()) -> usize {
        const DEPTH: usize = 4096;
        const PAINT: u8 = 0xa5;
        let here = 0u8;
        let top = black_box(&raw const here).cast_mut().wrapping_sub(64);
        let bottom = top.wrapping_sub(DEPTH);
        for i in 0..DEPTH {
            // SAFETY: below all frames but this one, which ends above `top`; the board has room.
            unsafe { bottom.wrapping_add(i).write_volatile(PAINT) };
        }
        run();
        // SAFETY: as above.
        let used = (0..DEPTH).find(|&i| unsafe { bottom.wrapping_add(i).read_volatile() } != PAINT);
        64 + used.map_or(0, |i| DEPTH - i)
    }

    fn compare<const FROM: usize, const TO: usize>(
        name: &str,
        most: u32,
        ours: fn(&Array<FROM>, &mut Array<TO>),
        plain: fn(&Array<FROM>, &mut Array<TO>),
    ) {
        let from = Array(core::array::from_fn(|i| (i * 31 + i / 251 * 17) as u8));
        let (mut moved, mut expected) = (Array([1; TO]), Array([2; TO]));
        let (ours, plain) = (black_box(ours), black_box(plain));
        let depth = stack(|| ours(&from, &mut moved));
        let own = instructions(|| ours(&from, &mut moved));
        let theirs = instructions(|| plain(&from, &mut expected));
        assert!(moved.0 == expected.0, "{name}");
        let percent = own * 100 / theirs;
        println!(
            "{name:30} {theirs:6} {own:6} {percent:4} % of at most {most} %, {depth} bytes of stack"
        );
        assert!(percent <= most, "{name} takes too many instructions");
        assert!(depth <= 512, "{name} takes too much stack");
    }

    #[entry]
    fn main() -> ! {
        println!("instructions:                  plain   ours");
        compare("NCHW to NCHW4", 72, blocks_ours, blocks_plain);
        compare("NCHW to NHWC", 66, last_ours, last_plain);
        compare("NHWC of 3 to NCHW4, padded", 110, padded_ours, padded_plain);
        process::exit(0)
    }
}
