//! The table of micro-kernels that an instruction set has.

use crate::steps::thresholds::COPY_CLASSES;
use crate::steps::{Halves, Matrix, Permutation, Runs};

/// Copies runs.
pub(crate) type CopyKernel = unsafe fn(&Runs, *const u8, *mut u8);
/// Halves of pairs of rows.
pub(crate) type HalvesKernel = unsafe fn(&Halves, *const u8, *mut u8);
/// Transposes a matrix.
pub(crate) type TileKernel = unsafe fn(&Matrix, *const u8, *mut u8);
/// Permutes bytes.
pub(crate) type PermuteKernel = unsafe fn(&Permutation, *const u8, *mut u8, bool);

/// The kernel of a step that a plan does not have.
///
/// # Safety
/// None.
#[allow(dead_code, reason = "moves in place ask alone")]
pub(crate) unsafe fn nothing<T>(_: &T, _: *const u8, _: *mut u8) {}

/// The tile kernels of one vector length: of units of 1, 2, 4 and 8 bytes, even and by tables.
pub(crate) type TileKernels = [[TileKernel; 2]; 4];

/// The micro-kernels of an instruction set.
pub(crate) struct Kernels {
    /// By class of length.
    pub(crate) copies: [CopyKernel; COPY_CLASSES],
    /// By the most bytes of a vector: 16, 32 and 64.
    pub(crate) tiles: [&'static TileKernels; 3],
    /// Of even matrices whose columns are stored non-temporally.
    pub(crate) streams: Option<&'static [TileKernel; 4]>,
    /// Of 4-bit elements.
    pub(crate) halves: HalvesKernel,
    /// Of two and three vectors out of as many loads, of four planes, and of four rows.
    pub(crate) shared: Option<&'static [PermuteKernel; 4]>,
    /// By the number of parts: of vectors, and of lanes.
    pub(crate) permutes: Option<[&'static [PermuteKernel; 8]; 2]>,
}

impl Kernels {
    /// The kernel of runs of a class.
    #[inline]
    pub(crate) const fn copy(&self, class: usize) -> CopyKernel {
        self.copies[if class < COPY_CLASSES { class } else { 0 }]
    }

    /// The kernel of a matrix of `rows` rows: the longest tiles that they fill.
    pub(crate) const fn tile(&self, unit: usize, rows: usize, is_even: bool) -> TileKernel {
        let length = match rows * unit {
            64.. => 2,
            32.. => 1,
            _ => 0,
        };
        self.tiles[length][unit.trailing_zeros() as usize & 3][if is_even { 0 } else { 1 }]
    }

    /// The kernel of a permutation.
    pub(crate) const fn permute(&self, permutation: &Permutation) -> Option<PermuteKernel> {
        let Some(kernels) = self.permutes else { return None };
        if permutation.outputs > 1 {
            let Some(kernels) = self.shared else { return None };
            let four_rows = permutation.outputs == 4 && permutation.is_of_rows();
            let kind = if four_rows { 3 } else { permutation.outputs - 2 };
            return Some(kernels[kind % kernels.len()]);
        }
        let loads = if permutation.lanes { 1 } else { 0 };
        Some(kernels[loads][(permutation.parts - 1) & 7])
    }
}
