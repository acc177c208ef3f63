//! Transposes: rows that lie together in the destination, columns that lie together in the source.
//!
//! ```text
//! for each strip of columns, as wide as memory wants it
//!     for each tile of rows: V::BYTES of the destination
//!         load 16 bytes of each row, one lane for each group of 16 / WIDTH rows
//!         shuffle log2(16 / WIDTH) times: now each vector is one column of the tile
//!         store each column
//! ```
//!
//! Departures: where rows or columns are no multiple of a tile's, the last tile overlaps the one
//! before it; and the first one overlaps the second where columns come to lines of the destination
//! together, which the second begins with. Of a tile that has one column of its own (3 x 3 and 7 x 7
//! pixels leave one) only that is shuffled and stored. Where rows are 16 bytes in all, lanes are columns.
//! Units of 16 bytes, which need no shuffle, are for [`sixteen`], matrices that are smaller than a tile for
//! [`narrow`](super::narrow), columns in groups for [`column_groups`](super::column_groups). What goes past the
//! caches, or where rows or columns share sets of one, begins in [`staged`](super::staged) or
//! [`squares`](super::squares).

use core::ops::Range;

use super::LINE;
use super::matrix::Matrix;
use super::offsets::{Even, Offsets};
use super::sixteen;
use super::staged;
use super::tile::{columns_of_tile, four_tiles, lane_tiles, tile};
use super::vector::Vector;

/// Transposes `matrix`, whose units are `WIDTH` bytes. The rows of a tile begin at `offsets` from
/// its first.
///
/// # Safety
/// - every unit of the matrix is readable in the source and writable in the destination, and the
///   two do not overlap;
/// - it has at least `V::BYTES / WIDTH` rows and `16 / WIDTH` columns, or, where `WIDTH` is less than 16,
///   just `16 / WIDTH` rows and at least `V::BYTES / WIDTH` columns;
/// - the CPU has the features of `V`;
/// - `WIDTH` is 1, 2, 4, 8 or 16.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector, const WIDTH: usize, O: Offsets>(
    matrix: &Matrix,
    offsets: O,
    source: *const u8,
    destination: *mut u8,
) {
    let (tile_rows, tile_columns) = (V::BYTES / WIDTH, 16 / WIDTH);
    if V::BYTES > 16 && WIDTH < 16 && matrix.rows.count() * WIDTH == 16 {
        // SAFETY: the caller's promise.
        return unsafe { one_lane_of_rows::<V, WIDTH, O>(matrix, offsets, source, destination) };
    }
    debug_assert!(matrix.rows.count() >= tile_rows, "{matrix:?}");
    debug_assert!(matrix.columns >= tile_columns, "{matrix:?}");
    if WIDTH == 16 && matrix.rows.groups == 1 {
        // Nothing to shuffle.
        // SAFETY: the caller's promise.
        return unsafe { sixteen::transpose::<O>(matrix, source, destination) };
    }
    // SAFETY: the caller's promise.
    unsafe { strips::<V, WIDTH, O, false>(matrix, offsets, source, destination) }
}

/// Transposes a matrix strip by strip, with `PIECES` through a scratch.
///
/// # Safety
/// As [`transpose`], for at least as many rows and columns as a tile has; with `PIECES` rows are evenly
/// spaced, and a tile has at most 64.
#[inline(always)]
pub(super) unsafe fn strips<V: Vector, const WIDTH: usize, O: Offsets, const PIECES: bool>(
    matrix: &Matrix,
    offsets: O,
    source: *const u8,
    destination: *mut u8,
) {
    debug_assert!(!PIECES || matrix.rows.groups == 1, "{matrix:?}");
    // Rows that are far apart are read a long way at a time, so that memory is read in order; of others as many
    // columns as the caches and their pages have room for.
    let width = if matrix.rows_are_far() { 1024 / WIDTH } else { 256 / WIDTH };
    let mut column = 0;
    while column < matrix.columns {
        let left = matrix.columns - column;
        let columns = column..column + if left < width { left } else { width };
        // SAFETY: the columns are part of the matrix.
        unsafe { strip::<V, WIDTH, O, PIECES>(matrix, offsets, columns, source, destination) };
        column += width;
    }
}

/// Transposes a matrix of 16 bytes of rows: lanes of a vector are columns.
///
/// # Safety
/// As [`transpose`], with 16 bytes of rows, and `WIDTH` is less than 16.
#[inline(always)]
unsafe fn one_lane_of_rows<V: Vector, const WIDTH: usize, O: Offsets>(
    matrix: &Matrix,
    offsets: O,
    source: *const u8,
    destination: *mut u8,
) {
    let step = V::BYTES / WIDTH;
    debug_assert!(matrix.columns >= step, "{matrix:?}");
    let (stride, last) = (matrix.destination_stride, matrix.columns - step);
    let mut column = 0;
    while column < matrix.columns {
        // The last tiles overlap those before them.
        let first = if column < last { column } else { last };
        let from = source.wrapping_add(first * WIDTH);
        let to = destination.wrapping_offset(first as isize * stride);
        // SAFETY: first + step <= columns, so the tiles are part of the matrix.
        unsafe { lane_tiles::<V, WIDTH, O>(offsets, from, to, stride) };
        column += step;
    }
}

