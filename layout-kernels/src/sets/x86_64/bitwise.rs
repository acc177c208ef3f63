//! The bits of vectors of x86-64.

use core::arch::x86_64::*;

use super::{V128Ssse3, V256};
use crate::micro::bit_permute::Bitwise;

/// What vectors do with AVX2, which all steps of blocks have.
macro_rules! bitwise {
    ($($name:ident: $and:ident $xor:ident $count:ident $left:ident $right:ident;)*) => {$(
        impl Bitwise for $name {
            #[inline(always)]
            unsafe fn and(self, other: Self) -> Self {
                // SAFETY: the CPU has AVX2, as the trait asks of its callers.
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

bitwise! {
    V128Ssse3: _mm_and_si128 _mm_xor_si128 _mm_set1_epi32 _mm_sllv_epi32 _mm_srlv_epi32;
    V256: _mm256_and_si256 _mm256_xor_si256 _mm256_set1_epi32 _mm256_sllv_epi32 _mm256_srlv_epi32;
}
