//! Instruction sets: which one there is, and the micro-kernels of each.
//!
//! [`vector`]: the operations that micro-kernels need, which one file for each family implements. `tables`: every
//! function that is compiled for a set. [`portable`]: those without vectors.

#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod neon;
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(vectors)]
mod tables;
pub(crate) mod vector;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64;

use crate::micro::copy::Runs;
use crate::micro::tile::Matrix;
use crate::nibble::Halves;
use crate::plan::permute::Permutation;
use crate::plan::thresholds::COPY_CLASSES;

/// A set of vector instructions that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Isa {
    /// No vectors.
    Portable,
    /// x86-64: SSE2.
    Sse2,
    /// x86-64: AVX2 and F16C.
    Avx2,
    /// x86-64: AVX-512 F, BW, DQ and VL.
    Avx512,
    /// x86-64: those and VBMI.
    Avx512Vbmi,
    /// Little-endian aarch64: NEON.
    Neon,
    /// WebAssembly: simd128.
    Simd128,
}

/// Copies runs.
pub(crate) type CopyKernel = unsafe fn(&Runs, *const u8, *mut u8);
/// Halves of pairs of rows.
pub(crate) type HalvesKernel = unsafe fn(&Halves, *const u8, *mut u8);
/// Transposes a matrix.
pub(crate) type TileKernel = unsafe fn(&Matrix, *const u8, *mut u8);
/// Permutes bytes.
pub(crate) type PermuteKernel = unsafe fn(&Permutation, *const u8, *mut u8, bool);

/// The kernel of a step that a plan does not have.
///
/// # Safety
/// None.
#[allow(dead_code, reason = "moves in place ask alone")]
pub(crate) unsafe fn nothing<T>(_: &T, _: *const u8, _: *mut u8) {}

/// The tile kernels of one vector length: of units of 1, 2, 4 and 8 bytes, even and by tables.
pub(crate) type TileKernels = [[TileKernel; 2]; 4];

/// The micro-kernels of an instruction set.
pub(crate) struct Kernels {
    /// By class of length.
    pub(crate) copies: [CopyKernel; COPY_CLASSES],
    /// By the length of a vector: 16, 32 and 64 bytes.
    pub(crate) tiles: &'static [TileKernels],
    /// Of even matrices whose columns go past the caches.
    pub(crate) streams: Option<&'static [TileKernel; 4]>,
    /// Of 4-bit elements.
    pub(crate) halves: HalvesKernel,
    /// Of two and three vectors out of as many loads, of four planes, and of four rows.
    pub(crate) shared: Option<&'static [PermuteKernel; 4]>,
    /// By the number of parts: of vectors, and of lanes.
    pub(crate) permutes: Option<[&'static [PermuteKernel; 8]; 2]>,
}

impl Kernels {
    /// The kernel of runs of a class.
    #[inline]
    pub(crate) const fn copy(&self, class: usize) -> CopyKernel {
        self.copies[if class < COPY_CLASSES { class } else { 0 }]
    }

    /// The kernel of a matrix of `rows` rows: the longest tiles that they fill.
    pub(crate) const fn tile(&self, unit: usize, rows: usize, is_even: bool) -> TileKernel {
        let bytes = rows * unit;
        // Indexing would bring a panic along.
        let vector = match self.tiles {
            [_, _, longest, ..] if bytes >= 64 => longest,
            [_, longer, ..] if bytes >= 32 => longer,
            [shortest, ..] => shortest,
            [] => &portable::TILES,
        };
        vector[unit.trailing_zeros() as usize & 3][if is_even { 0 } else { 1 }]
    }

    /// The kernel of a permutation.
    pub(crate) const fn permute(&self, permutation: &Permutation) -> Option<PermuteKernel> {
        let Some(kernels) = self.permutes else { return None };
        if permutation.outputs > 1 {
            let Some(kernels) = self.shared else { return None };
            let four_rows = permutation.outputs == 4 && permutation.is_of_rows();
            let kind = if four_rows { 3 } else { permutation.outputs - 2 };
            return Some(kernels[kind % kernels.len()]);
        }
        let loads = if permutation.lanes { 1 } else { 0 };
        Some(kernels[loads][(permutation.parts - 1) & 7])
    }
}

impl core::fmt::Display for Isa {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Portable => "no vectors",
            Self::Sse2 => "SSE2",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
            Self::Avx512Vbmi => "AVX-512 VBMI",
            Self::Neon => "NEON",
            Self::Simd128 => "simd128",
        })
    }
}

