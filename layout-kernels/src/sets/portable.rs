//! Micro-kernels without vector instructions.

use super::kernels::{CopyKernel, Kernels, NO_STREAMS, TileKernel, TileKernels};
use crate::micro::{copy, words};
use crate::steps::loops::COPY_CLASSES;
use crate::steps::{Matrix, Permutation, Runs};

macro_rules! portable {
    ($kernel:expr) => {{
        #[inline(always)]
        unsafe fn kernel(runs: &Runs, from: *const u8, to: *mut u8) {
            // SAFETY: the caller's promise, which is that of the micro-kernel.
            unsafe { ($kernel)(runs, from, to) }
        }
        kernel as CopyKernel
    }};
}

macro_rules! tiles {
    ($width:literal) => {{
        #[inline(always)]
        unsafe fn kernel(matrix: &Matrix, from: *const u8, to: *mut u8) {
            // SAFETY: the caller's promise.
            unsafe { words::transpose::<$width>(matrix, from, to) }
        }
        // A plan without vectors has no tables.
        [kernel as TileKernel; 2]
    }};
}

#[inline(always)]
unsafe fn pad(permutation: &Permutation, from: *const u8, to: *mut u8, _: bool) {
    // SAFETY: the caller's promise.
    unsafe { words::pad(permutation, from, to) }
}

/// The tile kernels for words.
const TILES: TileKernels = [tiles!(1), tiles!(2), tiles!(4), tiles!(8)];

/// Copies by the class of runs: of a number, of two, and else memcpy.
const COPIES: [CopyKernel; COPY_CLASSES] = {
    let mut all = [portable!(copy::any); COPY_CLASSES];
    (all[1], all[2]) = (portable!(copy::ones::<u8>), portable!(words::ones::<u16>));
    (all[3], all[4]) = (portable!(words::ones::<u32>), portable!(words::ones::<u64>));
    (all[5], all[6]) = (portable!(words::ones::<u128>), portable!(copy::twos::<u16>));
    (all[7], all[8]) = (portable!(copy::twos::<u32>), portable!(copy::twos::<u64>));
    all[9] = portable!(copy::twos::<u128>);
    all
};

/// The micro-kernels of [`Isa::Portable`](crate::Isa::Portable). They are inlined where a plan is a constant, and a
/// table that is a constant would compile them once more wherever it is used.
pub(super) static KERNELS: Kernels = Kernels {
    copies: COPIES,
    tiles: [&TILES; 4],
    streams: NO_STREAMS,
    planes: words::baseline_planes,
    // Without vectors, a byte permute only fills padding, with one load.
    permutes: &[pad],
};
