//! Transposes: rows that lie together in the destination, columns that lie together in the source.
//!
//! ```text
//! for each line of 64 source bytes (columns)
//!     for each tile of rows: V::BYTES of the destination
//!         load 16 bytes of each row, one lane for each group of 16 / WIDTH rows
//!         shuffle log2(16 / WIDTH) times: now each vector is one column of the tile
//!         store each column
//! ```
//!
//! Departures: a tile at the end of the rows or columns overlaps the one before it; where there
//! are too few rows for that, a vector of half the size takes over, down to one lane; and what is
//! too small for one lane is copied unit by unit.

use super::copy;
use super::matrix::{Matrix, Rows, unit_by_unit};
use super::tile::{Even, Offsets, Table, Tile};
use super::vector::Vector;

/// Transposes `matrix`, whose units are `WIDTH` bytes. The rows of a tile begin at `offsets` from
/// its first.
///
/// # Safety
/// - every unit of the matrix is readable in the source and writable in the destination, and the
///   two do not overlap;
/// - all of `readable` is;
/// - the CPU has the features of `V`;
/// - `WIDTH` is 1, 2, 4, 8 or 16.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector, const WIDTH: usize, O: Offsets>(
    matrix: &Matrix,
    offsets: O,
    source: *const u8,
    destination: *mut u8,
) {
    let rows = matrix.rows.count();
    if rows >= V::BYTES / WIDTH {
        // SAFETY: the caller's promise.
        unsafe { tiles::<V, WIDTH, O>(matrix, offsets, source, destination) }
    } else if rows >= V::BYTES / 2 / WIDTH && V::BYTES > 16 {
        // SAFETY: the caller's promise, which a CPU with `V` keeps for its half.
        unsafe { tiles::<V::Half, WIDTH, O>(matrix, offsets, source, destination) }
    } else if rows >= 16 / WIDTH && V::BYTES > 32 {
        // SAFETY: as above.
        unsafe { tiles::<V::Lane, WIDTH, O>(matrix, offsets, source, destination) }
    } else if rows > 1 && matrix.columns >= 16 / WIDTH {
        // SAFETY: the caller's promise.
        unsafe { few_rows::<V::Lane, WIDTH>(matrix, source, destination) }
    } else {
        // SAFETY: the caller's promise.
        unsafe { unit_by_unit::<WIDTH>(matrix, (0, 0), source, destination) }
    }
}

/// [`transpose`] for fewer rows than a tile of one lane has: the last row stands for those that
/// are not there, and a scratch takes each tile before its columns are cut short.
///
/// # Safety
/// As there, with a `V` of one lane and at least `16 / WIDTH` columns.
#[inline(always)]
unsafe fn few_rows<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    source: *const u8,
    destination: *mut u8,
) {
    let tile_columns = 16 / WIDTH;
    let rows = matrix.rows.count();
    let table = Table::ending_early(&matrix.rows);
    let tile = Tile { row: 0, plain: true, offsets: &table };
    let mut scratch = core::mem::MaybeUninit::<[u8; 16 * 16]>::uninit();
    let scratch = scratch.as_mut_ptr().cast::<u8>();
    let whole = Matrix { columns: tile_columns, destination_stride: 16, ..matrix.clone() };
    let last = matrix.columns - tile_columns;
    let mut column = 0;
    while column < matrix.columns {
        // The last tile overlaps the one before it.
        let at = if column > last { last } else { column };
        let from = source.wrapping_add(at * WIDTH);
        // SAFETY: at + tile_columns <= columns, so 16 bytes of each row are readable, and the
        // scratch takes as many columns of 16 bytes.
        unsafe { tile.run::<V, WIDTH, false>(&whole, 0, from, scratch) };
        for i in 0..tile_columns {
            let to = destination.wrapping_offset((at + i) as isize * matrix.destination_stride);
            // SAFETY: the rows of a column of the matrix, at most 16 bytes that the tile wrote.
            unsafe { copy::copy::<V>(scratch.wrapping_add(16 * i), to, rows * WIDTH, false) };
        }
        column += tile_columns;
    }
}

