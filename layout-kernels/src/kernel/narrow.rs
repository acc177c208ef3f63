//! Transposes of matrices that are smaller than a tile.

use core::mem::MaybeUninit;

use super::LINE;
use super::copy;
use super::matrix::{Matrix, units};
use super::offsets::Table;
use super::tile::{columns_of_tile, short_lane_tiles, store_lanes_in_part, tile};
use super::vector::{Vector, Vectors};

/// Few columns: each row is read past its end, or from before its start, as long as that is inside
/// the source.
///
/// # Safety
/// As [`transpose`](super::transpose::transpose), but for fewer than `16 / WIDTH` columns; and all
/// of `readable` is.
#[inline(always)]
pub(super) unsafe fn few_columns<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    table: &Table,
    source: *const u8,
    destination: *mut u8,
) {
    let tile_rows = V::BYTES / WIDTH;
    let rows = matrix.rows.count();
    let mut row = 0;
    while row < rows {
        // The last tile overlaps the one before it.
        let first = if row + tile_rows > rows { rows - tile_rows } else { row };
        // SAFETY: first + tile_rows <= rows, so the tile is part of the matrix.
        unsafe { one_of_few_columns::<V, WIDTH>(matrix, table, first, source, destination) };
        row += tile_rows;
    }
}

/// # Safety
/// As [`few_columns`], and `V::BYTES / WIDTH` rows from `first` on are part of the matrix.
#[inline(always)]
unsafe fn one_of_few_columns<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    table: &Table,
    first: usize,
    source: *const u8,
    destination: *mut u8,
) {
    let rows = V::BYTES / WIDTH;
    let from = source.wrapping_offset(matrix.rows.offset(first));
    let to = destination.wrapping_add(first * WIDTH);
    let missing = 16 - matrix.columns * WIDTH;
    let (start, end) = (from.wrapping_offset(table.nearest), from.wrapping_offset(table.farthest));
    // Differences, because a buffer may lie at either end of the address space.
    let skipped = if matrix.readable.end as usize - end as usize >= 16 {
        0
    } else if start as usize - matrix.readable.start as usize >= missing {
        missing
    } else {
        let (rows, columns) = (first..first + rows, 0..matrix.columns);
        // SAFETY: a part of the matrix.
        return unsafe { units::<WIDTH>(matrix, rows, columns, source, destination) };
    };
    let from = from.wrapping_sub(skipped);
    let (first, stride) = (skipped / WIDTH, matrix.destination_stride);
    let columns = first..first + matrix.columns;
    if WIDTH == 1 && columns == (0..9) {
        // Filters of 3 by 3. The compiler leaves out what other columns need.
        // SAFETY: as below.
        unsafe { columns_of_tile::<V, WIDTH, false, _>(table, 0..9, from, to, stride) };
        return;
    }
    // SAFETY: no row of the tile begins before `nearest` or after `farthest`, and one of the two
    // ends was found to be readable, so 16 bytes of each row are; and these columns of the tile are
    // those of the matrix.
    unsafe { columns_of_tile::<V, WIDTH, false, _>(table, columns, from, to, stride) };
}

/// Few rows: the last one stands for those that are not there. Lanes of long vectors are columns, or halves of lanes
/// are, where columns lie together and fill them; else tiles of one lane are cut short. Where columns lie together each
/// is stored with what follows it, which the next ones are stored over; else, and at the end, a scratch takes a tile
/// first.
///
/// # Safety
/// As [`transpose`](super::transpose::transpose), but for fewer than `16 / WIDTH` rows, and at least `V::BYTES / WIDTH`
/// columns where [`lanes_are_columns`].
#[inline(always)]
pub(super) unsafe fn few_rows<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    table: &Table,
    source: *const u8,
    destination: *mut u8,
) {
    let (tile_columns, stride) = (16 / WIDTH, matrix.destination_stride);
    let column_bytes = matrix.rows.count() * WIDTH;
    if lanes_are_columns(matrix.rows.count(), WIDTH, stride) {
        if column_bytes > 8 {
            // SAFETY: the caller's promise.
            return unsafe { lanes::<V, WIDTH>(matrix, table, source, destination) };
        }
        if WIDTH == 1 && column_bytes == 8 {
            // SAFETY: the caller's promise.
            return unsafe { half_lanes::<V, true>(matrix, table, source, destination) };
        }
        if WIDTH == 1 && V::LOOKS_UP_IN_LANES {
            // SAFETY: the caller's promise; `V` looks up in lanes.
            return unsafe { half_lanes::<V, false>(matrix, table, source, destination) };
        }
    }
    debug_assert!(column_bytes < 16 && matrix.columns >= tile_columns, "{matrix:?}");
    let together = stride == column_bytes as isize;
    let mut scratch = MaybeUninit::<[u8; 16 * 16]>::uninit();
    let scratch = scratch.as_mut_ptr().cast::<u8>();
    let last = matrix.columns - tile_columns;
    let mut column = 0;
    while column < matrix.columns {
        // The last tile overlaps the one before it.
        let at = if column > last { last } else { column };
        let from = source.wrapping_add(at * WIDTH);
        let to = destination.wrapping_offset(at as isize * stride);
        // As many as the next columns are stored over.
        let direct = together && (matrix.columns - at - tile_columns + 1) * column_bytes >= 16;
        let (tile_to, pitch) = match together {
            true if direct => (to, stride),
            true => (scratch, stride),
            false => (scratch, 16),
        };
        // SAFETY: at + tile_columns <= columns, so 16 bytes of each row are readable. The scratch takes as many columns
        // of 16 bytes, and so closer ones. Directly, 16 bytes are writable from the last of these columns on, and so
        // from all others: what is behind the columns is stored anew with the tiles that follow.
        unsafe { tile::<V::Lane, WIDTH, false, _>(table, from, tile_to, pitch) };
        if together && !direct {
            // SAFETY: these columns of the matrix, which the tile wrote.
            unsafe { copy::copy::<V::Lane>(scratch, to, tile_columns * column_bytes, false) };
        } else if !together {
            for i in 0..tile_columns {
                let (from, to) =
                    (scratch.wrapping_add(16 * i), to.wrapping_offset(i as isize * stride));
                // SAFETY: the rows of a column of the matrix, at most 16 bytes that the tile wrote.
                unsafe { copy::copy::<V::Lane>(from, to, column_bytes, false) };
            }
        }
        column += tile_columns;
    }
}

