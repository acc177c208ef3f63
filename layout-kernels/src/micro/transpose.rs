//! Transposes of matrices in register tiles.
//!
//! A tile has `V::BYTES` bytes of rows and 16 bytes of columns. It loads 16 bytes of each row; each lane holds a
//! group of `16 / WIDTH` rows. After log2(16 / WIDTH) rounds of shuffles, each vector is one column and is stored.
//!
//! Edges: the last tile in either direction overlaps the one before it, but not with non-temporal stores, for which
//! `stream` has the loops. If only one column of a tile is new, only that column is stored. Rows that fill at most half
//! a vector make a tile of half the height.
//!
//! A column of a cache line that is stored plainly is stored in two halves, of which at most one crosses a line.

#![cfg_attr(
    not(all(target_arch = "x86_64", feature = "std")),
    allow(
        dead_code,
        reason = "AVX-512 alone has lanes that share rows, x86-64 alone non-temporal stores"
    )
)]

use super::offsets::{Columns, Rows, opaque};
use super::vector::{Vector, shuffled};
use crate::steps::Matrix;

/// How a tile stores its columns.
pub(super) trait StoreColumn: Copy {
    /// Returns how many rows lie between the first rows of two lanes, if a lane has `each` rows.
    fn group(self, each: usize) -> usize;

    /// Stores a column of units of `WIDTH` bytes.
    ///
    /// # Safety
    /// The same as [`Vector::store_in_halves`], [`Vector::stream`] or [`Vector::store_halves`].
    unsafe fn store<V: Vector, const WIDTH: usize>(self, v: V, column: *mut u8);
}

/// All of a column: non-temporally if `STREAM` is set, or else by [`Vector::store_in_halves`].
#[derive(Clone, Copy)]
pub(super) struct Whole<const STREAM: bool>;

impl<const STREAM: bool> StoreColumn for Whole<STREAM> {
    #[inline(always)]
    fn group(self, each: usize) -> usize {
        each
    }

    #[cfg_attr(unoptimized, inline(never))]
    #[cfg_attr(not(unoptimized), inline(always))]
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
struct OverlappingLanes(usize);

impl StoreColumn for OverlappingLanes {
    #[inline(always)]
    fn group(self, _: usize) -> usize {
        self.0
    }

    #[cfg_attr(unoptimized, inline(never))]
    #[cfg_attr(not(unoptimized), inline(always))]
    unsafe fn store<V: Vector, const WIDTH: usize>(self, v: V, column: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { v.store_halves(column, self.0 * WIDTH) }
    }
}

/// Transposes `matrix`, unless its last rows fill at most half a vector: then a kernel of half the height moves those.
/// Returns the first row that is left for it, or the number of rows.
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

/// Transposes all of `matrix`, also the rows after the last whole tile.
///
/// # Safety
/// The same as [`transpose`].
#[inline(always)]
pub(crate) unsafe fn all<V: Vector, const WIDTH: usize, R: Rows, C: Columns>(
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

/// Transposes a matrix whose columns have 16 to 32 bytes, in vectors of two lanes that overlap in some rows.
///
/// # Safety
/// The same as [`transpose`], but columns must have 16 to 32 bytes, and `V` two lanes.
#[inline(always)]
pub(crate) unsafe fn overlapping<V: Vector, const WIDTH: usize, R: Rows, C: Columns>(
    matrix: &Matrix,
    rows: R,
    columns: C,
    from: *const u8,
    to: *mut u8,
) {
    let lanes = OverlappingLanes(matrix.rows - 16 / WIDTH);
    debug_assert!(V::BYTES == 32 && lanes.0 <= 16 / WIDTH, "{matrix:?}");
    // SAFETY: the caller's promise; the two lanes cover all rows.
    unsafe { tiles::<V, WIDTH, OverlappingLanes, R, C>(matrix, rows, columns, from, to, lanes) }
}

/// Transposes neighboring tiles: `V::BYTES / WIDTH` rows by all columns, or fewer rows if lanes share some.
///
/// # Safety
/// The same as [`transpose`], for these rows.
#[inline(always)]
unsafe fn tiles<V: Vector, const WIDTH: usize, S: StoreColumn, R: Rows, C: Columns>(
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
                    columns.opaque(),
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
        // Opaque, so that what is compared with each column is not computed before it is known to be needed.
        let own = if C::IS_STATIC { (start, stored) } else { (opaque!(start), opaque!(stored)) };
        // SAFETY: it is a column of the matrix.
        let (columns, to) = unsafe { columns.at(to, first) };
        let from = from.wrapping_add(first * WIDTH).wrapping_sub(start * WIDTH);
        // SAFETY: these columns are part of the matrix, and the others are readable.
        unsafe { tile::<V, WIDTH, 1, true, S, R, C>(rows, columns, from, to, own, stores) };
    }
}

/// Transposes `TILES` neighboring tiles. With `EDGE`, it stores only some columns: `own` is the first of them and their
/// number.
///
/// # Safety
/// The same as [`tiles`], for `V::BYTES / WIDTH` rows and `TILES * 16 / WIDTH` columns. With `EDGE`, only the columns
/// that are stored must be writable, and the first of them must be column 0 of `columns`.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) unsafe fn tile<
    V: Vector,
    const WIDTH: usize,
    const TILES: usize,
    const EDGE: bool,
    S: StoreColumn,
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
        ($tile:literal, $($shuffle:literal)*: $($i:literal)*) => {if const { $tile < TILES } {
            const COUNT: usize = [$($i),*].len();
            let mut cursor = R::along(&start, 16 * $tile);
            let v = [$({
                // SAFETY: it is a row of the tile for each lane.
                unsafe { load::<V, R>(rows, &mut cursor, $i, group) }
            }),*];
            // Not a loop, since a loop over this number of vectors is not always unrolled.
            $(
                let _ = $shuffle;
                // SAFETY: the CPU has the features of `V`, by the caller's promise.
                let v = unsafe { shuffled::<V, COUNT, WIDTH>(v) };
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
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
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
