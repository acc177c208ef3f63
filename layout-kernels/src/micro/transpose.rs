//! Transposes of matrices in register tiles.
//!
//! A tile has `V::BYTES` bytes of rows and 16 bytes of columns. It loads 16 bytes of each row; each lane holds a
//! group of `16 / WIDTH` rows. After log2(16 / WIDTH) rounds of shuffles, each vector is one column and is stored.
//!
//! Edges: the last tile in either direction overlaps the one before it, but not beside non-temporal stores. If only
//! one column of a tile is new, only that column is stored. Rows that fill at most half a vector make a tile of half
//! the height.
//!
//! A column of a cache line that is stored plainly is stored in two halves, of which at most one crosses a line.

#![cfg_attr(
    not(all(target_arch = "x86_64", feature = "std")),
    allow(
        dead_code,
        reason = "AVX-512 alone has lanes that share rows, x86-64 alone non-temporal stores"
    )
)]

use core::ops::Range;

use super::offsets::{Columns, Even, Rows, Table, opaque};
use super::vector::{Vector, Vectors};
use super::words::units;
use crate::steps::Matrix;
use crate::steps::thresholds::IN_ORDER;

/// How a tile stores its columns.
trait Stores: Copy {
    /// Returns how many rows lie between the first rows of two lanes, if a lane has `each` rows.
    fn group(self, each: usize) -> usize;

    /// Stores a column of units of `WIDTH` bytes.
    ///
    /// # Safety
    /// The same as [`Vector::store_in_halves`], [`Vector::stream`] or [`Vector::store_apart`].
    unsafe fn store<V: Vector, const WIDTH: usize>(self, v: V, column: *mut u8);
}

/// All of a column: non-temporally if `STREAM` is set, or else by [`Vector::store_in_halves`].
#[derive(Clone, Copy)]
struct Whole<const STREAM: bool>;

impl<const STREAM: bool> Stores for Whole<STREAM> {
    #[inline(always)]
    fn group(self, each: usize) -> usize {
        each
    }

    #[inline(always)]
    unsafe fn store<V: Vector, const WIDTH: usize>(self, v: V, column: *mut u8) {
        match STREAM {
            // SAFETY: the caller's promise.
            true => unsafe { v.stream(column) },
            // SAFETY: the caller's promise.
            false => unsafe { v.store_in_halves(column) },
        }
    }
}

/// Each of two lanes by itself, since they share rows. The second begins this number of rows after the first.
#[derive(Clone, Copy)]
struct Apart(usize);

impl Stores for Apart {
    #[inline(always)]
    fn group(self, _: usize) -> usize {
        self.0
    }

    #[inline(always)]
    unsafe fn store<V: Vector, const WIDTH: usize>(self, v: V, column: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { v.store_apart(column, self.0 * WIDTH) }
    }
}

/// Transposes `matrix`, unless its last rows fill at most half a vector: then a kernel of half the height moves
/// those. Returns the first row that is left for it, or the number of rows.
///
/// # Safety
/// - Every unit of the matrix must be readable at `from` and writable at `to`. The two sides must not overlap.
/// - The matrix must have at least `V::BYTES / WIDTH` rows. If it has fewer than `16 / WIDTH` columns, that number of
///   columns must be readable in each row, from `skip` columns before the first one on.
/// - The CPU must have the features of `V`. `WIDTH` must be 1, 2, 4 or 8.
#[inline(always)]
pub(crate) unsafe fn transpose<V: Vector, const WIDTH: usize, R: Rows, C: Columns>(
    matrix: &Matrix,
    rows: R,
    columns: C,
    from: *const u8,
    to: *mut u8,
) -> usize {
    let (tile_rows, count) = (V::BYTES / WIDTH, matrix.rows);
    debug_assert!(count >= tile_rows, "{matrix:?}");
    debug_assert!(matrix.columns + matrix.skip <= 16 / WIDTH || matrix.skip == 0, "{matrix:?}");
    let mut row = 0;
    while row < count {
        let left = count - row;
        if left * WIDTH <= V::Half::BYTES && V::BYTES > 16 {
            return count - V::Half::BYTES / WIDTH;
        }
        let first = if left < tile_rows { count - tile_rows } else { row };
        // SAFETY: first + tile_rows <= rows, so the tiles are part of the matrix.
        unsafe { tiles_from::<V, WIDTH, R, C>(matrix, rows, columns, from, to, first) };
        row += tile_rows;
    }
    count
}

