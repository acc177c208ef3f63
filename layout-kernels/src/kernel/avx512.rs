//! Vectors of x86-64 with AVX-512, with and without the byte permutations of VBMI.
#![expect(
    clippy::incompatible_msrv,
    reason = "feature `std` needs Rust 1.89, and this module `std`"
)]

use core::arch::x86_64::*;

use super::vector::{Mix, Vector, Vectors, deinterleave_lanes};
use super::x86_64::{V128Ssse3, V256, load_2, looks_up_in_lanes, store_2, vector};

/// [`Vector::interleave_4`] of both types, and the way back.
macro_rules! turns_of_4 {
    () => {
        #[inline(always)]
        unsafe fn interleave_4<const WIDTH: usize>(rows: [Self; 4]) -> [Self; 4] {
            let [a, b, c, d] = rows;
            let rows = [a.0, b.0, c.0, d.0];
            if WIDTH == 4 {
                // SAFETY: the CPU has AVX-512 F, by the caller's promise.
                let [a, b, c, d] = unsafe { rows_in_turn(rows) };
                return [Self(a), Self(b), Self(c), Self(d)];
            }
            // SAFETY: as above.
            let [a, b, c, d] = unsafe { dealt(rows) };
            // SAFETY: the caller's promise.
            let rows = unsafe { [Self(a), Self(b), Self(c), Self(d)].shuffled::<WIDTH>() };
            // SAFETY: as above.
            unsafe { rows.shuffled::<WIDTH>() }
        }

        #[inline(always)]
        unsafe fn deinterleave_4<const WIDTH: usize>(turns: [Self; 4]) -> [Self; 4] {
            if WIDTH == 4 {
                let [a, b, c, d] = turns;
                // SAFETY: the CPU has AVX-512 F, by the caller's promise.
                let [a, b, c, d] = unsafe { rows_apart([a.0, b.0, c.0, d.0]) };
                return [Self(a), Self(b), Self(c), Self(d)];
            }
            // SAFETY: the caller's promise.
            let [a, b, c, d] = unsafe { deinterleave_lanes::<Self, WIDTH>(turns) };
            // SAFETY: the CPU has AVX-512 F, by the caller's promise.
            let [a, b, c, d] = unsafe { dealt([a.0, b.0, c.0, d.0]) };
            [Self(a), Self(b), Self(c), Self(d)]
        }
    };
}

vector! {
    /// Four lanes: AVX-512 F and BW.
    V512(__m512i), half V256, lane V128Ssse3, mixer V128Ssse3, load_4, store_4, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_stream_si512,
    low 1 => _mm512_unpacklo_epi8, 2 => _mm512_unpacklo_epi16, 4 => _mm512_unpacklo_epi32, _ => _mm512_unpacklo_epi64;
    high 1 => _mm512_unpackhi_epi8, 2 => _mm512_unpackhi_epi16, 4 => _mm512_unpackhi_epi32, _ => _mm512_unpackhi_epi64;
    bits _mm512_set1_epi8, _mm512_and_si512, _mm512_andnot_si512, _mm512_or_si512, _mm512_slli_epi16, _mm512_srli_epi16;

    turns_of_4!();

    looks_up_in_lanes!(_mm512_shuffle_epi8);
}

vector! {
    /// Four lanes: AVX-512 F, BW and VBMI.
    V512Vbmi(__m512i), half V256, lane V128Ssse3, mixer V512Vbmi, load_4, store_4, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_stream_si512,
    low 1 => _mm512_unpacklo_epi8, 2 => _mm512_unpacklo_epi16, 4 => _mm512_unpacklo_epi32, _ => _mm512_unpacklo_epi64;
    high 1 => _mm512_unpackhi_epi8, 2 => _mm512_unpackhi_epi16, 4 => _mm512_unpackhi_epi32, _ => _mm512_unpackhi_epi64;
    bits _mm512_set1_epi8, _mm512_and_si512, _mm512_andnot_si512, _mm512_or_si512, _mm512_slli_epi16, _mm512_srli_epi16;

    turns_of_4!();

    looks_up_in_lanes!(_mm512_shuffle_epi8);

    const MIXES: bool = true;

    #[inline(always)]
    unsafe fn mixed(vectors: [Self; 3], table: &Mix) -> [Self; 3] {
        // SAFETY: the CPU has VBMI, by the caller's promise.
        unsafe { mixed_bytes(vectors, table) }
    }

    #[inline(always)]
    unsafe fn looked_up(self, table: Self) -> Self {
        // SAFETY: the CPU has AVX-512 BW, by the caller's promise.
        let nowhere = unsafe { _mm512_movepi8_mask(table.0) };
        // SAFETY: the CPU has VBMI, by the caller's promise.
        Self(unsafe { _mm512_maskz_permutexvar_epi8(!nowhere, table.0, self.0) })
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        // SAFETY: the CPU has AVX-512 F, by the caller's promise.
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }
}

