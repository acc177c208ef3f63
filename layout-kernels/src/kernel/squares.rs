//! Squares: matrices of which rows as well as columns share few sets of a cache, as those whose sides are the same
//! large power of two.
//!
//! Their lines are gone before the next tile needs them. So a line of each of many rows is copied, side by side, and
//! the copies become [stacks].

use core::mem::MaybeUninit;

use super::LINE;
use super::copy;
use super::matrix::{Matrix, Rows};
use super::offsets::Even;
use super::stacks;
use super::staged;
use super::transpose::rows_before_lines;
use super::vector::Vector;

/// The most rows that are copied, before the last ones that are less than a tile.
const ROWS: usize = 256;

/// From one of them to the next: loads of one cycle must not be of the same 16 bytes of two lines.
const PITCH: usize = LINE + 16;

/// Room for them.
#[expect(dead_code, reason = "only its bytes are used")]
struct Scratch([u8; (ROWS + LINE) * PITCH]);

/// Whether a matrix of such units is such a square.
#[inline(always)]
pub(super) fn are_wanted(matrix: &Matrix, unit: usize) -> bool {
    let share = stacks::columns_share_sets(matrix, unit) && stacks::rows_share_sets(matrix, unit);
    let evenly = matrix.rows.groups == 1 && matrix.columns * unit >= LINE;
    share && evenly && !staged::wants_runs(matrix, unit)
}

/// Transposes a matrix that [is wanted](are_wanted).
///
/// # Safety
/// As [`transpose`](super::transpose::transpose), for at least as many rows as a tile has.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    source: *const u8,
    destination: *mut u8,
) {
    let (tile_rows, line) = (V::BYTES / WIDTH, LINE / WIDTH);
    let (count, stride) = (matrix.rows.count(), matrix.rows.stride);
    debug_assert!(matrix.rows.groups == 1 && count >= tile_rows, "{matrix:?}");
    debug_assert!(matrix.columns >= line, "{matrix:?}");
    let head = rows_before_lines::<V, WIDTH, Even>(matrix, 4, destination);
    let mut scratch = MaybeUninit::<Scratch>::uninit();
    let scratch = scratch.as_mut_ptr().cast::<u8>();
    let (tile_columns, before_line) = (16 / WIDTH, (source as usize).wrapping_neg() % LINE / WIDTH);
    // Strips begin at lines of the source, where the first one may be as narrow.
    let begins = before_line >= tile_columns && matrix.columns >= 2 * line;
    let mut column = 0;
    while column < matrix.columns {
        let most = if column == 0 && begins { before_line } else { line };
        let columns = staged::columns_at_once(matrix.columns - column, most, tile_columns);
        // The last line overlaps the one before it.
        let first = column.min(matrix.columns - line);
        let from = source.wrapping_add(first * WIDTH);
        let to = destination.wrapping_offset(column as isize * matrix.destination_stride);
        let mut row = 0;
        // After the first rows all begin at lines, if any do.
        let mut rows = ROWS - line + head;
        while row < count {
            if count - row < rows + tile_rows {
                rows = count - row;
            }
            let from = from.wrapping_offset(row as isize * stride);
            // SAFETY: a line of each of these rows from column `first` on, which the matrix has; at most `ROWS` and what
            // is less than a tile.
            unsafe { copy_lines::<V>(rows, stride, from, scratch) };
            let near = Matrix {
                rows: Rows { size: rows, stride: PITCH as isize, groups: 1, group_stride: 0 },
                columns,
                ..matrix.clone()
            };
            let from = scratch.wrapping_add((column - first) * WIDTH);
            let (offsets, to) = (Even(PITCH as isize), to.wrapping_add(row * WIDTH));
            // SAFETY: the copies of a part of the matrix, with at least as many rows and columns as a tile has.
            unsafe { stacks::transpose::<V, WIDTH, _>(&near, offsets, from, to) };
            row += rows;
            rows = ROWS;
        }
        column += columns;
    }
}

/// Copies a line of each of so many rows, `stride` bytes apart from `source` on, to a scratch.
///
/// # Safety
/// The line of each row is readable; so many rows are writable from `scratch` on, [`PITCH`] apart; the CPU has
/// the features of `V`.
#[inline(always)]
unsafe fn copy_lines<V: Vector>(rows: usize, stride: isize, source: *const u8, scratch: *mut u8) {
    debug_assert!(rows < ROWS + LINE, "{rows} rows");
    for row in 0..rows {
        let from = source.wrapping_offset(row as isize * stride);
        // SAFETY: a line of a row, whole vectors, for which the scratch has room.
        unsafe { copy::vectors::<V, false, true>(from, scratch.wrapping_add(row * PITCH), LINE) };
    }
}
