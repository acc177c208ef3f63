//! Transposes with non-temporal stores. A line that is stored non-temporally and then again is read from memory in
//! between, so tiles of [`stream`] do not overlap.

use core::ops::Range;

use super::offsets::{Offsets, Strided, Table, opaque};
use super::transpose::tile;
use super::vector::Vector;
use super::words::units;
use crate::steps::Matrix;
use crate::steps::tiles::BYTES_IN_ORDER;

/// A micro-kernel with plain stores.
type PlainKernel = unsafe fn(&Matrix, *const u8, *mut u8);

/// The distance in bytes by which lines of a row are prefetched.
const AHEAD: usize = 256;

/// Transposes an evenly spaced matrix with non-temporal stores. All its columns reach cache lines at the same row.
/// `plain` moves the last columns if they fill no tile, and everything if a column has no whole line or begins inside a
/// unit. `low` moves the rows before the first line and after the last one. Neither stores a line that is stored
/// non-temporally.
///
/// # Safety
/// The same as [`transpose`](super::transpose::transpose), for at least one tile. The stride of columns must be a
/// multiple of `V::BYTES`. `plain` and `low` must transpose evenly spaced matrices of units of `WIDTH` bytes: of at
/// least a tile, and of at least 16 bytes of rows. The caller must call [`Stores::finish`](crate::Stores::finish)
/// afterwards.
#[inline(always)]
pub(crate) unsafe fn stream<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    (plain, low): (PlainKernel, PlainKernel),
    from: *const u8,
    to: *mut u8,
) {
    let (tile_rows, each) = (V::BYTES / WIDTH, 16 / WIDTH);
    debug_assert!(matrix.column % V::BYTES as isize == 0, "{matrix:?}");
    debug_assert!(matrix.rows >= tile_rows && matrix.columns >= each, "{matrix:?}");
    debug_assert!(tile_rows % 8 == 0, "rows are prefetched by eight");
    let before = (to as usize).wrapping_neg() % V::BYTES;
    if before % WIDTH != 0 || before / WIDTH + tile_rows > matrix.rows {
        // A column that begins inside a unit never reaches a cache line, and a short one has no whole line.
        // SAFETY: the caller's promise.
        return unsafe { plain(matrix, from, to) };
    }
    let mut row = before / WIDTH;
    // SAFETY: these are rows of the matrix.
    unsafe { beside_lines::<WIDTH>(matrix, low, 0..row, from, to) };
    while row + tile_rows <= matrix.rows {
        let from = from.wrapping_offset(matrix.row.wrapping_mul(row as isize));
        let to = to.wrapping_add(row * WIDTH);
        // After the last column come the next rows of tiles, or the first ones of the next strip.
        let is_last = row + 2 * tile_rows > matrix.rows;
        let next = if is_last { before / WIDTH } else { row + tile_rows };
        let rows = matrix.row.wrapping_mul(next as isize - row as isize);
        let after = rows - if is_last { 0 } else { (matrix.columns * WIDTH) as isize };
        let whole = matrix.columns / each * each;
        for column in (0..whole).step_by(each) {
            if column % (64 / WIDTH) == 0 {
                let mut ahead = from.wrapping_add(column * WIDTH + AHEAD);
                if matrix.columns > AHEAD / WIDTH && column + AHEAD / WIDTH >= matrix.columns {
                    ahead = ahead.wrapping_offset(after);
                }
                // Opaque, so that this is a loop over eight rows.
                for _ in 0..opaque!(tile_rows / 8) {
                    for _ in 0..8 {
                        V::prefetch(ahead);
                        ahead = ahead.wrapping_offset(matrix.row);
                    }
                }
            }
            let (from, all) = (from.wrapping_add(column * WIDTH), (0, each));
            let to = to.wrapping_offset(column as isize * matrix.column);
            let own = (Strided::<false>(matrix.row), Strided::<false>(matrix.column).opaque());
            // SAFETY: it is a tile of the matrix, whose columns are aligned.
            unsafe { tile::<V, WIDTH, false, true, _, _>(own.0, own.1, from, to, all) };
        }
        if whole < matrix.columns {
            let columns = matrix.columns - whole;
            let to = to.wrapping_offset(whole as isize * matrix.column);
            let own = Matrix { rows: tile_rows, columns, skip: each - columns, ..*matrix };
            // SAFETY: these are the last columns of some rows; the matrix has those before them that are also loaded.
            unsafe { plain(&own, from.wrapping_add(whole * WIDTH), to) };
        }
        row += tile_rows;
    }
    // SAFETY: as above.
    unsafe { beside_lines::<WIDTH>(matrix, low, row..matrix.rows, from, to) };
}

