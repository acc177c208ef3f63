//! The tables of micro-kernels: this file has every micro-kernel that is compiled as a function of its own for an
//! instruction set.

use super::kernels::{
    CopyKernel, Kernels, NO_STREAMS, PermuteKernel, TileKernel, TileKernels, nothing,
};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::kernels::{FIRST_OF_LANES, HALF_ROWS, PERMUTES};
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
use super::neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::simd128;
use crate::micro::offsets::{Rows, Strided, Table};
use crate::micro::{copy, planes, shuffle, transpose};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::micro::{interleave, lane_units, stream};
use crate::steps::{Matrix, Permutation, Runs};

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
        unsafe fn kernel(of: &crate::steps::Planes, from: *const u8, to: *mut u8) {
            // SAFETY: the caller's promise.
            unsafe { planes::planes(of, from, to) }
        }
        kernel
    }};
}

/// Tile kernels for each unit, evenly spaced and with tables. The kernels of half the height move the last rows if
/// those are few.
macro_rules! tiles {
    ($features:literal, $vector:ty) => {
        tiles!($features, $vector, NO_TILES)
    };
    ($features:literal, $vector:ty, $halves:expr) => {
        [
            tiles!($features, $vector, $halves, 1, 0),
            tiles!($features, $vector, $halves, 2, 1),
            tiles!($features, $vector, $halves, 4, 2),
            tiles!($features, $vector, $halves, 8, 3),
        ]
    };
    ($features:literal, $vector:ty, $halves:expr, $width:literal, $index:literal) => {
        tiles!($features, |matrix, rows, columns, from, to, of_rows| {
            // Tiles of long units are short code, and their rows are moved in less time than a call takes.
            if $width >= 4 {
                // SAFETY: the caller's promise.
                return unsafe {
                    transpose::all::<$vector, $width, _, _>(matrix, rows, columns, from, to)
                };
            }
            // SAFETY: the caller's promise.
            let left = unsafe {
                transpose::transpose::<$vector, $width, _, _>(matrix, rows, columns, from, to)
            };
            if left < matrix.rows {
                // SAFETY: it is a row of the matrix.
                let (_, from) = unsafe { rows.at(from, left) };
                let to = to.wrapping_add(left * $width);
                // SAFETY: these are the last rows, which fill the tiles of half the height.
                unsafe { ($halves[$index][of_rows])(&matrix.rows_from(left), from, to) }
            }
        })
    };
    (overlapping $features:literal, $vector:ty) => {
        [
            tiles!(overlapping $features, $vector, 1),
            tiles!(overlapping $features, $vector, 2),
            tiles!(overlapping $features, $vector, 4),
            tiles!(overlapping $features, $vector, 8),
        ]
    };
    (overlapping $features:literal, $vector:ty, $width:literal) => {
        tiles!($features, |matrix, rows, columns, from, to, _| {
            // SAFETY: the caller's promise.
            unsafe { transpose::overlapping::<$vector, $width, _, _>(matrix, rows, columns, from, to) }
        })
    };
    // Not a closure, which would not have the features.
    ($features:literal, |$matrix:ident, $rows:ident, $columns:ident, $from:ident, $to:ident, $of_rows:pat_param| $body:expr) => {{
        #[target_feature(enable = $features)]
        unsafe fn strided($matrix: &Matrix, $from: *const u8, $to: *mut u8) {
            let ($rows, $columns, $of_rows) = (Strided($matrix.row), Strided($matrix.column), 0);
            $body
        }
        #[target_feature(enable = $features)]
        unsafe fn tables($matrix: &Matrix, $from: *const u8, $to: *mut u8) {
            let ($rows, $columns, $of_rows) =
                (Table($matrix.row_offsets), Table($matrix.column_offsets), 1);
            $body
        }
        [strided as TileKernel, tables as TileKernel]
    }};
}

/// Tile kernels with non-temporal stores: for evenly spaced matrices, and for rotated ones. Other tile kernels move
/// what fills no line.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! streams {
    ($features:literal, $vector:ty, $width:literal, $plain:expr, $low:expr) => {{
        #[target_feature(enable = $features)]
        unsafe fn streamed(matrix: &Matrix, from: *const u8, to: *mut u8) {
            // SAFETY: the caller's promise.
            unsafe { stream::stream::<$vector, $width>(matrix, ($plain[0], $low[0]), from, to) }
        }
        #[target_feature(enable = $features)]
        unsafe fn rotated(matrix: &Matrix, from: *const u8, to: *mut u8) {
            // SAFETY: the caller's promise.
            unsafe { stream::rotated::<$vector, $width>(matrix, $plain[1], from, to) }
        }
        Some([streamed as TileKernel, rotated as TileKernel])
    }};
}

