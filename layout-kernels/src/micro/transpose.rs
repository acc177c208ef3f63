//! Transposes of matrices in register tiles.
//!
//! A tile has `V::BYTES` bytes of rows and 16 bytes of columns. It loads 16 bytes of each row; each lane holds a
//! group of `16 / WIDTH` rows. After log2(16 / WIDTH) rounds of shuffles, each vector is one column and is stored.
//!
//! Edges: the last tile in either direction overlaps the one before it. If only one column of a tile is new, only
//! that column is stored. Rows that fill at most half a vector make a tile of half the height.

use core::ops::Range;

use super::offsets::{Columns, Even, Rows};
use super::vector::{Vector, Vectors};
use crate::steps::Matrix;

/// Transposes `matrix`.
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
) {
    let tile_rows = V::BYTES / WIDTH;
    debug_assert!(matrix.rows >= tile_rows, "{matrix:?}");
    debug_assert!(matrix.columns + matrix.skip <= 16 / WIDTH || matrix.skip == 0, "{matrix:?}");
    let mut row = 0;
    while row < matrix.rows {
        let left = matrix.rows - row;
        if left * WIDTH <= V::Half::BYTES && V::BYTES > 16 {
            let first = matrix.rows - V::Half::BYTES / WIDTH;
            // SAFETY: it is a row of the matrix.
            let (rows, from) = unsafe { rows.at(from, first) };
            let to = to.wrapping_add(first * WIDTH);
            // SAFETY: these are the last rows of the matrix. A CPU with the features of `V` has those of its half.
            return unsafe { tiles::<V::Half, WIDTH, R, C>(matrix, rows, columns, from, to, 0) };
        }
        let first = if left < tile_rows { matrix.rows - tile_rows } else { row };
        // SAFETY: it is a row of the matrix.
        let (rows, from) = unsafe { rows.at(from, first) };
        // SAFETY: first + tile_rows <= rows, so the tiles are part of the matrix.
        unsafe {
            tiles::<V, WIDTH, R, C>(matrix, rows, columns, from, to.wrapping_add(first * WIDTH), 0)
        };
        row += tile_rows;
    }
}

/// Transposes a matrix whose rows fill more than one lane of a vector of two lanes. The lanes overlap in some rows.
///
/// # Safety
/// The same as [`transpose`], for 16 to 32 bytes of rows and vectors of two lanes.
#[cfg_attr(
    not(all(target_arch = "x86_64", feature = "std")),
    allow(dead_code, reason = "the sets with AVX-512 have them alone")
)]
#[inline(always)]
pub(crate) unsafe fn lapped<V: Vector, const WIDTH: usize, R: Rows, C: Columns>(
    matrix: &Matrix,
    rows: R,
    columns: C,
    from: *const u8,
    to: *mut u8,
) {
    let lap = V::BYTES / WIDTH - matrix.rows;
    debug_assert!(V::BYTES == 32 && lap <= 16 / WIDTH, "{matrix:?}");
    // SAFETY: the caller's promise; the two lanes cover all rows.
    unsafe { tiles::<V, WIDTH, R, C>(matrix, rows, columns, from, to, lap) }
}

/// Transposes neighboring tiles: `V::BYTES / WIDTH` rows by all columns. The second of two lanes shares `lap` rows
/// with the first.
///
/// # Safety
/// The same as [`transpose`], for these rows.
#[inline(always)]
unsafe fn tiles<V: Vector, const WIDTH: usize, R: Rows, C: Columns>(
    matrix: &Matrix,
    rows: R,
    columns: C,
    from: *const u8,
    to: *mut u8,
    lap: usize,
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
                tile::<V, WIDTH, $tiles, false, false, R, C>(
                    rows,
                    columns.hidden(),
                    from,
                    to,
                    0..each,
                    lap,
                )
            };
        }};
    }
    let mut column = 0;
    while WIDTH >= 4 && count - column >= 4 * each {
        tile!(column, 4);
        column += 4 * each;
    }
    while count - column >= each {
        tile!(column, 1);
        column += each;
    }
    // If one column is new, or there are fewer than a tile has, the others are loaded but not stored.
    let own = if count < each { matrix.skip..matrix.skip + count } else { each - 1..each };
    if count < each || count - column == 1 {
        let first = count - own.len();
        // SAFETY: it is a column of the matrix.
        let (columns, to) = unsafe { columns.at(to, first) };
        let from = from.wrapping_add(first * WIDTH).wrapping_sub(own.start * WIDTH);
        // SAFETY: these columns are part of the matrix, and the others are readable.
        unsafe { tile::<V, WIDTH, 1, true, false, R, C>(rows, columns, from, to, own, lap) };
    } else if column < count {
        tile!(count - each, 1);
    }
}

/// Transposes `TILES` neighboring tiles. With `EDGE`, it stores only the columns of `own`.
///
/// # Safety
/// The same as [`tiles`], for `V::BYTES / WIDTH` rows and `TILES * 16 / WIDTH` columns. With `EDGE`, only the columns
/// of `own` must be writable, and the first of them must be column 0 of `columns`.
#[inline(always)]
unsafe fn tile<
    V: Vector,
    const WIDTH: usize,
    const TILES: usize,
    const EDGE: bool,
    const STREAM: bool,
    R: Rows,
    C: Columns,
