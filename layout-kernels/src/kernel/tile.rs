//! Tiles: as many rows as a vector holds by 16 bytes of columns, transposed in registers.

use core::ops::Range;

use super::LINE;
use super::offsets::{Offsets, opaque};
use super::vector::{Vector, Vectors};

/// Transposes the tile whose first row begins at `from` and whose first column at `to`, where
/// columns are `stride` bytes apart.
///
/// # Safety
/// - 16 bytes of each of `V::BYTES / WIDTH` rows are readable and `V::BYTES` of each of
///   `16 / WIDTH` columns writable, with `STREAM` at multiples of `V::BYTES`;
/// - the CPU has the features of `V`.
#[inline(always)]
pub(super) unsafe fn tile<V: Vector, const WIDTH: usize, const STREAM: bool, O: Offsets>(
    offsets: O,
    from: *const u8,
    to: *mut u8,
    stride: isize,
) {
    // SAFETY: the caller's promise.
    unsafe { columns_of_tile::<V, WIDTH, STREAM, O>(offsets, 0..16 / WIDTH, from, to, stride) }
}

/// The given columns of a tile, of which the first one goes to `to`. Where they are literals, only what
/// they need is compiled.
///
/// # Safety
/// As [`tile`], but only these columns need be writable.
#[inline(always)]
pub(super) unsafe fn columns_of_tile<
    V: Vector,
    const WIDTH: usize,
    const STREAM: bool,
    O: Offsets,
>(
    offsets: O,
    columns: Range<usize>,
    from: *const u8,
    to: *mut u8,
    stride: isize,
) {
    let stride = if O::HIDDEN { opaque!(stride) } else { stride };
    let walk = offsets.walk(from, 16 / WIDTH);
    // SAFETY: the caller's promise.
    unsafe { walked::<V, WIDTH, STREAM, false, O>(offsets, walk, columns, to, stride, 16) };
}

/// Transposes four tiles, each beginning 16 bytes after the one before it: they share the addresses of
/// their rows, which take longer than a tile of few rows.
///
/// # Safety
/// As [`tile`], for 64 bytes of each row and `64 / WIDTH` columns.
#[inline(always)]
pub(super) unsafe fn four_tiles<V: Vector, const WIDTH: usize, O: Offsets>(
    offsets: O,
    from: *const u8,
    to: *mut u8,
    stride: isize,
) {
    let columns = 16 / WIDTH;
    let stride = if O::HIDDEN { opaque!(stride) } else { stride };
    let walk = offsets.walk(from, columns);
    macro_rules! tiles {
        ($($i:literal)*) => {$({
            let walk = O::further(&walk, 16 * $i);
            let to = to.wrapping_offset(columns as isize * stride * $i);
            // SAFETY: the tile is one of the four.
            unsafe { walked::<V, WIDTH, false, false, O>(offsets, walk, 0..columns, to, stride, 16) };
        })*};
    }
    tiles!(0 1 2 3);
}

/// Transposes one row of tiles of a lane each, as many as a vector has lanes: 16 bytes of rows by V::BYTES of
/// columns. The first row begins at `from` and the first column at `to`, where columns are `stride` bytes
/// apart.
///
/// # Safety
/// - V::BYTES of each of `16 / WIDTH` rows are readable and 16 bytes of each of `V::BYTES / WIDTH` columns
///   writable;
/// - `WIDTH` is less than 16;
/// - the CPU has the features of `V`.
#[inline(always)]
pub(super) unsafe fn lane_tiles<V: Vector, const WIDTH: usize, O: Offsets>(
    offsets: O,
    from: *const u8,
    to: *mut u8,
    stride: isize,
) {
    let stride = if O::HIDDEN { opaque!(stride) } else { stride };
    // SAFETY: the caller's promise.
    unsafe { all_lane_tiles::<V, WIDTH, O>(offsets, from, to, stride, 16) };
}

/// The same of fewer bytes of rows, more than 8, whose columns follow one another: each is stored with what is behind
/// it, which the next one is stored over, but the last of a lane.
///
/// # Safety
/// As [`lane_tiles`], but only so many bytes of each column are writable, more than 8, and columns follow one another.
#[inline(always)]
pub(super) unsafe fn short_lane_tiles<V: Vector, const WIDTH: usize, O: Offsets>(
    offsets: O,
    from: *const u8,
    to: *mut u8,
    bytes: usize,
) {
    debug_assert!(8 < bytes && bytes < 16, "columns of {bytes} bytes");
    // SAFETY: the caller's promise.
    unsafe { all_lane_tiles::<V, WIDTH, O>(offsets, from, to, bytes as isize, bytes) };
}

/// # Safety
/// As [`lane_tiles`]; or only so many bytes of each column are writable, more than 8, and `stride` is as many.
#[inline(always)]
unsafe fn all_lane_tiles<V: Vector, const WIDTH: usize, O: Offsets>(
    offsets: O,
    from: *const u8,
    to: *mut u8,
    stride: isize,
    bytes: usize,
) {
    let columns = 16 / WIDTH;
    let walk = offsets.walk(from, columns);
    // SAFETY: the caller's promise.
    unsafe { walked::<V, WIDTH, false, true, O>(offsets, walk, 0..columns, to, stride, bytes) };
}