/// Transposes rows before the first line of a column or after the last one. Fewer rows than a low tile has are moved
/// unit by unit, since a tile would repeat rows of a line.
///
/// # Safety
/// The same as [`stream`], for these rows of the matrix.
#[inline(never)]
unsafe fn beside_lines<const WIDTH: usize>(
    matrix: &Matrix,
    low: PlainKernel,
    rows: Range<usize>,
    from: *const u8,
    to: *mut u8,
) {
    debug_assert!(rows.end <= matrix.rows, "rows {rows:?} of {matrix:?}");
    if rows.is_empty() {
        return;
    }
    if rows.len() < 16 / WIDTH {
        // SAFETY: these are rows of the matrix.
        return unsafe { units::<WIDTH>(matrix, rows, 0..matrix.columns, from, to) };
    }
    let own = Matrix { rows: rows.len(), ..*matrix };
    let from = from.wrapping_offset(matrix.row.wrapping_mul(rows.start as isize));
    // SAFETY: these are rows of the matrix, of 16 bytes or more.
    unsafe { low(&own, from, to.wrapping_add(rows.start * WIDTH)) };
}

/// [`stream`] for columns that follow one another, of rows that a table gives. After all rows, the table has those of a
/// tile in the next column. If columns reach a cache line at row `head`, the last tile of a column ends with the first
/// `head` rows of the next one. For example, a matrix has 4 rows and 3 columns, and cache lines begin at row 1. The
/// first tile is rows 1 to 3 of column 0 and row 0 of column 1; the second is one column further. `plain` moves row 0
/// of column 0 and rows 1 to 3 of column 2.
///
/// # Safety
/// The same as [`stream`], for a matrix with a table that may be rotated, a
/// `plain` for tables, and a destination that is a multiple of `WIDTH`.
#[inline(always)]
pub(crate) unsafe fn rotated<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    plain: PlainKernel,
    from: *const u8,
    to: *mut u8,
) {
    let (tile_rows, each, rows) = (V::BYTES / WIDTH, 16 / WIDTH, matrix.rows);
    let head = (to as usize).wrapping_neg() % V::BYTES / WIDTH;
    debug_assert!(rows % tile_rows == 0 && matrix.columns > each, "{matrix:?}");
    debug_assert!(matrix.column == (rows * WIDTH) as isize, "{matrix:?} has columns apart");
    // SAFETY: it is called for a row of a tile, whose rows the table has.
    let offset_of = |row: usize| unsafe { *matrix.row_offsets.wrapping_add(row) } as isize;
    let mut columns = matrix.columns;
    if head > 0 {
        columns -= 1;
        // SAFETY: the caller's promise.
        unsafe { ends::<V, WIDTH>(matrix, plain, from, to) };
    }
    let each_strip = if WIDTH == 1 { AHEAD } else { BYTES_IN_ORDER / WIDTH };
    for strip in (0..columns).step_by(each_strip) {
        let end = columns.min(strip + each_strip);
        for row in (head..head + rows).step_by(tile_rows) {
            let of_tile = Table(matrix.row_offsets.wrapping_add(row));
            // After the last column come the next rows of tiles, or the first ones of the next strip.
            let (next, back) = match row + tile_rows {
                next if WIDTH > 1 && next < head + rows => (next, end - strip),
                _ => (head, 0),
            };
            for column in (strip..end).step_by(each) {
                let ahead = column + AHEAD / WIDTH;
                let (first, ahead) =
                    if ahead < end || WIDTH == 1 { (row, ahead) } else { (next, ahead - back) };
                for row in if column % (64 / WIDTH) == 0 { 0..tile_rows } else { 0..0 } {
                    let own = from.wrapping_offset(offset_of(first + row));
                    V::prefetch(own.wrapping_add(ahead * WIDTH));
                }
                // The last tile overlaps the one before it.
                let column = column.min(columns - each);
                let from = from.wrapping_add(column * WIDTH);
                let to = to.wrapping_offset(column as isize * matrix.column);
                let to = to.wrapping_add(row * WIDTH);
                let (own, all) = (Strided::<false>(matrix.column).opaque(), (0, each));
                // SAFETY: these rows of a column, the last ones with the first of the next column, which the matrix
                // has, are a line.
                unsafe { tile::<V, WIDTH, false, true, _, _>(of_tile, own, from, to, all) };
            }
        }
    }
}

/// Transposes the first rows of the first column, and all rows of the last one, with plain stores.
///
/// # Safety
/// The same as [`rotated`].
#[inline(always)]
unsafe fn ends<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    plain: PlainKernel,
    from: *const u8,
    to: *mut u8,
) {
    let (left, skip) = (matrix.columns - 1, 16 / WIDTH - 1);
    let first = Matrix { rows: V::BYTES / WIDTH, columns: 1, ..*matrix };
    // SAFETY: these are the first rows, and the matrix has the columns after the first one that are also loaded.
    unsafe { plain(&first, from, to) };
    let (from, to) =
        (from.wrapping_add(left * WIDTH), to.wrapping_offset(left as isize * matrix.column));
    // SAFETY: it is the last column. The matrix has those before it that are also loaded.
    unsafe { plain(&Matrix { columns: 1, skip, ..*matrix }, from, to) };
}
