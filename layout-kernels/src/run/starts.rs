//! Tiles that begin at multiples of their vectors in the destination.

use crate::sets::TileKernel;
use crate::steps::{Matrix, Starts, Tiles};

/// Transposes a matrix. All tiles but those of the first rows begin at multiples of `multiple` bytes, unless that is
/// 0 or the matrix has few rows: a store that crosses a cache line takes two to three times as long.
///
/// # Safety
/// The same as [`transpose`](crate::micro::transpose::transpose) with this kernel, whose longest vector has
/// `multiple` bytes if that is not 0.
#[inline]
pub(super) unsafe fn aligned(
    tiles: &Tiles,
    (kernel, starts): (TileKernel, Starts),
    matrix: &Matrix,
    from: *const u8,
    to: *mut u8,
) {
    let head = tiles.head(matrix.rows, starts, to);
    if head == 0 {
        // SAFETY: the caller's promise.
        return unsafe { kernel(matrix, from, to) };
    }
    let first = Matrix { rows: starts.first, ..*matrix };
    // SAFETY: these are the first rows of the matrix, those of the longest tile.
    unsafe { kernel(&first, from, to) };
    let row = if tiles.is_even { matrix.row.wrapping_mul(head as isize) } else { 0 };
    let (from, to) = (from.wrapping_offset(row), to.wrapping_add(head * tiles.unit));
    // SAFETY: `head` is less than a vector and the matrix has three lines of rows at least, so that more are left than
    // those of a tile.
    unsafe { kernel(&matrix.rows_from(head), from, to) }
}