impl Isa {
    /// Every instruction set.
    pub const ALL: [Self; 7] = [
        Self::Portable,
        Self::Sse2,
        Self::Avx2,
        Self::Avx512,
        Self::Avx512Vbmi,
        Self::Neon,
        Self::Simd128,
    ];

    /// The one whose instructions the program is compiled for.
    pub const fn compiled() -> Self {
        if cfg!(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "f16c")) {
            Self::Avx2
        } else if cfg!(all(target_arch = "x86_64", target_feature = "sse2")) {
            Self::Sse2
        } else if cfg!(all(
            target_arch = "aarch64",
            target_feature = "neon",
            target_endian = "little"
        )) {
            Self::Neon
        } else if cfg!(all(target_arch = "wasm32", target_feature = "simd128")) {
            Self::Simd128
        } else {
            Self::Portable
        }
    }

    /// Whether the CPU has it, and this library its kernels.
    #[inline]
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            Self::Neon | Self::Simd128 => self == Self::compiled(),
            _ => cfg!(all(target_arch = "x86_64", target_feature = "sse2")) && self <= Self::best(),
        }
    }

    /// The best one that the CPU has.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    pub fn best() -> Self {
        use core::sync::atomic::{AtomicU8, Ordering};
        const UNKNOWN: u8 = u8::MAX;
        static BEST: AtomicU8 = AtomicU8::new(UNKNOWN);
        let known = BEST.load(Ordering::Relaxed);
        if known != UNKNOWN {
            return Self::ALL[known as usize % Self::ALL.len()];
        }
        let best = Self::detected();
        BEST.store(best as u8, Ordering::Relaxed);
        best
    }

    /// The best one that the CPU has.
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    pub fn best() -> Self {
        Self::compiled()
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn detected() -> Self {
        use std::arch::is_x86_feature_detected as has;
        if !(has!("avx2") && has!("f16c")) {
            return Self::Sse2;
        }
        let is_512 = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
        match (is_512, has!("avx512vbmi")) {
            (true, true) => Self::Avx512Vbmi,
            (true, false) => Self::Avx512,
            _ => Self::Avx2,
        }
    }

    /// The bytes of columns that a tile has.
    pub(crate) const fn lane(self) -> usize {
        if let Self::Portable = self { 4 } else { 16 }
    }

    /// The bytes of the longest vector, or word, of tiles.
    pub(crate) const fn vector(self) -> usize {
        match self {
            Self::Portable => 4,
            Self::Sse2 | Self::Neon | Self::Simd128 => 16,
            Self::Avx2 => 32,
            Self::Avx512 | Self::Avx512Vbmi => 64,
        }
    }

    /// The bytes of a vector that a byte permute makes; 0 where there is none. Words pad, and permute nothing else.
    pub(crate) const fn permute(self) -> usize {
        match self {
            Self::Sse2 => 0,
            Self::Portable => 4,
            Self::Avx2 | Self::Avx512 | Self::Neon | Self::Simd128 => 16,
            Self::Avx512Vbmi => 64,
        }
    }

    /// Whether there are kernels of permutations whose loads make several vectors.
    pub(crate) const fn shares_loads(self) -> bool {
        matches!(self, Self::Avx2 | Self::Avx512 | Self::Avx512Vbmi)
    }

    /// Its micro-kernels.
    #[inline]
    pub(crate) const fn kernels(self) -> &'static Kernels {
        match self {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Sse2 => &tables::x86::SSE2,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Avx2 => &tables::x86::AVX2,
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            Self::Avx512 => &tables::x86_512::AVX512,
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            Self::Avx512Vbmi => &tables::x86_512::AVX512_VBMI,
            #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
            Self::Neon => &tables::arm::NEON,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => &tables::wasm::SIMD128,
            _ => &portable::KERNELS,
        }
    }
}
