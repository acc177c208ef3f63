//! Vectors of x86-64: SSE2, which every x86-64 CPU has, the byte shuffle of SSSE3, AVX2 and AVX-512.

use core::arch::x86_64::*;

#[cfg(all(feature = "alloc", feature = "records"))]
use crate::micro::block_moves::Bitwise;
use crate::micro::vector::{Permute, Unaligned, Vector, vector};

vector! {
    /// One lane: SSE2, and the byte shuffle of SSSE3 in its [`Permute`].
    V128Ssse3(__m128i), stream _mm_stream_si128,
    zips 1 => _mm_unpacklo_epi8 _mm_unpackhi_epi8, 2 => _mm_unpacklo_epi16 _mm_unpackhi_epi16,
    4 => _mm_unpacklo_epi32 _mm_unpackhi_epi32, _ => _mm_unpacklo_epi64 _mm_unpackhi_epi64;

    type Half = Self;

    #[inline(always)]
    unsafe fn halves(self) -> (Self, Self) {
        (self, self)
    }
}

impl Permute for V128Ssse3 {
    type Table = __m128i;

    #[inline(always)]
    unsafe fn table(bytes: &[u8; 64]) -> __m128i {
        // SAFETY: the array has at least 16 bytes.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    unsafe fn permute(self, table: __m128i, others: Self) -> Self {
        // SAFETY: the CPU has SSSE3, by the caller's promise.
        let own = unsafe { _mm_shuffle_epi8(self.0, table) };
        // SAFETY: the instruction is part of SSE2, which every x86-64 CPU has.
        Self(unsafe { _mm_or_si128(own, others.0) })
    }

    #[inline(always)]
    unsafe fn store_some(self, pointer: *mut u8, mask: u64) {
        match mask.trailing_ones() as usize {
            // SAFETY: the bytes of the mask are writable, by the caller's promise.
            bytes @ ..8 => unsafe { self.store_part(pointer, bytes) },
            // SAFETY: as above.
            bytes => unsafe { self.store_most(pointer, bytes) },
        }
    }

    /// The first eight bytes, then the last eight, which may overlap those.
    #[inline(always)]
    unsafe fn store_most(self, pointer: *mut u8, bytes: usize) {
        debug_assert!((8..=16).contains(&bytes), "{bytes} bytes");
        // SAFETY: at least eight bytes are writable.
        unsafe { _mm_storel_epi64(pointer.cast(), self.0) };
        static INDICES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        // SAFETY: there are eight indices from this one on.
        let table = unsafe { _mm_loadl_epi64(INDICES.as_ptr().wrapping_add(bytes - 8).cast()) };
        // SAFETY: the CPU has SSSE3, by the caller's promise.
        let last = unsafe { _mm_shuffle_epi8(self.0, table) };
        // SAFETY: the last eight bytes are writable.
        unsafe { _mm_storel_epi64(pointer.wrapping_add(bytes - 8).cast(), last) };
    }
}

vector! {
    /// Two lanes: AVX2.
    V256(__m256i), half V128Ssse3, lanes load_2, stream _mm256_stream_si256,
    zips 1 => _mm256_unpacklo_epi8 _mm256_unpackhi_epi8, 2 => _mm256_unpacklo_epi16 _mm256_unpackhi_epi16,
    4 => _mm256_unpacklo_epi32 _mm256_unpackhi_epi32, _ => _mm256_unpacklo_epi64 _mm256_unpackhi_epi64;

    #[inline(always)]
    unsafe fn halves(self) -> (V128Ssse3, V128Ssse3) {
        // SAFETY: the CPU has AVX2, by the caller's promise.
        let low = unsafe { _mm256_castsi256_si128(self.0) };
        // SAFETY: as above.
        (V128Ssse3(low), V128Ssse3(unsafe { _mm256_extracti128_si256::<1>(self.0) }))
    }

    #[cfg_attr(unoptimized, inline(never))]
    #[cfg_attr(not(unoptimized), inline(always))]
    unsafe fn lanes_transposed<const COUNT: usize>(mut v: [Self; COUNT]) -> [Self; COUNT] {
        debug_assert!(COUNT == 2, "{COUNT} vectors of two lanes");
        let (first, second) = (v[0].0, v[COUNT - 1].0);
        // SAFETY: the CPU has AVX2, by the caller's promise.
        v[0] = Self(unsafe { _mm256_permute2x128_si256::<0x20>(first, second) });
        // SAFETY: as above.
        v[COUNT - 1] = Self(unsafe { _mm256_permute2x128_si256::<0x31>(first, second) });
        v
    }
}

