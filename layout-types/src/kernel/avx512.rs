//! Vectors of x86-64 with AVX-512, with and without the byte permutations of VBMI.
#![expect(
    clippy::incompatible_msrv,
    reason = "feature `std` needs Rust 1.89, and this module `std`"
)]

use core::arch::x86_64::*;

use super::vector::{Mix, Vector};
use super::x86_64::{V128Ssse3, V256, load_2, vector};

vector! {
    /// Four lanes: AVX-512 F and BW.
    V512(__m512i), half V256, lane V128Ssse3, mixer V128Ssse3, load_4, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_stream_si512,
    low 1 => _mm512_unpacklo_epi8, 2 => _mm512_unpacklo_epi16, 4 => _mm512_unpacklo_epi32, _ => _mm512_unpacklo_epi64;
    high 1 => _mm512_unpackhi_epi8, 2 => _mm512_unpackhi_epi16, 4 => _mm512_unpackhi_epi32, _ => _mm512_unpackhi_epi64;

    #[inline(always)]
    unsafe fn interleave_4<const WIDTH: usize>(from: *const u8, stride: isize, to: *mut u8, stream: bool) {
        // SAFETY: the caller's promise.
        unsafe { interleave_4_in_one::<WIDTH>(from, stride, to, stream) }
    }
}

vector! {
    /// Four lanes: AVX-512 F, BW and VBMI.
    V512Vbmi(__m512i), half V256, lane V128Ssse3, mixer V512Vbmi, load_4, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_stream_si512,
    low 1 => _mm512_unpacklo_epi8, 2 => _mm512_unpacklo_epi16, 4 => _mm512_unpacklo_epi32, _ => _mm512_unpacklo_epi64;
    high 1 => _mm512_unpackhi_epi8, 2 => _mm512_unpackhi_epi16, 4 => _mm512_unpackhi_epi32, _ => _mm512_unpackhi_epi64;

    #[inline(always)]
    unsafe fn interleave_4<const WIDTH: usize>(from: *const u8, stride: isize, to: *mut u8, stream: bool) {
        // SAFETY: the caller's promise.
        unsafe { interleave_4_in_one::<WIDTH>(from, stride, to, stream) }
    }

    const MIXES: bool = true;

    #[inline(always)]
    unsafe fn mixed(vectors: [Self; 3], table: &Mix) -> [Self; 3] {
        // SAFETY: the CPU has VBMI, by the caller's promise.
        unsafe { mixed_bytes(vectors, table) }
    }
}

/// # Safety
/// 16 readable bytes at each pointer, and a CPU with AVX-512 F.
#[inline(always)]
unsafe fn load_4(pointers: [*const u8; 4]) -> __m512i {
    // SAFETY: the caller's promise.
    let low = unsafe { load_2(pointers) };
    // SAFETY: the caller's promise.
    let high = unsafe { load_2([pointers[2], pointers[3], pointers[2], pointers[3]]) };
    // SAFETY: the CPU has AVX-512 F, by the caller's promise.
    let wide = unsafe { _mm512_castsi256_si512(low) };
    // SAFETY: as above.
    unsafe { _mm512_inserti64x4::<1>(wide, high) }
}

/// [`Vector::interleave_4`] in one register.
///
/// # Safety
/// As there, and a CPU with AVX-512 F and BW.
#[inline(always)]
unsafe fn interleave_4_in_one<const WIDTH: usize>(
    from: *const u8,
    stride: isize,
    to: *mut u8,
    stream: bool,
) {
    // Four bytes of each row into each lane; within it the rows then take turns.
    const LANES: [i32; 16] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];
    const BYTES: [i8; 16] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];
    const PAIRS: [i8; 16] = [0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15];
    // SAFETY: the caller's promise.
    let v = unsafe {
        load_4([
            from,
            from.wrapping_offset(stride),
            from.wrapping_offset(2 * stride),
            from.wrapping_offset(3 * stride),
        ])
    };
    // SAFETY: the table is 64 bytes, and the load asks for no alignment.
    let lanes = unsafe { _mm512_loadu_si512(LANES.as_ptr().cast()) };
    // SAFETY: the CPU has AVX-512 F, by the caller's promise.
    let mut v = unsafe { _mm512_permutexvar_epi32(lanes, v) };
    if WIDTH < 4 {
        let within = if WIDTH == 1 { &BYTES } else { &PAIRS };
        // SAFETY: the table is 16 bytes, and the load asks for no alignment.
        let within = unsafe { _mm_loadu_si128(within.as_ptr().cast()) };
        // SAFETY: the CPU has AVX-512 F, by the caller's promise.
        let within = unsafe { _mm512_broadcast_i32x4(within) };
        // SAFETY: the CPU has AVX-512 BW, by the caller's promise.
        v = unsafe { _mm512_shuffle_epi8(v, within) };
    }
    if stream {
        // SAFETY: 64 bytes are writable at the aligned pointer, by the caller's promise.
        unsafe { _mm512_stream_si512(to.cast(), v) };
    } else {
        // SAFETY: 64 bytes are writable, by the caller's promise.
        unsafe { _mm512_storeu_si512(to.cast(), v) };
    }
}

/// [`Vector::mixed`] with permutations that look up any byte of two vectors.
///
/// # Safety
/// A CPU with AVX-512 F, BW and VBMI.
#[inline(always)]
unsafe fn mixed_bytes(vectors: [V512Vbmi; 3], table: &Mix) -> [V512Vbmi; 3] {
    /// # Safety
    /// A CPU with AVX-512 F, BW and VBMI.
    #[inline(always)]
    unsafe fn one(vectors: &[V512Vbmi; 3], table: &Mix, at: usize) -> V512Vbmi {
        // SAFETY: `at` is at most 128, so 64 bytes of the table follow.
        let from = unsafe { _mm512_loadu_si512(table.0.as_ptr().wrapping_add(at).cast()) };
        // SAFETY: the CPU has VBMI, by the caller's promise.
        let two = unsafe { _mm512_permutex2var_epi8(vectors[0].0, from, vectors[1].0) };
        // SAFETY: the CPU has AVX-512 BW, by the caller's promise. Bytes from 128 on have the
        // high bit.
        let third = unsafe { _mm512_movepi8_mask(from) };
        // SAFETY: the CPU has VBMI, by the caller's promise.
        V512Vbmi(unsafe { _mm512_mask_permutexvar_epi8(two, third, from, vectors[2].0) })
    }
    [
        // SAFETY: the caller's promise.
        unsafe { one(&vectors, table, 0) },
        // SAFETY: the caller's promise.
        unsafe { one(&vectors, table, 64) },
        // SAFETY: the caller's promise.
        unsafe { one(&vectors, table, 128) },
    ]
}
