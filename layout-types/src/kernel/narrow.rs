//! Transposes of matrices that are smaller than a tile.

use super::copy;
use super::matrix::{Matrix, units};
use super::offsets::Table;
use super::tile::{columns_of_tile, tile};
use super::vector::Vector;

/// Few columns: each row is read past its end, or from before its start, as long as that is inside
/// the source.
///
/// # Safety
/// As [`transpose`](super::transpose::transpose), but for fewer than `16 / WIDTH` columns; and all
/// of `readable` is.
#[inline(always)]
pub(super) unsafe fn few_columns<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    table: &Table,
    source: *const u8,
    destination: *mut u8,
) {
    let tile_rows = V::BYTES / WIDTH;
    let rows = matrix.rows.count();
    let mut row = 0;
    while row < rows {
        // The last tile overlaps the one before it.
        let first = if row + tile_rows > rows { rows - tile_rows } else { row };
        // SAFETY: first + tile_rows <= rows, so the tile is part of the matrix.
        unsafe { one_of_few_columns::<V, WIDTH>(matrix, table, first, source, destination) };
        row += tile_rows;
    }
}

/// # Safety
/// As [`few_columns`], and `V::BYTES / WIDTH` rows from `first` on are part of the matrix.
#[inline(always)]
unsafe fn one_of_few_columns<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    table: &Table,
    first: usize,
    source: *const u8,
    destination: *mut u8,
) {
    let rows = V::BYTES / WIDTH;
    let from = source.wrapping_offset(matrix.rows.offset(first));
    let to = destination.wrapping_add(first * WIDTH);
    let missing = 16 - matrix.columns * WIDTH;
    let (start, end) = (from.wrapping_offset(table.nearest), from.wrapping_offset(table.farthest));
    // Differences, because a buffer may lie at either end of the address space.
    let skipped = if matrix.readable.end as usize - end as usize >= 16 {
        0
    } else if start as usize - matrix.readable.start as usize >= missing {
        missing
    } else {
        let (rows, columns) = (first..first + rows, 0..matrix.columns);
        // SAFETY: a part of the matrix.
        return unsafe { units::<WIDTH>(matrix, rows, columns, source, destination) };
    };
    let from = from.wrapping_sub(skipped);
    let (first, stride) = (skipped / WIDTH, matrix.destination_stride);
    let columns = first..first + matrix.columns;
    if WIDTH == 1 && columns == (0..9) {
        // Filters of 3 by 3. The compiler leaves out what other columns need.
        // SAFETY: as below.
        unsafe { columns_of_tile::<V, WIDTH, false, _>(table, 0..9, from, to, stride) };
        return;
    }
    // SAFETY: no row of the tile begins before `nearest` or after `farthest`, and one of the two
    // ends was found to be readable, so 16 bytes of each row are; and these columns of the tile are
    // those of the matrix.
    unsafe { columns_of_tile::<V, WIDTH, false, _>(table, columns, from, to, stride) };
}

/// Few rows: the last one stands for those that are not there, and a scratch takes each tile before
/// its columns are cut short.
///
/// # Safety
/// As [`transpose`](super::transpose::transpose), but for fewer than `16 / WIDTH` rows; and `V` has
/// one lane.
#[inline(always)]
pub(super) unsafe fn few_rows<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    table: &Table,
    source: *const u8,
    destination: *mut u8,
) {
    let tile_columns = 16 / WIDTH;
    let rows = matrix.rows.count();
    let mut scratch = core::mem::MaybeUninit::<[u8; 16 * 16]>::uninit();
    let scratch = scratch.as_mut_ptr().cast::<u8>();
    let last = matrix.columns - tile_columns;
    let mut column = 0;
    while column < matrix.columns {
        // The last tile overlaps the one before it.
        let at = if column > last { last } else { column };
        let from = source.wrapping_add(at * WIDTH);
        // SAFETY: at + tile_columns <= columns, so 16 bytes of each row are readable, and the
        // scratch takes as many columns of 16 bytes.
        unsafe { tile::<V, WIDTH, false, _>(table, from, scratch, 16) };
        for i in 0..tile_columns {
            let to = destination.wrapping_offset((at + i) as isize * matrix.destination_stride);
            // SAFETY: the rows of a column of the matrix, at most 16 bytes that the tile wrote.
            unsafe { copy::copy::<V>(scratch.wrapping_add(16 * i), to, rows * WIDTH, false) };
        }
        column += tile_columns;
    }
}
