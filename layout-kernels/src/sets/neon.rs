//! Vectors of aarch64: NEON, which every aarch64 CPU with an operating system has.

use core::arch::aarch64::*;

#[cfg(all(feature = "alloc", feature = "records"))]
use crate::micro::bit_permute::Bitwise;
use crate::micro::vector::{Permute, Vector};

/// One lane: NEON.
#[derive(Clone, Copy)]
pub(super) struct V128(uint8x16_t);

/// Calls a function of two vectors of wider elements with two vectors of bytes.
macro_rules! wider {
    ($zip:ident, $to:ident, $from:ident, $a:expr, $b:expr) => {{
        // SAFETY: the CPU has NEON, for which this module is compiled.
        let (a, b) = (unsafe { $to($a) }, unsafe { $to($b) });
        // SAFETY: as above.
        let zipped = unsafe { $zip(a, b) };
        // SAFETY: as above.
        unsafe { $from(zipped) }
    }};
}

/// A zip for every width, from the names of its instructions.
macro_rules! zip {
    ($name:ident: $bytes:ident $pairs:ident $words:ident $doubles:ident) => {
        #[inline(always)]
        unsafe fn $name<const WIDTH: usize>(self, other: Self) -> Self {
            let (a, b) = (self.0, other.0);
            Self(match WIDTH {
                // SAFETY: the CPU has NEON, for which this module is compiled.
                1 => unsafe { $bytes(a, b) },
                2 => wider!($pairs, vreinterpretq_u16_u8, vreinterpretq_u8_u16, a, b),
                4 => wider!($words, vreinterpretq_u32_u8, vreinterpretq_u8_u32, a, b),
                _ => wider!($doubles, vreinterpretq_u64_u8, vreinterpretq_u8_u64, a, b),
            })
        }
    };
}

impl Vector for V128 {
    const BYTES: usize = 16;
    type Half = Self;

    #[inline(always)]
    unsafe fn halves(self) -> (Self, Self) {
        (self, self)
    }

    #[inline(always)]
    unsafe fn load(pointer: *const u8) -> Self {
        // SAFETY: 16 bytes are readable at the pointer, by the caller's promise.
        Self(unsafe { vld1q_u8(pointer) })
    }

    zip!(zip_low: vzip1q_u8 vzip1q_u16 vzip1q_u32 vzip1q_u64);
    zip!(zip_high: vzip2q_u8 vzip2q_u16 vzip2q_u32 vzip2q_u64);

    #[inline(always)]
    unsafe fn store(self, pointer: *mut u8) {
        // SAFETY: 16 bytes are writable at the pointer, by the caller's promise.
        unsafe { vst1q_u8(pointer, self.0) }
    }
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
