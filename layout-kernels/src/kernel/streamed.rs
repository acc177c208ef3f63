//! Transposes whose columns go past the caches: what is stored so must not be touched before its
//! stores are finished.
//!
//! So the last tile of each row and column of tiles, which overlaps the one before it, comes first and is
//! stored plainly, as are rows before the first line. Lines of the source are asked for ahead. Vectors
//! shorter than a line, and columns that do not come to lines together, are stored plainly too.

use core::ops::Range;

use super::matrix::Matrix;
use super::offsets::{Even, Offsets};
use super::staged;
use super::tile::{columns_of_tile, four_tiles, tile};
use super::transpose::rows_before_lines;
use super::vector::Vector;

/// How far ahead in a row lines are asked for, in bytes.
const AHEAD: usize = 256;

/// Transposes `matrix`, which is too large for the caches.
///
/// # Safety
/// As [`transpose`](super::transpose::transpose), for at least as many rows and columns as a tile has.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector, const WIDTH: usize, O: Offsets>(
    matrix: &Matrix,
    offsets: O,
    source: *const u8,
    destination: *mut u8,
) {
    let tile_columns = 16 / WIDTH;
    // Rows that are far apart are read a long way at a time, so that memory is read in order; of others the
    // order in which columns are stored is all that counts.
    let width = if matrix.rows_are_far() { 1024 / WIDTH } else { 2048 / WIDTH };
    let mut ragged = matrix.columns % tile_columns > 0;
    let mut column = if ragged { matrix.columns - tile_columns } else { 0 };
    while column + tile_columns <= matrix.columns {
        let rest = (matrix.columns - column) / tile_columns * tile_columns;
        let columns = column..column + if rest < width { rest } else { width };
        // SAFETY: the columns are part of the matrix.
        unsafe { strip::<V, WIDTH, O>(matrix, offsets, columns, ragged, source, destination) };
        column = if ragged { 0 } else { column + width };
        ragged = false;
    }
}

/// All rows of some columns, a multiple of `16 / WIDTH`: those of one tile that other tiles overlap, or
/// of tiles of their own.
///
/// # Safety
/// As [`transpose`], and the columns are part of the matrix.
#[inline(always)]
unsafe fn strip<V: Vector, const WIDTH: usize, O: Offsets>(
    matrix: &Matrix,
    offsets: O,
    columns: Range<usize>,
    overlapped: bool,
    source: *const u8,
    destination: *mut u8,
) {
    let rows = matrix.rows;
    let tile_rows = V::BYTES / WIDTH;
    let single = overlapped && matrix.columns % (16 / WIDTH) == 1;
    let plain = overlapped && !single;
    let pieces = WIDTH == 1 && !O::GROUPS && staged::wants_pieces(matrix, WIDTH);
    // Rows that go past the caches begin at lines. Before them come those that others overlap.
    let head = rows_before_lines::<V, WIDTH, O>(matrix, 16, destination);
    let mut before = head > 0;
    let mut ragged = (rows.count() - head) % tile_rows;
    if ragged > 0 && ragged * WIDTH <= V::Half::BYTES && V::BYTES > 16 {
        let row = rows.count() - V::Half::BYTES / WIDTH;
        let from = source.wrapping_offset(rows.offset(row));
        let tiles = Tiles { row, plain: true, single, offsets, next: None };
        // SAFETY: the last rows of the matrix; a CPU with `V` has the features of its half.
        unsafe { tiles.run::<V::Half, WIDTH>(matrix, columns.clone(), from, destination) };
        ragged = 0;
    }
    let mut row = head;
    while ragged > 0 || before || row + tile_rows <= rows.count() {
        let own = match (ragged > 0, before) {
            (true, _) => rows.count() - tile_rows,
            (_, true) => 0,
            _ => row,
        };
        let is_own = ragged == 0 && !before;
        if ragged > 0 {
            ragged = 0;
        } else if before {
            before = false;
        } else {
            row += tile_rows;
        }
        let from = source.wrapping_offset(rows.offset(own));
        let next = if row + tile_rows <= rows.count() {
            source.wrapping_offset(rows.offset(row)).wrapping_add(columns.start * WIDTH)
        } else {
            source.wrapping_add(columns.end * WIDTH)
        };
        let tiles = Tiles { row: own, plain: plain || !is_own, single, offsets, next: Some(next) };
        let mut columns = columns.clone();
        while pieces && columns.len() >= staged::PIECE / WIDTH {
            // SAFETY: own + tile_rows <= rows, and there is a piece of columns.
            unsafe { tiles.run_staged::<V, WIDTH>(matrix, columns.start, from, destination) };
            columns.start += staged::PIECE / WIDTH;
        }
        // SAFETY: own + tile_rows <= rows, so the tiles are part of the matrix.
        unsafe { tiles.run::<V, WIDTH>(matrix, columns, from, destination) };
    }
}

