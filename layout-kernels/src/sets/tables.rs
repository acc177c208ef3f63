//! The tables of micro-kernels: this file has every function that is compiled for an instruction set.

use super::kernels::{CopyKernel, Kernels, PermuteKernel, TileKernel};
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
use super::neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::simd128;
use crate::micro::offsets::{Even, Table};
use crate::micro::{copy, planes, shuffle, transpose};
use crate::steps::{Matrix, Permutation, Planes, Runs};

/// Makes a separate function of a micro-kernel, with the features of its instruction set.
macro_rules! kernel {
    ($features:literal, $of:ty, $kernel:expr) => {{
        #[target_feature(enable = $features)]
        unsafe fn kernel(of: &$of, from: *const u8, to: *mut u8) {
            // SAFETY: the caller's promise, which is that of the micro-kernel.
            unsafe { ($kernel)(of, from, to) }
        }
        kernel as CopyKernel
    }};
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! planes {
    ($features:literal) => {{
        #[target_feature(enable = $features)]
        unsafe fn kernel(of: &Planes, from: *const u8, to: *mut u8) {
            // SAFETY: the caller's promise.
            unsafe { planes::planes(of, from, to) }
        }
        kernel
    }};
}

macro_rules! tiles {
    ($features:literal, $vector:ty) => {
        tiles!($features, $vector, transpose)
    };
    ($features:literal, $vector:ty, $kernel:ident) => {
        [
            tiles!($features, $vector, $kernel, 1),
            tiles!($features, $vector, $kernel, 2),
            tiles!($features, $vector, $kernel, 4),
            tiles!($features, $vector, $kernel, 8),
        ]
    };
    ($features:literal, $vector:ty, $kernel:ident, $width:literal) => {{
        #[target_feature(enable = $features)]
        unsafe fn even(matrix: &Matrix, from: *const u8, to: *mut u8) {
            let (rows, columns) = (Even(matrix.row), Even(matrix.column));
            // SAFETY: the caller's promise.
            unsafe { transpose::$kernel::<$vector, $width, _, _>(matrix, rows, columns, from, to) }
        }
        #[target_feature(enable = $features)]
        unsafe fn tables(matrix: &Matrix, from: *const u8, to: *mut u8) {
            let (rows, columns) = (Table(matrix.row_offsets), Table(matrix.column_offsets));
            // SAFETY: the caller's promise.
            unsafe { transpose::$kernel::<$vector, $width, _, _>(matrix, rows, columns, from, to) }
        }
        [even as TileKernel, tables as TileKernel]
    }};
}

macro_rules! permutes {
    ($features:literal, $vector:ty, $lanes:literal) => {
        permutes!($features, $vector, $lanes: 1 2 3 4 5 6 7 8)
    };
    ($features:literal, $vector:ty, $lanes:literal: $($parts:literal)*) => {
        [$({
            #[target_feature(enable = $features)]
            unsafe fn kernel(permutation: &Permutation, from: *const u8, to: *mut u8, stream: bool) {
                // SAFETY: the caller's promise.
                unsafe { shuffle::permute::<$vector, $parts, $lanes>(permutation, from, to, stream) }
            }
            kernel as PermuteKernel
        }),*]
    };
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! shared {
    ($features:literal, $vector:ty) => {
        [
            shared!(kernel $features, shuffle::shared::<$vector, 2, false>),
            shared!(kernel $features, shuffle::shared::<$vector, 3, false>),
            shared!(kernel $features, shuffle::four::<$vector, false, false>),
            shared!(kernel $features, shuffle::four::<$vector, true, false>),
        ]
    };
    (lanes $features:literal, $vector:ty) => {
        [
            shared!(kernel $features, shuffle::shared::<$vector, 2, true>),
            shared!(kernel $features, shuffle::shared::<$vector, 3, true>),
            shared!(kernel $features, shuffle::four::<$vector, false, true>),
        ]
    };
    (eight $features:literal, $vector:ty) => {
        [
            shared!(kernel $features, shuffle::eight::<$vector, false>),
            shared!(kernel $features, shuffle::eight::<$vector, true>),
        ]
    };
    (kernel $features:literal, $kernel:expr) => {{
        #[target_feature(enable = $features)]
        unsafe fn kernel(of: &Permutation, from: *const u8, to: *mut u8, stream: bool) {
            // SAFETY: the caller's promise.
            unsafe { ($kernel)(of, from, to, stream) }
        }
        kernel as PermuteKernel
    }};
}

/// Kernels by the class of the length, as `copy_class` returns it. Runs longer than two vectors of 16 bytes use the
/// vectors given.
macro_rules! copies {
    ($features:literal, $v16:ty, $long:ty: $($to_160:expr),* $(,)?) => {
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
            $(kernel!($features, Runs, $to_160),)*
            kernel!($features, Runs, copy::long::<$long>),
            kernel!($features, Runs, copy::streamed::<$long>),
        ]
    };
    ($features:literal, $v16:ty) => {{
        const LONG: CopyKernel = kernel!($features, Runs, copy::long::<$v16>);
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
            LONG,
            LONG,
            LONG,
            LONG,
            LONG,
            LONG,
            kernel!($features, Runs, copy::streamed::<$v16>),
        ]
    }};
}

