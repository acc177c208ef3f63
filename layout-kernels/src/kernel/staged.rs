//! Staging: a scratch between memory and tiles, where memory wants to be touched in another order
//! than tiles are; and the choice between that, stacks, and stores past the caches without either.

use core::mem::MaybeUninit;

use super::LINE;
use super::copy;
use super::matrix::Matrix;
use super::offsets::Offsets;
use super::squares;
use super::stacks;
use super::streamed;
use super::tile::tile;
use super::transpose;
use super::vector::Vector;

/// The bytes of a run.
const RUN: usize = 256;

/// From one run to the next in the scratch: a line before it, a line behind it.
const PITCH: usize = RUN + 128;

/// The most columns that are staged at once.
const COLUMNS: usize = 64;

/// Room for a run of each column.
#[repr(align(64))]
#[expect(dead_code, reason = "only its bytes are used")]
struct Scratch([u8; COLUMNS * PITCH]);

/// Whether tiles of a matrix of such units go past the caches or through a scratch, or are stacked.
pub(super) fn is_wanted(matrix: &Matrix, unit: usize) -> bool {
    let is_lane = matrix.rows.count() * unit <= 16;
    let sets = stacks::are_wanted(matrix, unit) || squares::are_wanted(matrix, unit);
    !is_lane && (matrix.stream || wants_pieces(matrix, unit) || sets)
}

/// Whether columns are stored in long runs: they are to go past the caches, but do not begin at lines, and are
/// far apart.
#[inline(always)]
pub(super) fn wants_runs(matrix: &Matrix, unit: usize) -> bool {
    let stride = matrix.destination_stride;
    let far = stride.unsigned_abs() >= 2 * RUN && matrix.rows.count() * unit >= RUN;
    matrix.stream && far && stride % LINE as isize != 0
}

/// Whether rows are better copied side by side before they become tiles: they share a set, which holds fewer
/// lines than a tile has rows, so that a line is gone before its next 16 bytes are read.
#[inline(always)]
pub(super) fn wants_pieces(matrix: &Matrix, unit: usize) -> bool {
    matrix.rows.groups == 1 && unit == 1 && stacks::sets(matrix.rows.stride) == 1
}

/// Transposes a matrix of which [`is_wanted`] holds and that is none of [`squares`].
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
    debug_assert!(matrix.rows.count() >= V::BYTES / WIDTH, "{matrix:?}");
    debug_assert!(matrix.columns >= 16 / WIDTH, "{matrix:?}");
    if wants_runs(matrix, WIDTH) {
        // SAFETY: the caller's promise, and there are rows for a run.
        unsafe { runs::<V, WIDTH, O>(matrix, offsets, source, destination) };
    } else if stacks::are_wanted(matrix, WIDTH) {
        // SAFETY: the caller's promise.
        unsafe { stacks::transpose::<V, WIDTH, O>(matrix, offsets, source, destination) };
    } else if WIDTH == 1 && !O::GROUPS && !matrix.stream {
        // SAFETY: the caller's promise.
        unsafe { transpose::strips::<V, WIDTH, O, true>(matrix, offsets, source, destination) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { streamed::transpose::<V, WIDTH, O>(matrix, offsets, source, destination) };
    }
}

/// The bytes of a row that are staged at once.
pub(super) const PIECE: usize = 256;

/// Room for a piece of each row of a tile.
pub(super) type Piece = MaybeUninit<[u8; 64 * PIECE]>;

/// Copies [`PIECE`] bytes of each of `rows` rows to a scratch in which they lie side by side, from where
/// it says.
///
/// # Safety
/// As many readable bytes in each row, the rows `stride` bytes apart, at most 64 of them; the CPU has
/// the features of `V`.
#[inline(always)]
pub(super) unsafe fn side_by_side<V: Vector>(
    rows: usize,
    stride: isize,
    source: *const u8,
    scratch: &mut Piece,
) -> *const u8 {
    debug_assert!(rows <= 64, "{rows} rows");
    let scratch = scratch.as_mut_ptr().cast::<u8>();
    for row in 0..rows {
        let from = source.wrapping_offset(row as isize * stride);
        let mut at = 0;
        while at < PIECE {
            // SAFETY: a part of the piece of a row.
            let v = unsafe { V::load(from.wrapping_add(at)) };
            // SAFETY: as many bytes for each row.
            unsafe { v.store(scratch.wrapping_add(PIECE * row + at)) };
            at += V::BYTES;
        }
    }
    scratch
}

/// Transposes a matrix through a scratch of a run for each of some columns. Of a run whole lines of the
/// destination are stored, and what is left waits in the scratch for the next one.
///
/// # Safety
/// As [`transpose`], and the matrix [`wants_runs`].
#[inline(always)]
unsafe fn runs<V: Vector, const WIDTH: usize, O: Offsets>(
    matrix: &Matrix,
    offsets: O,
    source: *const u8,
    destination: *mut u8,
) {
    let mut first = 0;
    while first < matrix.columns {
        let count = columns_at_once(matrix.columns - first, COLUMNS, 16 / WIDTH);
        let from = source.wrapping_add(first * WIDTH);
        let to = destination.wrapping_offset(first as isize * matrix.destination_stride);
        // SAFETY: the columns are part of the matrix, and enough for a tile.
        unsafe { runs_of_columns::<V, WIDTH, O>(matrix, offsets, count, from, to) };
        first += count;
    }
}

