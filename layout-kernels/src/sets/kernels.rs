//! The table of micro-kernels of an instruction set, and the micro-kernels of one step. These are picked when the
//! plan is made, so that a constant plan links only the kernels it uses.

use crate::isa::Isa;
use crate::micro::{copy, words};
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

/// The kernel of a step that a plan does not have.
///
/// # Safety
/// There is nothing to promise.
#[allow(dead_code, reason = "only inlined moves use it")]
pub(crate) unsafe fn nothing<T>(_: &T, _: *const u8, _: *mut u8) {}

/// The tile kernels of one vector length, for units of 1, 2, 4 and 8 bytes, each evenly spaced and with tables.
pub(crate) type TileKernels = [[TileKernel; 2]; 4];

/// The tile kernels with non-temporal stores, by unit: for evenly spaced matrices whose columns reach cache lines at
/// the same row, and for matrices with tables of rows that may be rotated.
pub(crate) type StreamKernels = [Option<[TileKernel; 2]>; 4];

/// The kernels of instruction sets that have none.
pub(crate) const NO_STREAMS: StreamKernels = [None; 4];

/// The micro-kernels of an instruction set.
pub(crate) struct Kernels {
    /// By the class of the length.
    pub(crate) copies: [CopyKernel; COPY_CLASSES],
    /// By the bytes of a column in the highest tile: 16, 32 and 64.
    pub(crate) tiles: [&'static TileKernels; 3],
    pub(crate) streams: StreamKernels,
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

/// What chooses the kernel of a permutation: its form, its numbers of loads and outputs, and whether loads are in
/// lanes, or zips in two lanes.
pub(crate) type ByteNetwork = (Form, usize, usize, bool);

impl Permutation {
    /// Returns what chooses the kernel.
    pub(crate) const fn network(&self) -> ByteNetwork {
        let Self { form, loads, outputs, lanes, valid, .. } = *self;
        let is_wide = matches!(form, Form::Zips(_)) && valid > 16 * outputs;
        (form, loads, outputs, lanes || is_wide)
    }
}

/// Calls a macro with the permutations and the kernels of a group: for separate functions, and for the kernel of a
/// constant step.
#[cfg(vectors)]
macro_rules! networks {
    // One vector, of loads of vectors.
    (one_vector: $then:ident! $given:tt, $v:ty) => {
        $then! { $given
            (Form::Tables, 1, 1, false) => network::<$v, 1, 1, VECTOR, false, 0, false>;
            (Form::Tables, 2, 1, false) => network::<$v, 2, 1, VECTOR, false, 0, false>;
            (Form::Tables, 3, 1, false) => network::<$v, 3, 1, VECTOR, false, 0, false>;
            (Form::Tables, 4, 1, false) => network::<$v, 4, 1, VECTOR, false, 0, false>;
            (Form::Tables, 5, 1, false) => network::<$v, 5, 1, VECTOR, false, 0, false>;
            (Form::Tables, 6, 1, false) => network::<$v, 6, 1, VECTOR, false, 0, false>;
            (Form::Tables, 7, 1, false) => network::<$v, 7, 1, VECTOR, false, 0, false>;
            (Form::Tables, 8, 1, false) => network::<$v, 8, 1, VECTOR, false, 0, false>;
            (Form::Short, ..) => network::<$v, 1, 1, PART, false, 0, false>;
        }
    };
    // One vector, of loads in lanes.
    (in_lanes: $then:ident! $given:tt, $v:ty) => {
        $then! { $given
            (Form::Tables, 1, 1, true) => network::<$v, 1, 1, LANES, false, 0, false>;
            (Form::Tables, 2, 1, true) => network::<$v, 2, 1, LANES, false, 0, false>;
            (Form::Tables, 3, 1, true) => network::<$v, 3, 1, LANES, false, 0, false>;
            (Form::Tables, 4, 1, true) => network::<$v, 4, 1, LANES, false, 0, false>;
            (Form::Tables, 6, 1, true) => network::<$v, 6, 1, LANES, false, 0, false>;
            (Form::Tables, 8, 1, true) => network::<$v, 8, 1, LANES, false, 0, false>;
        }
    };
    // Several vectors.
    (several: $then:ident! $given:tt, $v:ty) => {
        $then! { $given
            (Form::Tables, 2, 2, false) => network::<$v, 2, 2, VECTOR, false, 0, false>;
            (Form::Tables, 3, 2, false) => network::<$v, 3, 2, VECTOR, false, 0, false>;
            (Form::Tables, 3, 3, false) => network::<$v, 3, 3, VECTOR, false, 0, false>;
            (Form::Tables, 2, 2, true) => network::<$v, 2, 2, LANES, false, 0, false>;
            (Form::Tables, 3, 3, true) => network::<$v, 3, 3, LANES, false, 0, false>;
            (Form::Parts { before: true, after: true }, 4, ..) => network::<$v, 4, 4, LANES, true, 4, true>;
            (Form::Parts { before: true, after: false }, 4, ..) => network::<$v, 4, 4, VECTOR, true, 4, false>;
            (Form::Parts { before: true, after: false }, 8, ..) => network::<$v, 8, 8, VECTOR, true, 2, false>;
            (Form::Parts { before: false, .. }, 8, ..) => network::<$v, 8, 8, VECTOR, false, 2, true>;
        }
    };
    // Those that sets with AVX2 share.
    (shared: $then:ident! $given:tt) => {
        $then! { $given
            (Form::Zips(1), 2, _, false) => network::<V128Ssse3, 2, 2, VECTOR, false, 1, false>;
            (Form::Zips(2), 2, _, false) => network::<V128Ssse3, 2, 2, VECTOR, false, 2, false>;
            (Form::Zips(4), 2, _, false) => network::<V128Ssse3, 2, 2, VECTOR, false, 4, false>;
            (Form::Zips(8), 2, _, false) => network::<V128Ssse3, 2, 2, VECTOR, false, 8, false>;
            (Form::Zips(1), 4, _, false) => network::<V128Ssse3, 4, 4, VECTOR, false, 1, false>;
            (Form::Zips(2), 4, _, false) => network::<V128Ssse3, 4, 4, VECTOR, false, 2, false>;
            (Form::Zips(4), 4, _, false) => network::<V128Ssse3, 4, 4, VECTOR, false, 4, false>;
            (Form::Zips(1), 2, _, true) => network::<V256, 2, 2, VECTOR, false, 1, false>;
            (Form::Zips(2), 2, _, true) => network::<V256, 2, 2, VECTOR, false, 2, false>;
            (Form::Zips(4), 2, _, true) => network::<V256, 2, 2, VECTOR, false, 4, false>;
            (Form::Zips(8), 2, _, true) => network::<V256, 2, 2, VECTOR, false, 8, false>;
            (Form::Zips(1), 4, _, true) => network::<V256, 4, 4, VECTOR, false, 1, false>;
            (Form::Zips(2), 4, _, true) => network::<V256, 4, 4, VECTOR, false, 2, false>;
            (Form::Zips(4), 4, _, true) => network::<V256, 4, 4, VECTOR, false, 4, false>;
            (Form::Parts { before: true, after: true }, 8, ..) => network::<V128Ssse3, 8, 8, VECTOR, true, 2, true>;
            (Form::Lanes, ..) => units_of_lanes::<V256>;
        }
    };
}
#[cfg(vectors)]
pub(super) use networks;

/// Without vectors, a byte permute only fills padding, with one load.
#[inline(always)]
pub(super) unsafe fn pad(permutation: &Permutation, from: *const u8, to: *mut u8, _: bool) {
    // SAFETY: the caller's promise.
    unsafe { words::pad(permutation, from, to) }
}

/// Copies by the class of runs: of a number, of two, and else memcpy.
const COPIES: [CopyKernel; COPY_CLASSES] = {
    let mut all: [CopyKernel; COPY_CLASSES] = [copy::any; COPY_CLASSES];
    (all[1], all[2], all[3]) = (copy::ones::<u8>, words::ones::<u16>, words::ones::<u32>);
    (all[4], all[5]) = (words::ones::<u64>, words::ones::<u128>);
    (all[6], all[7], all[8]) = (copy::twos::<u16>, copy::twos::<u32>, copy::twos::<u64>);
    all[9] = copy::twos::<u128>;
    all
};

/// Tiles by the unit. A plan without vectors has no tables.
const TILES: TileKernels = [
    [words::transpose::<1>; 2],
    [words::transpose::<2>; 2],
    [words::transpose::<4>; 2],
    [words::transpose::<8>; 2],
];

/// The micro-kernels of [`Isa::Portable`]. They are inlined where a plan is a constant, and a
/// table that is a constant would compile them once more wherever it is used.
pub(super) static PORTABLE: Kernels = Kernels {
    copies: COPIES,
    tiles: [&TILES; 3],
    streams: NO_STREAMS,
    planes: words::baseline_planes,
};
