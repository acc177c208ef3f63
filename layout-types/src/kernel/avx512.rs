//! Vectors of x86-64 with AVX-512, with and without the byte permutations of VBMI.
#![expect(
    clippy::incompatible_msrv,
    reason = "feature `std` needs Rust 1.89, and this module `std`"
)]

use core::arch::x86_64::*;

use super::vector::{Mix, Vector, Vectors};
use super::x86_64::{V128Ssse3, V256, load_2, vector};

vector! {
    /// Four lanes: AVX-512 F and BW.
    V512(__m512i), half V256, lane V128Ssse3, mixer V128Ssse3, load_4, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_stream_si512,
    low 1 => _mm512_unpacklo_epi8, 2 => _mm512_unpacklo_epi16, 4 => _mm512_unpacklo_epi32, _ => _mm512_unpacklo_epi64;
    high 1 => _mm512_unpackhi_epi8, 2 => _mm512_unpackhi_epi16, 4 => _mm512_unpackhi_epi32, _ => _mm512_unpackhi_epi64;
    bits _mm512_set1_epi8, _mm512_and_si512, _mm512_andnot_si512, _mm512_or_si512, _mm512_slli_epi16, _mm512_srli_epi16;

    #[inline(always)]
    unsafe fn interleave_4<const WIDTH: usize>(rows: [Self; 4]) -> [Self; 4] {
        if WIDTH == 1 {
            // SAFETY: the caller's promise.
            let rows = unsafe { rows.shuffled::<WIDTH>() };
            // SAFETY: as above.
            let rows = unsafe { rows.shuffled::<WIDTH>() };
            // SAFETY: as above.
            return unsafe { lanes_in_turn(rows) };
        }
        let [a, b, c, d] = rows;
        // SAFETY: the CPU has AVX-512 BW, by the caller's promise, and `WIDTH` is not 1.
        let [a, b, c, d] = unsafe { rows_in_turn::<WIDTH>([a.0, b.0, c.0, d.0]) };
        [Self(a), Self(b), Self(c), Self(d)]
    }
}

vector! {
    /// Four lanes: AVX-512 F, BW and VBMI.
    V512Vbmi(__m512i), half V256, lane V128Ssse3, mixer V512Vbmi, load_4, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_stream_si512,
    low 1 => _mm512_unpacklo_epi8, 2 => _mm512_unpacklo_epi16, 4 => _mm512_unpacklo_epi32, _ => _mm512_unpacklo_epi64;
    high 1 => _mm512_unpackhi_epi8, 2 => _mm512_unpackhi_epi16, 4 => _mm512_unpackhi_epi32, _ => _mm512_unpackhi_epi64;
    bits _mm512_set1_epi8, _mm512_and_si512, _mm512_andnot_si512, _mm512_or_si512, _mm512_slli_epi16, _mm512_srli_epi16;

    #[inline(always)]
    unsafe fn interleave_4<const WIDTH: usize>(rows: [Self; 4]) -> [Self; 4] {
        let [a, b, c, d] = rows;
        // SAFETY: the CPU has VBMI, by the caller's promise.
        let [a, b, c, d] = unsafe { rows_in_turn::<WIDTH>([a.0, b.0, c.0, d.0]) };
        [Self(a), Self(b), Self(c), Self(d)]
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

/// The first lane of each vector, then the second of each, and so on.
///
/// # Safety
/// A CPU with AVX-512 F.
#[inline(always)]
unsafe fn lanes_in_turn(v: [V512; 4]) -> [V512; 4] {
    macro_rules! lanes {
        ($low:expr, $high:expr, $which:literal) => {
            // SAFETY: the CPU has AVX-512 F, by the caller's promise.
            unsafe { _mm512_shuffle_i32x4::<$which>($low, $high) }
        };
    }
    // Lanes 0 and 1 of two vectors, then lanes 2 and 3.
    let (a, b) = (lanes!(v[0].0, v[1].0, 0x44), lanes!(v[2].0, v[3].0, 0x44));
    let (c, d) = (lanes!(v[0].0, v[1].0, 0xee), lanes!(v[2].0, v[3].0, 0xee));
    [
        V512(lanes!(a, b, 0x88)),
        V512(lanes!(a, b, 0xdd)),
        V512(lanes!(c, d, 0x88)),
        V512(lanes!(c, d, 0xdd)),
    ]
}

/// [`Vector::interleave_4`] with permutations that look up any unit of two vectors.
///
/// # Safety
/// A CPU with AVX-512 F and BW, and VBMI where `WIDTH` is 1.
#[inline(always)]
unsafe fn rows_in_turn<const WIDTH: usize>([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: the caller's promise.
    let (low, high) = unsafe { zip::<WIDTH>(a, c) };
    // SAFETY: as above.
    let (low_2, high_2) = unsafe { zip::<WIDTH>(b, d) };
    // SAFETY: as above.
    let (first, second) = unsafe { zip::<WIDTH>(low, low_2) };
    // SAFETY: as above.
    let (third, fourth) = unsafe { zip::<WIDTH>(high, high_2) };
    [first, second, third, fourth]
}

/// `WIDTH` bytes of each in turn: their lower halves, and their upper ones.
///
/// # Safety
/// As [`rows_in_turn`].
#[inline(always)]
unsafe fn zip<const WIDTH: usize>(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    const fn table(width: usize, half: usize) -> [u8; 64] {
        let mut table = [0; 64];
        let units = 64 / width;
        let mut i = 0;
        while i < units {
            table[i * width] = (half * units / 2 + i / 2 + i % 2 * units) as u8;
            i += 1;
        }
        table
    }
    macro_rules! half {
        ($half:literal) => {{
            let table = const { &table(WIDTH, $half) };
            // SAFETY: the table is 64 bytes, and the load asks for no alignment.
            let table = unsafe { _mm512_loadu_si512(table.as_ptr().cast()) };
            match WIDTH {
                // SAFETY: the CPU has VBMI, by the caller's promise.
                1 => unsafe { _mm512_permutex2var_epi8(a, table, b) },
                // SAFETY: the CPU has AVX-512 BW, by the caller's promise.
                2 => unsafe { _mm512_permutex2var_epi16(a, table, b) },
                // SAFETY: the CPU has AVX-512 F, by the caller's promise.
                _ => unsafe { _mm512_permutex2var_epi32(a, table, b) },
            }
        }};
    }
    (half!(0), half!(1))
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