/// Transposes all of `matrix`, with its last rows in place.
///
/// # Safety
/// The same as [`transpose`].
#[inline(always)]
pub(crate) unsafe fn in_place<V: Vector, const WIDTH: usize, R: Rows, C: Columns>(
    matrix: &Matrix,
    rows: R,
    columns: C,
    from: *const u8,
    to: *mut u8,
) {
    // SAFETY: the caller's promise.
    let left = unsafe { transpose::<V, WIDTH, R, C>(matrix, rows, columns, from, to) };
    if left < matrix.rows {
        // SAFETY: these are the last rows. A CPU with the features of `V` has those of its half.
        unsafe { tiles_from::<V::Half, WIDTH, R, C>(matrix, rows, columns, from, to, left) };
    }
}

/// Transposes neighboring tiles: `V::BYTES / WIDTH` rows from row `first` on by all columns.
///
/// # Safety
/// The same as [`transpose`], for these rows.
#[inline(always)]
unsafe fn tiles_from<V: Vector, const WIDTH: usize, R: Rows, C: Columns>(
    matrix: &Matrix,
    rows: R,
    columns: C,
    from: *const u8,
    to: *mut u8,
    first: usize,
) {
    debug_assert!(first + V::BYTES / WIDTH <= matrix.rows, "row {first} of {matrix:?}");
    // SAFETY: it is a row of the matrix.
    let (rows, from) = unsafe { rows.at(from, first) };
    let to = to.wrapping_add(first * WIDTH);
    // SAFETY: the caller's promise.
    unsafe { tiles::<V, WIDTH, Whole<false>, R, C>(matrix, rows, columns, from, to, Whole) }
}

/// Transposes a matrix whose rows fill more than one lane of a vector of two lanes. The lanes overlap in some rows.
///
/// # Safety
/// The same as [`transpose`], for 16 to 32 bytes of rows and vectors of two lanes.
#[inline(always)]
pub(crate) unsafe fn lapped<V: Vector, const WIDTH: usize, R: Rows, C: Columns>(
    matrix: &Matrix,
    rows: R,
    columns: C,
    from: *const u8,
    to: *mut u8,
) {
    let apart = Apart(matrix.rows - 16 / WIDTH);
    debug_assert!(V::BYTES == 32 && apart.0 <= 16 / WIDTH, "{matrix:?}");
    // SAFETY: the caller's promise; the two lanes cover all rows.
    unsafe { tiles::<V, WIDTH, Apart, R, C>(matrix, rows, columns, from, to, apart) }
}

/// Transposes neighboring tiles: `V::BYTES / WIDTH` rows by all columns, or fewer rows if lanes share some.
///
/// # Safety
/// The same as [`transpose`], for these rows.
#[inline(always)]
unsafe fn tiles<V: Vector, const WIDTH: usize, S: Stores, R: Rows, C: Columns>(
    matrix: &Matrix,
    rows: R,
    columns: C,
    from: *const u8,
    to: *mut u8,
    stores: S,
) {
    let (each, count) = (16 / WIDTH, matrix.columns);
    macro_rules! tile {
        ($column:expr, $tiles:literal) => {{
            let column = $column;
            // SAFETY: it is a column of the matrix.
            let (columns, to) = unsafe { columns.at(to, column) };
            let from = from.wrapping_add(column * WIDTH);
            // SAFETY: the tiles are part of the matrix.
            unsafe {
                tile::<V, WIDTH, $tiles, false, S, R, C>(
                    rows,
                    columns.hidden(),
                    from,
                    to,
                    (0, each),
                    stores,
                )
            };
        }};
    }
    let mut column = 0;
    while WIDTH >= 4 && count - column >= 4 * each {
        tile!(column, 4);
        column += 4 * each;
    }
    // The last tile overlaps the one before it if it has at least two columns of its own.
    while count >= each && count - column > 1 {
        column = column.min(count - each);
        tile!(column, 1);
        column += each;
    }
    // If one column is new, or there are fewer than a tile has, the others are loaded but not stored.
    if column < count {
        let (start, stored) = if count < each { (matrix.skip, count) } else { (each - 1, 1) };
        let first = count - stored;
        // Hidden, so that what is compared with each column is not computed before it is known to be needed.
        let own = (opaque!(start), opaque!(stored));
        // SAFETY: it is a column of the matrix.
        let (columns, to) = unsafe { columns.at(to, first) };
        let from = from.wrapping_add(first * WIDTH).wrapping_sub(start * WIDTH);
        // SAFETY: these columns are part of the matrix, and the others are readable.
        unsafe { tile::<V, WIDTH, 1, true, S, R, C>(rows, columns, from, to, own, stores) };
    }
}

