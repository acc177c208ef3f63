//! The bits of vectors of x86-64.

use core::arch::x86_64::*;

use super::V128Ssse3;
use crate::micro::bit_permute::Bitwise;
#[cfg(all(feature = "std", not(avx512_model)))]
use crate::micro::long_permute::LongPermute;
use crate::micro::vector::Permute;
#[cfg(all(feature = "std", not(avx512_model)))]
use crate::micro::vector::Vector;
#[cfg(all(feature = "std", not(avx512_model)))]
use crate::steps::LONG;

impl Bitwise for V128Ssse3 {
    #[inline(always)]
    unsafe fn taken(self, table: Self, others: Self) -> Self {
        // SAFETY: the CPU has SSSE3, by the caller's promise.
        unsafe { self.permute(table.0, others) }
    }

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

    #[inline(always)]
    unsafe fn low(self) -> u64 {
        // SAFETY: as above.
        unsafe { _mm_cvtsi128_si64(self.0) as u64 }
    }
}

#[cfg(all(feature = "std", not(avx512_model)))]
impl LongPermute for super::avx512::V512Vbmi {
    type Table = (__m512i, __mmask64);

    #[inline(always)]
    unsafe fn window<const WIDE: bool>(from: *const u8) -> Self {
        if WIDE {
            // SAFETY: the window has 64 bytes, by the caller's promise.
            return unsafe { Self::load(from) };
        }
        // SAFETY: the window has 32 bytes, by the caller's promise.
        let window = unsafe { super::V256::load(from).0 };
        // SAFETY: the CPU has AVX-512 F, by the caller's promise.
        Self(unsafe { _mm512_zextsi256_si512(window) })
    }

    #[inline(always)]
    unsafe fn table(bytes: &[u8; LONG]) -> Self::Table {
        // SAFETY: the array has 64 bytes.
        let table = unsafe { Self::load(bytes.as_ptr()).0 };
        // SAFETY: the CPU has AVX-512 BW, by the caller's promise.
        let nowhere = unsafe { _mm512_movepi8_mask(table) };
        (table, !nowhere)
    }

    #[inline(always)]
    unsafe fn taken<const WIDE: bool>(self, other: Self, (table, mask): Self::Table) -> Self {
        Self(match WIDE {
            // SAFETY: the CPU has VBMI, by the caller's promise.
            true => unsafe { _mm512_maskz_permutex2var_epi8(mask, self.0, table, other.0) },
            // SAFETY: as above.
            false => unsafe { _mm512_permutex2var_epi8(self.0, table, other.0) },
        })
    }

    #[inline(always)]
    unsafe fn xor(self, other: Self) -> Self {
        // SAFETY: the CPU has AVX-512 F, by the caller's promise.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }
}
