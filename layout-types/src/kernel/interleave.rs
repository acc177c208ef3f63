//! Interleaves: few rows that take turns in a destination without gaps, and the way back.

use super::matrix::{Matrix, unit_by_unit};
use super::vector::{Mix, Vector};

/// Transposes a matrix of three or four rows whose columns follow one another in the destination.
///
/// # Safety
/// As [`transpose`](super::transpose::transpose), and `WIDTH` is at most 4.
#[inline(always)]
pub(super) unsafe fn interleave<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    source: *const u8,
    destination: *mut u8,
) {
    let done = if matrix.rows.size == 4 {
        // SAFETY: the caller's promise.
        unsafe { interleave_4::<V, WIDTH>(matrix, source, destination) }
    } else if V::Mixer::MIXES {
        // SAFETY: the caller's promise.
        unsafe { interleave_3::<V::Mixer, WIDTH>(matrix, source, destination) }
    } else {
        0
    };
    // SAFETY: the columns that are left of the matrix.
    unsafe { unit_by_unit::<WIDTH>(matrix, (0, done), source, destination) }
}

/// Four rows; returns how many columns are done.
///
/// # Safety
/// As [`interleave`], with four rows.
#[inline(always)]
unsafe fn interleave_4<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    source: *const u8,
    destination: *mut u8,
) -> usize {
    let stream = matrix.stream && destination as usize % 64 == 0;
    let step = 16 / WIDTH;
    if matrix.columns < step {
        return 0;
    }
    let whole = matrix.columns / step * step;
    if whole < matrix.columns {
        // The last columns overlap those before them, so they come first: what is stored past the
        // caches must not be touched before the fence.
        let last = matrix.columns - step;
        let from = source.wrapping_add(last * WIDTH);
        let to = destination.wrapping_add(last * 4 * WIDTH);
        // SAFETY: each row has 16 bytes left and the destination 64.
        unsafe { V::interleave_4::<WIDTH>(from, matrix.rows.stride, to, false) };
    }
    let mut column = 0;
    while column < whole {
        let from = source.wrapping_add(column * WIDTH);
        let to = destination.wrapping_add(column * 4 * WIDTH);
        // SAFETY: column + step <= columns, so each row has 16 bytes left and the destination 64,
        // which are a multiple of 64 if the first is; and the job ends with a fence.
        unsafe { V::interleave_4::<WIDTH>(from, matrix.rows.stride, to, stream) };
        column += step;
    }
    matrix.columns
}

/// # Safety
/// As [`interleave`], with three rows and a `V` that mixes.
#[inline(always)]
unsafe fn interleave_3<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    source: *const u8,
    destination: *mut u8,
) -> usize {
    let table = const { &Mix::of(V::BYTES, WIDTH, false) };
    let step = V::BYTES / WIDTH;
    let mut column = 0;
    while column + step <= matrix.columns {
        let at = source.wrapping_add(column * WIDTH);
        // SAFETY: column + step <= columns, so each row has V::BYTES left.
        let v = [
            unsafe { V::load(at) },
            unsafe { V::load(at.wrapping_offset(matrix.rows.stride)) },
            unsafe { V::load(at.wrapping_offset(2 * matrix.rows.stride)) },
        ];
        // SAFETY: `V` mixes, and the table is for vectors of its size.
        let v = unsafe { V::mixed(v, table) };
        let to = destination.wrapping_add(column * 3 * WIDTH);
        // SAFETY: three vectors of the destination, where `step` columns go.
        unsafe { v[0].store(to) };
        // SAFETY: as above.
        unsafe { v[1].store(to.wrapping_add(V::BYTES)) };
        // SAFETY: as above.
        unsafe { v[2].store(to.wrapping_add(2 * V::BYTES)) };
        column += step;
    }
    column
}

/// Transposes a matrix of three columns whose rows follow one another in the source.
///
/// # Safety
/// As [`transpose`](super::transpose::transpose), and `WIDTH` is at most 4.
#[inline(always)]
pub(super) unsafe fn deinterleave<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    source: *const u8,
    destination: *mut u8,
) {
    let done = if V::Mixer::MIXES {
        // SAFETY: the caller's promise.
        unsafe { deinterleave_3::<V::Mixer, WIDTH>(matrix, source, destination) }
    } else {
        0
    };
    // SAFETY: the rows that are left of the matrix.
    unsafe { unit_by_unit::<WIDTH>(matrix, (done, 0), source, destination) }
}

/// # Safety
/// As [`deinterleave`], with three columns and a `V` that mixes.
#[inline(always)]
unsafe fn deinterleave_3<V: Vector, const WIDTH: usize>(
    matrix: &Matrix,
    source: *const u8,
    destination: *mut u8,
) -> usize {
    let table = const { &Mix::of(V::BYTES, WIDTH, true) };
    let step = V::BYTES / WIDTH;
    let mut row = 0;
    while row + step <= matrix.rows.size {
        let from = source.wrapping_add(row * 3 * WIDTH);
        // SAFETY: row + step <= rows, so the source has three vectors left.
        let v =
            [unsafe { V::load(from) }, unsafe { V::load(from.wrapping_add(V::BYTES)) }, unsafe {
                V::load(from.wrapping_add(2 * V::BYTES))
            }];
        // SAFETY: `V` mixes, and the table is for vectors of its size.
        let v = unsafe { V::mixed(v, table) };
        let to = destination.wrapping_add(row * WIDTH);
        // SAFETY: each column has V::BYTES left from row on.
        unsafe { v[0].store(to) };
        // SAFETY: as above.
        unsafe { v[1].store(to.wrapping_offset(matrix.destination_stride)) };
        // SAFETY: as above.
        unsafe { v[2].store(to.wrapping_offset(2 * matrix.destination_stride)) };
        row += step;
    }
    row
}
