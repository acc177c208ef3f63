//! Transposes of matrices in register tiles.
//!
//! A tile has `V::BYTES` bytes of rows and 16 bytes of columns. It loads 16 bytes of each row; each lane holds a
//! group of `16 / WIDTH` rows. After log2(16 / WIDTH) rounds of shuffles, each vector is one column and is stored.
//!
//! Edges: the last tile in either direction overlaps the one before it, but not with non-temporal stores, for which
//! `stream` has the loops. If only one column of a tile is new, only that column is stored. Rows that fill at most half
//! a vector make a tile of half the height.

#![cfg_attr(
    not(all(target_arch = "x86_64", feature = "std")),
    allow(dead_code, reason = "x86-64 alone has non-temporal stores and vectors of several lanes")
)]

use super::offsets::{Offsets, opaque};
use super::vector::{Vector, shuffled};
use crate::steps::Matrix;

/// Transposes `matrix`, unless its last rows fill at most half a vector: then a kernel of half the height moves those.
/// Returns the first row that is left for it, or the number of rows.
///
/// # Safety
/// - Every unit of the matrix must be readable at `from` and writable at `to`. The two sides must not overlap.
/// - The matrix must have at least `V::BYTES / WIDTH` rows. If it has fewer than `16 / WIDTH` columns, that number of
///   columns must be readable in each row, from `skip` columns before the first one on.
/// - The CPU must have the features of `V`. `WIDTH` must be 1, 2, 4 or 8.
#[inline(always)]
pub(crate) unsafe fn transpose<V: Vector, const WIDTH: usize, R: Offsets, C: Offsets>(
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
pub(crate) unsafe fn all<V: Vector, const WIDTH: usize, R: Offsets, C: Offsets>(
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
unsafe fn tiles_from<V: Vector, const WIDTH: usize, R: Offsets, C: Offsets>(
    matrix: &Matrix,
    rows: R,
    columns: C,
    from: *const u8,
    to: *mut u8,
    first: usize,
) {
    debug_assert!(first + V::BYTES / WIDTH <= matrix.rows, "row {first} of {matrix:?}");
    let (rows, before) = rows.at(first);
    let (from, to) = (from.wrapping_offset(before), to.wrapping_add(first * WIDTH));
    let (each, count) = (16 / WIDTH, matrix.columns);
    let mut column = 0;
    // The last tile overlaps the one before it if it has at least two columns of its own.
    while count >= each && count - column > 1 {
        column = column.min(count - each);
        let (columns, before) = columns.at(column);
        let (from, to) = (from.wrapping_add(column * WIDTH), to.wrapping_offset(before));
        // SAFETY: the tile is part of the matrix.
        unsafe {
            tile::<V, WIDTH, false, false, R, C>(rows, columns.opaque(), from, to, (0, each))
        };
        column += each;
    }
    // If one column is new, or there are fewer than a tile has, the others are loaded but not stored.
    if column < count {
        let (start, stored) = if count < each { (matrix.skip, count) } else { (each - 1, 1) };
        let first = count - stored;
        // Opaque, so that what is compared with each column is not computed before it is known to be needed.
        let own = if C::IS_STATIC { (start, stored) } else { (opaque!(start), opaque!(stored)) };
        let ((columns, before), skipped) = (columns.at(first), start * WIDTH);
        let from = from.wrapping_add(first * WIDTH).wrapping_sub(skipped);
        let to = to.wrapping_offset(before);
        // SAFETY: these columns are part of the matrix, and the others are readable.
        unsafe { tile::<V, WIDTH, true, false, R, C>(rows, columns, from, to, own) };
    }
}

/// Transposes a tile. With `EDGE`, it stores only some columns: `own` is the first of them and their
/// number. With `STREAM`, it stores non-temporally.
///
/// # Safety
/// The same as [`transpose`], for `V::BYTES / WIDTH` rows and `16 / WIDTH` columns. With `EDGE`, only the columns
/// that are stored must be writable, and the first of them must be column 0 of `columns`. With `STREAM`, columns must
/// begin at multiples of `V::BYTES`, and the caller must call [`Stores::finish`](crate::Stores::finish) afterwards.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) unsafe fn tile<
    V: Vector,
    const WIDTH: usize,
    const EDGE: bool,
    const STREAM: bool,
    R: Offsets,
    C: Offsets,
>(
    rows: R,
    columns: C,
    from: *const u8,
    to: *mut u8,
    own: (usize, usize),
) {
    let each = 16 / WIDTH;
    let (mut of_rows, mut of_columns) = (rows.rows(from, each), to);
    macro_rules! vectors {
        ($($shuffle:literal)*: $($i:literal)*) => {{
            const COUNT: usize = [$($i),*].len();
            let v = [$({
                // SAFETY: it is a row of the tile for each lane.
                unsafe { load::<V, WIDTH, R>(rows, &mut of_rows, $i) }
            }),*];
            // Not a loop, since a loop over this number of vectors is not always unrolled.
            $(
                let _ = $shuffle;
                // SAFETY: the CPU has the features of `V`, by the caller's promise.
                let v = unsafe { shuffled::<V, COUNT, WIDTH>(v) };
            )*
            $(
                if !EDGE || usize::wrapping_sub($i, own.0) < own.1 {
                    // SAFETY: it is a column of the tile.
                    let column = unsafe { columns.column(&mut of_columns, $i - own.0) };
                    // SAFETY: as above.
                    unsafe { store::<V, STREAM>(v[$i], column) };
                }
            )*
        }};
    }
    match WIDTH {
        1 => vectors!(0 1 2 3: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
        2 => vectors!(0 1 2: 0 1 2 3 4 5 6 7),
        4 => vectors!(0 1: 0 1 2 3),
        _ => vectors!(0: 0 1),
    }
}

/// Stores a column, non-temporally with `STREAM`.
///
/// # Safety
/// The same as [`Vector::stream`] or [`Vector::store`].
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn store<V: Vector, const STREAM: bool>(v: V, column: *mut u8) {
    match STREAM {
        // SAFETY: the caller's promise.
        true => unsafe { v.stream(column) },
        // SAFETY: the caller's promise.
        false => unsafe { v.store(column) },
    }
}

/// Loads 16 bytes of row `index` of each lane.
///
/// # Safety
/// The tile must have these rows, and the CPU the features of `V`.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn load<V: Vector, const WIDTH: usize, R: Offsets>(
    rows: R,
    cursor: &mut R::Rows,
    index: usize,
) -> V {
    // SAFETY: it is a row of the tile for each lane.
    let pointers = unsafe { rows.row(cursor, index, 16 / WIDTH, V::BYTES / 16) };
    // SAFETY: these are 16 bytes of rows of the tile.
    unsafe { V::load_lanes(pointers) }
}
