//! The code of constant steps, inlined into a function with the features of the instruction set: every bound and stride
//! is then a literal, and only the kernel of the step is compiled.

use core::marker::PhantomData;

use super::forms::{copies, networks};
use super::kernels::{ByteNetwork, Load};
use crate::isa::{self, OfIsa};
#[cfg(vectors)]
use crate::micro::byte_network::{PART, VECTOR, network};
use crate::micro::copy;
#[cfg(vectors)]
use crate::micro::offsets::{Strided, Table};
#[cfg(vectors)]
use crate::micro::{transpose, vector::Vector};
#[cfg(vectors)]
use crate::steps::loops::{LONG_RUNS, OVERLAPPING_RUNS, STREAMED_RUNS};
use crate::steps::{Form, Matrix, Permutation, Runs, Step};

/// A step that is a constant.
pub(crate) trait StaticStep {
    const STEP: &'static Step;
}

/// An instruction set as a type, with its code for constant steps.
pub(crate) trait Set: OfIsa {
    /// Runs a constant step with plain stores.
    ///
    /// # Safety
    /// The same as the micro-kernel of the step. The CPU must have the features of the set.
    unsafe fn step<K: StaticStep>(from: *const u8, to: *mut u8);
}

/// The properties of a constant step that choose its code, each as a constant. They are numbers, since the compiler
/// evaluates a branch on a number before it decides what to compile.
struct Of<K>(PhantomData<K>);

macro_rules! properties {
    ($($name:ident: $type:ty = $step:ident($own:ident) => $value:expr, $other:expr;)*) => {$(
        #[allow(dead_code, reason = "without vectors there are fewer forms")]
        const $name: $type = match K::STEP {
            Step::$step($own) => $value,
            _ => $other,
        };
    )*};
}

impl<K: StaticStep> Of<K> {
    properties! {
        RUNS: Option<&'static Runs> = Copies(own) => Some(&own.runs), None;
        CLASS: usize = Copies(own) => own.class, usize::MAX;
        MATRIX: Option<Matrix> = Tiles(own) => Some(own.matrix()), None;
        UNIT: usize = Tiles(own) => own.unit, 0;
        ROW_BYTES: usize = Tiles(own) => own.rows * own.unit, 0;
        IS_STRIDED: bool = Tiles(own) => own.is_strided, false;
        ARE_COLUMNS_STRIDED: bool = Tiles(own) => own.are_columns_strided, false;
        PERMUTATION: Option<&'static Permutation> = Permute(own) => Some(own), None;
        NETWORK: ByteNetwork = Permute(own) => own.network(), (Form::Tables, 0, 0, Load::Vector);
    }
}

/// Runs the kernel of a constant step, if its form is one of these rows.
macro_rules! own {
    ((($form:expr) $given:tt) $($row:pat => $kernel:expr;)*) => {$(
        if const { matches!($form, $row) } {
            // SAFETY: the caller's promise; the kernel is that of the step.
            unsafe { $kernel $given };
        }
    )*};
}

