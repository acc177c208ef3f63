//! Steps of blocks for each instruction set with a byte permute.

use crate::isa::Isa;
#[cfg(vectors)]
use crate::micro::block_moves::{move_squares, move_words, permute_apart, permute_bits};
#[cfg(vectors)]
use crate::steps::WINDOW;
use crate::steps::{BlockMoves, BlockSources, Loop};

/// Takes all steps of each of several blocks, whose steps in the first source the loop has too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitKernel {
    pub(crate) run: BlocksMoved,
    /// The bytes of the longest lane of its byte permutes.
    pub(crate) lane: usize,
}

type BlocksMoved = unsafe fn(&BlockMoves, Loop, &BlockSources, *mut u8);

#[cfg(vectors)]
impl BitKernel {
    #[allow(clippy::unnecessary_wraps, reason = "as the others")]
    const fn of_lanes(run: BlocksMoved) -> Option<Self> {
        Some(Self { run, lane: WINDOW })
    }
}

macro_rules! bit_kernels {
    ($($(#[$attribute:meta])* $name:ident: $features:literal, $vector:ty, $lanes:ty, $long:ty;)*) => {$(
        /// # Safety
        /// The same as [`move_squares`], [`move_words`] and [`permute_bits`] for all of them, on a CPU with these features.
        $(#[$attribute])*
        #[target_feature(enable = $features)]
        unsafe fn $name(steps: &BlockMoves, blocks: Loop, sources: &BlockSources, to: *mut u8) {
            let (from, along) = (sources[0].0, (blocks.size, blocks.destination));
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
            if steps.are_apart {
                // SAFETY: as above.
                return unsafe { permute_apart::<$long>(&steps.vectors, along, sources, to) };
            }
            for own in &steps.vectors {
                // SAFETY: as above.
                unsafe { permute_bits::<$vector>(own, along, sources, to) };
            }
        }
    )*};
}

bit_kernels! {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    avx2: "avx2", super::x86_64::V128Ssse3, super::x86_64::V256, super::x86_64::V128Ssse3;
    #[cfg(avx512)]
    avx512: "avx512f,avx512bw,avx512dq,avx512vl", super::x86_64::V128Ssse3, super::x86_64::V256,
        super::x86_64::V128Ssse3;
    #[cfg(avx512)]
    vbmi: "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi", super::x86_64::V128Ssse3, super::x86_64::V256,
        super::x86_64::avx512::V512;
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
    neon: "neon", super::neon::V128, super::neon::V128, super::neon::V128;
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    simd128: "simd128", super::simd128::V128, super::simd128::V128, super::simd128::V128;
}

impl Isa {
    /// Returns the kernel of blocks, if the instruction set has a byte permute.
    pub(crate) fn bit_kernel(self) -> Option<BitKernel> {
        match self {
            #[cfg(avx512)]
            Self::Avx512 => BitKernel::of_lanes(avx512),
            #[cfg(avx512)]
            Self::Avx512Vbmi => Some(BitKernel { run: vbmi, lane: 64 }),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            _ if self.has_avx2() => BitKernel::of_lanes(avx2),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
            Self::Neon => BitKernel::of_lanes(neon),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => BitKernel::of_lanes(simd128),
            _ => None,
        }
    }
}
