//! Transposes: rows that lie together in the destination, columns that lie together in the source.
//!
//! ```text
//! for each line of 64 source bytes, or more, as memory wants it (columns)
//!     for each tile of rows: V::BYTES of the destination
//!         load 16 bytes of each row, one lane for each group of 16 / WIDTH rows
//!         shuffle log2(16 / WIDTH) times: now each vector is one column of the tile
//!         store each column
//! ```
//!
//! Departures: where rows or columns are no multiple of a tile's, the last tile overlaps the one
//! before it. It comes first and is stored plainly: what is stored past the caches must not be
//! touched before the fence. Of a tile that has one column of its own (3 x 3 and 7 x 7 pixels leave
//! one) only that is shuffled and stored. Where rows are 16 bytes in all, lanes are columns. Units of
//! 16 bytes, which need no shuffle, go one by one unless they go past the caches. Matrices that are
//! smaller than a tile are for [`narrow`](super::narrow).

use core::ops::Range;

use super::matrix::Matrix;
use super::offsets::{Even, Offsets};
use super::staged;
use super::tile::{columns_of_tile, four_tiles, lane_tiles, tile};
use super::vector::Vector;

/// How far ahead in a row lines are asked for, in bytes.
const AHEAD: usize = 256;

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
    if V::BYTES > 16 && staged::wants_runs::<WIDTH>(matrix) {
        // SAFETY: the caller's promise, and there are rows for a run.
        return unsafe { staged::runs::<V, WIDTH, O>(matrix, offsets, source, destination) };
    }
    if WIDTH == 16 && matrix.rows.groups == 1 && !matrix.stream {
        // Nothing to shuffle: faster one by one, in the order of the destination. Past the caches go
        // whole lines, which tiles of four rows store.
        if O::HIDDEN {
            // SAFETY: the caller's promise.
            return unsafe { units_of_16_apart(matrix, source, destination) };
        }
        // SAFETY: the caller's promise.
        return unsafe { units_of_16(matrix, source, destination) };
    }
    // Rows that are far apart are read a long way at a time, so that memory is read in order; where
    // columns are stored past the caches, the order in which they are read is all that counts.
    let far = matrix.rows.stride.unsigned_abs() > matrix.destination_stride.unsigned_abs();
    let line = match (far, matrix.stream) {
        (true, _) => 1024 / WIDTH,
        (false, true) => 2048 / WIDTH,
        (false, false) => 64 / WIDTH,
    };
    let mut ragged = matrix.columns % tile_columns > 0;
    let mut column = if ragged { matrix.columns - tile_columns } else { 0 };
    while column + tile_columns <= matrix.columns {
        let rest = (matrix.columns - column) / tile_columns * tile_columns;
        let columns = column..column + if rest < line { rest } else { line };
        // SAFETY: the columns are part of the matrix.
        unsafe { strip::<V, WIDTH, O>(matrix, offsets, columns, ragged, source, destination) };
        column = if ragged { 0 } else { column + line };
        ragged = false;
    }
}

/// [`units_of_16`] as a function of its own, which needs no CPU feature: where it is inlined and bounds are
/// not known registers are short, and what it loads from the stack waits for stores before it to addresses
/// with the same last 12 bits.
///
/// # Safety
/// As there.
#[inline(never)]
unsafe fn units_of_16_apart(matrix: &Matrix, source: *const u8, destination: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { units_of_16(matrix, source, destination) }
}