/// Each lane is permuted separately.
impl Permute for V256 {
    type Table = __m256i;

    #[inline(always)]
    unsafe fn table(bytes: &[u8; 64]) -> __m256i {
        // SAFETY: the array has at least 32 bytes.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    unsafe fn permute(self, table: __m256i, others: Self) -> Self {
        // SAFETY: the CPU has AVX2, by the caller's promise.
        let own = unsafe { _mm256_shuffle_epi8(self.0, table) };
        // SAFETY: as above.
        Self(unsafe { _mm256_or_si256(own, others.0) })
    }
}

/// What vectors do with AVX2, which all steps of blocks have, or AVX-512.
#[cfg(all(feature = "alloc", feature = "records"))]
macro_rules! bitwise {
    ($($name:ident: $and:ident $xor:ident $count:ident $left:ident $right:ident;)*) => {$(
        impl Bitwise for $name {
            #[inline(always)]
            unsafe fn and(self, other: Self) -> Self {
                // SAFETY: the CPU has the features of the type, as the trait asks of its callers.
                Self(unsafe { $and(self.0, other.0) })
            }

            #[inline(always)]
            unsafe fn xor(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $xor(self.0, other.0) })
            }

            #[inline(always)]
            unsafe fn shifted(self, by: i32) -> Self {
                // SAFETY: as above.
                let count = unsafe { $count(by.abs()) };
                Self(match by {
                    // SAFETY: as above.
                    0.. => unsafe { $left(self.0, count) },
                    // SAFETY: as above.
                    _ => unsafe { $right(self.0, count) },
                })
            }
        }
    )*};
}

#[cfg(all(feature = "alloc", feature = "records"))]
bitwise! {
    V128Ssse3: _mm_and_si128 _mm_xor_si128 _mm_set1_epi32 _mm_sllv_epi32 _mm_srlv_epi32;
    V256: _mm256_and_si256 _mm256_xor_si256 _mm256_set1_epi32 _mm256_sllv_epi32 _mm256_srlv_epi32;
}

/// A cache line in two vectors of two lanes.
#[derive(Clone, Copy)]
pub(crate) struct Line256(V256, V256);

impl Vector for Line256 {
    const BYTES: usize = 2 * V256::BYTES;
    type Half = V256;

    #[inline(always)]
    unsafe fn load(pointer: *const u8) -> Self {
        // SAFETY: the bytes are readable, by the caller's promise.
        let low = unsafe { V256::load(pointer) };
        // SAFETY: as above.
        Self(low, unsafe { V256::load(pointer.wrapping_add(V256::BYTES)) })
    }

    #[inline(always)]
    unsafe fn load_lanes([a, b, c, d]: [*const u8; 4]) -> Self {
        // SAFETY: 16 bytes are readable for each lane, by the caller's promise.
        let low = unsafe { V256::load_lanes([a, b, a, b]) };
        // SAFETY: as above.
        Self(low, unsafe { V256::load_lanes([c, d, c, d]) })
    }

    #[inline(always)]
    unsafe fn store(self, pointer: *mut u8) {
        // SAFETY: the bytes are writable, by the caller's promise.
        unsafe { self.0.store(pointer) };
        // SAFETY: as above.
        unsafe { self.1.store(pointer.wrapping_add(V256::BYTES)) };
    }

    #[inline(always)]
    unsafe fn halves(self) -> (V256, V256) {
        (self.0, self.1)
    }

    #[inline(always)]
    unsafe fn stream(self, pointer: *mut u8) {
        // SAFETY: the bytes are writable at the aligned pointer, by the caller's promise.
        unsafe { self.0.stream(pointer) };
        // SAFETY: as above.
        unsafe { self.1.stream(pointer.wrapping_add(V256::BYTES)) };
    }

