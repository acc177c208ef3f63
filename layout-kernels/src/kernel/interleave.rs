//! Interleaves: few rows that take turns in a destination without gaps, and the way back.
//!
//! The last vectors overlap those before them, and the first ones those that begin at a line of the
//! destination. Both come first where the others go past the caches: what does must not be touched before it
//! is finished.

use core::ops::Range;

use super::LINE;
use super::matrix::{Matrix, units};
use super::tile::put;
use super::vector::{Mix, Vector};

/// Runs the body for each vector of a row or column of so many units: the last one overlaps the one before it,
/// and comes first. What goes past the caches begins with the first unit that begins lines of the destination, if all
/// is `whole`: then lines of each row or column begin with units, the same ones. Those before it come first too.
macro_rules! each_vector {
    (
        $matrix:ident, $vector:ty, $units:ident, $whole:ident, $first:ident,
        |$unit:ident, $stream:ident| $body:expr
    ) => {{
        let step = <$vector>::BYTES / WIDTH;
        let lines = <$vector>::BYTES == LINE && $whole && $units >= $first + step;
        let stream = $matrix.stream && lines;
        let start = if stream { $first } else { 0 };
        macro_rules! one {
            ($own:expr, $past:literal) => {{
                const $stream: bool = $past;
                let $unit = $own;
                $body
            }};
        }
        if ($units - start) % step > 0 {
            one!($units - step, false);
        }
        if start > 0 {
            one!(0, false);
        }
        let mut unit = start;
        while unit + step <= $units {
            if stream {
                one!(unit, true);
            } else {
                one!(unit, false);
            }
            unit += step;
        }
    }};
}

/// Transposes a matrix of three or four rows whose columns follow one another in the destination.
///
/// # Safety
/// As [`transpose`](super::transpose::transpose), and `WIDTH` is at most 4; columns may be few.
#[inline(always)]
pub(super) unsafe fn interleave<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    source: *const u8,
    destination: *mut u8,
) {
    let columns = matrix.columns;
    if matrix.rows.size == 4 && columns >= V::BYTES / WIDTH {
        let step = V::BYTES / WIDTH;
        // The columns before the first line of the destination, if one begins with a column. Of few vectors
        // that one more would be a large part.
        let first = destination.align_offset(LINE) / (4 * WIDTH);
        let whole = destination as usize % (4 * WIDTH) == 0 && V::BYTES == LINE;
        let stream = matrix.stream && whole && columns >= first + step;
        let lines = stream || whole && columns >= first + 4 * step;
        let mut column = if lines { first } else { 0 };
        // SAFETY: each row has V::BYTES.
        unsafe { less_than_a_vector::<V, WIDTH>(matrix, 0..column, source, destination) };
        let rest = columns - (columns - column) % step;
        // Rather in the order of memory, but for few vectors.
        let rest_is_first = stream || columns < 3 * step;
        if rest_is_first {
            // SAFETY: as above.
            unsafe { less_than_a_vector::<V, WIDTH>(matrix, rest..columns, source, destination) };
        }
        while column + step <= columns {
            if stream {
                // SAFETY: each row has V::BYTES left; vectors of the destination are at multiples
                // of 64 bytes, and nothing touches them again before they are finished.
                unsafe { four::<V, WIDTH, true>(matrix, column, source, destination) };
            } else {
                // SAFETY: each row has V::BYTES left.
                unsafe { four::<V, WIDTH, false>(matrix, column, source, destination) };
            }
            column += step;
        }
        if !rest_is_first {
            // SAFETY: as above.
            unsafe { less_than_a_vector::<V, WIDTH>(matrix, rest..columns, source, destination) };
        }
    } else if matrix.rows.size == 3 && V::Mixer::MIXES && columns >= V::Mixer::BYTES / WIDTH {
        let whole = destination as usize % WIDTH == 0;
        // A line begins with a column among so few, and 43 times 3 is 1 more than twice a line.
        let first = destination.align_offset(LINE) / WIDTH * 43 % (LINE / WIDTH);
        each_vector!(matrix, V::Mixer, columns, whole, first, |column, STREAM| {
            // SAFETY: each row has V::Mixer::BYTES left; with `STREAM`, as `each_vector` aligns them.
            unsafe { three::<V::Mixer, WIDTH, STREAM>(matrix, column, source, destination) };
        });
    } else {
        // SAFETY: the caller's promise.
        unsafe { units::<WIDTH>(matrix, 0..matrix.rows.size, 0..columns, source, destination) }
    }
}

