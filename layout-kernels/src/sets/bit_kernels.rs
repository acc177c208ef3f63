//! Steps of blocks for each instruction set with a byte permute.

use crate::isa::Isa;
#[cfg(vectors)]
use crate::micro::block_moves::{move_squares, move_words, permute_bits};
use crate::steps::{BlockMoves, Loop};

/// Takes all steps of each of several blocks.
pub(crate) type BitKernel = unsafe fn(&BlockMoves, Loop, *const u8, *mut u8);

macro_rules! bit_kernels {
    ($($(#[$attribute:meta])* $name:ident: $features:literal, $vector:ty, $lanes:ty;)*) => {$(
        /// # Safety
        /// The same as [`move_squares`], [`move_words`] and [`permute_bits`] for all of them, on a CPU with these features.
        $(#[$attribute])*
        #[target_feature(enable = $features)]
        unsafe fn $name(steps: &BlockMoves, blocks: Loop, from: *const u8, to: *mut u8) {
            for own in &steps.squares {
                match own.has_bits {
                    // SAFETY: the caller's promise.
                    true => unsafe { move_squares::<$lanes, true>(own, blocks, from, to) },
                    // SAFETY: as above.
                    false => unsafe { move_squares::<$vector, false>(own, blocks, from, to) },
                }
            }
            for own in &steps.words {
                // SAFETY: as above.
                unsafe { move_words::<$vector>(own, blocks, from, to) };
            }
            for own in &steps.vectors {
                let to = to.wrapping_add(own.destination);
                // SAFETY: as above.
                unsafe { permute_bits::<$vector>(own, blocks, from, to) };
            }
        }
    )*};
}

bit_kernels! {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    avx2: "avx2", super::x86_64::V128Ssse3, super::x86_64::V256;
    #[cfg(avx512)]
    avx512: "avx512f,avx512bw,avx512dq,avx512vl", super::x86_64::V128Ssse3, super::x86_64::V256;
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
    neon: "neon", super::neon::V128, super::neon::V128;
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    simd128: "simd128", super::simd128::V128, super::simd128::V128;
}

impl Isa {
    /// Returns the kernel of blocks, if the instruction set has a byte permute.
    pub(crate) fn bit_kernel(self) -> Option<BitKernel> {
        match self {
            #[cfg(avx512)]
            Self::Avx512 | Self::Avx512Vbmi => Some(avx512),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            _ if self.has_avx2() => Some(avx2),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
            Self::Neon => Some(neon),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => Some(simd128),
            _ => None,
        }
    }
}
