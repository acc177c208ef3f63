//! The micro-kernels of each instruction set, in the order in which they are used.
//!
//! [`kernels`] has the table of an instruction set. Each family of CPUs has a file with its vectors. [`forms`] lists the
//! forms of micro-kernels. Of these, [`tables`] makes the functions that plans call, and [`fixed`] the code of constant steps.
//! This file also asks the CPU for the sizes of its caches.

#[cfg(all(feature = "alloc", feature = "records"))]
mod bit_kernels;
mod fixed;
mod forms;
mod kernels;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
mod tables;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64;

#[cfg(all(feature = "alloc", feature = "records"))]
pub(crate) use bit_kernels::BitKernel;
pub(crate) use fixed::{Set, StaticStep};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
pub(crate) use forms::on;
pub(crate) use kernels::{CopyKernel, PermuteKernel, PlanesKernel, TileKernel, column_of_tile};

use crate::isa::Isa;
use crate::micro::words;
use crate::steps::{Form, Permutation};
use kernels::Kernels;

impl Isa {
    /// Returns the micro-kernels of the instruction set.
    #[inline]
    pub(crate) const fn kernels(self) -> &'static Kernels {
        match self {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Sse2 => &tables::x86::SSE2,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Avx2 => &tables::x86::AVX2,
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            Self::Avx512 | Self::Avx512Vbmi => &tables::x86_512::AVX512,
            #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
            Self::Neon => &tables::one_lane::KERNELS,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => &tables::one_lane::KERNELS,
            _ => &tables::PORTABLE,
        }
    }

    /// Returns the micro-kernel of a byte permute, if the instruction set has one.
    pub(crate) const fn permute_kernel(self, of: &Permutation) -> Option<PermuteKernel> {
        match self {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Avx2 => tables::x86::permute(of),
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            Self::Avx512 => tables::x86_512::permute(of),
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            Self::Avx512Vbmi => tables::x86_512::permute_vbmi(of),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
            Self::Neon => tables::one_lane::permute(of),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => tables::one_lane::permute(of),
            _ if matches!(of.network(), (Form::Tables, 1, 1, kernels::Load::Vector)) => {
                Some(words::pad)
            }
            _ => None,
        }
    }
}

/// Returns the largest share of a cache, of all levels, that one thread has, in bytes; on most CPUs that of the last
/// level. Vendors use one of two leaves, in the same form.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
pub(crate) fn last_level() -> usize {
    let mut bytes = 0;
    for leaf in [4, 0x8000_001d] {
        for level in 0..8 {
            #[allow(unused_unsafe, reason = "newer compilers call it safe")]
            // SAFETY: every x86-64 CPU has the instruction `cpuid`.
            let answer = unsafe { core::arch::x86_64::__cpuid_count(leaf, level) };
            let kind = answer.eax & 31;
            if !(1..=3).contains(&kind) {
                break;
            }
            let field =
                |from: u32, bits: u32| ((answer.ebx >> from) & ((1 << bits) - 1)) as usize + 1;
            let size = field(22, 10) * field(12, 10) * field(0, 12) * (answer.ecx as usize + 1);
            let threads = ((answer.eax >> 14) & 0xfff) as usize + 1;
            bytes = bytes.max(size / threads);
        }
        if bytes > 0 {
            break;
        }
    }
    bytes
}
