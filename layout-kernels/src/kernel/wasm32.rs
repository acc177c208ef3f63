//! Vectors of wasm32: simd128.

use core::arch::wasm32::*;

use super::vector::{Mix, Vector};

/// One lane: simd128.
#[derive(Clone, Copy)]
pub(super) struct V128(v128);

impl Vector for V128 {
    const BYTES: usize = 16;
    type Half = Self;
    type Lane = Self;
    type Mixer = Self;

    #[inline(always)]
    unsafe fn load(pointer: *const u8) -> Self {
        // SAFETY: 16 bytes are readable at the pointer, by the caller's promise; the load asks for
        // no alignment.
        Self(unsafe { v128_load(pointer.cast()) })
    }

    #[inline(always)]
    unsafe fn zip_low<const WIDTH: usize>(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self(match WIDTH {
            1 => i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b),
            2 => i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b),
            4 => i32x4_shuffle::<0, 4, 1, 5>(a, b),
            _ => i64x2_shuffle::<0, 2>(a, b),
        })
    }

    #[inline(always)]
    unsafe fn zip_high<const WIDTH: usize>(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self(match WIDTH {
            1 => {
                i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b)
            }
            2 => i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b),
            4 => i32x4_shuffle::<2, 6, 3, 7>(a, b),
            _ => i64x2_shuffle::<1, 3>(a, b),
        })
    }

    #[inline(always)]
    unsafe fn store(self, pointer: *mut u8) {
        // SAFETY: 16 bytes are writable at the pointer, by the caller's promise; the store asks for
        // no alignment.
        unsafe { v128_store(pointer.cast(), self.0) }
    }

    const MIXES: bool = true;

    /// With a look-up in each of the three, where what is not in its 16 bytes is 0.
    #[inline(always)]
    unsafe fn mixed(vectors: [Self; 3], table: &Mix) -> [Self; 3] {
        macro_rules! one {
            ($at:literal) => {{
                // SAFETY: 16 bytes of the table follow; the load asks for no alignment.
                let from = unsafe { v128_load(table.0.as_ptr().wrapping_add($at).cast()) };
                let first = u8x16_swizzle(vectors[0].0, from);
                let second = u8x16_swizzle(vectors[1].0, u8x16_sub(from, u8x16_splat(16)));
                let third = u8x16_swizzle(vectors[2].0, u8x16_sub(from, u8x16_splat(32)));
                Self(v128_or(first, v128_or(second, third)))
            }};
        }
        [one!(0), one!(16), one!(32)]
    }

    #[inline(always)]
    unsafe fn looked_up(self, table: Self) -> Self {
        Self(u8x16_swizzle(self.0, table.0))
    }

    const LOOKS_UP_IN_LANES: bool = true;

    #[inline(always)]
    unsafe fn looked_up_in_lanes(self, table: Self) -> Self {
        // SAFETY: the caller's promise; the vector is a lane.
        unsafe { self.looked_up(table) }
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }
}
