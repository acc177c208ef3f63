//! Vectors of aarch64: NEON, which every aarch64 CPU with an operating system has.

use core::arch::aarch64::*;

#[cfg(all(feature = "alloc", feature = "records"))]
use crate::micro::block_moves::Bitwise;
use crate::micro::vector::{Permute, Unaligned, Vector, vector};

vector! {
    /// One lane: NEON.
    V128(uint8x16_t), zips 1 => vzip1q_u8 vzip2q_u8, 2 => low_2 high_2, 4 => low_4 high_4, _ => low_8 high_8;

    type Half = Self;

    #[inline(always)]
    unsafe fn halves(self) -> (Self, Self) {
        (self, self)
    }
}

/// Zips of wider elements.
macro_rules! wider {
    ($($name:ident: $zip:ident $to:ident $from:ident;)*) => {$(
        /// # Safety
        /// The CPU must have NEON.
        #[inline(always)]
        unsafe fn $name(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
            // SAFETY: the CPU has NEON, for which this module is compiled.
            let (a, b) = (unsafe { $to(a) }, unsafe { $to(b) });
            // SAFETY: as above.
            let zipped = unsafe { $zip(a, b) };
            // SAFETY: as above.
            unsafe { $from(zipped) }
        }
    )*};
}

wider! {
    low_2: vzip1q_u16 vreinterpretq_u16_u8 vreinterpretq_u8_u16;
    low_4: vzip1q_u32 vreinterpretq_u32_u8 vreinterpretq_u8_u32;
    low_8: vzip1q_u64 vreinterpretq_u64_u8 vreinterpretq_u8_u64;
    high_2: vzip2q_u16 vreinterpretq_u16_u8 vreinterpretq_u8_u16;
    high_4: vzip2q_u32 vreinterpretq_u32_u8 vreinterpretq_u8_u32;
    high_8: vzip2q_u64 vreinterpretq_u64_u8 vreinterpretq_u8_u64;
}

impl Permute for V128 {
    type Table = uint8x16_t;

    #[inline(always)]
    unsafe fn table(bytes: &[u8; 64]) -> uint8x16_t {
        // SAFETY: the array has at least 16 bytes.
        unsafe { vld1q_u8(bytes.as_ptr()) }
    }

    #[inline(always)]
    unsafe fn permute(self, table: uint8x16_t, others: Self) -> Self {
        // SAFETY: the CPU has NEON, for which this module is compiled. The instruction leaves bytes without an index
        // unchanged.
        Self(unsafe { vqtbx1q_u8(others.0, self.0, table) })
    }
}

#[cfg(all(feature = "alloc", feature = "records"))]
impl Bitwise for V128 {
    #[inline(always)]
    unsafe fn and(self, other: Self) -> Self {
        // SAFETY: the CPU has NEON, for which this module is compiled.
        Self(unsafe { vandq_u8(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn xor(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { veorq_u8(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn shifted(self, by: i32) -> Self {
        // SAFETY: as above.
        let count = unsafe { vdupq_n_s8(by as i8) };
        // SAFETY: as above. A number below 0 shifts towards lower bits.
        Self(unsafe { vshlq_u8(self.0, count) })
    }
}