    #[inline(always)]
    fn prefetch(pointer: *const u8) {
        V256::prefetch(pointer);
    }

    #[inline(always)]
    unsafe fn zips<const WIDTH: usize>(self, other: Self) -> [Self; 2] {
        // SAFETY: the CPU has AVX2, by the caller's promise.
        let [low, high] = unsafe { self.0.zips::<WIDTH>(other.0) };
        // SAFETY: as above.
        let [low_2, high_2] = unsafe { self.1.zips::<WIDTH>(other.1) };
        [Self(low, low_2), Self(high, high_2)]
    }
}

/// # Safety
/// 16 bytes must be readable at the first two pointers. The CPU must have AVX2.
#[inline(always)]
pub(super) unsafe fn load_2(pointers: [*const u8; 4]) -> __m256i {
    // SAFETY: the caller's promise.
    let low = unsafe { V128Ssse3::load(pointers[0]) };
    // SAFETY: the caller's promise.
    let high = unsafe { V128Ssse3::load(pointers[1]) };
    // SAFETY: the CPU has AVX2, by the caller's promise.
    unsafe { _mm256_set_m128i(high.0, low.0) }
}

#[cfg(all(feature = "std", avx512_model))]
#[path = "../../tests/model/avx512.rs"]
pub(super) mod avx512;

/// Vectors of AVX-512, and the byte permute of VBMI.
#[cfg(avx512)]
#[expect(clippy::incompatible_msrv, reason = "feature `std` needs Rust 1.89")]
pub(super) mod avx512 {
    use super::*;

    vector! {
        /// Four lanes: AVX-512 F and BW, and VBMI in its [`Permute`].
        V512(__m512i), half V256, lanes load_4, stream _mm512_stream_si512,
        zips 1 => _mm512_unpacklo_epi8 _mm512_unpackhi_epi8, 2 => _mm512_unpacklo_epi16 _mm512_unpackhi_epi16,
        4 => _mm512_unpacklo_epi32 _mm512_unpackhi_epi32, _ => _mm512_unpacklo_epi64 _mm512_unpackhi_epi64;

        #[inline(always)]
        unsafe fn halves(self) -> (V256, V256) {
            // SAFETY: the CPU has AVX-512 F, by the caller's promise.
            let low = unsafe { _mm512_castsi512_si256(self.0) };
            // SAFETY: as above.
            (V256(low), V256(unsafe { _mm512_extracti64x4_epi64::<1>(self.0) }))
        }

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

        #[inline(always)]
        unsafe fn joined(end: *const u8, rest: usize, start: *const u8) -> Self {
            debug_assert!(rest < 64, "{rest} bytes of 64");
            let after = u64::MAX << (rest & 63);
            // SAFETY: the bytes of the mask are readable, by the caller's promise.
            let end = unsafe { _mm512_maskz_loadu_epi8(!after, end.cast()) };
            let start = start.wrapping_sub(rest);
            // SAFETY: as above.
            Self(unsafe { _mm512_mask_loadu_epi8(end, after, start.cast()) })
        }

        #[cfg_attr(unoptimized, inline(never))]
        #[cfg_attr(not(unoptimized), inline(always))]
        unsafe fn lanes_transposed<const COUNT: usize>(mut v: [Self; COUNT]) -> [Self; COUNT] {
            debug_assert!(COUNT == 4, "{COUNT} vectors of four lanes");
            let Some([a, b, c, d]) = v.first_chunk_mut() else { return v };
            macro_rules! pairs {
                ($first:ident $second:ident $lanes:literal) => {
                    // SAFETY: the CPU has AVX-512 F, by the caller's promise.
                    Self(unsafe { _mm512_shuffle_i64x2::<$lanes>($first.0, $second.0) })
                };
            }
            let (low, high) = (pairs!(a b 0x44), pairs!(a b 0xee));
            let (low_2, high_2) = (pairs!(c d 0x44), pairs!(c d 0xee));
            (*a, *b) = (pairs!(low low_2 0x88), pairs!(low low_2 0xdd));
            (*c, *d) = (pairs!(high high_2 0x88), pairs!(high high_2 0xdd));
            v
        }
    }

