//! The table of micro-kernels of an instruction set, and the micro-kernels of one step. These are picked when the
//! plan is made, so that a constant plan links only the kernels it uses.

use crate::isa::Isa;
use crate::steps::classes::COPY_CLASSES;
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

/// The number of kernels for permutations.
#[allow(dead_code, reason = "some sets have only the first")]
pub(crate) const PERMUTES: usize = 47;

/// The number of the first kernel that only sets with AVX2 have, and of that for units of a lane.
#[allow(dead_code, reason = "some sets have none")]
pub(crate) const FIRST_OF_LANES: usize = 24;
#[allow(dead_code, reason = "some sets have none")]
pub(crate) const UNITS_OF_LANES: usize = 34;

/// The number of the first kernel for halves of rows, which only sets with VBMI have.
#[allow(dead_code, reason = "some sets have none")]
pub(crate) const HALF_ROWS: usize = 45;

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
        Form::QuarterColumns => 20,
        // Planes in vectors of one lane.
        Form::Quarters if own.stored == 16 => 43,
        Form::Quarters => 21,
        Form::Eighths if own.stored == 16 => 44,
        Form::Eighths => 22,
        Form::EighthRows => 23,
        // Two rows of units of 1 to 8 bytes, and four of 1 to 4; then those in two lanes.
        Form::Zips(unit) => {
            let first = if own.valid > 16 * own.outputs { 31 } else { 20 };
            first + 4 * own.outputs.trailing_zeros() as usize + unit.trailing_zeros() as usize
        }
        Form::Halves => 31,
        Form::ThreeRowsInLanes => 32,
        Form::EighthRowsInLanes => 33,
        Form::Lanes => UNITS_OF_LANES,
        Form::EighthColumns => 42,
        Form::HalfRows => HALF_ROWS - 1 + own.outputs,
    }
}
