//! The tables of micro-kernels: every micro-kernel that is compiled as a function of its own for an instruction set.

use super::forms::copies;
#[cfg(vectors)]
use super::forms::networks;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::forms::on;
use super::kernels::{CopyKernel, Kernels};
#[cfg(vectors)]
use super::kernels::{Load, PermuteKernel, TileKernel, TileKernels, index};
#[cfg(vectors)]
use crate::micro::byte_network::{PART, VECTOR, network};
#[cfg(vectors)]
use crate::micro::offsets::{Offsets, Strided, Table};
#[cfg(vectors)]
use crate::micro::transpose;
use crate::micro::{copy, words};
use crate::steps::loops::COPY_CLASSES;
#[cfg(vectors)]
use crate::steps::loops::{LONG_RUNS, OVERLAPPING_RUNS, STREAMED_RUNS};
#[cfg(vectors)]
use crate::steps::{Form, Matrix, Permutation, Runs};

/// Makes a separate function of a micro-kernel, with the features of its instruction set.
#[cfg(vectors)]
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

/// Replaces the kernels of some groups in a table of copies.
macro_rules! called_copies {
    ($features:literal, $($rest:tt)*) => { called_copies!(($features) $($rest)*) };
    ($features:tt $others:expr; $(($group:ident: $($of:tt)*))*) => {{
        let (mut all, mut class): ([CopyKernel; COPY_CLASSES], usize) = ($others, 0);
        while class < COPY_CLASSES {
            $(copies!($group: put! (all class $features), $($of)*);)*
            class += 1;
        }
        all
    }};
}

/// Puts the kernel of a class into a table, if it is one of these rows.
macro_rules! put {
    (($all:ident $class:ident ()) $($form:pat => $kernel:expr;)*) => {
        $(if matches!($class, $form) {
            $all[$class] = $kernel;
        })*
    };
    (($all:ident $class:ident ($features:literal)) $($form:pat => $kernel:expr;)*) => {
        $(if matches!($class, $form) {
            $all[$class] = kernel!($features, Runs, $kernel);
        })*
    };
}