/// The first columns or the last ones, fewer than a vector has, with the shortest vector that has as many,
/// which may take others along.
///
/// # Safety
/// As [`four`], with V::BYTES in each row.
#[inline(always)]
unsafe fn less_than_a_vector<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    columns: Range<usize>,
    source: *const u8,
    destination: *mut u8,
) {
    let start = |bytes: usize| if columns.start == 0 { 0 } else { columns.end - bytes / WIDTH };
    let bytes = columns.len() * WIDTH;
    if bytes == 0 {
        return;
    }
    if bytes <= 16 {
        let column = start(16);
        // SAFETY: each row has 16 bytes left.
        unsafe { four::<V::Lane, WIDTH, false>(matrix, column, source, destination) };
    } else if bytes <= V::Half::BYTES {
        let column = start(V::Half::BYTES);
        // SAFETY: each row has V::Half::BYTES left.
        unsafe { four::<V::Half, WIDTH, false>(matrix, column, source, destination) };
    } else {
        let column = start(V::BYTES);
        // SAFETY: each row has V::BYTES left.
        unsafe { four::<V, WIDTH, false>(matrix, column, source, destination) };
    }
}

/// A vector of each of four rows, from a column on.
///
/// # Safety
/// As [`interleave`], with four rows, each of which has V::BYTES left; with `STREAM` the destination
/// is a multiple of 64.
#[inline(always)]
unsafe fn four<V: Vector, const WIDTH: usize, const STREAM: bool>(
    matrix: &Matrix,
    column: usize,
    source: *const u8,
    destination: *mut u8,
) {
    let stride = matrix.rows.stride;
    let from = source.wrapping_add(column * WIDTH);
    let rows = [
        // SAFETY: V::BYTES of a row.
        unsafe { V::load(from) },
        // SAFETY: as above.
        unsafe { V::load(from.wrapping_offset(stride)) },
        // SAFETY: as above.
        unsafe { V::load(from.wrapping_offset(2 * stride)) },
        // SAFETY: as above.
        unsafe { V::load(from.wrapping_offset(3 * stride)) },
    ];
    // SAFETY: the CPU has the features of `V`, by the caller's promise.
    let v = unsafe { V::interleave_4::<WIDTH>(rows) };
    let to = destination.wrapping_add(column * 4 * WIDTH);
    // SAFETY: four vectors of the destination, where as many columns go as a vector of a row has.
    unsafe { put::<V, STREAM>(v[0], to) };
    // SAFETY: as above.
    unsafe { put::<V, STREAM>(v[1], to.wrapping_add(V::BYTES)) };
    // SAFETY: as above.
    unsafe { put::<V, STREAM>(v[2], to.wrapping_add(2 * V::BYTES)) };
    // SAFETY: as above.
    unsafe { put::<V, STREAM>(v[3], to.wrapping_add(3 * V::BYTES)) };
}

/// A vector of each of three rows, from a column on.
///
/// # Safety
/// As [`interleave`], with three rows, each of which has V::BYTES left, and a `V` that mixes; with `STREAM` the
/// destination is a multiple of 64 there.
#[inline(always)]
unsafe fn three<V: Vector, const WIDTH: usize, const STREAM: bool>(
    matrix: &Matrix,
    column: usize,
    source: *const u8,
    destination: *mut u8,
) {
    let from = source.wrapping_add(column * WIDTH);
    let rows = [
        // SAFETY: V::BYTES of a row.
        unsafe { V::load(from) },
        // SAFETY: as above.
        unsafe { V::load(from.wrapping_offset(matrix.rows.stride)) },
        // SAFETY: as above.
        unsafe { V::load(from.wrapping_offset(2 * matrix.rows.stride)) },
    ];
    // SAFETY: `V` mixes, and the table is for vectors of its size.
    let v = unsafe { V::mixed(rows, const { &Mix::of(V::BYTES, WIDTH, false) }) };
    let to = destination.wrapping_add(column * 3 * WIDTH);
    // SAFETY: three vectors of the destination, where as many columns go as a vector of a row has.
    unsafe { put::<V, STREAM>(v[0], to) };
    // SAFETY: as above.
    unsafe { put::<V, STREAM>(v[1], to.wrapping_add(V::BYTES)) };
    // SAFETY: as above.
    unsafe { put::<V, STREAM>(v[2], to.wrapping_add(2 * V::BYTES)) };
}

