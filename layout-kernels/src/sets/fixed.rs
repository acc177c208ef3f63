//! Micro-kernels of a constant step, inlined into a function with the features of the instruction set. Every bound
//! and stride is then a literal, and only the kernel of the step is compiled.

use super::kernels::{ByteNetwork, networks};
use super::x86_64::avx512::V512;
use super::x86_64::{V128Ssse3, V256};
use crate::isa::{Avx2, Avx512, Avx512Vbmi, OfIsa};
use crate::micro::byte_network::{LANES, PART, VECTOR, network, units_of_lanes};
use crate::micro::offsets::{Strided, Table};
use crate::micro::vector::{Permute, Vector};
use crate::micro::{copy, transpose};
use crate::steps::loops::{LONG_OVERLAPPING_RUNS, LONG_RUNS, OVERLAPPING_RUNS};
use crate::steps::{Copies, Form, Permutation, Step, Tiles};

/// An instruction set as a type, with its vectors.
pub(crate) trait Set: OfIsa {
    /// The longest vectors of tiles and copies.
    type Most: Vector;

    /// The vectors of byte permutes.
    type Permute: Permute;
}

impl Set for Avx2 {
    type Most = V256;
    type Permute = V128Ssse3;
}

impl Set for Avx512 {
    type Most = V512;
    type Permute = V128Ssse3;
}

impl Set for Avx512Vbmi {
    type Most = V512;
    type Permute = V512;
}

/// A step that is a constant.
pub(crate) trait StaticStep {
    const STEP: &'static Step;
}

/// The properties of a constant step that choose its code, each as a constant. They are numbers, since the compiler
/// evaluates a branch on a number before it decides what to compile.
struct Of<K>(core::marker::PhantomData<K>);

macro_rules! properties {
    ($($name:ident: $type:ty = $step:ident($own:ident) => $value:expr, $other:expr;)*) => {$(
        const $name: $type = match K::STEP {
            Step::$step($own) => $value,
            _ => $other,
        };
    )*};
}

impl<K: StaticStep> Of<K> {
    properties! {
        COPIES: Option<&'static Copies> = Copies(own) => Some(own), None;
        CLASS: usize = Copies(own) => own.class, usize::MAX;
        TILES: Option<&'static Tiles> = Tiles(own) => Some(own), None;
        UNIT: usize = Tiles(own) => own.unit, 0;
        ROW_BYTES: usize = Tiles(own) => own.rows * own.unit, 0;
        IS_STRIDED: bool = Tiles(own) => own.is_strided, false;
        ARE_COLUMNS_STRIDED: bool = Tiles(own) => own.are_columns_strided, false;
        PERMUTATION: Option<&'static Permutation> = Permute(own) => Some(own), None;
        NETWORK: Option<ByteNetwork> = Permute(own) => Some(own.network()), None;
    }
}

/// Runs a constant step with plain stores.
///
/// # Safety
/// The same as each micro-kernel. The CPU must have the features of `S`.
#[inline(always)]
pub(crate) unsafe fn step<S: Set, K: StaticStep>(from: *const u8, to: *mut u8) {
    if let Some(copies) = const { Of::<K>::COPIES } {
        // SAFETY: the caller's promise.
        unsafe { copied::<S, K>(copies, from, to) };
    }
    if let Some(tiles) = const { Of::<K>::TILES } {
        // SAFETY: the caller's promise.
        unsafe { transposed::<S, K>(tiles, from, to) };
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
        9 => copy::vectors::<V128Ssse3, 1>;
        10 => copy::vectors::<V128Ssse3, 2>;
        11 => copy::vectors::<V256, 1>;
        12 => copy::vectors::<V256, 2>;
        13 => copy::vectors::<V256, 3>;
        14 => copy::vectors::<V256, 4>;
        15..=LONG_RUNS => copy::long::<S::Most>;
        OVERLAPPING_RUNS => copy::overlapping::<u128, u64>;
        LONG_OVERLAPPING_RUNS => copy::overlapping::<V256, u128>;
    }
}

/// Transposes a matrix with the highest tiles that its rows fill.
///
/// # Safety
/// The same as [`step`].
#[inline(always)]
unsafe fn transposed<S: Set, K: StaticStep>(tiles: &'static Tiles, from: *const u8, to: *mut u8) {
    let matrix = &tiles.matrix();
    macro_rules! of {
        ($vector:ty, $unit:literal) => {
            if const { Of::<K>::IS_STRIDED } {
                of!($vector, $unit, Strided::<true>(tiles.row), Strided::<true>(tiles.column))
            } else if const { Of::<K>::ARE_COLUMNS_STRIDED } {
                of!($vector, $unit, Table(matrix.row_offsets), Strided::<true>(tiles.column))
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
                    32.. => of!(V256, $unit),
                    _ => of!(V128Ssse3, $unit),
                },)*
                _ => {}
            }
        };
    }
    of!(1 2 4 8);
}

/// Runs a byte permute.
///
/// # Safety
/// The same as [`step`].
#[inline(always)]
unsafe fn permuted<S: Set, K: StaticStep>(own: &'static Permutation, from: *const u8, to: *mut u8) {
    const {
        if let Some(own) = Of::<K>::PERMUTATION {
            assert!(S::ISA.permute_kernel(own).is_some(), "it has a kernel");
        }
    };
    macro_rules! by_network {
        (() $($network:pat => $kernel:expr;)*) => {$(
            if const { matches!(Of::<K>::NETWORK, Some($network)) } {
                // SAFETY: the caller's promise; the kernel is that of the permutation.
                unsafe { $kernel(own, from, to, false) };
            }
        )*};
    }
    networks!(one_vector: by_network! (), S::Permute);
    networks!(in_lanes: by_network! (), S::Permute);
    networks!(several: by_network! (), S::Permute);
    networks!(shared: by_network! ());
}