/// Lane by lane out of memory: that takes no shuffle, of which the CPU does one a cycle.
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

/// # Safety
/// 16 writable bytes at the pointer and at three more, `stride` bytes apart, and a CPU with AVX-512 F.
#[inline(always)]
unsafe fn store_4(lanes: __m512i, pointer: *mut u8, stride: isize) {
    // SAFETY: the CPU has AVX-512 F, by the caller's promise.
    let low = unsafe { _mm512_castsi512_si256(lanes) };
    // SAFETY: the caller's promise.
    unsafe { store_2(low, pointer, stride) };
    // SAFETY: as above.
    let high = unsafe { _mm512_extracti64x4_epi64::<1>(lanes) };
    // SAFETY: the caller's promise.
    unsafe { store_2(high, pointer.wrapping_offset(2 * stride), stride) }
}

/// Each row dealt over its lanes, four bytes at a time, so that shuffles within lanes leave columns in
/// order, or what they left is put in order. One permutation a row: a look-up in two vectors takes as long
/// as two of them, if it is not of four bytes.
///
/// # Safety
/// A CPU with AVX-512 F.
#[inline(always)]
unsafe fn dealt([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: the CPU has AVX-512 F, by the caller's promise.
    let from = unsafe { _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15) };
    [
        // SAFETY: as above.
        unsafe { _mm512_permutexvar_epi32(from, a) },
        // SAFETY: as above.
        unsafe { _mm512_permutexvar_epi32(from, b) },
        // SAFETY: as above.
        unsafe { _mm512_permutexvar_epi32(from, c) },
        // SAFETY: as above.
        unsafe { _mm512_permutexvar_epi32(from, d) },
    ]
}

/// [`Vector::interleave_4`] for units of four bytes, with permutations that look up any of two vectors.
///
/// # Safety
/// A CPU with AVX-512 F.
#[inline(always)]
unsafe fn rows_in_turn([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: the caller's promise.
    let (low, high) = unsafe { zip(a, c) };
    // SAFETY: as above.
    let (low_2, high_2) = unsafe { zip(b, d) };
    // SAFETY: as above.
    let (first, second) = unsafe { zip(low, low_2) };
    // SAFETY: as above.
    let (third, fourth) = unsafe { zip(high, high_2) };
    [first, second, third, fourth]
}

/// Four bytes of each in turn: their lower halves, and their upper ones.
///
/// # Safety
/// A CPU with AVX-512 F.
#[inline(always)]
unsafe fn zip(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    macro_rules! half {
        ($($from:literal)*) => {{
            // SAFETY: the CPU has AVX-512 F, by the caller's promise.
            let from = unsafe { _mm512_setr_epi32($($from),*) };
            // SAFETY: as above.
            unsafe { _mm512_permutex2var_epi32(a, from, b) }
        }};
    }
    (
        half!(0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23),
        half!(8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31),
    )
}

/// [`Vector::deinterleave_4`] for units of four bytes, with the same permutations.
///
/// # Safety
/// A CPU with AVX-512 F.
#[inline(always)]
unsafe fn rows_apart([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    macro_rules! two_rows {
        ($low:ident $high:ident, $($from:literal)*) => {{
            // SAFETY: the CPU has AVX-512 F, by the caller's promise.
            let from = unsafe { _mm512_setr_epi32($($from),*) };
            // SAFETY: as above.
            unsafe { _mm512_permutex2var_epi32($low, from, $high) }
        }};
    }
    macro_rules! row {
        ($low:ident $high:ident, $halves:literal) => {
            // SAFETY: as above.
            unsafe { _mm512_shuffle_i64x2::<$halves>($low, $high) }
        };
    }
    let first = two_rows!(a b, 0 4 8 12 16 20 24 28 1 5 9 13 17 21 25 29);
    let second = two_rows!(a b, 2 6 10 14 18 22 26 30 3 7 11 15 19 23 27 31);
    let third = two_rows!(c d, 0 4 8 12 16 20 24 28 1 5 9 13 17 21 25 29);
    let fourth = two_rows!(c d, 2 6 10 14 18 22 26 30 3 7 11 15 19 23 27 31);
    // The low halves, and the high ones.
    [
        row!(first third, 0x44),
        row!(first third, 0xee),
        row!(second fourth, 0x44),
        row!(second fourth, 0xee),
    ]
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
