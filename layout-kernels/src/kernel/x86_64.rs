//! Vectors of x86-64: SSE2, which every one has, and AVX2.

use core::arch::x86_64::*;

use super::vector::{Mix, Vector, deinterleave_lanes, interleave_lanes};

/// A vector type and its [`Vector`], from the names of its instructions.
macro_rules! vector {
    (
        $(#[$about:meta])*
        $name:ident($inner:ty), half $half:ty, lane $lane:ty, mixer $mixer:ty, $load_lanes:ident, $store_lanes:ident, $load:ident, $store:ident, $stream:ident,
        low $($low_width:pat => $low:ident),*; high $($high_width:pat => $high:ident),*;
        bits $all:ident, $and:ident, $and_not:ident, $or:ident, $left:ident, $right:ident;
        $($rest:tt)*
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy)]
        pub(super) struct $name($inner);

        impl Vector for $name {
            const BYTES: usize = size_of::<$inner>();
            type Half = $half;
            type Lane = $lane;
            type Mixer = $mixer;

            #[inline(always)]
            unsafe fn load_lanes(pointers: [*const u8; 4]) -> Self {
                // SAFETY: 16 bytes are readable for each lane, by the caller's promise.
                Self(unsafe { $load_lanes(pointers) })
            }

            #[inline(always)]
            unsafe fn load(pointer: *const u8) -> Self {
                // SAFETY: as many bytes are readable at the pointer, by the caller's promise.
                Self(unsafe { $load(pointer.cast()) })
            }

            #[inline(always)]
            unsafe fn zip_low<const WIDTH: usize>(self, other: Self) -> Self {
                Self(match WIDTH {
                    // SAFETY: the CPU has the features of this type, by the caller's promise.
                    $($low_width => unsafe { $low(self.0, other.0) }),*
                })
            }

            #[inline(always)]
            unsafe fn zip_high<const WIDTH: usize>(self, other: Self) -> Self {
                Self(match WIDTH {
                    // SAFETY: the CPU has the features of this type, by the caller's promise.
                    $($high_width => unsafe { $high(self.0, other.0) }),*
                })
            }

            #[inline(always)]
            unsafe fn halves(self, other: Self) -> [Self; 2] {
                // SAFETY: the CPU has the features of this type, by the caller's promise.
                let low = unsafe { $all(0x0f) };
                // What a shift of 16 bits brings from the other byte is cleared.
                // SAFETY: as above.
                let of_first = unsafe { $and(self.0, low) };
                // SAFETY: as above.
                let of_second = unsafe { $and(other.0, low) };
                // SAFETY: as above.
                let of_second = unsafe { $left::<4>(of_second) };
                // SAFETY: as above.
                let lower = unsafe { $or(of_first, of_second) };
                // SAFETY: as above.
                let of_first = unsafe { $right::<4>(self.0) };
                // SAFETY: as above.
                let of_first = unsafe { $and(of_first, low) };
                // SAFETY: as above.
                let of_second = unsafe { $and_not(low, other.0) };
                // SAFETY: as above.
                let upper = unsafe { $or(of_first, of_second) };
                [Self(lower), Self(upper)]
            }

            #[inline(always)]
            unsafe fn store(self, pointer: *mut u8) {
                // SAFETY: as many bytes are writable at the pointer, by the caller's promise.
                unsafe { $store(pointer.cast(), self.0) }
            }

            #[inline(always)]
            unsafe fn store_lanes(self, pointer: *mut u8, stride: isize) {
                // SAFETY: 16 bytes are writable for each lane, by the caller's promise.
                unsafe { $store_lanes(self.0, pointer, stride) }
            }

            #[inline(always)]
            unsafe fn stream(self, pointer: *mut u8) {
                debug_assert!(pointer as usize % Self::BYTES == 0, "{pointer:?} is not aligned");
                // SAFETY: as many bytes are writable at the aligned pointer, by the caller's
                // promise.
                unsafe { $stream(pointer.cast(), self.0) }
            }

            #[inline(always)]
            fn prefetch(pointer: *const u8) {
                // SAFETY: part of SSE, which every x86-64 has; a prefetch of nowhere does nothing.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(pointer.cast()) }
            }

            $($rest)*
        }
    };
}

#[cfg(feature = "std")]
pub(super) use vector;

/// [`Vector::looked_up_in_lanes`], from the name of its instruction.
macro_rules! looks_up_in_lanes {
    ($look_up:ident) => {
        const LOOKS_UP_IN_LANES: bool = true;

        #[inline(always)]
        unsafe fn looked_up_in_lanes(self, table: Self) -> Self {
            // SAFETY: the CPU has the features of this type, by the caller's promise.
            Self(unsafe { $look_up(self.0, table.0) })
        }
    };
}