>(
    rows: R,
    columns: C,
    from: *const u8,
    to: *mut u8,
    own: Range<usize>,
    lap: usize,
) {
    let (each, group) = (16 / WIDTH, 16 / WIDTH - lap);
    // SAFETY: these are the rows of the tile.
    let start = unsafe { rows.cursor(from, group) };
    let mut to = to;
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
                if !EDGE || own.contains(&$i) {
                    let index = if EDGE { $i - own.start } else { $tile * each + $i };
                    // SAFETY: it is a column of the tile.
                    let column = unsafe { columns.column(&mut to, index) };
                    match lap {
                        // SAFETY: as above, aligned with `STREAM`.
                        0 => unsafe { put::<V, STREAM>(v[$i], column) },
                        // SAFETY: as above, for the rows of each lane.
                        _ => unsafe { v[$i].store_apart(column, group * WIDTH) },
                    }
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

/// Stores a column, non-temporally with `STREAM`.
///
/// # Safety
/// The same as [`Vector::store`], or with `STREAM` as [`Vector::stream`].
#[inline(always)]
unsafe fn put<V: Vector, const STREAM: bool>(v: V, column: *mut u8) {
    if STREAM {
        // SAFETY: the caller's promise.
        unsafe { v.stream(column) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { v.store(column) };
    }
}

/// The distance in bytes by which lines of a row are prefetched.
#[cfg_attr(
    not(all(target_arch = "x86_64", feature = "std")),
    allow(dead_code, reason = "only vectors of a line have non-temporal stores")
)]
const AHEAD: usize = 256;

/// Transposes an evenly spaced matrix with non-temporal stores. All its columns reach cache lines at the same row.
/// Rows before that row, and tiles that overlap others, use plain stores.
///
/// # Safety
/// The same as [`transpose`], for at least one tile. The stride of columns must be a multiple of `V::BYTES`. The
/// caller must call [`Stores::finish`](crate::Stores::finish) afterwards.
#[cfg_attr(
    not(all(target_arch = "x86_64", feature = "std")),
    allow(dead_code, reason = "only vectors of a line have non-temporal stores")
)]
#[inline(always)]
pub(crate) unsafe fn stream<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    from: *const u8,
    to: *mut u8,
) {
    let (tile_rows, each) = (V::BYTES / WIDTH, 16 / WIDTH);
    debug_assert!(matrix.column % V::BYTES as isize == 0, "{matrix:?}");
    debug_assert!(matrix.rows >= tile_rows && matrix.columns >= each, "{matrix:?}");
    let before = (to as usize).wrapping_neg() % V::BYTES;
    let (rows, columns) = (Even(matrix.row), Even(matrix.column));
    let row_at = |row: usize| from.wrapping_offset(matrix.row.wrapping_mul(row as isize));
    // A column that begins inside a unit never reaches a cache line.
    let head = if before % WIDTH == 0 { before / WIDTH } else { matrix.rows };
    // Not a closure, which would not have the features of `V`.
    macro_rules! plainly {
        ($first:expr) => {{
            let to = to.wrapping_add($first * WIDTH);
            // SAFETY: these are `tile_rows` rows of the matrix.
            unsafe { tiles::<V, WIDTH, _, _>(matrix, rows, columns, row_at($first), to, 0) }
        }};
    }
    macro_rules! aligned {
        ($streams:literal, $from:ident, $to:ident, $first:expr) => {{
            let to = $to.wrapping_offset($first as isize * matrix.column);
            let from = $from.wrapping_add($first * WIDTH);
            let columns = columns.hidden();
            // SAFETY: it is a tile of the matrix, whose columns are aligned.
            unsafe {
                tile::<V, WIDTH, 1, false, $streams, _, _>(rows, columns, from, to, 0..each, 0)
            }
        }};
    }
    let (mut row, mut is_plain, last) = (0, head > 0, matrix.rows - tile_rows);
    // One loop for all tiles, so that their code is there once.
    loop {
        if is_plain {
            plainly!(row);
        } else {
            let (from, to) = (row_at(row), to.wrapping_add(row * WIDTH));
            let mut column = 0;
            while column + each <= matrix.columns {
                for ahead in 0..if column % (64 / WIDTH) == 0 { tile_rows } else { 0 } {
                    let line = row_at(row + ahead);
                    V::prefetch(line.wrapping_add(column * WIDTH + AHEAD));
                }
                aligned!(true, from, to, column);
                column += each;
            }
            if column < matrix.columns {
                aligned!(false, from, to, matrix.columns - each);
            }
        }
        let next = if row == 0 && is_plain { head.min(tile_rows) } else { row + tile_rows };
        if next >= matrix.rows || row == last {
            return;
        }
        // The last tile may overlap the one before it.
        (row, is_plain) = if next <= last { (next, head == matrix.rows) } else { (last, true) };
    }
}
