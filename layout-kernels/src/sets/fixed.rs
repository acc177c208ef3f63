//! Micro-kernels of a constant step, inlined into a function with the features of the instruction set. Every bound
//! and stride is then a literal, and only the kernel of the step is compiled.

use super::kernels::{PERMUTES, of_permutation};
use super::x86_64::avx512::{V512, V512Vbmi};
use super::x86_64::{V128Ssse3, V256};
use crate::isa::{Avx2, Avx512, Avx512Vbmi, OfIsa};
use crate::micro::offsets::{Fixed, Table};
use crate::micro::vector::{Permute, Vector};
use crate::micro::{copy, interleave, lane_units, shuffle, transpose};
use crate::steps::classes::{LONG_OVERLAPPING_RUNS, LONG_RUNS, OVERLAPPING_RUNS};
use crate::steps::{Copies, Matrix, Permutation, Step, Tiles};

/// An instruction set as a type, with its vectors.
pub(crate) trait Set: OfIsa {
    /// The vectors of tiles, copies and interleaves: with one lane, with two, and the longest.
    type Lane: Vector;
    type Two: Vector;
    type Most: Vector;

    /// The vectors of byte permutes, and of planes that eighths or quarters of loads make.
    type Permute: Permute;
    type Planes: Permute;
}

impl Set for Avx2 {
    type Lane = V128Ssse3;
    type Two = V256;
    type Most = V256;
    type Permute = V128Ssse3;
    type Planes = V256;
}

impl Set for Avx512 {
    type Lane = V128Ssse3;
    type Two = V256;
    type Most = V512;
    type Permute = V128Ssse3;
    type Planes = V256;
}

impl Set for Avx512Vbmi {
    type Lane = V128Ssse3;
    type Two = V256;
    type Most = V512;
    type Permute = V512Vbmi;
    type Planes = V512Vbmi;
}

/// A step that is a constant.
pub(crate) trait StaticStep {
    const STEP: &'static Step;
}

/// The properties of a constant step that choose its code, each as a constant. They are numbers, since the compiler
/// evaluates a branch on a number before it decides what to compile.
struct Of<K>(core::marker::PhantomData<K>);

impl<K: StaticStep> Of<K> {
    const COPIES: Option<&'static Copies> = match K::STEP {
        Step::Copies(copies) => Some(copies),
        _ => None,
    };
    const CLASS: usize = match Self::COPIES {
        Some(copies) => copies.class,
        None => usize::MAX,
    };

    const TILES: Option<&'static Tiles> = match K::STEP {
        Step::Tiles(tiles) => Some(tiles),
        _ => None,
    };
    const UNIT: usize = match Self::TILES {
        Some(tiles) => tiles.unit,
        None => 0,
    };
    const ROW_BYTES: usize = match Self::TILES {
        Some(tiles) => tiles.rows * tiles.unit,
        None => 0,
    };
    const IS_STRIDED: bool = match Self::TILES {
        Some(tiles) => tiles.is_strided,
        None => false,
    };

    const ARE_COLUMNS_STRIDED: bool = match Self::TILES {
        Some(tiles) => tiles.are_columns_strided,
        None => false,
    };

    const PERMUTATION: Option<&'static Permutation> = match K::STEP {
        Step::Permute(permutation) => Some(permutation),
        _ => None,
    };
    const PERMUTE: usize = match Self::PERMUTATION {
        Some(own) => {
            let number = of_permutation(own);
            assert!(number < PERMUTES, "a kernel has the number");
            number
        }
        None => usize::MAX,
    };
}

