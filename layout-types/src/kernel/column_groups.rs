//! Columns in groups: matrices whose columns lie together in the source, but not evenly in the destination.
//!
//! A scratch takes each tile before its columns go where they belong.

use core::mem::MaybeUninit;

use super::matrix::{ColumnGroups, Matrix};
use super::offsets::Even;
use super::tile::tile;
use super::vector::Vector;

/// Room for a tile.
#[repr(align(64))]
#[expect(dead_code, reason = "only its bytes are used")]
struct Scratch([u8; 16 * 64]);

/// Transposes a matrix whose columns are in groups.
///
/// # Safety
/// As [`transpose`](super::transpose::transpose), for at least as many rows and columns as a tile has.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    groups: ColumnGroups,
    source: *const u8,
    destination: *mut u8,
) {
    let (rows, tile_rows, tile_columns) = (matrix.rows, V::BYTES / WIDTH, 16 / WIDTH);
    debug_assert!(rows.groups == 1 && rows.size >= tile_rows, "{matrix:?}");
    debug_assert!(matrix.columns >= tile_columns && V::BYTES <= 64, "{matrix:?}");
    let (last_row, last_column) = (rows.size - tile_rows, matrix.columns - tile_columns);
    let mut scratch = MaybeUninit::<Scratch>::uninit();
    let scratch = scratch.as_mut_ptr().cast::<u8>();
    let mut row = 0;
    while row < rows.size {
        // The last tiles overlap those before them.
        let first_row = row.min(last_row);
        let from = source.wrapping_offset(rows.offset(first_row));
        let to = destination.wrapping_add(first_row * WIDTH);
        let mut column = 0;
        while column < matrix.columns {
            let first = column.min(last_column);
            let (offsets, from) = (Even(rows.stride), from.wrapping_add(first * WIDTH));
            // SAFETY: a tile of the matrix, and the scratch has room for its columns, one behind the other.
            unsafe { tile::<V, WIDTH, false, _>(offsets, from, scratch, V::BYTES as isize) };
            for i in 0..tile_columns {
                let offset = groups.offset(first + i, matrix.destination_stride);
                // SAFETY: a column of the tile in the scratch.
                let v = unsafe { V::load(scratch.wrapping_add(i * V::BYTES)) };
                // SAFETY: the same column of the matrix.
                unsafe { v.store(to.wrapping_offset(offset)) };
            }
            column += tile_columns;
        }
        row += tile_rows;
    }
}