/// Tiles of `V::BYTES / WIDTH` rows, side by side.
#[derive(Clone, Copy)]
struct Tiles<O> {
    /// The first row.
    row: usize,
    /// Whether other tiles overlap these, so that they must not be stored past the caches.
    plain: bool,
    /// Whether of one tile only the last column is wanted.
    single: bool,
    offsets: O,
    /// Where the tiles begin that come next, if they are worth asking for.
    next: Option<*const u8>,
}

impl<O: Offsets> Tiles<O> {
    /// The tiles of some columns, a multiple of `16 / WIDTH`. The first row begins at `from`.
    ///
    /// # Safety
    /// As [`transpose`], and the rows and columns are part of the matrix.
    #[inline(always)]
    unsafe fn run<V: Vector, const WIDTH: usize>(
        &self,
        matrix: &Matrix,
        columns: Range<usize>,
        from: *const u8,
        destination: *mut u8,
    ) {
        let stride = matrix.destination_stride;
        let to = destination.wrapping_add(self.row * WIDTH);
        let aligned = (to as usize | stride as usize) % 64 == 0;
        let stream = matrix.stream && !self.plain && V::BYTES == 64 && aligned;
        if self.single {
            let (columns, last) = (columns.start, 16 / WIDTH - 1);
            let from = from.wrapping_add(columns * WIDTH);
            let to = to.wrapping_offset((columns + last) as isize * stride);
            let (own, offsets) = (last..last + 1, self.offsets);
            if stream {
                // SAFETY: a column of a tile of the matrix, at a multiple of 64 bytes, that nothing
                // touches again before its stores are finished.
                unsafe { columns_of_tile::<V, WIDTH, true, _>(offsets, own, from, to, stride) };
            } else {
                // SAFETY: a column of a tile of the matrix.
                unsafe { columns_of_tile::<V, WIDTH, false, _>(offsets, own, from, to, stride) };
            }
            return;
        }
        let mut column = columns.start;
        while column < columns.end {
            if let (Some(next), true) = (self.next, (column - columns.start) % (64 / WIDTH) == 0) {
                let ahead = column + AHEAD / WIDTH;
                let ahead = if ahead < columns.end {
                    from.wrapping_add(ahead * WIDTH)
                } else {
                    next.wrapping_add((ahead - columns.end) * WIDTH)
                };
                staged::prefetch::<V, WIDTH, O>(self.offsets, ahead, 64 / WIDTH);
            }
            let from = O::along(from, column * WIDTH);
            let to = to.wrapping_offset(column as isize * stride);
            if WIDTH >= 4 && !stream && columns.end - column >= 64 / WIDTH {
                // SAFETY: four tiles of the matrix.
                unsafe { four_tiles::<V, WIDTH, _>(self.offsets, from, to, stride) };
                column += 64 / WIDTH;
                continue;
            }
            if stream {
                // SAFETY: a tile of the matrix; its columns are at multiples of 64 bytes, nothing
                // touches them again before their stores are finished.
                unsafe { tile::<V, WIDTH, true, _>(self.offsets, from, to, stride) };
            } else {
                // SAFETY: a tile of the matrix.
                unsafe { tile::<V, WIDTH, false, _>(self.offsets, from, to, stride) };
            }
            column += 16 / WIDTH;
        }
    }

    /// The tiles of a [`PIECE`](staged::PIECE) of columns, through a scratch in which their rows lie side by side.
    ///
    /// # Safety
    /// As [`transpose`], and the rows by a piece of columns from the given one on are part of the
    /// matrix.
    #[inline(always)]
    unsafe fn run_staged<V: Vector, const WIDTH: usize>(
        &self,
        matrix: &Matrix,
        column: usize,
        from: *const u8,
        destination: *mut u8,
    ) {
        let mut scratch = staged::Piece::uninit();
        let from = from.wrapping_add(column * WIDTH);
        let (rows, stride) = (V::BYTES / WIDTH, matrix.rows.stride);
        // SAFETY: a piece of rows of the matrix, at most 64 of them.
        let scratch = unsafe { staged::side_by_side::<V>(rows, stride, from, &mut scratch) };
        let to = destination.wrapping_offset(column as isize * matrix.destination_stride);
        let tiles = Tiles {
            row: self.row,
            plain: self.plain,
            single: false,
            offsets: Even(staged::PIECE as isize),
            next: None,
        };
        // SAFETY: the scratch holds the rows of the tiles, which are part of the matrix.
        unsafe { tiles.run::<V, WIDTH>(matrix, 0..staged::PIECE / WIDTH, scratch, to) };
    }
}