/// Transposes a matrix of three or four columns whose rows follow one another in the source.
///
/// # Safety
/// As [`transpose`](super::transpose::transpose), and `WIDTH` is at most 4; rows may be few.
#[inline(always)]
pub(super) unsafe fn deinterleave<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    source: *const u8,
    destination: *mut u8,
) {
    let rows = matrix.rows.size;
    let whole = destination as usize % WIDTH == 0 && matrix.destination_stride % LINE as isize == 0;
    // The rows before the first lines of the destination, where those of all columns begin with the same row.
    let first = destination.align_offset(LINE) / WIDTH;
    if matrix.columns == 4 && rows >= V::BYTES / WIDTH {
        each_vector!(matrix, V, rows, whole, first, |row, STREAM| {
            // SAFETY: the source has four vectors left; with `STREAM`, as `each_vector` aligns them.
            unsafe { four_apart::<V, WIDTH, STREAM>(matrix, row, source, destination) };
        });
    } else if matrix.columns == 3 && V::Mixer::MIXES && rows >= V::Mixer::BYTES / WIDTH {
        each_vector!(matrix, V::Mixer, rows, whole, first, |row, STREAM| {
            // SAFETY: the source has three vectors left; with `STREAM`, as `each_vector` aligns them.
            unsafe { three_apart::<V::Mixer, WIDTH, STREAM>(matrix, row, source, destination) };
        });
    } else {
        // SAFETY: the caller's promise.
        unsafe { units::<WIDTH>(matrix, 0..rows, 0..matrix.columns, source, destination) }
    }
}

/// A vector for each of four columns, from a row on.
///
/// # Safety
/// As [`deinterleave`], with four columns and four vectors of the source left; with
/// `STREAM` each column of the destination is a multiple of 64 there.
#[inline(always)]
unsafe fn four_apart<V: Vector, const WIDTH: usize, const STREAM: bool>(
    matrix: &Matrix,
    row: usize,
    source: *const u8,
    destination: *mut u8,
) {
    let from = source.wrapping_add(row * 4 * WIDTH);
    let turns = [
        // SAFETY: the source has four vectors left.
        unsafe { V::load(from) },
        // SAFETY: as above.
        unsafe { V::load(from.wrapping_add(V::BYTES)) },
        // SAFETY: as above.
        unsafe { V::load(from.wrapping_add(2 * V::BYTES)) },
        // SAFETY: as above.
        unsafe { V::load(from.wrapping_add(3 * V::BYTES)) },
    ];
    // SAFETY: the CPU has the features of `V`, by the caller's promise.
    let v = unsafe { V::deinterleave_4::<WIDTH>(turns) };
    let to = destination.wrapping_add(row * WIDTH);
    // SAFETY: each column has V::BYTES left from the row on.
    unsafe { put::<V, STREAM>(v[0], to) };
    // SAFETY: as above.
    unsafe { put::<V, STREAM>(v[1], to.wrapping_offset(matrix.destination_stride)) };
    // SAFETY: as above.
    unsafe { put::<V, STREAM>(v[2], to.wrapping_offset(2 * matrix.destination_stride)) };
    // SAFETY: as above.
    unsafe { put::<V, STREAM>(v[3], to.wrapping_offset(3 * matrix.destination_stride)) };
}

/// A vector for each of three columns, from a row on.
///
/// # Safety
/// As [`deinterleave`], with three columns, three vectors of the source left, and a `V` that mixes; with
/// `STREAM` each column of the destination is a multiple of 64 there.
#[inline(always)]
unsafe fn three_apart<V: Vector, const WIDTH: usize, const STREAM: bool>(
    matrix: &Matrix,
    row: usize,
    source: *const u8,
    destination: *mut u8,
) {
    let from = source.wrapping_add(row * 3 * WIDTH);
    let rows = [
        // SAFETY: the source has three vectors left.
        unsafe { V::load(from) },
        // SAFETY: as above.
        unsafe { V::load(from.wrapping_add(V::BYTES)) },
        // SAFETY: as above.
        unsafe { V::load(from.wrapping_add(2 * V::BYTES)) },
    ];
    // SAFETY: `V` mixes, and the table is for vectors of its size.
    let v = unsafe { V::mixed(rows, const { &Mix::of(V::BYTES, WIDTH, true) }) };
    let to = destination.wrapping_add(row * WIDTH);
    // SAFETY: each column has V::BYTES left from the row on.
    unsafe { put::<V, STREAM>(v[0], to) };
    // SAFETY: as above.
    unsafe { put::<V, STREAM>(v[1], to.wrapping_offset(matrix.destination_stride)) };
    // SAFETY: as above.
    unsafe { put::<V, STREAM>(v[2], to.wrapping_offset(2 * matrix.destination_stride)) };
}