/// The tiles of half the height for vectors of one lane, which move all rows.
const NO_TILES: &TileKernels = &[[nothing::<Matrix>; 2]; 4];

/// Kernels for permutations, by the number that `of_permutation` returns.
macro_rules! permutes {
    ($features:literal: $($kernel:expr),* $(,)?) => {
        [$({
            #[target_feature(enable = $features)]
            unsafe fn kernel(of: &Permutation, from: *const u8, to: *mut u8, stream: bool) {
                // SAFETY: the caller's promise.
                unsafe { ($kernel)(of, from, to, stream) }
            }
            kernel as PermuteKernel
        }),*]
    };
    // Those that load vectors and make one, and the one for short loads.
    (one $features:literal, $vector:ty) => {
        permutes!($features:
            shuffle::permute::<$vector, 1, false>,
            shuffle::permute::<$vector, 2, false>,
            shuffle::permute::<$vector, 3, false>,
            shuffle::permute::<$vector, 4, false>,
            shuffle::permute::<$vector, 5, false>,
            shuffle::permute::<$vector, 6, false>,
            shuffle::permute::<$vector, 7, false>,
            shuffle::permute::<$vector, 8, false>,
            shuffle::short::<$vector>,
        )
    };
    // Those that make several. Planes have vectors of their own.
    (several $features:literal, $vector:ty, $planes:ty) => {
        permutes!($features:
            interleave::tables::<$vector, 2, 2, 1>,
            interleave::tables::<$vector, 3, 2, 1>,
            interleave::tables::<$vector, 3, 3, 1>,
            interleave::tables::<$vector, 2, 2, 4>,
            interleave::tables::<$vector, 3, 3, 4>,
            interleave::quarters::<$vector, true>,
            interleave::quarters::<$planes, false>,
            interleave::eighths::<$planes, true, false>,
            interleave::eighths::<$vector, false, true>,
        )
    };
}

/// Joins the kernels of one instruction set: those that load vectors and the one for short loads, those that load in
/// lanes if vectors have several, those that make several vectors, and those that only sets with AVX2 have. In place
/// of kernels that the set lacks it has the first one; no plan has their numbers.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
const fn joined(
    one: &[PermuteKernel; 9],
    lanes: Option<[PermuteKernel; 6]>,
    several: [PermuteKernel; 9],
    of_lanes: &[PermuteKernel],
) -> [PermuteKernel; PERMUTES] {
    let mut all = [one[0]; PERMUTES];
    let mut i = 0;
    while i < PERMUTES {
        all[i] = match (i, &lanes) {
            (HALF_ROWS.., _) => one[0],
            (FIRST_OF_LANES.., _) => of_lanes[i - FIRST_OF_LANES],
            (15.., _) => several[i - 15],
            (9.., Some(lanes)) => lanes[i - 9],
            (9.., None) => one[0],
            _ => one[i],
        };
        i += 1;
    }
    all
}

/// Kernels by the class of runs, as `copy_class` and `overlapping_class` return it. Those of numbers need no vectors,
/// so all sets share them. Runs longer than two vectors of 16 bytes use the vectors given.
macro_rules! copies {
    ($features:literal, $v16:ty, $long:ty: $($to_256:expr),* $(,)?) => {
        [
            copy::any,
            copy::fours::<u8>,
            copy::fours::<u16>,
            copy::fours::<u32>,
            copy::fours::<u64>,
            kernel!($features, Runs, copy::fours::<u128>),
            copy::twos::<u16>,
            copy::twos::<u32>,
            copy::twos::<u64>,
            kernel!($features, Runs, copy::vectors::<$v16, 1>),
            $(kernel!($features, Runs, $to_256),)*
            kernel!($features, Runs, copy::long::<$long>),
            kernel!($features, Runs, copy::streamed::<$long>),
            kernel!($features, Runs, copy::streamed_by_16::<$v16>),
            kernel!($features, Runs, copy::overlapping::<u128, u64>),
            kernel!($features, Runs, copy::overlapping::<$long, u128>),
        ]
    };
    ($features:literal, $v16:ty) => {{
        const LONG: CopyKernel = kernel!($features, Runs, copy::long::<$v16>);
        [
            copy::any,
            copy::fours::<u8>,
            copy::fours::<u16>,
            copy::fours::<u32>,
            copy::fours::<u64>,
            kernel!($features, Runs, copy::fours::<u128>),
            copy::twos::<u16>,
            copy::twos::<u32>,
            copy::twos::<u64>,
            kernel!($features, Runs, copy::vectors::<$v16, 1>),
            LONG,
            LONG,
            LONG,
            LONG,
            LONG,
            LONG,
            LONG,
            LONG,
            LONG,
            kernel!($features, Runs, copy::streamed::<$v16>),
            kernel!($features, Runs, copy::streamed_by_16::<$v16>),
            kernel!($features, Runs, copy::overlapping::<u128, u64>),
            LONG,
        ]
    }};
}