/// Runs a constant step with plain stores. If a matrix has fewer columns than a tile, `skip` columns before them are
/// also loaded.
///
/// # Safety
/// The same as each micro-kernel. The CPU must have the features of `S`.
#[inline(always)]
pub(crate) unsafe fn step<S: Set, K: StaticStep>(from: *const u8, to: *mut u8, skip: usize) {
    if let Some(copies) = const { Of::<K>::COPIES } {
        // SAFETY: the caller's promise.
        unsafe { copied::<S, K>(copies, from, to) };
    }
    if let Some(tiles) = const { Of::<K>::TILES } {
        // SAFETY: the caller's promise.
        unsafe { transposed::<S, K>(tiles, from, to, skip) };
    }
    if let Some(permutation) = const { Of::<K>::PERMUTATION } {
        // SAFETY: the caller's promise.
        unsafe { permuted::<S, K>(permutation, from, to) };
    }
}

/// Copies runs with the kernel of their class. Those of one number are [`copy::ones`], whose loops have constant bounds
/// here, so that the compiler unrolls them as it sees fit.
///
/// # Safety
/// The same as [`step`].
#[inline(always)]
unsafe fn copied<S: Set, K: StaticStep>(copies: &'static Copies, from: *const u8, to: *mut u8) {
    let runs = &copies.runs;
    macro_rules! classes {
        ($($class:pat => $kernel:expr;)*) => {
            match const { Of::<K>::CLASS } {
                // SAFETY: the caller's promise; the runs have the length of the class.
                $($class => unsafe { $kernel(runs, from, to) },)*
                usize::MAX => {}
                // SAFETY: the caller's promise.
                _ => unsafe { copy::any(runs, from, to) },
            }
        };
    }
    classes! {
        1 => copy::ones::<u8>;
        2 => copy::ones::<u16>;
        3 => copy::ones::<u32>;
        4 => copy::ones::<u64>;
        5 => copy::ones::<u128>;
        6 => copy::twos::<u16>;
        7 => copy::twos::<u32>;
        8 => copy::twos::<u64>;
        9 => copy::vectors::<S::Lane, 1>;
        10 => copy::vectors::<S::Lane, 2>;
        11 => copy::vectors::<S::Two, 1>;
        12 => copy::vectors::<S::Two, 2>;
        13 => copy::vectors::<S::Two, 3>;
        14 => copy::vectors::<S::Two, 4>;
        15..=LONG_RUNS => copy::long::<S::Most>;
        OVERLAPPING_RUNS => copy::overlapping::<u128, u64>;
        LONG_OVERLAPPING_RUNS => copy::overlapping::<S::Two, u128>;
    }
}

/// Transposes a matrix with the highest tiles that its rows fill.
///
/// # Safety
/// The same as [`step`].
#[inline(always)]
unsafe fn transposed<S: Set, K: StaticStep>(
    tiles: &'static Tiles,
    from: *const u8,
    to: *mut u8,
    skip: usize,
) {
    let matrix = &Matrix { skip, ..tiles.matrix() };
    macro_rules! of {
        ($vector:ty, $unit:literal) => {
            if const { Of::<K>::IS_STRIDED } {
                of!($vector, $unit, Fixed(tiles.row), Fixed(tiles.column))
            } else if const { Of::<K>::ARE_COLUMNS_STRIDED } {
                of!($vector, $unit, Table(matrix.row_offsets), Fixed(tiles.column))
            } else {
                of!($vector, $unit, Table(matrix.row_offsets), Table(matrix.column_offsets))
            }
        };
        ($vector:ty, $unit:literal, $rows:expr, $columns:expr) => {{
            let (rows, columns) = ($rows, $columns);
            // SAFETY: the caller's promise.
            unsafe { transpose::all::<$vector, $unit, _, _>(matrix, rows, columns, from, to) }
        }};
        ($($unit:literal)*) => {
            match const { Of::<K>::UNIT } {
                $($unit => match const { Of::<K>::ROW_BYTES } {
                    64.. => of!(S::Most, $unit),
                    32.. => of!(S::Two, $unit),
                    _ => of!(S::Lane, $unit),
                },)*
                _ => {}
            }
        };
    }
    of!(1 2 4 8);
}

