//! Instruction sets: which one there is, and the micro-kernels of each.
//!
//! [`vector`]: the operations that micro-kernels need. One file for each family implements them; the table of each
//! set is made here, so that every function that is compiled for it stands in one place.

#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod avx512;
mod portable;
pub(crate) mod vector;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64;

use crate::micro::copy::{self, Runs};
use crate::micro::offsets::{Even, Table};
use crate::micro::permute;
use crate::micro::tile::{self, Matrix};
use crate::plan::permute::Permutation;

/// A set of vector instructions that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Isa {
    /// No vectors.
    Portable,
    /// x86-64: SSE2.
    Sse2,
    /// x86-64: AVX2.
    Avx2,
    /// x86-64: AVX-512 F, BW, DQ and VL.
    Avx512,
    /// x86-64: those and VBMI.
    Avx512Vbmi,
}

/// Copies runs.
pub(crate) type CopyKernel = unsafe fn(&Runs, *const u8, *mut u8);
/// Transposes a matrix.
pub(crate) type TileKernel = unsafe fn(&Matrix, *const u8, *mut u8);
/// Permutes bytes.
pub(crate) type PermuteKernel = unsafe fn(&Permutation, *const u8, *mut u8, bool);

/// The tile kernels of one vector length: of units of 1, 2, 4 and 8 bytes, even and by tables.
pub(crate) type TileKernels = [[TileKernel; 2]; 4];

/// The micro-kernels of an instruction set.
pub(crate) struct Kernels {
    /// By class of length.
    pub(crate) copies: [CopyKernel; 16],
    /// By the length of a vector: 16, 32 and 64 bytes.
    pub(crate) tiles: &'static [TileKernels],
    /// Of even matrices whose columns go past the caches.
    pub(crate) streams: Option<&'static [TileKernel; 4]>,
    /// Makes what went past the caches visible as plain stores are.
    pub(crate) finish: fn(),
    /// By the number of parts: of vectors, and of lanes.
    pub(crate) permutes: Option<&'static [[PermuteKernel; 8]; 2]>,
}

impl Kernels {
    /// The kernel of a matrix of `rows` rows: the longest tiles that they fill.
    #[inline]
    pub(crate) fn tile(&self, unit: usize, rows: usize, is_even: bool) -> TileKernel {
        let fits = if rows * unit >= 64 {
            2
        } else if rows * unit >= 32 {
            1
        } else {
            0
        };
        // Indexing would bring a panic along.
        let vector = self.tiles.get(fits).or(self.tiles.last()).unwrap_or(&portable::TILES);
        vector[unit.trailing_zeros() as usize & 3][usize::from(!is_even)]
    }

    /// The kernel of a permutation.
    #[inline]
    pub(crate) const fn permute(&self, permutation: &Permutation) -> Option<PermuteKernel> {
        let Some(kernels) = self.permutes else { return None };
        let loads = if permutation.lanes { 1 } else { 0 };
        Some(kernels[loads][(permutation.parts - 1) & 7])
    }
}

impl Isa {
    /// Every instruction set.
    pub const ALL: [Self; 5] =
        [Self::Portable, Self::Sse2, Self::Avx2, Self::Avx512, Self::Avx512Vbmi];

    /// The one whose instructions the program is compiled for.
    pub const fn compiled() -> Self {
        if cfg!(not(all(target_arch = "x86_64", target_feature = "sse2"))) {
            Self::Portable
        } else if cfg!(target_feature = "avx2") {
            Self::Avx2
        } else {
            Self::Sse2
        }
    }

    /// Whether the CPU has it, and this library its kernels.
    pub fn is_available(self) -> bool {
        self <= Self::best()
    }

    /// The best one that the CPU has.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    pub fn best() -> Self {
        use core::sync::atomic::{AtomicU8, Ordering};
        const UNKNOWN: u8 = u8::MAX;
        static BEST: AtomicU8 = AtomicU8::new(UNKNOWN);
        let known = BEST.load(Ordering::Relaxed);
        if known != UNKNOWN {
            return Self::ALL[known as usize % 5];
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
        if !has!("avx2") {
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
            Self::Sse2 => 16,
            Self::Avx2 => 32,
            Self::Avx512 | Self::Avx512Vbmi => 64,
        }
    }

    /// The bytes of a vector that a byte permute makes; 0 where there is none.
    pub(crate) const fn permute(self) -> usize {
        match self {
            Self::Portable | Self::Sse2 => 0,
            Self::Avx2 | Self::Avx512 => 16,
            Self::Avx512Vbmi => 64,
        }
    }

    /// Its micro-kernels.
    #[inline]
    pub(crate) const fn kernels(self) -> &'static Kernels {
        match self {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Sse2 => &x86::SSE2,
            #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2")))]
            Self::Avx2 => &x86::AVX2,
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            Self::Avx512 => &x86_512::AVX512,
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            Self::Avx512Vbmi => &x86_512::AVX512_VBMI,
            _ => &portable::KERNELS,
        }
    }
}

/// A micro-kernel as a function of its own that has the features of its set.
macro_rules! kernel {
    ($features:literal, $of:ty, $kernel:expr) => {{
        #[target_feature(enable = $features)]
        unsafe fn kernel(of: &$of, from: *const u8, to: *mut u8) {
            // SAFETY: the caller's promise, which is that of the micro-kernel.
            unsafe { ($kernel)(of, from, to) }
        }
        kernel
    }};
}