/// The tables of x86-64.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) mod x86 {
    use super::super::kernels::TileKernels;
    use super::super::x86_64::{V128, V128Ssse3, V256};
    use super::*;

    pub(crate) static SSE2: Kernels = Kernels {
        copies: copies!("sse2", V128),
        tiles: [&tiles!("sse2", V128); 4],
        streams: None,
        planes: planes::baseline,
        shared: None,
        columns: None,
        eight: None,
        permutes: None,
    };

    const LANE: &TileKernels = &tiles!("avx2", V128Ssse3);
    const LONG: &TileKernels = &tiles!("avx2", V256);

    pub(crate) static AVX2: Kernels = Kernels {
        copies: copies!("avx2", V128Ssse3, V256: copy::vectors::<V128Ssse3, 2>, copy::vectors::<V256, 1>, copy::vectors::<V256, 2>, copy::vectors::<V256, 3>, copy::vectors::<V256, 4>),
        tiles: [LANE, LANE, LONG, LONG],
        streams: None,
        planes: planes!("avx2"),
        shared: Some(&shared!("avx2", V128Ssse3)),
        columns: None,
        eight: Some(&shared!(eight "avx2", V128Ssse3)),
        permutes: Some([&permutes!("avx2", V128Ssse3, false); 2]),
    };
}

/// The tables of x86-64 with AVX-512.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
pub(super) mod x86_512 {
    use super::super::kernels::TileKernels;
    use super::super::x86_64::avx512::{V512, V512Vbmi};
    use super::super::x86_64::{V128Ssse3, V256};
    use super::*;

    macro_rules! streams {
        ($width:literal) => {{
            #[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl")]
            unsafe fn kernel(matrix: &Matrix, from: *const u8, to: *mut u8) {
                // SAFETY: the caller's promise.
                unsafe { transpose::stream::<V512, $width>(matrix, from, to) }
            }
            kernel as TileKernel
        }};
    }

    const TILES: [&TileKernels; 4] = [
        &tiles!("avx2,avx512f,avx512bw,avx512dq,avx512vl", V128Ssse3),
        &tiles!("avx2,avx512f,avx512bw,avx512dq,avx512vl", V256, lapped),
        &tiles!("avx2,avx512f,avx512bw,avx512dq,avx512vl", V256),
        &tiles!("avx2,avx512f,avx512bw,avx512dq,avx512vl", V512),
    ];

    const STREAMS: &[TileKernel; 4] = &[streams!(1), streams!(2), streams!(4), streams!(8)];

    pub(crate) static AVX512: Kernels = Kernels {
        copies: copies!("avx2,avx512f,avx512bw,avx512dq,avx512vl", V128Ssse3, V512: copy::vectors::<V128Ssse3, 2>, copy::vectors::<V256, 1>, copy::vectors::<V256, 2>, copy::vectors::<V256, 3>, copy::vectors::<V256, 4>),
        tiles: TILES,
        streams: Some(STREAMS),
        planes: super::x86::AVX2.planes,
        shared: super::x86::AVX2.shared,
        columns: None,
        eight: super::x86::AVX2.eight,
        permutes: super::x86::AVX2.permutes,
    };

    pub(crate) static AVX512_VBMI: Kernels = Kernels {
        copies: AVX512.copies,
        tiles: TILES,
        streams: Some(STREAMS),
        planes: super::x86::AVX2.planes,
        shared: Some(&shared!("avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi", V512Vbmi)),
        columns: Some(
            &shared!(lanes "avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi", V512Vbmi),
        ),
        eight: Some(&shared!(eight "avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi", V512Vbmi)),
        permutes: Some([
            &permutes!("avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi", V512Vbmi, false),
            &permutes!("avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi", V512Vbmi, true),
        ]),
    };
}

/// The table of an instruction set with one lane and a byte permute.
#[allow(unused_macros, reason = "no target has both")]
macro_rules! one_lane {
    ($(#[$there:meta])* $name:ident, $vector:ty, $features:literal) => {
        $(#[$there])*
        pub(crate) const $name: Kernels = Kernels {
            copies: copies!($features, $vector),
            tiles: [&tiles!($features, $vector); 4],
            streams: None,
            planes: planes::baseline,
            shared: None,
            columns: None,
            eight: None,
            permutes: Some([&permutes!($features, $vector, false); 2]),
        };
    };
}

one_lane!(
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
    NEON,
    neon::V128,
    "neon"
);
one_lane!(
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    SIMD128,
    simd128::V128,
    "simd128"
);