/// The tables of x86-64.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) mod x86 {
    use super::super::x86_64::{Line256, V128, V128Ssse3, V256};
    use super::*;

    pub(crate) static SSE2: Kernels = Kernels {
        copies: copies!("sse2", V128),
        tiles: [&tiles!("sse2", V128); 4],
        streams: NO_STREAMS,
        planes: planes::baseline,
        permutes: &[],
    };

    pub(super) const LANE: &TileKernels = &tiles!("avx2", V128Ssse3);
    pub(super) const TWO: &TileKernels = &tiles!("avx2", V256, LANE);
    const LONG: &TileKernels =
        &[TWO[0], TWO[1], tiles!("avx2", Line256, TWO, 4, 2), tiles!("avx2", Line256, TWO, 8, 3)];

    pub(super) const PERMUTES_OF_LANES: [PermuteKernel; PERMUTES] = joined(
        &permutes!(one "avx2", V128Ssse3),
        None,
        permutes!(several "avx2", V128Ssse3, V256),
        &permutes!("avx2":
            interleave::zips::<V128Ssse3, 2, 1>,
            interleave::zips::<V128Ssse3, 2, 2>,
            interleave::zips::<V128Ssse3, 2, 4>,
            interleave::zips::<V128Ssse3, 2, 8>,
            interleave::zips::<V128Ssse3, 4, 1>,
            interleave::zips::<V128Ssse3, 4, 2>,
            interleave::zips::<V128Ssse3, 4, 4>,
            interleave::halves::<V256>,
            interleave::three_in_lanes::<V256>,
            interleave::eighths_in_lanes::<V256>,
            lane_units::transpose::<V256>,
            interleave::zips::<V256, 2, 1>,
            interleave::zips::<V256, 2, 2>,
            interleave::zips::<V256, 2, 4>,
            interleave::zips::<V256, 2, 8>,
            interleave::zips::<V256, 4, 1>,
            interleave::zips::<V256, 4, 2>,
            interleave::zips::<V256, 4, 4>,
            interleave::eighths::<V128Ssse3, true, true>,
            interleave::quarters::<V128Ssse3, false>,
            interleave::eighths::<V128Ssse3, true, false>,
        ),
    );

    pub(crate) static AVX2: Kernels = Kernels {
        copies: copies!("avx2", V128Ssse3, V256: copy::vectors::<V128Ssse3, 2>, copy::vectors::<V256, 1>, copy::vectors::<V256, 2>, copy::vectors::<V256, 3>, copy::vectors::<V256, 4>, copy::vectors::<V256, 5>, copy::vectors::<V256, 6>, copy::vectors::<V256, 7>),
        tiles: [LANE, LANE, TWO, LONG],
        streams: [
            None,
            streams!("avx2", Line256, 2, TWO[1], LANE[1]),
            streams!("avx2", Line256, 4, TWO[2], LANE[2]),
            streams!("avx2", Line256, 8, TWO[3], LANE[3]),
        ],
        planes: planes!("avx2"),
        permutes: &PERMUTES_OF_LANES,
    };
}

/// The tables of x86-64 with AVX-512.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
pub(super) mod x86_512 {
    use super::super::kernels::{StreamKernels, UNITS_OF_LANES};
    use super::super::x86_64::avx512::{V512, V512Vbmi};
    use super::super::x86_64::{V128Ssse3, V256};
    use super::x86::{self, PERMUTES_OF_LANES};
    use super::*;
    use crate::steps::classes::{COPY_CLASSES, LONG_RUNS, STREAMED_RUNS};

    /// Calls a macro with the CPU features, which are those of AVX2 for a model of AVX-512.
    macro_rules! on_512 {
        ($name:ident: $($before:ident)? | $($after:tt)*) => {
            on!(["avx2,avx512f,avx512bw,avx512dq,avx512vl"] $name: $($before)? | $($after)*)
        };
    }
    macro_rules! on_vbmi {
        ($name:ident: $($before:ident)? | $($after:tt)*) => {
            on!(["avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi"] $name: $($before)? | $($after)*)
        };
    }
    #[cfg(not(avx512_model))]
    macro_rules! on {
        ([$features:literal] $name:ident: $($before:ident)? | $($after:tt)*) => {
            $name!($($before)? $features $($after)*)
        };
    }
    #[cfg(avx512_model)]
    macro_rules! on {
        ([$features:literal] $name:ident: $($before:ident)? | $($after:tt)*) => {
            $name!($($before)? "avx2" $($after)*)
        };
    }

