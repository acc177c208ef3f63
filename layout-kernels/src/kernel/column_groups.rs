//! Columns in groups: matrices whose columns lie together in the source, but not evenly in the destination.
//!
//! A scratch takes each tile before its columns go where they belong.

use core::mem::MaybeUninit;

use super::matrix::{ColumnGroups, Matrix};
use super::offsets::Even;
use super::set::Set;
use super::tile::tile;
use super::vector::Vector;

/// Room for a tile.
#[repr(align(64))]
#[expect(dead_code, reason = "only its bytes are used")]
struct Scratch([u8; 16 * 64]);

/// Transposes a matrix whose columns are in groups.
///
/// # Safety
/// As [`transpose`](super::transpose::transpose); rows and columns may be few, as a part of a job has them.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    groups: ColumnGroups,
    source: *const u8,
    destination: *mut u8,
) {
    let (rows, tile_rows, tile_columns) = (matrix.rows, V::BYTES / WIDTH, 16 / WIDTH);
    debug_assert!(rows.groups == 1 && V::BYTES <= 64, "{matrix:?}");
    if rows.size < tile_rows || matrix.columns < tile_columns {
        // SAFETY: the caller's promise.
        return unsafe { group_by_group::<V, WIDTH>(matrix, groups, source, destination) };
    }
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

/// The same group by group, unit by unit. A function of its own, as little as there is to move.
///
/// # Safety
/// As [`transpose`].
#[inline(never)]
pub(super) unsafe fn group_by_group<S: Set, const WIDTH: usize>(
    matrix: &Matrix,
    groups: ColumnGroups,
    source: *const u8,
    destination: *mut u8,
) {
    let group = Matrix { columns: groups.size, column_groups: None, ..matrix.clone() };
    let mut column = 0;
    while column < matrix.columns {
        let from = source.wrapping_add(column * WIDTH);
        let to = destination.wrapping_offset(groups.offset(column, matrix.destination_stride));
        // SAFETY: the columns of a group, which are part of the matrix.
        unsafe { S::units::<WIDTH>(&group, from, to) };
        column += groups.size;
    }
}
