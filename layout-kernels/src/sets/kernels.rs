//! The table of micro-kernels of an instruction set, and the micro-kernels of one step. These are picked when the
//! plan is made, so that a constant plan links only the kernels it uses.

use core::ops::Range;

use crate::isa::Isa;
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
    /// By the bytes of a column in the highest tile: 16, 32 with two lanes that share rows, 32, and 64.
    pub(crate) tiles: [&'static TileKernels; 4],
    pub(crate) streams: StreamKernels,
    /// For elements of less than a byte.
    pub(crate) planes: PlanesKernel,
    /// By the number that [`of_permutation`] returns. Instruction sets may have none, or only the first nine.
    pub(crate) permutes: &'static [PermuteKernel],
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

    /// Returns the kernel for a permutation, if the instruction set has one.
    pub(crate) const fn permute(&self, of: &Permutation) -> Option<PermuteKernel> {
        let number = of_permutation(of);
        if number < self.permutes.len() { Some(self.permutes[number]) } else { None }
    }
}

/// Returns the index of the kernels for units of `unit` bytes.
const fn index(unit: usize) -> usize {
    unit.trailing_zeros() as usize & 3
}

/// Returns the index in [`Kernels::tiles`] of the highest tiles that a column of `bytes` bytes fills.
const fn length(bytes: usize) -> usize {
    match bytes {
        64.. => 3,
        32.. => 2,
        17.. => 1,
        _ => 0,
    }
}

/// Returns the bytes of a column that such tiles store at once. Tiles of two lanes that share rows store each lane
/// separately, so 16.
pub(crate) const fn column_of_tile(unit: usize, bytes: usize, isa: Isa) -> usize {
    least([16, 16, 32, 64][length(bytes)], isa.column_bytes(unit))
}

/// Returns the number of the kernel for a permutation.
pub(crate) const fn of_permutation(own: &Permutation) -> usize {
    match own.form {
        // One vector: of loads of vectors, and of one to four, six and eight loads in lanes.
        Form::Tables if own.outputs == 1 && !own.lanes => own.loads - 1,
        Form::Tables if own.outputs == 1 && own.loads <= 4 => 8 + own.loads,
        Form::Tables if own.outputs == 1 => 10 + own.loads / 2,
        Form::Short => 8,
        // Two vectors of two loads, two and three of three; two and three of loads in lanes.
        Form::Tables if own.lanes => 16 + own.outputs,
        Form::Tables => 11 + own.loads + own.outputs,
        // Planes, rows and columns.
        Form::Parts { before: true, after } if own.loads == 4 => 21 - after as usize,
        Form::Parts { before: true, after: true } => 38,
        Form::Parts { after, .. } => 22 + after as usize,
        // Two rows of units of 1 to 8 bytes, and four of 1 to 4; then those in two lanes.
        Form::Zips(unit) => {
            let first = if own.valid > 16 * own.outputs { 27 } else { 20 };
            first + 4 * own.outputs.trailing_zeros() as usize + unit.trailing_zeros() as usize
        }
        Form::Lanes => UNITS_OF_LANES,
    }
}

/// The number of kernels for permutations.
#[allow(dead_code, reason = "some sets have only the first")]
pub(crate) const PERMUTES: usize = 40;

/// The kernels for permutations that make one vector of one lane, by the number that [`of_permutation`] returns, and
/// others. It calls a macro with them: for a table of functions, and for the kernel of a constant step.
#[cfg(vectors)]
macro_rules! one_vector {
    ($then:ident! $given:tt, $permute:ty, $($others:tt)*) => {
        $then! { $given
            0 => shuffle::permute::<$permute, 1, false>;
            1 => shuffle::permute::<$permute, 2, false>;
            2 => shuffle::permute::<$permute, 3, false>;
            3 => shuffle::permute::<$permute, 4, false>;
            4 => shuffle::permute::<$permute, 5, false>;
            5 => shuffle::permute::<$permute, 6, false>;
            6 => shuffle::permute::<$permute, 7, false>;
            7 => shuffle::permute::<$permute, 8, false>;
            8 => shuffle::short::<$permute>;
            $($others)*
        }
    };
}
#[cfg(vectors)]
pub(super) use one_vector;

/// All of them.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! all_permutes {
    ($then:ident! $given:tt, $permute:ty) => {
        one_vector! { $then! $given, $permute,
            // Loads in lanes: of vectors of a line alone.
            9 => shuffle::permute::<$permute, 1, true>;
            10 => shuffle::permute::<$permute, 2, true>;
            11 => shuffle::permute::<$permute, 3, true>;
            12 => shuffle::permute::<$permute, 4, true>;
            13 => shuffle::permute::<$permute, 6, true>;
            14 => shuffle::permute::<$permute, 8, true>;
            // Several vectors.
            15 => interleave::tables::<$permute, 2, 2, false>;
            16 => interleave::tables::<$permute, 3, 2, false>;
            17 => interleave::tables::<$permute, 3, 3, false>;
            18 => interleave::tables::<$permute, 2, 2, true>;
            19 => interleave::tables::<$permute, 3, 3, true>;
            20 => interleave::parts::<$permute, 4, true, true, true>;
            21 => interleave::parts::<$permute, 4, true, false, false>;
            22 => interleave::parts::<$permute, 8, true, false, false>;
            23 => interleave::parts::<$permute, 8, false, true, false>;
            // Vectors of one lane or two, which sets with AVX2 share.
            24 => interleave::zips::<V128Ssse3, 2, 1>;
            25 => interleave::zips::<V128Ssse3, 2, 2>;
            26 => interleave::zips::<V128Ssse3, 2, 4>;
            27 => interleave::zips::<V128Ssse3, 2, 8>;
            28 => interleave::zips::<V128Ssse3, 4, 1>;
            29 => interleave::zips::<V128Ssse3, 4, 2>;
            30 => interleave::zips::<V128Ssse3, 4, 4>;
            31 => interleave::zips::<V256, 2, 1>;
            32 => interleave::zips::<V256, 2, 2>;
            33 => interleave::zips::<V256, 2, 4>;
            34 => interleave::zips::<V256, 2, 8>;
            35 => interleave::zips::<V256, 4, 1>;
            36 => interleave::zips::<V256, 4, 2>;
            37 => interleave::zips::<V256, 4, 4>;
            38 => interleave::parts::<V128Ssse3, 8, true, true, false>;
            39 => interleave::units_of_lanes::<V256>;
        }
    };
}
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) use all_permutes;

/// The numbers of the kernels of loads in lanes, and of those that sets with AVX2 share.
#[allow(dead_code, reason = "some sets have none")]
pub(super) const IN_LANES: Range<usize> = 9..15;
#[allow(dead_code, reason = "some sets have none")]
pub(super) const OF_LANES: Range<usize> = 24..PERMUTES;

/// The number of the kernel for units of a lane.
#[allow(dead_code, reason = "some sets have none")]
pub(super) const UNITS_OF_LANES: usize = 39;
