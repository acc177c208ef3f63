//! Vectors of x86-64 with AVX-512, without and with the byte permute of VBMI.
#![expect(
    clippy::incompatible_msrv,
    reason = "feature `std` needs Rust 1.89, and this module `std`"
)]

use core::arch::x86_64::*;

use super::vector::{Permute, Vector};
use super::x86_64::{V256, load_2, vector};

/// Loads and stores of some bytes, with masks.
macro_rules! parts {
    () => {
        #[inline(always)]
        unsafe fn load_part(pointer: *const u8, bytes: usize) -> Self {
            debug_assert!(bytes <= 64, "{bytes} bytes of 64");
            let mask = if bytes == 0 { 0 } else { u64::MAX >> ((64 - bytes) & 63) };
            // SAFETY: the bytes of the mask are readable, by the caller's promise.
            Self(unsafe { _mm512_maskz_loadu_epi8(mask, pointer.cast()) })
        }

        #[inline(always)]
        unsafe fn store_part(self, pointer: *mut u8, bytes: usize) {
            debug_assert!(bytes <= 64, "{bytes} bytes of 64");
            let mask = if bytes == 0 { 0 } else { u64::MAX >> ((64 - bytes) & 63) };
            // SAFETY: the bytes of the mask are writable, by the caller's promise.
            unsafe { _mm512_mask_storeu_epi8(pointer.cast(), mask, self.0) }
        }
    };
}

vector! {
    /// Four lanes: AVX-512 F and BW.
    V512(__m512i), half V256, load_4, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_stream_si512,
    low 1 => _mm512_unpacklo_epi8, 2 => _mm512_unpacklo_epi16, 4 => _mm512_unpacklo_epi32, _ => _mm512_unpacklo_epi64;
    high 1 => _mm512_unpackhi_epi8, 2 => _mm512_unpackhi_epi16, 4 => _mm512_unpackhi_epi32, _ => _mm512_unpackhi_epi64;

    parts!();
}

vector! {
    /// Four lanes: AVX-512 F, BW and VBMI.
    V512Vbmi(__m512i), half V256, load_4, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_stream_si512,
    low 1 => _mm512_unpacklo_epi8, 2 => _mm512_unpacklo_epi16, 4 => _mm512_unpacklo_epi32, _ => _mm512_unpacklo_epi64;
    high 1 => _mm512_unpackhi_epi8, 2 => _mm512_unpackhi_epi16, 4 => _mm512_unpackhi_epi32, _ => _mm512_unpackhi_epi64;

    parts!();
}

impl Permute for V512Vbmi {
    type Table = (__m512i, __mmask64);

    #[inline(always)]
    unsafe fn table(bytes: &[u8; 64]) -> Self::Table {
        // SAFETY: 64 bytes.
        let table = unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
        // SAFETY: the CPU has AVX-512 BW, by the caller's promise.
        let nowhere = unsafe { _mm512_movepi8_mask(table) };
        (table, !nowhere)
    }

    #[inline(always)]
    unsafe fn permute(self, (table, mask): Self::Table, others: Self) -> Self {
        // SAFETY: the CPU has VBMI, by the caller's promise.
        Self(unsafe { _mm512_mask_permutexvar_epi8(others.0, mask, table, self.0) })
    }
}

/// Lane by lane out of memory: that takes no shuffle, of which some CPUs do one a cycle.
///
/// # Safety
/// 16 readable bytes at each pointer, and a CPU with AVX-512 F.
#[inline(always)]
unsafe fn load_4(pointers: [*const u8; 4]) -> __m512i {
    // SAFETY: the caller's promise.
    let two = unsafe { load_2(pointers) };
    // SAFETY: the CPU has AVX-512 F, by the caller's promise.
    let wide = unsafe { _mm512_castsi256_si512(two) };
    // SAFETY: the caller's promise; the load asks for no alignment.
    let third = unsafe { _mm_loadu_si128(pointers[2].cast()) };
    // SAFETY: as above.
    let fourth = unsafe { _mm_loadu_si128(pointers[3].cast()) };
    // SAFETY: the CPU has AVX-512 F, by the caller's promise.
    let three = unsafe { _mm512_inserti32x4::<2>(wide, third) };
    // SAFETY: as above.
    unsafe { _mm512_inserti32x4::<3>(three, fourth) }
}