/// Copies a matrix unit by unit, in the order of the destination.
///
/// # Safety
/// As [`transpose`], for units of 16 bytes that are not in groups.
#[inline(always)]
unsafe fn units_of_16(matrix: &Matrix, source: *const u8, destination: *mut u8) {
    type Unit = [u8; 16];

    let (rows, stride) = (matrix.rows.count(), matrix.rows.stride);
    for column in 0..matrix.columns {
        let mut from = source.wrapping_add(column * size_of::<Unit>());
        let to = destination.wrapping_offset(column as isize * matrix.destination_stride);
        let mut to = to.cast::<Unit>();
        // Several at a time: to count them takes as long as to move them.
        macro_rules! move_units {
            ($count:literal: $($i:literal)*) => {{
                $(
                    let unit = from.wrapping_offset($i * stride).cast::<Unit>();
                    // SAFETY: a unit of the matrix, whose type asks for no alignment; source and destination
                    // do not overlap.
                    unsafe { unit.copy_to_nonoverlapping(to.wrapping_add($i), 1) };
                )*
                from = from.wrapping_offset(stride.wrapping_mul($count));
                to = to.wrapping_add($count);
            }};
        }
        for _ in 0..rows / 8 {
            move_units!(8: 0 1 2 3 4 5 6 7);
        }
        if rows % 8 >= 4 {
            move_units!(4: 0 1 2 3);
        }
        for _ in 0..rows % 4 {
            move_units!(1: 0);
        }
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
    let side_by_side =
        !O::GROUPS && WIDTH < 16 && tile_rows > 16 && staged::share_a_set(rows.stride);
    let mut ragged = rows.count() % tile_rows;
    if ragged > 0 && ragged * WIDTH <= V::Half::BYTES && V::BYTES > 16 {
        let row = rows.count() - V::Half::BYTES / WIDTH;
        let from = source.wrapping_offset(rows.offset(row));
        let tiles = Tiles { row, plain: true, single, offsets, next: None };
        // SAFETY: the last rows of the matrix; a CPU with `V` has the features of its half.
        unsafe { tiles.run::<V::Half, WIDTH>(matrix, columns.clone(), from, destination) };
        ragged = 0;
    }
    let mut row = if ragged > 0 { rows.count() - tile_rows } else { 0 };
    while row + tile_rows <= rows.count() {
        let from = source.wrapping_offset(rows.offset(row));
        let next = if ragged > 0 { 0 } else { row + tile_rows };
        let next = if next + tile_rows <= rows.count() {
            source.wrapping_offset(rows.offset(next)).wrapping_add(columns.start * WIDTH)
        } else {
            source.wrapping_add(columns.end * WIDTH)
        };
        let tiles = Tiles { row, plain: plain || ragged > 0, single, offsets, next: Some(next) };
        let mut columns = columns.clone();
        while side_by_side && columns.len() >= staged::PIECE / WIDTH {
            // SAFETY: row + tile_rows <= rows, and there is a piece of columns.
            unsafe { tiles.run_staged::<V, WIDTH>(matrix, columns.start, from, destination) };
            columns.start += staged::PIECE / WIDTH;
        }
        // SAFETY: row + tile_rows <= rows, so the tiles are part of the matrix.
        unsafe { tiles.run::<V, WIDTH>(matrix, columns, from, destination) };
        row = if ragged > 0 { 0 } else { row + tile_rows };
        ragged = 0;
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
                // touches again; and the job ends with a fence.
                unsafe { columns_of_tile::<V, WIDTH, true, _>(offsets, own, from, to, stride) };
            } else {
                // SAFETY: a column of a tile of the matrix.
                unsafe { columns_of_tile::<V, WIDTH, false, _>(offsets, own, from, to, stride) };
            }
            return;
        }
        let next = if matrix.stream { self.next } else { None };
        let mut column = columns.start;
        while column < columns.end {
            if let (Some(next), true) = (next, (column - columns.start) % (64 / WIDTH) == 0) {
                let ahead = column + AHEAD / WIDTH;
                let ahead = if ahead < columns.end {
                    from.wrapping_add(ahead * WIDTH)
                } else {
                    next.wrapping_add((ahead - columns.end) * WIDTH)
                };
                staged::prefetch::<V, WIDTH, O>(self.offsets, ahead, 64 / WIDTH);
            }
            let from = from.wrapping_add(column * WIDTH);
            let to = to.wrapping_offset(column as isize * stride);
            if WIDTH >= 4 && !stream && columns.end - column >= 64 / WIDTH {
                // SAFETY: four tiles of the matrix.
                unsafe { four_tiles::<V, WIDTH, _>(self.offsets, from, to, stride) };
                column += 64 / WIDTH;
                continue;
            }
            if stream {
                // SAFETY: a tile of the matrix; its columns are at multiples of 64 bytes, nothing
                // touches them again, and the job ends with a fence.
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
        let mut scratch = core::mem::MaybeUninit::<[u8; 64 * staged::PIECE]>::uninit();
        let scratch = scratch.as_mut_ptr().cast::<u8>();
        let from = from.wrapping_add(column * WIDTH);
        // SAFETY: a piece of rows of the matrix, at most 64 of them.
        unsafe { staged::side_by_side::<V>(V::BYTES / WIDTH, matrix.rows.stride, from, scratch) };
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