    #[cfg(all(feature = "alloc", feature = "records"))]
    bitwise! {
        V512: _mm512_and_si512 _mm512_xor_si512 _mm512_set1_epi32 _mm512_sllv_epi32 _mm512_srlv_epi32;
    }

    impl Permute for V512 {
        type Table = (__m512i, __mmask64);

        #[inline(always)]
        unsafe fn table(bytes: &[u8; 64]) -> Self::Table {
            // SAFETY: the table has 64 bytes.
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

        #[inline(always)]
        unsafe fn permuted(self, (table, _): Self::Table) -> Self {
            // SAFETY: the CPU has VBMI, by the caller's promise.
            Self(unsafe { _mm512_permutexvar_epi8(table, self.0) })
        }

        #[inline(always)]
        unsafe fn permuted_two(self, other: Self, [own, others]: [Self::Table; 2]) -> Self {
            // SAFETY: the CPU has AVX-512 F, by the caller's promise.
            let second = unsafe { _mm512_set1_epi8(64) };
            // SAFETY: as above.
            let of_other = unsafe { _mm512_or_si512(others.0, second) };
            // SAFETY: the CPU has AVX-512 BW, by the caller's promise.
            let table = unsafe { _mm512_mask_blend_epi8(own.1, of_other, own.0) };
            // SAFETY: the CPU has VBMI, by the caller's promise.
            Self(unsafe { _mm512_permutex2var_epi8(self.0, table, other.0) })
        }

        #[inline(always)]
        unsafe fn store_some(self, pointer: *mut u8, mask: u64) {
            // SAFETY: the bytes of the mask are writable, by the caller's promise.
            unsafe { _mm512_mask_storeu_epi8(pointer.cast(), mask, self.0) }
        }

        #[cfg_attr(unoptimized, inline(never))]
        #[cfg_attr(not(unoptimized), inline(always))]
        unsafe fn zipped<const COUNT: usize, const WIDTH: usize>(
            mut v: [Self; COUNT],
        ) -> [Self; COUNT] {
            debug_assert!(COUNT * WIDTH == 16, "{COUNT} units of {WIDTH} bytes in a lane");
            let Some([a, b, c, d, e, f, g, h]) = v.first_chunk_mut() else {
                // SAFETY: the caller's promise.
                return unsafe { Self::lanes_transposed(v) };
            };
            // SAFETY: the caller's promise.
            let [a_low, a_high] = unsafe { a.zips::<8>(*b) };
            // SAFETY: as above.
            let [c_low, c_high] = unsafe { c.zips::<8>(*d) };
            // SAFETY: as above.
            let [e_low, e_high] = unsafe { e.zips::<8>(*f) };
            // SAFETY: as above.
            let [g_low, g_high] = unsafe { g.zips::<8>(*h) };
            // SAFETY: as above.
            [*a, *c, *e, *g] = unsafe { Self::lanes_transposed([a_low, c_low, e_low, g_low]) };
            // SAFETY: as above.
            [*b, *d, *f, *h] = unsafe { Self::lanes_transposed([a_high, c_high, e_high, g_high]) };
            v
        }
    }

    /// Loads lane by lane from memory. That takes no shuffle, of which some CPUs execute only one each cycle.
    ///
    /// # Safety
    /// 16 bytes must be readable at each pointer. The CPU must have AVX-512 F.
    #[inline(always)]
    unsafe fn load_4(pointers: [*const u8; 4]) -> __m512i {
        // SAFETY: the caller's promise.
        let two = unsafe { load_2(pointers) };
        // SAFETY: the CPU has AVX-512 F, by the caller's promise.
        let wide = unsafe { _mm512_castsi256_si512(two) };
        // SAFETY: the caller's promise.
        let third = unsafe { V128Ssse3::load(pointers[2]) };
        // SAFETY: as above.
        let fourth = unsafe { V128Ssse3::load(pointers[3]) };
        // SAFETY: the CPU has AVX-512 F, by the caller's promise.
        let three = unsafe { _mm512_inserti32x4::<2>(wide, third.0) };
        // SAFETY: as above.
        unsafe { _mm512_inserti32x4::<3>(three, fourth.0) }
    }
}
