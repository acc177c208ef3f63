//! The bits of vectors of x86-64.

use core::arch::x86_64::*;

use super::V128Ssse3;
use crate::micro::bit_permute::Bitwise;

impl Bitwise for V128Ssse3 {
    #[inline(always)]
    unsafe fn and(self, other: Self) -> Self {
        // SAFETY: the instruction is part of SSE2, which every x86-64 CPU has.
        Self(unsafe { _mm_and_si128(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn xor(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_xor_si128(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn shifted(self, by: i32) -> Self {
        // SAFETY: as above.
        let count = unsafe { _mm_cvtsi32_si128(by.abs()) };
        Self(match by {
            // SAFETY: as above.
            0.. => unsafe { _mm_sll_epi16(self.0, count) },
            // SAFETY: as above.
            _ => unsafe { _mm_srl_epi16(self.0, count) },
        })
    }
}
