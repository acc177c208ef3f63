//! The micro-kernels of each instruction set, in the order in which they are used.
//!
//! This file has what a table of micro-kernels is, and what chooses one for a step; it also asks the CPU for the sizes of its
//! caches. Each family of CPUs has a file with its vectors. [`forms`] lists the forms of micro-kernels. Of these, [`tables`]
//! makes the functions that plans call, and [`fixed`] the code of constant steps.

#[cfg(all(feature = "alloc", feature = "records"))]
mod bit_kernels;
mod fixed;
mod forms;
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

use crate::isa::{Isa, LANE};
use crate::micro::words;
use crate::steps::loops::COPY_CLASSES;
use crate::steps::{Form, Matrix, Permutation, Planes, Runs, least};

/// Copies runs.
pub(crate) type CopyKernel = unsafe fn(&Runs, *const u8, *mut u8);
/// Makes planes of rows of elements of less than a byte.
pub(crate) type PlanesKernel = unsafe fn(&Planes, *const u8, *mut u8);
/// Transposes a matrix.
pub(crate) type TileKernel = unsafe fn(&Matrix, *const u8, *mut u8);
/// Permutes bytes.
pub(crate) type PermuteKernel = unsafe fn(&Permutation, *const u8, *mut u8, bool);

/// The tile kernels of one vector length, for units of 1, 2, 4 and 8 bytes, each evenly spaced and with tables.
type TileKernels = [[TileKernel; 2]; 4];

/// The tile kernels with non-temporal stores, by unit: for evenly spaced matrices whose columns reach cache lines at
/// the same row, and for matrices with tables of rows that may be rotated.
type StreamKernels = [Option<[TileKernel; 2]>; 4];

/// The micro-kernels of an instruction set.
pub(crate) struct Kernels {
    /// By the class of the length.
    copies: [CopyKernel; COPY_CLASSES],
    /// By the bytes of a column in the highest tile: 16, 32 and 64.
    tiles: [&'static TileKernels; 3],
    streams: StreamKernels,
    /// For elements of less than a byte.
    pub(crate) planes: PlanesKernel,
}

impl Kernels {
    /// Returns the kernel for runs of a class.
    #[inline]
    pub(crate) const fn copy(&self, class: usize) -> CopyKernel {
        self.copies[if class < COPY_CLASSES { class } else { 0 }]
    }

    /// Returns the kernel with the highest tiles that a column of `bytes` bytes fills.
    pub(crate) const fn tile(&self, unit: usize, bytes: usize, is_strided: bool) -> TileKernel {
        self.tiles[length(bytes)][index(unit)][if is_strided { 0 } else { 1 }]
    }

    /// Returns the kernels with non-temporal stores, if the instruction set has any.
    pub(crate) const fn streams(&self, unit: usize) -> Option<[TileKernel; 2]> {
        self.streams[index(unit)]
    }
}

/// Returns the index of the kernels for units of `unit` bytes.
const fn index(unit: usize) -> usize {
    unit.trailing_zeros() as usize & 3
}

/// Returns the index in [`Kernels::tiles`] of the highest tiles that a column of `bytes` bytes fills.
const fn length(bytes: usize) -> usize {
    match bytes {
        64.. => 2,
        32.. => 1,
        _ => 0,
    }
}

/// Returns the bytes of a column that such tiles store at once.
pub(crate) const fn column_of_tile(unit: usize, bytes: usize, isa: Isa) -> usize {
    least([16, 32, 64][length(bytes)], isa.column_bytes(unit))
}

/// What chooses the kernel of a permutation: its form, its numbers of loads and outputs, and what a load is.
type ByteNetwork = (Form, usize, usize, Load);

/// What a load of a permutation is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Load {
    /// A vector.
    Vector,
    /// 16 bytes for each lane, at an offset of its own.
    Lanes,
    /// A vector of two lanes, for rows where other vectors have one.
    Wide,
    /// 16 bytes for each of two lanes, for planes where vectors have one.
    Pair,
}

impl Permutation {
    /// Returns what chooses the kernel.
    const fn network(&self) -> ByteNetwork {
        let Self { form, loads, outputs, lanes, valid, stored, .. } = *self;
        let is_wide = matches!(form, Form::Zips(_)) && valid > LANE * outputs;
        let load = match lanes {
            _ if self.is_pair() && stored > LANE => Load::Pair,
            _ if self.is_pair() || is_wide => Load::Wide,
            true => Load::Lanes,
            false => Load::Vector,
        };
        (form, loads, outputs, load)
    }
}

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
            _ if matches!(of.network(), (Form::Tables, 1, 1, Load::Vector)) => Some(words::pad),
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