/// Whether columns of so many rows, less than a lane of them, lie together in the destination and fill more than half
/// of a lane each, or of half a lane. A plan cannot ask whether vectors look up: where those of its set do not, as with
/// SSE2, tiles of one lane do columns of five to seven bytes.
pub(crate) const fn lanes_are_columns(
    rows: usize,
    width: usize,
    destination_stride: isize,
) -> bool {
    let bytes = rows * width;
    let fill = bytes > 8 && bytes < 16 || width == 1 && bytes > 4 && bytes <= 8;
    fill && destination_stride == bytes as isize
}

/// Rows of which a column is more than half a lane, and the next one lies behind it.
///
/// # Safety
/// As [`few_rows`], for such rows and at least `V::BYTES / WIDTH` columns.
#[inline(always)]
unsafe fn lanes<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    table: &Table,
    source: *const u8,
    destination: *mut u8,
) {
    let (step, bytes) = (V::BYTES / WIDTH, matrix.rows.count() * WIDTH);
    debug_assert!(matrix.columns >= step && bytes < 16, "{matrix:?}");
    let last = matrix.columns - step;
    let mut column = 0;
    while column < matrix.columns {
        // The last tiles overlap those before them.
        let at = if column > last { last } else { column };
        let (from, to) = (source.wrapping_add(at * WIDTH), destination.wrapping_add(at * bytes));
        // SAFETY: at + step <= columns, so V::BYTES of each row are readable, and the columns are those of the matrix.
        unsafe { short_lane_tiles::<V, WIDTH, _>(table, from, to, bytes) };
        column += step;
    }
}

/// Five to eight rows of bytes whose columns follow one another in the destination.
///
/// # Safety
/// As [`few_rows`], for such rows and at least `V::BYTES` columns. With `EIGHT` the rows are eight; without, `V` looks up
/// in lanes.
#[inline(always)]
unsafe fn half_lanes<V: Vector, const EIGHT: bool>(
    matrix: &Matrix,
    table: &Table,
    source: *const u8,
    destination: *mut u8,
) {
    let (columns, bytes) = (matrix.columns, if EIGHT { 8 } else { matrix.rows.count() });
    debug_assert!(columns >= V::BYTES && (5..=8).contains(&bytes), "{matrix:?}");
    // A remainder, for an index that may be too large would bring its panic along.
    // SAFETY: 64 bytes, no less than a vector has.
    let closer = unsafe { V::load(CLOSER[(bytes - 5) % 4].as_ptr()) };
    let last = columns - V::BYTES;
    let mut column = 0;
    while column < columns {
        // The last vectors overlap those before them.
        let at = if column > last { last } else { column };
        let (from, to) = (source.wrapping_add(at), destination.wrapping_add(bytes * at));
        macro_rules! rows {
            ($($row:literal)*) => {
                [$(
                    // SAFETY: at + V::BYTES <= columns, so as many bytes of each row are readable.
                    unsafe { V::load(from.wrapping_offset(table.at($row))) }
                ),*]
            };
        }
        let v = rows!(0 1 2 3 4 5 6 7);
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        let v = unsafe { v.shuffled::<1>() };
        // SAFETY: as above.
        let v = unsafe { v.shuffled::<1>() };
        // SAFETY: as above.
        let v = unsafe { v.shuffled::<1>() };
        // In each lane two of its 16 columns.
        let lane = 16 * bytes as isize;
        macro_rules! pairs_of_columns {
            ($($pair:literal)*) => {$({
                let to = to.wrapping_add(2 * bytes * $pair);
                let pair = v[$pair];
                if EIGHT {
                    // SAFETY: two columns in each lane, which have 16 bytes.
                    unsafe { pair.store_lanes(to, lane) };
                } else {
                    // SAFETY: `V` looks up in lanes.
                    let pair = unsafe { pair.looked_up_in_lanes(closer) };
                    if $pair < 7 {
                        // SAFETY: two columns in each lane, and what is behind them: a part of the next two.
                        unsafe { pair.store_lanes(to, lane) };
                    } else {
                        // SAFETY: two columns in each lane, the last of it.
                        unsafe { store_lanes_in_part(pair, to, lane, 2 * bytes) };
                    }
                }
            })*};
        }
        pairs_of_columns!(0 1 2 3 4 5 6 7);
        column += V::BYTES;
    }
}

/// For two columns of five to eight bytes, their bytes among those of a lane that has eight of each; the lane over and
/// over.
const CLOSER: [[u8; LINE]; 4] = [closer(5), closer(6), closer(7), closer(8)];

/// What is behind the columns does not count.
const fn closer(bytes: usize) -> [u8; LINE] {
    let mut table = [0; LINE];
    let mut i = 0;
    while i < LINE {
        let byte = i % 16;
        table[i] = if byte < bytes { byte } else { 8 + (byte - bytes) % 8 } as u8;
        i += 1;
    }
    table
}