/// Transposes `TILES` neighboring tiles. With `EDGE`, it stores only some columns: `own` is the first of them and
/// their number.
///
/// # Safety
/// The same as [`tiles`], for `V::BYTES / WIDTH` rows and `TILES * 16 / WIDTH` columns. With `EDGE`, only the columns
/// that are stored must be writable, and the first of them must be column 0 of `columns`.
#[inline(always)]
unsafe fn tile<
    V: Vector,
    const WIDTH: usize,
    const TILES: usize,
    const EDGE: bool,
    S: Stores,
    R: Rows,
    C: Columns,
>(
    rows: R,
    columns: C,
    from: *const u8,
    to: *mut u8,
    own: (usize, usize),
    stores: S,
) {
    let each = 16 / WIDTH;
    let group = stores.group(each);
    // SAFETY: these are the rows of the tile.
    let start = unsafe { rows.cursor(from, group) };
    let mut columns_of = columns.cursor(to);
    macro_rules! vectors {
        ($tile:literal, $($round:literal)*: $($i:literal)*) => {if $tile < TILES {
            let mut cursor = R::along(&start, 16 * $tile);
            let v = [$({
                // SAFETY: it is a row of the tile for each lane.
                unsafe { load::<V, R>(rows, &mut cursor, $i, group) }
            }),*];
            // Not a loop, since a loop over this number of vectors is not always unrolled.
            $(
                let _ = $round;
                // SAFETY: the CPU has the features of `V`, by the caller's promise.
                let v = unsafe { v.shuffled::<WIDTH>() };
            )*
            $(
                if !EDGE || usize::wrapping_sub($i, own.0) < own.1 {
                    let index = if EDGE { $i - own.0 } else { $tile * each + $i };
                    // SAFETY: it is a column of the tile.
                    let column = unsafe { columns.next::<EDGE>(&mut columns_of, index) };
                    // SAFETY: as above.
                    unsafe { stores.store::<V, WIDTH>(v[$i], column) };
                }
            )*
        }};
    }
    macro_rules! tiles {
        ($($tile:literal)*) => {$(
            match WIDTH {
                1 => vectors!($tile, 0 1 2 3: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
                2 => vectors!($tile, 0 1 2: 0 1 2 3 4 5 6 7),
                4 => vectors!($tile, 0 1: 0 1 2 3),
                _ => vectors!($tile, 0: 0 1),
            }
        )*};
    }
    tiles!(0 1 2 3);
}

/// Loads 16 bytes of row `index` of each lane. Lanes are `group` rows apart.
///
/// # Safety
/// The tile must have these rows, and the CPU the features of `V`.
#[inline(always)]
unsafe fn load<V: Vector, R: Rows>(
    rows: R,
    cursor: &mut R::Cursor,
    index: usize,
    group: usize,
) -> V {
    // SAFETY: it is a row of the tile for each lane.
    let pointers = unsafe { rows.next(cursor, index, group, V::BYTES / 16) };
    // SAFETY: these are 16 bytes of rows of the tile.
    unsafe { V::load_lanes(pointers) }
}

/// A micro-kernel with plain stores.
type Plain = unsafe fn(&Matrix, *const u8, *mut u8);

/// The distance in bytes by which lines of a row are prefetched.
const AHEAD: usize = 256;

/// Transposes an evenly spaced matrix with non-temporal stores. All its columns reach cache lines at the same row.
/// `plain` moves the last columns if they fill no tile, and everything if no line begins at a row. `low` moves the
/// rows before the first line and after the last one. A line that is stored non-temporally and then again is read
/// from memory in between. Neither stores such a line.
///
/// # Safety
/// The same as [`transpose`], for at least one tile. The stride of columns must be a multiple of `V::BYTES`. `plain`
/// and `low` must transpose evenly spaced matrices of units of `WIDTH` bytes: of at least a tile, and of at least 16
/// bytes of rows. The caller must call [`Stores::finish`](crate::Stores::finish) afterwards.
#[inline(always)]
pub(crate) unsafe fn stream<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    (plain, low): (Plain, Plain),
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
        let mut column = 0;
        while column + each <= matrix.columns {
            if column % (64 / WIDTH) == 0 {
                let mut ahead = from.wrapping_add(column * WIDTH + AHEAD);
                if matrix.columns > AHEAD / WIDTH && column + AHEAD / WIDTH >= matrix.columns {
                    ahead = ahead.wrapping_offset(after);
                }
                // Hidden, so that this is a loop over eight rows.
                for _ in 0..opaque!(tile_rows / 8) {
                    for _ in 0..8 {
                        V::prefetch(ahead);
                        ahead = ahead.wrapping_offset(matrix.row);
                    }
                }
            }
            let to = to.wrapping_offset(column as isize * matrix.column);
            let from = from.wrapping_add(column * WIDTH);
            // SAFETY: it is a tile of the matrix, whose columns are aligned.
            unsafe { stream_tile::<V, WIDTH, _>(Even(matrix.row), matrix, from, to) };
            column += each;
        }
        if column < matrix.columns {
            let columns = matrix.columns - column;
            let to = to.wrapping_offset(column as isize * matrix.column);
            let own = Matrix { rows: tile_rows, columns, skip: each - columns, ..*matrix };
            // SAFETY: these are the last columns of some rows; the matrix has those before them that are also loaded.
            unsafe { plain(&own, from.wrapping_add(column * WIDTH), to) };
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
    low: Plain,
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

/// Transposes a tile with non-temporal stores.
///
/// # Safety
/// The same as [`tile`], for rows and the columns of `matrix`, which must begin at multiples of `V::BYTES`.
#[inline(always)]
unsafe fn stream_tile<V: Vector, const WIDTH: usize, R: Rows>(
    rows: R,
    matrix: &Matrix,
    from: *const u8,
    to: *mut u8,
) {
    let (columns, all) = (Even(matrix.column).hidden(), (0, 16 / WIDTH));
    // SAFETY: the caller's promise.
    unsafe { tile::<V, WIDTH, 1, false, Whole<true>, _, _>(rows, columns, from, to, all, Whole) };
}

/// [`stream`] for columns that follow one another, of rows that a table gives. After all rows, the table has those of
/// a tile in the next column. If columns reach a cache line at row `head`, the last tile of a column ends with the
/// first `head` rows of the next one. For example, 4 rows of 3 columns whose line begins at row 1 are rows 1 to 3 of
/// column 0 and row 0 of column 1, then rows 1 to 3 of column 1 and row 0 of column 2. Row 0 of column 0 and rows 1
/// to 3 of column 2 are left for `plain`.
///
/// # Safety
/// The same as [`stream`], for a matrix with a table that [may be rotated](crate::steps::Tiles::may_rotate), a
/// `plain` for tables, and a destination that is a multiple of `WIDTH`.
#[inline(always)]
pub(crate) unsafe fn rotated<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    plain: Plain,
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
    // Strips of bytes that read memory in order are .87 times as fast, others 1.1 to 1.4 times.
    let each_strip = if WIDTH == 1 { AHEAD } else { IN_ORDER / WIDTH };
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
                // SAFETY: these rows of a column, the last ones with the first of the next column, which the matrix
                // has, are a line.
                unsafe { stream_tile::<V, WIDTH, _>(of_tile, matrix, from, to) };
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
    plain: Plain,
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
