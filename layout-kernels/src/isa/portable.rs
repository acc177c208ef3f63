//! Micro-kernels without vector instructions.

use super::{CopyKernel, Kernels, TileKernel, TileKernels};
use crate::micro::copy::{self, Runs};
use crate::micro::offsets::{Even, Table};
use crate::micro::tile::Matrix;
use crate::micro::words;
use crate::nibble;

macro_rules! portable {
    ($kernel:expr) => {{
        #[inline]
        unsafe fn kernel(runs: &Runs, from: *const u8, to: *mut u8) {
            // SAFETY: the caller's promise, which is that of the micro-kernel.
            unsafe { ($kernel)(runs, from, to) }
        }
        kernel as CopyKernel
    }};
}

macro_rules! tiles {
    ($width:literal) => {{
        #[inline]
        unsafe fn even(matrix: &Matrix, from: *const u8, to: *mut u8) {
            let (rows, columns) = (Even(matrix.row), Even(matrix.column));
            // SAFETY: the caller's promise.
            unsafe { words::transpose::<$width, _, _>(matrix, rows, columns, from, to) }
        }
        #[inline]
        unsafe fn tables(matrix: &Matrix, from: *const u8, to: *mut u8) {
            let (rows, columns) = (Table(matrix.row_offsets), Table(matrix.column_offsets));
            // SAFETY: the caller's promise.
            unsafe { words::transpose::<$width, _, _>(matrix, rows, columns, from, to) }
        }
        [even as TileKernel, tables as TileKernel]
    }};
}

/// The tile kernels, in words.
pub(super) const TILES: TileKernels = [tiles!(1), tiles!(2), tiles!(4), tiles!(8)];

/// The micro-kernels of [`Isa::Portable`](super::Isa::Portable).
pub(super) const KERNELS: Kernels = Kernels {
    copies: [
        portable!(copy::any),
        portable!(copy::ones::<u8>),
        portable!(copy::ones::<u16>),
        portable!(copy::ones::<u32>),
        portable!(copy::ones::<u64>),
        portable!(copy::ones::<u128>),
        portable!(copy::twos::<u16>),
        portable!(copy::twos::<u32>),
        portable!(copy::twos::<u64>),
        portable!(copy::twos::<u128>),
        portable!(copy::any),
        portable!(copy::any),
        portable!(copy::any),
        portable!(copy::any),
        portable!(copy::any),
        portable!(copy::any),
        portable!(copy::any),
    ],
    tiles: &[TILES],
    streams: None,
    halves: nibble::halves,
    finish: || {},
    shared: None,
    permutes: None,
};