/// Calls the kernel of a static permutation by its number.
macro_rules! by_number {
    ($step:ident, $given:tt, $($number:literal => $kernel:expr;)*) => {
        match const { Of::<$step>::PERMUTE } {
            $($number => by_number!(call $kernel, $given),)*
            _ => {}
        }
    };
    (call $kernel:expr, ($own:ident, $from:ident, $to:ident)) => {
        // SAFETY: the caller's promise; the kernel is that of the permutation's form.
        unsafe { $kernel($own, $from, $to, false) }
    };
}

/// Runs a byte permute.
///
/// # Safety
/// The same as [`step`].
#[inline(always)]
unsafe fn permuted<S: Set, K: StaticStep>(own: &'static Permutation, from: *const u8, to: *mut u8) {
    by_number! {
        K, (own, from, to),
        0 => shuffle::permute::<S::Permute, 1, false>;
        1 => shuffle::permute::<S::Permute, 2, false>;
        2 => shuffle::permute::<S::Permute, 3, false>;
        3 => shuffle::permute::<S::Permute, 4, false>;
        4 => shuffle::permute::<S::Permute, 5, false>;
        5 => shuffle::permute::<S::Permute, 6, false>;
        6 => shuffle::permute::<S::Permute, 7, false>;
        7 => shuffle::permute::<S::Permute, 8, false>;
        8 => shuffle::short::<S::Permute>;
        9 => shuffle::permute::<S::Permute, 1, true>;
        10 => shuffle::permute::<S::Permute, 2, true>;
        11 => shuffle::permute::<S::Permute, 3, true>;
        12 => shuffle::permute::<S::Permute, 4, true>;
        13 => shuffle::permute::<S::Permute, 6, true>;
        14 => shuffle::permute::<S::Permute, 8, true>;
        15 => interleave::tables::<S::Permute, 2, 2, 1>;
        16 => interleave::tables::<S::Permute, 3, 2, 1>;
        17 => interleave::tables::<S::Permute, 3, 3, 1>;
        18 => interleave::tables::<S::Permute, 2, 2, 4>;
        19 => interleave::tables::<S::Permute, 3, 3, 4>;
        20 => interleave::quarters::<S::Permute, true>;
        21 => interleave::quarters::<S::Planes, false>;
        22 => interleave::eighths::<S::Planes, true, false>;
        23 => interleave::eighths::<S::Permute, false, true>;
        24 => interleave::zips::<S::Lane, 2, 1>;
        25 => interleave::zips::<S::Lane, 2, 2>;
        26 => interleave::zips::<S::Lane, 2, 4>;
        27 => interleave::zips::<S::Lane, 2, 8>;
        28 => interleave::zips::<S::Lane, 4, 1>;
        29 => interleave::zips::<S::Lane, 4, 2>;
        30 => interleave::zips::<S::Lane, 4, 4>;
        31 => interleave::halves::<V256>;
        32 => interleave::three_in_lanes::<V256>;
        33 => interleave::eighths_in_lanes::<V256>;
        34 => lane_units::transpose::<S::Two>;
        35 => interleave::zips::<S::Two, 2, 1>;
        36 => interleave::zips::<S::Two, 2, 2>;
        37 => interleave::zips::<S::Two, 2, 4>;
        38 => interleave::zips::<S::Two, 2, 8>;
        39 => interleave::zips::<S::Two, 4, 1>;
        40 => interleave::zips::<S::Two, 4, 2>;
        41 => interleave::zips::<S::Two, 4, 4>;
        42 => interleave::eighths::<V128Ssse3, true, true>;
        43 => interleave::quarters::<V128Ssse3, false>;
        44 => interleave::eighths::<V128Ssse3, true, false>;
        45 => interleave::tables::<S::Permute, 1, 1, 2>;
        46 => interleave::tables::<S::Permute, 2, 2, 2>;
    }
}
