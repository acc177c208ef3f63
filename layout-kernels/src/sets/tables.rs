//! The tables of micro-kernels: this file has every micro-kernel that is compiled as a function of its own for an
//! instruction set.

use super::kernels::{
    Kernels, NO_STREAMS, PermuteKernel, TileKernel, TileKernels, networks, nothing,
};
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
use super::neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::simd128;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::micro::byte_network::{LANES, units_of_lanes};
use crate::micro::byte_network::{PART, VECTOR, network};
use crate::micro::offsets::{Offsets, Strided, Table};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::micro::stream;
use crate::micro::{copy, transpose, words};
use crate::steps::loops::{COPY_CLASSES, OVERLAPPING_RUNS, STREAMED_RUNS};
use crate::steps::{Form, Matrix, Permutation, Runs};

/// Makes a separate function of a micro-kernel, with the features of its instruction set.
macro_rules! kernel {
    ($features:literal, $of:ty, $kernel:expr) => {{
        #[target_feature(enable = $features)]
        unsafe fn kernel(of: &$of, from: *const u8, to: *mut u8) {
            // SAFETY: the caller's promise, which is that of the micro-kernel.
            unsafe { ($kernel)(of, from, to) }
        }
        kernel as unsafe fn(&$of, *const u8, *mut u8)
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
                let from = from.wrapping_offset(rows.at(left).1);
                let to = to.wrapping_add(left * $width);
                // SAFETY: these are the last rows, which fill the tiles of half the height.
                unsafe { ($halves[$index][of_rows])(&matrix.rows_from(left), from, to) }
            }
        })
    };
    // Not a closure, which would not have the features.
    ($features:literal, |$matrix:ident, $rows:ident, $columns:ident, $from:ident, $to:ident, $of_rows:pat_param| $body:expr) => {{
        #[target_feature(enable = $features)]
        unsafe fn strided($matrix: &Matrix, $from: *const u8, $to: *mut u8) {
            let ($rows, $columns, $of_rows) = (Strided::<false>($matrix.row), Strided::<false>($matrix.column), 0);
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

/// Makes a separate function of a kernel for permutations.
macro_rules! permute {
    ($features:literal $kernel:expr) => {{
        #[target_feature(enable = $features)]
        unsafe fn kernel(of: &Permutation, from: *const u8, to: *mut u8, stream: bool) {
            // SAFETY: the caller's promise.
            unsafe { ($kernel)(of, from, to, stream) }
        }
        kernel as PermuteKernel
    }};
}

/// Returns the kernel of a permutation if it is one of these.
macro_rules! permutes {
    (($features:literal $of:ident) $($network:pat => $kernel:expr;)*) => {
        match $of.network() {
            $($network => return Some(permute!($features $kernel)),)*
            _ => {}
        }
    };
    ($features:literal $of:ident $($rows:tt)*) => {
        permutes! { ($features $of) $($rows)* }
    };
}

/// Kernels by the class of runs, as `plan::copies` finds it. Those of numbers need no vectors, so all sets share them.
/// Runs longer than a vector of 16 bytes use the long vectors, in a loop unless their class has a kernel of its own.
macro_rules! copies {
    ($features:literal, $v16:ty, $long:ty $(, $class:expr => $kernel:expr)*) => {{
        let mut all = [kernel!($features, Runs, copy::long::<$long>); COPY_CLASSES];
        (all[0], all[1], all[2]) = (copy::any, copy::fours::<u8>, copy::fours::<u16>);
        (all[3], all[4]) = (copy::fours::<u32>, copy::fours::<u64>);
        all[5] = kernel!($features, Runs, copy::fours::<u128>);
        (all[6], all[7], all[8]) = (copy::twos::<u16>, copy::twos::<u32>, copy::twos::<u64>);
        all[9] = kernel!($features, Runs, copy::vectors::<$v16, 1>);
        $(all[$class] = kernel!($features, Runs, $kernel);)*
        all[STREAMED_RUNS] = kernel!($features, Runs, copy::streamed::<$long>);
        all[OVERLAPPING_RUNS] = kernel!($features, Runs, copy::overlapping::<u128, u64>);
        all
    }};
}

/// The tables of x86-64.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) mod x86 {
    use super::super::x86_64::{Line256, V128Ssse3, V256};
    use super::*;
    use crate::steps::Planes;
    use crate::steps::loops::LONG_OVERLAPPING_RUNS;

    pub(crate) static SSE2: Kernels = Kernels {
        copies: copies!("sse2", V128Ssse3, V128Ssse3),
        tiles: [&tiles!("sse2", V128Ssse3); 3],
        streams: NO_STREAMS,
        planes: words::baseline_planes,
    };

    pub(super) const LANE: &TileKernels = &tiles!("avx2", V128Ssse3);
    pub(super) const TWO: &TileKernels = &tiles!("avx2", V256, LANE);
    const LONG: &TileKernels =
        &[TWO[0], TWO[1], tiles!("avx2", Line256, TWO, 4, 2), tiles!("avx2", Line256, TWO, 8, 3)];

    pub(crate) static AVX2: Kernels = Kernels {
        copies: copies!("avx2", V128Ssse3, V256,
            10 => copy::vectors::<V128Ssse3, 2>,
            11 => copy::vectors::<V256, 1>,
            12 => copy::vectors::<V256, 2>,
            13 => copy::vectors::<V256, 3>,
            14 => copy::vectors::<V256, 4>,
            15 => copy::vectors::<V256, 5>,
            16 => copy::vectors::<V256, 6>,
            17 => copy::vectors::<V256, 7>,
            LONG_OVERLAPPING_RUNS => copy::overlapping::<V256, u128>),
        tiles: [LANE, TWO, LONG],
        streams: [
            None,
            streams!("avx2", Line256, 2, TWO[1], LANE[1]),
            streams!("avx2", Line256, 4, TWO[2], LANE[2]),
            streams!("avx2", Line256, 8, TWO[3], LANE[3]),
        ],
        planes: kernel!("avx2", Planes, words::planes),
    };

    pub(crate) const fn permute(of: &Permutation) -> Option<PermuteKernel> {
        networks!(one_vector: permutes! ("avx2" of), V128Ssse3);
        networks!(several: permutes! ("avx2" of), V128Ssse3);
        networks!(shared: permutes! ("avx2" of));
        None
    }
}

/// The tables of x86-64 with AVX-512.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
pub(super) mod x86_512 {
    use super::super::kernels::{CopyKernel, StreamKernels};
    use super::super::x86_64::avx512::V512;
    use super::super::x86_64::{V128Ssse3, V256};
    use super::x86;
    use super::*;
    use crate::steps::loops::LONG_RUNS;

    /// Calls a macro with the CPU features, which are those of AVX2 for a model of AVX-512.
    macro_rules! on_512 {
        ($name:ident! $($after:tt)*) => {
            on!(["avx2,avx512f,avx512bw,avx512dq,avx512vl"] $name! $($after)*)
        };
    }
    macro_rules! on_vbmi {
        ($name:ident! $($after:tt)*) => {
            on!(["avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi"] $name! $($after)*)
        };
    }
    #[cfg(not(avx512_model))]
    macro_rules! on {
        ([$features:literal] $name:ident! $($after:tt)*) => {
            $name!($features $($after)*)
        };
    }
    #[cfg(avx512_model)]
    macro_rules! on {
        ([$features:literal] $name:ident! $($after:tt)*) => {
            $name!("avx2" $($after)*)
        };
    }

    // Only the tiles of bytes use more registers than AVX2 has: the code of all others is the same.
    const LANE: &TileKernels =
        &[on_512!(tiles! , V128Ssse3, NO_TILES, 1, 0), x86::LANE[1], x86::LANE[2], x86::LANE[3]];
    const TWO: &TileKernels =
        &[on_512!(tiles! , V256, LANE, 1, 0), x86::TWO[1], x86::TWO[2], x86::TWO[3]];
    const LONG: &TileKernels = &on_512!(tiles! , V512, TWO);

    const STREAMS: StreamKernels = [
        on_512!(streams! , V512, 1, LONG[0], LANE[0]),
        on_512!(streams! , V512, 2, LONG[1], LANE[1]),
        on_512!(streams! , V512, 4, LONG[2], LANE[2]),
        on_512!(streams! , V512, 8, LONG[3], LANE[3]),
    ];

    const COPIES: [CopyKernel; COPY_CLASSES] = {
        let mut all = x86::AVX2.copies;
        // Those of 161 to 256 bytes, which AVX2 has without a loop, are in a loop.
        all[LONG_RUNS] = on_512!(kernel! , Runs, copy::long::<V512>);
        (all[LONG_RUNS - 3], all[LONG_RUNS - 2], all[LONG_RUNS - 1]) =
            (all[LONG_RUNS], all[LONG_RUNS], all[LONG_RUNS]);
        all[STREAMED_RUNS] = on_512!(kernel! , Runs, copy::streamed::<V512>);
        all
    };

    /// With VBMI too.
    pub(crate) static AVX512: Kernels = Kernels {
        copies: COPIES,
        tiles: [LANE, TWO, LONG],
        streams: STREAMS,
        planes: x86::AVX2.planes,
    };

    pub(crate) const fn permute(of: &Permutation) -> Option<PermuteKernel> {
        if let Form::Lanes = of.form { Some(units) } else { x86::permute(of) }
    }

    /// Transposes units of a lane as AVX2 does if the destination begins at a multiple of a unit and they are not
    /// stored non-temporally, else in lines.
    ///
    /// # Safety
    /// The same as [`units_of_lanes`].
    unsafe fn units(of: &Permutation, from: *const u8, to: *mut u8, stream: bool) {
        const LINES: PermuteKernel = on_512!(permute! units_of_lanes::<V512>);
        const LANES: PermuteKernel = permute!("avx2" units_of_lanes::<V256>);
        let in_lines = stream || to as usize % 16 > 0;
        // SAFETY: the caller's promise.
        unsafe { (if in_lines { LINES } else { LANES })(of, from, to, stream) }
    }

    pub(crate) const fn permute_vbmi(of: &Permutation) -> Option<PermuteKernel> {
        macro_rules! own {
            (() $($rows:tt)*) => { on_vbmi!(permutes! of $($rows)*) };
        }
        networks!(one_vector: own! (), V512);
        networks!(in_lanes: own! (), V512);
        networks!(several: own! (), V512);
        permute(of)
    }
}

/// The table of an instruction set with one lane and a byte permute.
#[allow(unused_macros, reason = "no target has both")]
macro_rules! one_lane {
    ($(#[$there:meta])* $name:ident, $vector:ty, $features:literal) => {
        $(#[$there])*
        pub(crate) const $name: Kernels = Kernels {
            copies: copies!($features, $vector, $vector),
            tiles: [&tiles!($features, $vector); 3],
            streams: NO_STREAMS,
            planes: words::baseline_planes,
        };

        $(#[$there])*
        pub(crate) const fn permute(of: &Permutation) -> Option<PermuteKernel> {
            networks!(one_vector: permutes! ($features of), $vector);
            None
        }
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