/// The given columns of a tile whose rows `walk` goes along. With `LANES` of a row of [`lane_tiles`], those
/// of each; of the last one only so many bytes, at least eight.
///
/// # Safety
/// As [`columns_of_tile`] with 16 bytes, or as [`all_lane_tiles`] without `STREAM`.
#[inline(always)]
unsafe fn walked<
    V: Vector,
    const WIDTH: usize,
    const STREAM: bool,
    const LANES: bool,
    O: Offsets,
>(
    offsets: O,
    mut walk: O::Walk,
    columns: Range<usize>,
    to: *mut u8,
    stride: isize,
    bytes: usize,
) {
    debug_assert!(columns.end <= 16 / WIDTH, "{columns:?} of {}", 16 / WIDTH);
    debug_assert!(!LANES || WIDTH < 16 && !STREAM, "lanes of {WIDTH} bytes, {STREAM}");
    debug_assert!(
        bytes == 16 || LANES && bytes > 8 && stride == bytes as isize,
        "columns of {bytes} bytes, {stride} apart"
    );
    let group = 16 / WIDTH;
    let mut to = to;
    macro_rules! vectors {
        ($($round:literal)*: $($i:literal)*) => {{
            let v = [$({
                let lanes = offsets.next(&mut walk, $i, group);
                if LANES {
                    // SAFETY: a row of the tiles.
                    unsafe { V::load(lanes[0]) }
                } else {
                    // SAFETY: 16 bytes of rows of the tile.
                    unsafe { V::load_lanes(lanes) }
                }
            }),*];
            // No loop: one over as many vectors as this is not always unrolled.
            $(
                let _ = $round;
                // SAFETY: the CPU has the features of `V`, by the caller's promise.
                let v = unsafe { v.shuffled::<WIDTH>() };
            )*
            $(
                if LANES && bytes < 16 && $i == group - 1 {
                    // SAFETY: the last column of each tile.
                    unsafe { store_lanes_in_part(v[$i], to, group as isize * stride, bytes) };
                } else if LANES {
                    // SAFETY: a column of each tile, all its 16 bytes, or so many and what is behind them: a part of
                    // the next column, which follows and has more than half of 16.
                    unsafe { v[$i].store_lanes(to, group as isize * stride) };
                    to = to.wrapping_offset(stride);
                } else if columns.start <= $i && $i < columns.end {
                    // SAFETY: such a column of the tile, with `STREAM` as aligned as it must be.
                    unsafe { put::<V, STREAM>(v[$i], to) };
                    to = to.wrapping_offset(stride);
                }
            )*
        }};
    }
    match WIDTH {
        1 => vectors!(0 1 2 3: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
        2 => vectors!(0 1 2: 0 1 2 3 4 5 6 7),
        4 => vectors!(0 1: 0 1 2 3),
        8 => vectors!(0: 0 1),
        _ => {
            let lanes = offsets.next(&mut walk, 0, group);
            // SAFETY: each row of the tile is 16 bytes.
            let v = unsafe { V::load_lanes(lanes) };
            // SAFETY: the tile is one column, with `STREAM` as aligned as it must be.
            unsafe { put::<V, STREAM>(v, to) };
        }
    }
    let _ = to;
}

/// Stores the first bytes of each lane, so many.
///
/// # Safety
/// As [`Vector::store_lanes`], but only so many bytes are writable for each lane: 8 to 16.
#[inline(always)]
pub(super) unsafe fn store_lanes_in_part<V: Vector>(
    v: V,
    to: *mut u8,
    stride: isize,
    bytes: usize,
) {
    debug_assert!((8..=16).contains(&bytes), "{bytes} bytes of a lane");
    let mut scratch = [0; LINE];
    // SAFETY: no vector is longer than a line.
    unsafe { v.store(scratch.as_mut_ptr()) };
    for lane in 0..V::BYTES / 16 {
        let to = to.wrapping_offset(lane as isize * stride);
        for byte in [0, bytes - 8] {
            let from = scratch.as_ptr().wrapping_add(16 * lane + byte).cast::<[u8; 8]>();
            // SAFETY: eight bytes of the lane.
            unsafe { from.copy_to_nonoverlapping(to.wrapping_add(byte).cast(), 1) };
        }
    }
}

/// Stores a vector, past the caches with `STREAM`.
///
/// # Safety
/// As [`Vector::store`] and [`Vector::stream`].
#[inline(always)]
pub(super) unsafe fn put<V: Vector, const STREAM: bool>(v: V, to: *mut u8) {
    if STREAM {
        // SAFETY: the caller's promise.
        unsafe { v.stream(to) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { v.store(to) };
    }
}