macro_rules! tiles {
    ($features:literal, $vector:ty) => {
        [
            tiles!($features, $vector, 1),
            tiles!($features, $vector, 2),
            tiles!($features, $vector, 4),
            tiles!($features, $vector, 8),
        ]
    };
    ($features:literal, $vector:ty, $width:literal) => {{
        #[target_feature(enable = $features)]
        unsafe fn even(matrix: &Matrix, from: *const u8, to: *mut u8) {
            let (rows, columns) = (Even(matrix.row), Even(matrix.column));
            // SAFETY: the caller's promise.
            unsafe { tile::transpose::<$vector, $width, _, _>(matrix, rows, columns, from, to) }
        }
        #[target_feature(enable = $features)]
        unsafe fn tables(matrix: &Matrix, from: *const u8, to: *mut u8) {
            let (rows, columns) = (Table(matrix.row_offsets), Table(matrix.column_offsets));
            // SAFETY: the caller's promise.
            unsafe { tile::transpose::<$vector, $width, _, _>(matrix, rows, columns, from, to) }
        }
        [even as TileKernel, tables as TileKernel]
    }};
}

macro_rules! permutes {
    ($features:literal, $vector:ty) => {
        [permutes!($features, $vector, false: 1 2 3 4 5 6 7 8), permutes!($features, $vector, true: 1 2 3 4 5 6 7 8)]
    };
    ($features:literal, $vector:ty, $lanes:literal: $($parts:literal)*) => {
        [$({
            #[target_feature(enable = $features)]
            unsafe fn kernel(permutation: &Permutation, from: *const u8, to: *mut u8, stream: bool) {
                // SAFETY: the caller's promise.
                unsafe { permute::permute::<$vector, $parts, $lanes>(permutation, from, to, stream) }
            }
            kernel as PermuteKernel
        }),*]
    };
}

macro_rules! copies {
    ($features:literal, $v16:ty, $long:ty: $to_64:expr, $to_128:expr, $to_192:expr) => {
        [
            kernel!($features, Runs, copy::any),
            kernel!($features, Runs, copy::ones::<u8>),
            kernel!($features, Runs, copy::ones::<u16>),
            kernel!($features, Runs, copy::ones::<u32>),
            kernel!($features, Runs, copy::ones::<u64>),
            kernel!($features, Runs, copy::ones::<u128>),
            kernel!($features, Runs, copy::twos::<u16>),
            kernel!($features, Runs, copy::twos::<u32>),
            kernel!($features, Runs, copy::twos::<u64>),
            kernel!($features, Runs, copy::vectors::<$v16, 1>),
            kernel!($features, Runs, $to_64),
            kernel!($features, Runs, $to_128),
            kernel!($features, Runs, $to_192),
            kernel!($features, Runs, copy::long::<$long>),
            kernel!($features, Runs, copy::any),
            kernel!($features, Runs, copy::any),
        ]
    };
}

/// The tables of x86-64.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86 {
    use super::x86_64::V128;
    #[cfg(any(feature = "std", target_feature = "avx2"))]
    use super::x86_64::{V128Ssse3, V256};
    use super::*;
    use crate::isa::vector::Vector;

    pub(super) static SSE2: Kernels = Kernels {
        copies: copies!("sse2", V128, V128: copy::long::<V128>, copy::long::<V128>, copy::long::<V128>),
        tiles: &[tiles!("sse2", V128)],
        streams: None,
        finish: V128::finish,
        permutes: None,
    };

    #[cfg(any(feature = "std", target_feature = "avx2"))]
    pub(super) static AVX2: Kernels = Kernels {
        copies: copies!("avx2", V128Ssse3, V256: copy::vectors::<V256, 1>, copy::long::<V256>, copy::long::<V256>),
        tiles: &[tiles!("avx2", V128Ssse3), tiles!("avx2", V256)],
        streams: None,
        finish: V128::finish,
        permutes: Some(&permutes!("avx2", V128Ssse3)),
    };
}

/// The tables of x86-64 with AVX-512.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[expect(clippy::incompatible_msrv, reason = "feature `std` needs Rust 1.89")]
mod x86_512 {
    use super::avx512::{V512, V512Vbmi};
    use super::x86_64::{V128Ssse3, V256};
    use super::*;
    use crate::isa::vector::Vector;

    macro_rules! streams {
        ($width:literal) => {{
            #[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl")]
            unsafe fn kernel(matrix: &Matrix, from: *const u8, to: *mut u8) {
                // SAFETY: the caller's promise.
                unsafe { tile::stream::<V512, $width>(matrix, from, to) }
            }
            kernel as TileKernel
        }};
    }

    const TILES: &[TileKernels] = &[
        tiles!("avx2,avx512f,avx512bw,avx512dq,avx512vl", V128Ssse3),
        tiles!("avx2,avx512f,avx512bw,avx512dq,avx512vl", V256),
        tiles!("avx2,avx512f,avx512bw,avx512dq,avx512vl", V512),
    ];

    const STREAMS: &[TileKernel; 4] = &[streams!(1), streams!(2), streams!(4), streams!(8)];

    pub(super) static AVX512: Kernels = Kernels {
        copies: copies!("avx2,avx512f,avx512bw,avx512dq,avx512vl", V128Ssse3, V512: copy::vectors::<V256, 1>, copy::vectors::<V512, 1>, copy::vectors::<V512, 2>),
        tiles: TILES,
        streams: Some(STREAMS),
        finish: V512::finish,
        permutes: Some(&permutes!("avx2,avx512f,avx512bw,avx512dq,avx512vl", V128Ssse3)),
    };

    pub(super) static AVX512_VBMI: Kernels = Kernels {
        copies: AVX512.copies,
        tiles: TILES,
        streams: Some(STREAMS),
        finish: V512::finish,
        permutes: Some(&permutes!("avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi", V512Vbmi)),
    };
}
