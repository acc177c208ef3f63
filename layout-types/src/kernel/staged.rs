//! Staging: a scratch between memory and tiles, where memory wants to be touched in another order
//! than tiles are.

use super::copy;
use super::matrix::Matrix;
use super::tile::{Offsets, tile};
use super::vector::Vector;

/// The bytes of a run.
const RUN: usize = 512;

/// From one run to the next in the scratch: a line more, so that they do not share a set.
const PITCH: usize = RUN + 64;

/// The most columns that are staged at once.
const COLUMNS: usize = 32;

/// Whether what is so many bytes apart, whole pages or nearly, shares one set of a first level
/// cache. A set holds fewer lines than a tile has rows: a line is gone before its next 16 bytes are
/// read, or before a store to it is done.
#[inline(always)]
pub(super) fn share_a_set(stride: isize) -> bool {
    stride.unsigned_abs() > 128 && (stride + 64) & 4095 <= 128
}

/// Whether columns are better stored in long runs: they are far apart, and share a set or are to be
/// stored past the caches.
#[inline(always)]
pub(super) fn wants_runs<const WIDTH: usize>(matrix: &Matrix) -> bool {
    let stride = matrix.destination_stride;
    let far = stride.unsigned_abs() >= 2 * RUN && matrix.rows.count() >= RUN / WIDTH;
    far && (share_a_set(stride) || matrix.stream && stride % 64 == 0)
}

/// Copies 64 bytes of each of `rows` rows to a scratch in which they lie side by side.
///
/// # Safety
/// As many readable bytes in each row, the rows `stride` bytes apart, and `64 * rows` writable ones
/// at `scratch`; the CPU has the features of `V`.
#[inline(always)]
pub(super) unsafe fn side_by_side<V: Vector>(
    rows: usize,
    stride: isize,
    source: *const u8,
    scratch: *mut u8,
) {
    for row in 0..rows {
        let from = source.wrapping_offset(row as isize * stride);
        let mut at = 0;
        while at < 64 {
            // SAFETY: 64 bytes of a row.
            let v = unsafe { V::load(from.wrapping_add(at)) };
            // SAFETY: 64 bytes for each row.
            unsafe { v.store(scratch.wrapping_add(64 * row + at)) };
            at += V::BYTES;
        }
    }
}

/// Transposes a matrix through a scratch of a run for each of a few columns.
///
/// # Safety
/// As [`transpose`](super::transpose::transpose), and there are rows for a run.
#[inline(always)]
pub(super) unsafe fn runs<V: Vector, const WIDTH: usize, O: Offsets>(
    matrix: &Matrix,
    offsets: O,
    source: *const u8,
    destination: *mut u8,
) {
    let mut scratch = core::mem::MaybeUninit::<[u8; COLUMNS * PITCH]>::uninit();
    let scratch = scratch.as_mut_ptr().cast::<u8>();
    let rows = matrix.rows.count();
    let (run, tile_columns) = (RUN / WIDTH, 16 / WIDTH);
    let line = if 64 / WIDTH < COLUMNS { 64 / WIDTH } else { COLUMNS };
    let mut ragged_columns = matrix.columns % tile_columns > 0;
    let mut column = if ragged_columns { matrix.columns - tile_columns } else { 0 };
    while column + tile_columns <= matrix.columns {
        let rest = (matrix.columns - column) / tile_columns * tile_columns;
        let columns = if rest < line { rest } else { line };
        let mut ragged_rows = rows % run > 0;
        let mut row = if ragged_rows { rows - run } else { 0 };
        while row + run <= rows {
            let mut at = 0;
            while at < run {
                let from = source.wrapping_offset(matrix.rows.offset(row + at));
                let mut i = 0;
                while i < columns {
                    let from = from.wrapping_add((column + i) * WIDTH);
                    let to = scratch.wrapping_add(i * PITCH + at * WIDTH);
                    // SAFETY: a tile of the matrix; the scratch has a run for each column.
                    unsafe { tile::<V, WIDTH, false>(offsets, from, to, PITCH as isize) };
                    i += tile_columns;
                }
                at += V::BYTES / WIDTH;
            }
            // What overlaps another run comes first and is stored plainly.
            let stream = matrix.stream && !ragged_columns && !ragged_rows;
            for i in 0..columns {
                let place = (column + i) as isize * matrix.destination_stride;
                let to = destination.wrapping_offset(place).wrapping_add(row * WIDTH);
                let own = scratch.wrapping_add(i * PITCH);
                if stream {
                    // SAFETY: a run of the scratch, and of a column of the matrix, which nothing
                    // touches again; the job ends with a fence.
                    unsafe { copy::lines::<V, true>(own, to, RUN) };
                } else {
                    // SAFETY: a run of the scratch, and of a column of the matrix.
                    unsafe { copy::lines::<V, false>(own, to, RUN) };
                }
            }
            row = if ragged_rows { 0 } else { row + run };
            ragged_rows = false;
        }
        column = if ragged_columns { 0 } else { column + line };
        ragged_columns = false;
    }
}