/// How many of so many columns that are left come next, at most `most`: the last ones have to be enough for a tile.
#[inline(always)]
pub(super) fn columns_at_once(left: usize, most: usize, tile: usize) -> usize {
    match left {
        _ if left <= most => left,
        _ if left < most + tile => most - tile,
        _ => most,
    }
}

/// The runs of so many columns, of which the first begins at `source` and `destination`.
///
/// # Safety
/// As [`runs`], for a matrix of these columns: at least `16 / WIDTH` and at most [`COLUMNS`].
#[inline(always)]
unsafe fn runs_of_columns<V: Vector, const WIDTH: usize, O: Offsets>(
    matrix: &Matrix,
    offsets: O,
    columns: usize,
    source: *const u8,
    destination: *mut u8,
) {
    let mut scratch = MaybeUninit::<Scratch>::uninit();
    // Before each run lies the line that the last one left.
    let first = scratch.as_mut_ptr().cast::<u8>().wrapping_add(64);
    let runs = Runs { matrix, offsets, columns, first };
    let rows = matrix.rows.count();
    let mut row = 0;
    while row < rows {
        let count = if rows - row < RUN / WIDTH { rows - row } else { RUN / WIDTH };
        // SAFETY: the rows are part of the matrix.
        unsafe { runs.fill::<V, WIDTH>(row, count, source) };
        // SAFETY: the runs have these rows, and what the last ones left.
        unsafe { runs.store::<V, WIDTH>(row, count, destination) };
        row += RUN / WIDTH;
    }
}

/// A run of each of some columns, in a scratch.
struct Runs<'a, O> {
    matrix: &'a Matrix,
    offsets: O,
    columns: usize,
    /// Where the first run begins in the scratch.
    first: *mut u8,
}

impl<O: Offsets> Runs<'_, O> {
    /// Fills the runs with `count` rows.
    ///
    /// # Safety
    /// As [`runs_of_columns`], and the rows are part of the matrix and fit a run.
    #[inline(always)]
    unsafe fn fill<V: Vector, const WIDTH: usize>(
        &self,
        row: usize,
        count: usize,
        source: *const u8,
    ) {
        let (rows, tile_rows, tile_columns) = (self.matrix.rows, V::BYTES / WIDTH, 16 / WIDTH);
        let mut at = 0;
        while at < count {
            let next = source.wrapping_offset(rows.offset(row + at + 2 * tile_rows));
            prefetch::<V, WIDTH, O>(self.offsets, next, self.columns);
            // The last tile overlaps the one before it, if need be that of the run before.
            let over = (at + tile_rows).saturating_sub(count);
            let from = source.wrapping_offset(rows.offset(row + at - over));
            let to = self.first.wrapping_add(at * WIDTH).wrapping_sub(over * WIDTH);
            let mut column = 0;
            while column < self.columns {
                let last = self.columns - tile_columns;
                let first = if column < last { column } else { last };
                let from = from.wrapping_add(first * WIDTH);
                let to = to.wrapping_add(first * PITCH);
                // SAFETY: a tile of the matrix; the scratch has room for a run of each column and
                // for a line before it, which is as long as a tile.
                unsafe { tile::<V, WIDTH, false, _>(self.offsets, from, to, PITCH as isize) };
                column += tile_columns;
            }
            at += tile_rows;
        }
    }

    /// Stores the runs, which begin with row `row`: at the end of the matrix all that is left of
    /// them, before that all whole lines.
    ///
    /// # Safety
    /// As [`runs_of_columns`], and the runs have so many rows, and before them what they had left.
    #[inline(always)]
    unsafe fn store<V: Vector, const WIDTH: usize>(
        &self,
        row: usize,
        count: usize,
        destination: *mut u8,
    ) {
        let last = row + count == self.matrix.rows.count();
        let destination = destination.wrapping_add(row * WIDTH);
        for column in 0..self.columns {
            let own = self.first.wrapping_add(column * PITCH);
            let stride = self.matrix.destination_stride;
            let to = destination.wrapping_offset(column as isize * stride);
            let behind_line = to as usize % 64;
            let left = if row == 0 { 0 } else { behind_line };
            let (from, to) = (own.wrapping_sub(left), to.wrapping_sub(left));
            // All these are bytes that the scratch has of this column. They begin at a line or with
            // the column, and the next ones begin where they end, so nothing touches again what
            // goes past the caches before it is finished.
            if last {
                // SAFETY: see above.
                unsafe { copy::aligned::<V, true>(from, to, left + count * WIDTH) };
                continue;
            }
            if row == 0 {
                // SAFETY: see above.
                unsafe { copy::aligned::<V, true>(from, to, RUN - behind_line) };
            } else {
                // SAFETY: see above; a run is whole lines, and so vectors, and begins at one now.
                unsafe { copy::vectors::<V, true, true>(from, to, RUN) };
            }
            let (from, to) = (own.wrapping_add(RUN - 64), own.wrapping_sub(64));
            // SAFETY: the last line of the run, whole vectors, to the line before it.
            unsafe { copy::vectors::<V, false, true>(from, to, 64) };
        }
    }
}

/// Asks for the lines of some columns of a tile's rows, of which the first begins at `from`.
#[inline(always)]
pub(super) fn prefetch<V: Vector, const WIDTH: usize, O: Offsets>(
    offsets: O,
    from: *const u8,
    columns: usize,
) {
    for row in 0..V::BYTES / WIDTH {
        let mut at = 0;
        while at < columns * WIDTH {
            V::prefetch(offsets.row(from, row).wrapping_add(at));
            at += 64;
        }
    }
}