    // Only the tiles of bytes use more registers than AVX2 has: the code of all others is the same.
    const LANE: &TileKernels =
        &[on_512!(tiles: | , V128Ssse3, NO_TILES, 1, 0), x86::LANE[1], x86::LANE[2], x86::LANE[3]];
    const TWO: &TileKernels =
        &[on_512!(tiles: | , V256, LANE, 1, 0), x86::TWO[1], x86::TWO[2], x86::TWO[3]];
    const LONG: &TileKernels = &on_512!(tiles: | , V512, TWO);
    const OVERLAPPING: &TileKernels = &on_512!(tiles: overlapping | , V256);

    const TILES: [&TileKernels; 4] = [LANE, OVERLAPPING, TWO, LONG];

    const STREAMS: StreamKernels = [
        on_512!(streams: | , V512, 1, LONG[0], LANE[0]),
        on_512!(streams: | , V512, 2, LONG[1], LANE[1]),
        on_512!(streams: | , V512, 4, LONG[2], LANE[2]),
        on_512!(streams: | , V512, 8, LONG[3], LANE[3]),
    ];

    const COPIES: [CopyKernel; COPY_CLASSES] = {
        let mut all = x86::AVX2.copies;
        // Those of 161 to 256 bytes, which AVX2 has without a loop, were not measured here.
        all[LONG_RUNS] = on_512!(kernel: | , Runs, copy::long::<V512>);
        (all[LONG_RUNS - 3], all[LONG_RUNS - 2], all[LONG_RUNS - 1]) =
            (all[LONG_RUNS], all[LONG_RUNS], all[LONG_RUNS]);
        all[STREAMED_RUNS] = on_512!(kernel: | , Runs, copy::streamed::<V512>);
        all
    };

    pub(crate) static AVX512: Kernels = Kernels {
        copies: COPIES,
        tiles: TILES,
        streams: STREAMS,
        planes: x86::AVX2.planes,
        permutes: &PERMUTES_OF_512,
    };

    const PERMUTES_OF_512: [PermuteKernel; PERMUTES] = {
        let mut all = PERMUTES_OF_LANES;
        all[UNITS_OF_LANES] = units_of_lanes;
        all
    };

    /// Transposes units of a lane, as AVX2 does if the destination begins at a multiple of a unit and they are not
    /// stored non-temporally, else in lines. On an AMD EPYC (Zen 4), 2026-11-27, lines took 1.06 times as long where
    /// the destination begins at one, 1.15 times where it begins 16 bytes after one, and .9 times elsewhere.
    ///
    /// # Safety
    /// The same as [`lane_units::transpose`].
    unsafe fn units_of_lanes(of: &Permutation, from: *const u8, to: *mut u8, stream: bool) {
        const LINES: PermuteKernel = on_512!(permutes: | : lane_units::transpose::<V512>)[0];
        let in_lines = stream || to as usize % 16 > 0;
        let kernel = if in_lines { LINES } else { PERMUTES_OF_LANES[UNITS_OF_LANES] };
        // SAFETY: the caller's promise.
        unsafe { kernel(of, from, to, stream) }
    }

    static PERMUTES_OF_VBMI: [PermuteKernel; PERMUTES] = {
        // Of the kernels for lanes it needs those for units of a lane, and for two and four rows.
        let mut all = joined(
            &on_vbmi!(permutes: one | , V512Vbmi),
            Some(on_vbmi!(permutes: | :
                shuffle::permute::<V512Vbmi, 1, true>,
                shuffle::permute::<V512Vbmi, 2, true>,
                shuffle::permute::<V512Vbmi, 3, true>,
                shuffle::permute::<V512Vbmi, 4, true>,
                shuffle::permute::<V512Vbmi, 6, true>,
                shuffle::permute::<V512Vbmi, 8, true>,
            )),
            on_vbmi!(permutes: several | , V512Vbmi, V512Vbmi),
            PERMUTES_OF_512.split_at(FIRST_OF_LANES).1,
        );
        let half_rows = on_vbmi!(permutes: | :
            interleave::tables::<V512Vbmi, 1, 1, 2>,
            interleave::tables::<V512Vbmi, 2, 2, 2>,
        );
        (all[HALF_ROWS], all[HALF_ROWS + 1]) = (half_rows[0], half_rows[1]);
        all
    };

    pub(crate) static AVX512_VBMI: Kernels = Kernels {
        copies: COPIES,
        tiles: TILES,
        streams: STREAMS,
        planes: x86::AVX2.planes,
        permutes: &PERMUTES_OF_VBMI,
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
            streams: NO_STREAMS,
            planes: planes::baseline,
            permutes: &permutes!(one $features, $vector),
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