/// Makes the code for constant steps of an instruction set: from the vectors of tiles of 16, 32 and 64 bytes of a column,
/// and from groups of the lists.
macro_rules! sets {
    ($(
        $(#[$there:meta])* $set:ident: tiles $tiles:tt,
        copies $(($copies:ident: $($of:tt)*))*, networks $(($networks:ident: $($v:ty)?))*;
    )*) => {$(
        $(#[$there])*
        impl Set for isa::$set {
            #[inline(always)]
            unsafe fn step<K: StaticStep>(from: *const u8, to: *mut u8) {
                if let Some(runs) = const { Of::<K>::RUNS } {
                    $(copies!($copies: own! ((Of::<K>::CLASS) (runs, from, to)), $($of)*);)*
                }
                if let Some(matrix) = const { &Of::<K>::MATRIX } {
                    transposed!($tiles matrix, from, to)
                }
                if let Some(own) = const { Of::<K>::PERMUTATION } {
                    const {
                        if let Some(own) = Of::<K>::PERMUTATION {
                            assert!(Self::ISA.permute_kernel(own).is_some(), "it has a kernel");
                        }
                    };
                    $(networks!($networks: own! ((Of::<K>::NETWORK) (own, from, to, false)), $($v)?);)*
                }
            }
        }
    )*};
}

/// Transposes a constant matrix: without vectors, or with those that its columns fill.
macro_rules! transposed {
    ((words) $matrix:ident, $from:ident, $to:ident) => {
        transposed!((words) $matrix, $from, $to, 1 2 4 8)
    };
    ((words) $matrix:ident, $from:ident, $to:ident, $($unit:literal)*) => {
        match const { Of::<K>::UNIT } {
            // SAFETY: the caller's promise.
            $($unit => unsafe { words::transpose::<$unit>($matrix, $from, $to) },)*
            _ => {}
        }
    };
    (($lane:ty, $two:ty, $most:ty) $matrix:ident, $from:ident, $to:ident) => {
        if const { Of::<K>::ROW_BYTES >= 64 } {
            // SAFETY: the caller's promise.
            unsafe { tiled::<$most, K>($matrix, $from, $to) }
        } else if const { Of::<K>::ROW_BYTES >= 32 } {
            // SAFETY: as above.
            unsafe { tiled::<$two, K>($matrix, $from, $to) }
        } else {
            // SAFETY: as above.
            unsafe { tiled::<$lane, K>($matrix, $from, $to) }
        }
    };
}

/// Transposes a constant matrix in tiles of a height.
///
/// # Safety
/// The same as [`Set::step`].
#[cfg(vectors)]
#[inline(always)]
unsafe fn tiled<V: Vector, K: StaticStep>(own: &Matrix, from: *const u8, to: *mut u8) {
    macro_rules! units {
        ($rows:expr, $columns:expr; $($unit:literal)*) => {
            match const { Of::<K>::UNIT } {
                // SAFETY: the caller's promise.
                $($unit => unsafe { transpose::all::<V, $unit, _, _>(own, $rows, $columns, from, to) },)*
                _ => {}
            }
        };
    }
    if const { Of::<K>::IS_STRIDED } {
        units!(Strided::<true>(own.row), Strided::<true>(own.column); 1 2 4 8);
    } else if const { Of::<K>::ARE_COLUMNS_STRIDED } {
        units!(Table(own.row_offsets), Strided::<true>(own.column); 1 2 4 8);
    } else {
        units!(Table(own.row_offsets), Table(own.column_offsets); 1 2 4 8);
    }
}

#[cfg(any(test, not(vectors)))]
mod no_vectors {
    use super::*;
    use crate::micro::words;
    use crate::steps::loops::COPY_CLASSES;

    sets! {
        Portable: tiles (words), copies (numbers: words::ones) (words:), networks (words:);
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86 {
    #[cfg(feature = "std")]
    use super::super::x86_64::avx512::V512;
    use super::super::x86_64::{V128Ssse3, V256};
    use super::*;
    use crate::micro::byte_network::{LANES, PAIR, units_of_lanes};
    #[cfg(not(feature = "std"))]
    use crate::micro::words;
    use crate::steps::loops::LONG_OVERLAPPING_RUNS;

    sets! {
        #[cfg(not(feature = "std"))]
        Sse2: tiles (V128Ssse3, V128Ssse3, V128Ssse3),
            copies (numbers: copy::ones) (one_lane: V128Ssse3) (long: V128Ssse3), networks (words:);
        Avx2: tiles (V128Ssse3, V256, V256),
            copies (numbers: copy::ones) (lanes: V128Ssse3, V256) (long: V256),
            networks (pairs:) (one_vector: V128Ssse3) (several: V128Ssse3) (shared:);
        #[cfg(feature = "std")]
        Avx512: tiles (V128Ssse3, V256, V512),
            copies (numbers: copy::ones) (lanes: V128Ssse3, V256) (long: V512),
            networks (pairs:) (one_vector: V128Ssse3) (several: V128Ssse3) (shared:);
        #[cfg(feature = "std")]
        Avx512Vbmi: tiles (V128Ssse3, V256, V512),
            copies (numbers: copy::ones) (lanes: V128Ssse3, V256) (long: V512),
            networks (one_vector: V512) (in_lanes: V512) (several: V512) (shared:);
    }
}

#[cfg(all(vectors, not(target_arch = "x86_64")))]
mod one_lane {
    #[cfg(target_arch = "aarch64")]
    use super::super::neon::V128;
    #[cfg(target_arch = "wasm32")]
    use super::super::simd128::V128;
    use super::*;

    sets! {
        #[cfg(target_arch = "aarch64")]
        Neon: tiles (V128, V128, V128), copies (numbers: copy::ones) (one_lane: V128) (long: V128),
            networks (one_vector: V128);
        #[cfg(target_arch = "wasm32")]
        Simd128: tiles (V128, V128, V128), copies (numbers: copy::ones) (one_lane: V128) (long: V128),
            networks (one_vector: V128);
    }
}