#[cfg(feature = "std")]
pub(super) use looks_up_in_lanes;

vector! {
    /// One lane: SSE2.
    V128(__m128i), half V128, lane V128, mixer V128, load_1, store_1, _mm_loadu_si128, _mm_storeu_si128, _mm_stream_si128,
    low 1 => _mm_unpacklo_epi8, 2 => _mm_unpacklo_epi16, 4 => _mm_unpacklo_epi32, _ => _mm_unpacklo_epi64;
    high 1 => _mm_unpackhi_epi8, 2 => _mm_unpackhi_epi16, 4 => _mm_unpackhi_epi32, _ => _mm_unpackhi_epi64;
    bits _mm_set1_epi8, _mm_and_si128, _mm_andnot_si128, _mm_or_si128, _mm_slli_epi16, _mm_srli_epi16;

    #[inline(always)]
    unsafe fn interleave_4<const WIDTH: usize>(rows: [Self; 4]) -> [Self; 4] {
        // SAFETY: the caller's promise.
        unsafe { interleave_lanes::<Self, WIDTH>(rows) }
    }
}

vector! {
    /// One lane, with the byte shuffle of SSSE3.
    V128Ssse3(__m128i), half V128Ssse3, lane V128Ssse3, mixer V128Ssse3, load_1, store_1, _mm_loadu_si128, _mm_storeu_si128, _mm_stream_si128,
    low 1 => _mm_unpacklo_epi8, 2 => _mm_unpacklo_epi16, 4 => _mm_unpacklo_epi32, _ => _mm_unpacklo_epi64;
    high 1 => _mm_unpackhi_epi8, 2 => _mm_unpackhi_epi16, 4 => _mm_unpackhi_epi32, _ => _mm_unpackhi_epi64;
    bits _mm_set1_epi8, _mm_and_si128, _mm_andnot_si128, _mm_or_si128, _mm_slli_epi16, _mm_srli_epi16;

    #[inline(always)]
    unsafe fn interleave_4<const WIDTH: usize>(rows: [Self; 4]) -> [Self; 4] {
        // SAFETY: the caller's promise.
        unsafe { interleave_lanes::<Self, WIDTH>(rows) }
    }

    looks_up_in_lanes!(_mm_shuffle_epi8);

    const MIXES: bool = true;

    #[inline(always)]
    unsafe fn mixed(vectors: [Self; 3], table: &Mix) -> [Self; 3] {
        // SAFETY: the CPU has SSSE3, by the caller's promise.
        unsafe { mixed_lanes(vectors, table) }
    }

    #[inline(always)]
    unsafe fn looked_up(self, table: Self) -> Self {
        // SAFETY: the CPU has SSSE3, by the caller's promise.
        Self(unsafe { _mm_shuffle_epi8(self.0, table.0) })
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        // SAFETY: SSE2, which every x86-64 has.
        Self(unsafe { _mm_or_si128(self.0, other.0) })
    }
}

vector! {
    /// Two lanes: AVX2.
    V256(__m256i), half V128Ssse3, lane V128Ssse3, mixer V128Ssse3, load_2, store_2, _mm256_loadu_si256, _mm256_storeu_si256, _mm256_stream_si256,
    low 1 => _mm256_unpacklo_epi8, 2 => _mm256_unpacklo_epi16, 4 => _mm256_unpacklo_epi32, _ => _mm256_unpacklo_epi64;
    high 1 => _mm256_unpackhi_epi8, 2 => _mm256_unpackhi_epi16, 4 => _mm256_unpackhi_epi32, _ => _mm256_unpackhi_epi64;
    bits _mm256_set1_epi8, _mm256_and_si256, _mm256_andnot_si256, _mm256_or_si256, _mm256_slli_epi16, _mm256_srli_epi16;

    looks_up_in_lanes!(_mm256_shuffle_epi8);

    #[inline(always)]
    unsafe fn interleave_4<const WIDTH: usize>(rows: [Self; 4]) -> [Self; 4] {
        // SAFETY: the caller's promise.
        let v = unsafe { interleave_lanes::<Self, WIDTH>(rows) };
        macro_rules! lanes {
            ($low:literal, $high:literal, $which:literal) => {
                // SAFETY: the CPU has AVX2, by the caller's promise.
                Self(unsafe { _mm256_permute2x128_si256::<$which>(v[$low].0, v[$high].0) })
            };
        }
        [lanes!(0, 1, 0x20), lanes!(2, 3, 0x20), lanes!(0, 1, 0x31), lanes!(2, 3, 0x31)]
    }

    #[inline(always)]
    unsafe fn deinterleave_4<const WIDTH: usize>(turns: [Self; 4]) -> [Self; 4] {
        // SAFETY: the caller's promise.
        let [a, b, c, d] = unsafe { deinterleave_lanes::<Self, WIDTH>(turns) };
        // Four bytes of each lane in turn.
        // SAFETY: the CPU has AVX2, by the caller's promise.
        let from = unsafe { _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7) };
        macro_rules! row {
            ($row:ident) => {
                // SAFETY: as above.
                Self(unsafe { _mm256_permutevar8x32_epi32($row.0, from) })
            };
        }
        [row!(a), row!(b), row!(c), row!(d)]
    }
}

