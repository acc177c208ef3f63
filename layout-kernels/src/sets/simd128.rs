//! Vectors of wasm32: simd128.

use core::arch::wasm32::*;

#[cfg(all(feature = "alloc", feature = "records"))]
use crate::micro::block_moves::Bitwise;
use crate::micro::vector::{Permute, Unaligned, Vector, vector};

vector! {
    /// One lane: simd128.
    V128(v128), zips 1 => low_1 high_1, 2 => low_2 high_2, 4 => low_4 high_4, _ => low_8 high_8;

    type Half = Self;

    #[inline(always)]
    unsafe fn halves(self) -> (Self, Self) {
        (self, self)
    }
}

/// Zips, as shuffles.
macro_rules! zips {
    ($($name:ident: $shuffle:ident $($index:literal)*;)*) => {$(
        /// # Safety
        /// There is nothing to promise: instructions of other CPUs ask for it.
        #[inline(always)]
        unsafe fn $name(a: v128, b: v128) -> v128 {
            $shuffle::<$($index),*>(a, b)
        }
    )*};
}

zips! {
    low_1: i8x16_shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23;
    low_2: i16x8_shuffle 0 8 1 9 2 10 3 11;
    low_4: i32x4_shuffle 0 4 1 5;
    low_8: i64x2_shuffle 0 2;
    high_1: i8x16_shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31;
    high_2: i16x8_shuffle 4 12 5 13 6 14 7 15;
    high_4: i32x4_shuffle 2 6 3 7;
    high_8: i64x2_shuffle 1 3;
}

impl Permute for V128 {
    type Table = v128;

    #[inline(always)]
    unsafe fn table(bytes: &[u8; 64]) -> v128 {
        // SAFETY: the array has at least 16 bytes; the load needs no alignment.
        unsafe { v128_load(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    unsafe fn permute(self, table: v128, others: Self) -> Self {
        Self(v128_or(u8x16_swizzle(self.0, table), others.0))
    }
}

#[cfg(all(feature = "alloc", feature = "records"))]
impl Bitwise for V128 {
    #[inline(always)]
    unsafe fn and(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }

    #[inline(always)]
    unsafe fn xor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }

    #[inline(always)]
    unsafe fn shifted(self, by: i32) -> Self {
        Self(match by {
            0.. => u8x16_shl(self.0, by as u32),
            _ => u8x16_shr(self.0, by.unsigned_abs()),
        })
    }
}