/// Tile kernels for each unit, evenly spaced and with tables. The kernels of half the height move the last rows if
/// those are few.
#[cfg(vectors)]
macro_rules! tiles {
    ($features:literal, $vector:ty) => { tiles!($features, $vector, NO_TILES) };
    ($features:literal, $vector:ty, $halves:expr) => {
        [
            tiles!($features, $vector, $halves, 1),
            tiles!($features, $vector, $halves, 2),
            tiles!($features, $vector, $halves, 4),
            tiles!($features, $vector, $halves, 8),
        ]
    };
    ($features:literal, $vector:ty, $halves:expr, $unit:literal) => {{
        const HALVES: [TileKernel; 2] = $halves[index($unit)];
        macro_rules! kernel_of {
            ($matrix:ident, $rows:expr, $columns:expr, $half:expr) => {{
                #[target_feature(enable = $features)]
                unsafe fn tile($matrix: &Matrix, from: *const u8, to: *mut u8) {
                    let (rows, columns) = ($rows, $columns);
                    // Tiles of long units are short code, and their rows are moved in less time than a call takes.
                    if $unit >= 4 {
                        // SAFETY: the caller's promise.
                        return unsafe {
                            transpose::all::<$vector, $unit, _, _>($matrix, rows, columns, from, to)
                        };
                    }
                    // SAFETY: the caller's promise.
                    let left = unsafe {
                        transpose::transpose::<$vector, $unit, _, _>($matrix, rows, columns, from, to)
                    };
                    if left < $matrix.rows {
                        let from = from.wrapping_offset(rows.at(left).1);
                        let to = to.wrapping_add(left * $unit);
                        // SAFETY: these are the last rows, which fill the tiles of half the height.
                        unsafe { $half(&$matrix.rows_from(left), from, to) }
                    }
                }
                tile as TileKernel
            }};
        }
        [
            kernel_of!(own, Strided::<false>(own.row), Strided::<false>(own.column), HALVES[0]),
            kernel_of!(own, Table(own.row_offsets), Table(own.column_offsets), HALVES[1]),
        ]
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
#[cfg(vectors)]
const NO_TILES: &TileKernels = {
    unsafe fn nothing(_: &Matrix, _: *const u8, _: *mut u8) {}
    &[[nothing; 2]; 4]
};

/// Returns the kernel of a permutation if it is one of these rows.
#[cfg(vectors)]
macro_rules! permutes {
    (($features:literal $of:ident) $($network:pat => $kernel:expr;)*) => {
        match $of.network() {
            $($network => {
                #[target_feature(enable = $features)]
                unsafe fn kernel(of: &Permutation, from: *const u8, to: *mut u8, stream: bool) {
                    // SAFETY: the caller's promise.
                    unsafe { ($kernel)(of, from, to, stream) }
                }
                return Some(kernel as PermuteKernel);
            })*
            _ => {}
        }
    };
    ($features:literal $of:ident $($rows:tt)*) => {
        permutes! { ($features $of) $($rows)* }
    };
}

/// The micro-kernels of [`Isa::Portable`](isa::Isa::Portable). They are inlined where a plan is a constant, and a
/// table that is a constant would compile them once more wherever it is used.
pub(super) static PORTABLE: Kernels = Kernels {
    copies: called_copies!(() [copy::any; COPY_CLASSES]; (numbers: words::ones) (words:)),
    // A plan without vectors has no tables.
    tiles: [&[
        [words::transpose::<1>; 2],
        [words::transpose::<2>; 2],
        [words::transpose::<4>; 2],
        [words::transpose::<8>; 2],
    ]; 3],
    streams: [None; 4],
    planes: words::baseline_planes,
};

/// Those that sets with vectors share.
#[cfg(vectors)]
const NUMBERS: [CopyKernel; COPY_CLASSES] =
    called_copies!(() [copy::any; COPY_CLASSES]; (numbers: copy::fours));

/// The tables of x86-64.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) mod x86 {
    use super::super::x86_64::{Line256, V128Ssse3, V256};
    use super::*;
    use crate::micro::byte_network::{LANES, PAIR, units_of_lanes};
    use crate::micro::stream;
    use crate::steps::Planes;
    use crate::steps::loops::LONG_OVERLAPPING_RUNS;

    pub(crate) static SSE2: Kernels = Kernels {
        copies: called_copies!("sse2", NUMBERS; (one_lane: V128Ssse3) (long: V128Ssse3)),
        tiles: [&tiles!("sse2", V128Ssse3); 3],
        streams: [None; 4],
        planes: words::baseline_planes,
    };

    pub(super) const LANE: &TileKernels = &tiles!("avx2", V128Ssse3);
    pub(super) const TWO: &TileKernels = &tiles!("avx2", V256, LANE);
    const LONG: &TileKernels =
        &[TWO[0], TWO[1], tiles!("avx2", Line256, TWO, 4), tiles!("avx2", Line256, TWO, 8)];

    pub(crate) static AVX2: Kernels = Kernels {
        copies: called_copies!("avx2", NUMBERS; (lanes: V128Ssse3, V256) (long: V256) (more: V256)),
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
        networks!(pairs: permutes! ("avx2" of),);
        networks!(one_vector: permutes! ("avx2" of), V128Ssse3);
        networks!(several: permutes! ("avx2" of), V128Ssse3);
        networks!(shared: permutes! ("avx2" of),);
        None
    }
}

/// The tables of x86-64 with AVX-512.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
pub(super) mod x86_512 {
    use super::super::kernels::StreamKernels;
    use super::super::x86_64::avx512::V512;
    use super::super::x86_64::{V128Ssse3, V256};
    use super::*;
    use crate::micro::byte_network::{LANES, units_of_lanes};
    use crate::micro::stream;

    // Only the tiles of bytes use more registers than AVX2 has: the code of all others is the same.
    const LANE: &TileKernels =
        &[on!(Avx512 tiles! , V128Ssse3, NO_TILES, 1), x86::LANE[1], x86::LANE[2], x86::LANE[3]];
    const TWO: &TileKernels =
        &[on!(Avx512 tiles! , V256, LANE, 1), x86::TWO[1], x86::TWO[2], x86::TWO[3]];
    const LONG: &TileKernels = &on!(Avx512 tiles! , V512, TWO);

    const STREAMS: StreamKernels = [
        on!(Avx512 streams! , V512, 1, LONG[0], LANE[0]),
        on!(Avx512 streams! , V512, 2, LONG[1], LANE[1]),
        on!(Avx512 streams! , V512, 4, LONG[2], LANE[2]),
        on!(Avx512 streams! , V512, 8, LONG[3], LANE[3]),
    ];

    /// With VBMI too.
    pub(crate) static AVX512: Kernels = Kernels {
        copies: on!(Avx512 called_copies! , x86::AVX2.copies; (long: V512)),
        tiles: [LANE, TWO, LONG],
        streams: STREAMS,
        planes: x86::AVX2.planes,
    };

    pub(crate) const fn permute(of: &Permutation) -> Option<PermuteKernel> {
        on!(Avx512 permutes! of (Form::Lanes, ..) => units_of_lanes::<V512>;);
        x86::permute(of)
    }

    pub(crate) const fn permute_vbmi(of: &Permutation) -> Option<PermuteKernel> {
        macro_rules! own {
            (() $($rows:tt)*) => { on!(Avx512Vbmi permutes! of $($rows)*) };
        }
        networks!(one_vector: own! (), V512);
        networks!(in_lanes: own! (), V512);
        networks!(several: own! (), V512);
        permute(of)
    }
}

/// The table of an instruction set with one lane and a byte permute.
#[cfg(all(vectors, not(target_arch = "x86_64")))]
pub(super) mod one_lane {
    #[cfg(target_arch = "aarch64")]
    use super::super::neon::V128;
    #[cfg(target_arch = "wasm32")]
    use super::super::simd128::V128;
    use super::*;

    macro_rules! table {
        ($features:literal) => {
            pub(crate) const KERNELS: Kernels = Kernels {
                copies: called_copies!($features, NUMBERS; (one_lane: V128) (long: V128)),
                tiles: [&tiles!($features, V128); 3],
                streams: [None; 4],
                planes: words::baseline_planes,
            };

            pub(crate) const fn permute(of: &Permutation) -> Option<PermuteKernel> {
                networks!(one_vector: permutes! ($features of), V128);
                None
            }
        };
    }

    #[cfg(target_arch = "aarch64")]
    table!("neon");
    #[cfg(target_arch = "wasm32")]
    table!("simd128");
}
