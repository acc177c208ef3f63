//! The table of micro-kernels of an instruction set, and what chooses one for a step.

use crate::isa::{Isa, LANE};
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

/// The tile kernels of one vector length, for units of 1, 2, 4 and 8 bytes, each evenly spaced and with tables.
pub(super) type TileKernels = [[TileKernel; 2]; 4];

/// The tile kernels with non-temporal stores, by unit: for evenly spaced matrices whose columns reach cache lines at
/// the same row, and for matrices with tables of rows that may be rotated.
pub(super) type StreamKernels = [Option<[TileKernel; 2]>; 4];

/// The micro-kernels of an instruction set.
pub(crate) struct Kernels {
    /// By the class of the length.
    pub(super) copies: [CopyKernel; COPY_CLASSES],
    /// By the bytes of a column in the highest tile: 16, 32 and 64.
    pub(super) tiles: [&'static TileKernels; 3],
    pub(super) streams: StreamKernels,
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
pub(super) const fn index(unit: usize) -> usize {
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

/// What chooses the kernel of a permutation: its form, its numbers of loads and outputs, and what a load is.
pub(super) type ByteNetwork = (Form, usize, usize, Load);

/// What a load of a permutation is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Load {
    /// A vector.
    Vector,
    /// 16 bytes for each lane, at an offset of its own.
    Lanes,
    /// A vector of two lanes, for rows where other vectors have one.
    Wide,
    /// 16 bytes for each of two lanes, for planes where vectors have one.
    Pair,
}

impl Permutation {
    /// Returns what chooses the kernel.
    pub(super) const fn network(&self) -> ByteNetwork {
        let Self { form, loads, outputs, lanes, valid, stored, .. } = *self;
        let is_wide = matches!(form, Form::Zips(_)) && valid > LANE * outputs;
        let load = match lanes {
            _ if self.is_pair() && stored > LANE => Load::Pair,
            _ if self.is_pair() || is_wide => Load::Wide,
            true => Load::Lanes,
            false => Load::Vector,
        };
        (form, loads, outputs, load)
    }
}