/// All rows of some columns, a multiple of `16 / WIDTH` or the last ones.
///
/// # Safety
/// As [`strips`], and the columns are part of the matrix.
#[inline(always)]
unsafe fn strip<V: Vector, const WIDTH: usize, O: Offsets, const PIECES: bool>(
    matrix: &Matrix,
    offsets: O,
    columns: Range<usize>,
    source: *const u8,
    destination: *mut u8,
) {
    let (rows, stride) = (matrix.rows, matrix.destination_stride);
    let tile_rows = V::BYTES / WIDTH;
    let mut row = 0;
    let mut head = rows_before_lines::<V, WIDTH, O>(matrix, 4, destination);
    while row < rows.count() {
        let left = rows.count() - row;
        if left * WIDTH <= V::Half::BYTES && V::BYTES > 16 {
            let row = rows.count() - V::Half::BYTES / WIDTH;
            let from = source.wrapping_offset(rows.offset(row));
            let to = destination.wrapping_add(row * WIDTH);
            // SAFETY: the last rows of the matrix; a CPU with `V` has the features of its half.
            unsafe { tiles::<V::Half, WIDTH, O>(offsets, columns.clone(), from, to, stride) };
            return;
        }
        // The last tiles overlap those before them.
        let first = if left < tile_rows { rows.count() - tile_rows } else { row };
        let from = source.wrapping_offset(rows.offset(first));
        let to = destination.wrapping_add(first * WIDTH);
        let mut columns = columns.clone();
        while PIECES && columns.len() >= staged::PIECE / WIDTH {
            let from = from.wrapping_add(columns.start * WIDTH);
            let to = to.wrapping_offset(columns.start as isize * stride);
            // SAFETY: tile_rows rows from `first` on and a piece of columns are part of the matrix.
            unsafe { tiles_of_piece::<V, WIDTH>(rows.stride, from, to, stride) };
            columns.start += staged::PIECE / WIDTH;
        }
        // SAFETY: first + tile_rows <= rows, so the tiles are part of the matrix.
        unsafe { tiles::<V, WIDTH, O>(offsets, columns, from, to, stride) };
        row += if head > 0 { head } else { tile_rows };
        head = 0;
    }
}

/// How many rows there are before all columns come to a line of the destination, if they do so together and
/// have at least so many `lines`. A store across two lines takes twice as long, and none goes past the caches:
/// rather one row of tiles that overlaps the next.
#[inline(always)]
pub(super) fn rows_before_lines<V: Vector, const WIDTH: usize, O: Offsets>(
    matrix: &Matrix,
    lines: usize,
    destination: *const u8,
) -> usize {
    let before = (destination as usize).wrapping_neg() % LINE;
    let together = matrix.destination_stride as usize % LINE == 0 && before % WIDTH == 0;
    let enough = matrix.rows.count() * WIDTH >= lines * LINE;
    // Tiles of groups begin with a group.
    let may_move = !O::GROUPS && V::BYTES >= LINE;
    if may_move && together && enough { before / WIDTH } else { 0 }
}

/// Tiles side by side: all of their rows by some columns, a multiple of `16 / WIDTH` or the last ones. The
/// first row begins at `from`, and its places in the destination at `to`, where columns are `stride` bytes apart.
///
/// # Safety
/// As [`strips`], and the rows and columns are part of the matrix, which has all columns before these.
#[inline(always)]
unsafe fn tiles<V: Vector, const WIDTH: usize, O: Offsets>(
    offsets: O,
    columns: Range<usize>,
    from: *const u8,
    to: *mut u8,
    stride: isize,
) {
    let tile_columns = 16 / WIDTH;
    let from_column = |column: usize| O::along(from, column * WIDTH);
    let to_column = |column: usize| to.wrapping_offset(column as isize * stride);
    let mut column = columns.start;
    while WIDTH >= 4 && columns.end - column >= 64 / WIDTH {
        let (from, to) = (from_column(column), to_column(column));
        // SAFETY: four tiles of the matrix.
        unsafe { four_tiles::<V, WIDTH, _>(offsets, from, to, stride) };
        column += 64 / WIDTH;
    }
    while columns.end - column >= tile_columns {
        let (from, to) = (from_column(column), to_column(column));
        // SAFETY: a tile of the matrix.
        unsafe { tile::<V, WIDTH, false, _>(offsets, from, to, stride) };
        column += tile_columns;
    }
    if WIDTH == 16 || column == columns.end {
        return;
    }
    let last = columns.end - tile_columns;
    if columns.end - column == 1 {
        let (from, to) = (from_column(last), to_column(column));
        let own = tile_columns - 1..tile_columns;
        // SAFETY: the last column of a tile of the matrix.
        unsafe { columns_of_tile::<V, WIDTH, false, _>(offsets, own, from, to, stride) };
    } else {
        let (from, to) = (from_column(last), to_column(last));
        // SAFETY: a tile of the matrix, which overlaps the one before it.
        unsafe { tile::<V, WIDTH, false, _>(offsets, from, to, stride) };
    }
}

/// The tiles of a [`PIECE`](staged::PIECE) of columns, through a scratch in which their rows lie side by side.
///
/// # Safety
/// As [`strips`], for one row of tiles by a piece of columns, whose rows are `row_stride` bytes apart.
#[inline(always)]
unsafe fn tiles_of_piece<V: Vector, const WIDTH: usize>(
    row_stride: isize,
    from: *const u8,
    to: *mut u8,
    stride: isize,
) {
    let mut scratch = staged::Piece::uninit();
    // SAFETY: a piece of rows of the matrix, at most 64 of them.
    let scratch =
        unsafe { staged::side_by_side::<V>(V::BYTES / WIDTH, row_stride, from, &mut scratch) };
    let (offsets, columns) = (Even(staged::PIECE as isize), 0..staged::PIECE / WIDTH);
    // SAFETY: the scratch holds the rows of the tiles, which are part of the matrix.
    unsafe { tiles::<V, WIDTH, _>(offsets, columns, scratch, to, stride) };
}
