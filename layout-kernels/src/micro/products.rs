//! Products of groups of four bytes, with the instructions for two products at once where an Arm CPU has them: the
//! compiler knows them, and stable Rust has no names for them.

#[cfg(dsp)]
use core::arch::asm;

/// Four bytes as numbers that are ready for products.
#[derive(Clone, Copy)]
struct Group {
    #[cfg(dsp)]
    halves: [u32; 2],
    #[cfg(not(dsp))]
    bytes: [i8; 4],
}

#[cfg(dsp)]
impl Group {
    #[inline(always)]
    fn new(bytes: [i8; 4]) -> Self {
        let word = u32::from_le_bytes(bytes.map(|byte| byte as u8));
        let (even, odd): (u32, u32);
        // SAFETY: the instruction reads and writes registers alone, and `build.rs` found that the target has it.
        unsafe {
            asm!(
                "sxtb16 {}, {}", lateout(reg) even, in(reg) word,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        // SAFETY: as above.
        unsafe {
            asm!(
                "sxtb16 {}, {}, ror #8", lateout(reg) odd, in(reg) word,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        Self { halves: [even, odd] }
    }

    /// `sum` and the four products with another group.
    #[inline(always)]
    fn add_products(self, other: Self, mut sum: i32) -> i32 {
        for (own, other) in self.halves.into_iter().zip(other.halves) {
            // SAFETY: the instruction reads and writes registers and flags alone, and `build.rs` found that the target
            // has it.
            unsafe {
                asm!(
                    "smlad {0}, {1}, {2}, {0}", inlateout(reg) sum, in(reg) own, in(reg) other,
                    options(pure, nomem, nostack)
                );
            }
        }
        sum
    }
}

#[cfg(not(dsp))]
impl Group {
    #[inline(always)]
    fn new(bytes: [i8; 4]) -> Self {
        Self { bytes }
    }

    /// `sum` and the four products with another group.
    #[inline(always)]
    fn add_products(self, other: Self, sum: i32) -> i32 {
        let pairs = self.bytes.into_iter().zip(other.bytes);
        pairs.fold(sum, |sum, (own, other)| sum.wrapping_add(i32::from(own) * i32::from(other)))
    }
}

/// Adds to `sums[pixel][row]` the product of a pixel's channels and a row of weights, in groups of four:
/// `pixels[pixel][group]` has channels, and `weights[group][row]` the weights of the same four channels, as a layout
/// such as `OI2o4i` stores them for two rows. It takes as many groups as the shortest of all has. Sums wrap around.
///
/// ```
/// use layout_kernels::add_products;
///
/// let mut sums = [[1, 2]];
/// add_products(&mut sums, [&[[1, 1, 1, -1]]], &[[[5, 6, 7, 8], [1, 0, 0, 9]]]);
/// assert_eq!(sums, [[1 + 5 + 6 + 7 - 8, 2 + 1 - 9]]);
/// ```
#[inline(always)]
pub fn add_products<const PIXELS: usize, const ROWS: usize>(
    sums: &mut [[i32; ROWS]; PIXELS],
    pixels: [&[[i8; 4]]; PIXELS],
    weights: &[[[i8; 4]; ROWS]],
) {
    let groups = pixels.iter().fold(weights.len(), |least, pixel| least.min(pixel.len()));
    for i in 0..groups {
        let channels = pixels.map(|pixel| Group::new(pixel[i]));
        for (row, weights) in weights[i].iter().enumerate() {
            let weights = Group::new(*weights);
            for (sums, channels) in sums.iter_mut().zip(&channels) {
                sums[row] = channels.add_products(weights, sums[row]);
            }
        }
    }
}