/// [`transpose`] for at least as many rows as a tile has.
///
/// # Safety
/// As there.
#[inline(always)]
unsafe fn tiles<V: Vector, const WIDTH: usize, O: Offsets>(
    matrix: &Matrix,
    offsets: O,
    source: *const u8,
    destination: *mut u8,
) {
    let rows = matrix.rows;
    let (tile_rows, tile_columns) = (V::BYTES / WIDTH, 16 / WIDTH);
    let line = 64 / WIDTH;
    // Rows whole pages apart, or nearly, share one set of a first level cache, which holds fewer
    // lines than a tile has rows: then a line is gone before its second 16 bytes are read.
    let pages = rows.stride.unsigned_abs() > 128 && (rows.stride + 64) & 4095 <= 128;
    let crowded = !O::GROUPS && WIDTH < 16 && tile_rows > 16 && pages;
    // Where rows or columns are no multiple of a tile's, the second tile overlaps the first, which
    // is stored plainly: what is stored past the caches must not be touched before the fence.
    let ragged_rows = rows.count() % tile_rows;
    let ragged_columns = matrix.columns % tile_columns;
    let mut first_column = 0;
    while first_column < matrix.columns {
        let is_ragged = first_column == 0 && ragged_columns > 0;
        let length = if is_ragged { tile_columns } else { line };
        let columns = first_column..matrix.columns.min(first_column + length);
        let mut row = 0;
        while row < rows.count() {
            let plain = is_ragged || (row == 0 && ragged_rows > 0);
            if crowded && columns.len() == line {
                // SAFETY: row + tile_rows <= rows, and there are `line` columns from the first.
                unsafe {
                    staged::<V, WIDTH>(matrix, row, columns.start, plain, source, destination)
                };
            } else {
                let tile = Tile { row, plain, offsets };
                // SAFETY: row + tile_rows <= rows, so the tiles are part of the matrix.
                unsafe { tile.line::<V, WIDTH>(matrix, columns.clone(), source, destination) };
            }
            row = if row == 0 && ragged_rows > 0 { ragged_rows } else { row + tile_rows };
        }
        first_column = if is_ragged { ragged_columns } else { columns.end };
    }
}

/// The tiles of one line of columns, through a scratch in which their rows lie side by side.
///
/// # Safety
/// As [`transpose`], and `V::BYTES / WIDTH` rows by 64 bytes of columns from the given ones on are
/// part of the matrix.
#[inline(always)]
unsafe fn staged<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    row: usize,
    column: usize,
    plain: bool,
    source: *const u8,
    destination: *mut u8,
) {
    let tile_rows = V::BYTES / WIDTH;
    let mut scratch = core::mem::MaybeUninit::<[u8; 64 * 64]>::uninit();
    let scratch = scratch.as_mut_ptr().cast::<u8>();
    let from = source.wrapping_add(column * WIDTH);
    for i in 0..tile_rows {
        let from = from.wrapping_offset((row + i) as isize * matrix.rows.stride);
        let mut at = 0;
        while at < 64 {
            // SAFETY: 64 bytes of a row of the matrix.
            let v = unsafe { V::load(from.wrapping_add(at)) };
            // SAFETY: at most 64 rows of 64 bytes.
            unsafe { v.store(scratch.wrapping_add(64 * i + at)) };
            at += V::BYTES;
        }
    }
    let rows = Rows { size: tile_rows, stride: 64, groups: 1, group_stride: 0 };
    let staged = Matrix { rows, columns: 64 / WIDTH, ..matrix.clone() };
    let to = destination
        .wrapping_offset(column as isize * matrix.destination_stride)
        .wrapping_add(row * WIDTH);
    let tile = Tile { row: 0, plain, offsets: Even(64) };
    // SAFETY: the scratch holds the rows of the tiles, which are part of the matrix.
    unsafe { tile.line::<V, WIDTH>(&staged, 0..staged.columns, scratch, to) };
}