/// # Safety
/// 16 readable bytes at the first pointer.
#[inline(always)]
unsafe fn load_1(pointers: [*const u8; 4]) -> __m128i {
    // SAFETY: the caller's promise; the load asks for no alignment.
    unsafe { _mm_loadu_si128(pointers[0].cast()) }
}

/// # Safety
/// 16 readable bytes at the first two pointers, and a CPU with AVX2.
#[inline(always)]
pub(super) unsafe fn load_2(pointers: [*const u8; 4]) -> __m256i {
    // SAFETY: the caller's promise.
    let low = unsafe { load_1([pointers[0]; 4]) };
    // SAFETY: the caller's promise.
    let high = unsafe { load_1([pointers[1]; 4]) };
    // SAFETY: the CPU has AVX2, by the caller's promise.
    unsafe { _mm256_set_m128i(high, low) }
}

/// # Safety
/// 16 writable bytes at the pointer.
#[inline(always)]
unsafe fn store_1(lane: __m128i, pointer: *mut u8, _: isize) {
    // SAFETY: the caller's promise; the store asks for no alignment.
    unsafe { _mm_storeu_si128(pointer.cast(), lane) }
}

/// # Safety
/// 16 writable bytes at the pointer and `stride` bytes after it, and a CPU with AVX2.
#[inline(always)]
pub(super) unsafe fn store_2(lanes: __m256i, pointer: *mut u8, stride: isize) {
    // SAFETY: the CPU has AVX2, by the caller's promise.
    let low = unsafe { _mm256_castsi256_si128(lanes) };
    // SAFETY: the caller's promise.
    unsafe { store_1(low, pointer, stride) };
    // SAFETY: as above.
    let high = unsafe { _mm256_extracti128_si256::<1>(lanes) };
    // SAFETY: the caller's promise.
    unsafe { store_1(high, pointer.wrapping_offset(stride), stride) }
}

/// [`Vector::mixed`] with a shuffle that looks up 16 bytes: three look-ups a vector.
///
/// # Safety
/// A CPU with SSSE3.
#[inline(always)]
unsafe fn mixed_lanes(vectors: [V128Ssse3; 3], table: &Mix) -> [V128Ssse3; 3] {
    /// # Safety
    /// A CPU with SSSE3.
    #[inline(always)]
    unsafe fn one(vectors: &[V128Ssse3; 3], table: &Mix, at: usize) -> V128Ssse3 {
        // SAFETY: `at` is at most 32, so 16 bytes of the table follow.
        let from = unsafe { _mm_loadu_si128(table.0.as_ptr().wrapping_add(at).cast()) };
        macro_rules! part {
            ($source:literal) => {{
                // A byte of another vector gets its high bit set, which looks up 0.
                // SAFETY: SSE2, which every x86-64 has.
                let first = unsafe { _mm_set1_epi8(16 * $source) };
                // SAFETY: as above.
                let own = unsafe { _mm_sub_epi8(from, first) };
                // SAFETY: as above.
                let high = unsafe { _mm_set1_epi8(0x70) };
                // SAFETY: as above.
                let own = unsafe { _mm_adds_epu8(own, high) };
                // SAFETY: the CPU has SSSE3, by the caller's promise.
                unsafe { _mm_shuffle_epi8(vectors[$source].0, own) }
            }};
        }
        let (a, b, c) = (part!(0), part!(1), part!(2));
        // SAFETY: SSE2.
        let two = unsafe { _mm_or_si128(a, b) };
        // SAFETY: SSE2.
        V128Ssse3(unsafe { _mm_or_si128(two, c) })
    }
    [
        // SAFETY: the caller's promise.
        unsafe { one(&vectors, table, 0) },
        // SAFETY: the caller's promise.
        unsafe { one(&vectors, table, 16) },
        // SAFETY: the caller's promise.
        unsafe { one(&vectors, table, 32) },
    ]
}
