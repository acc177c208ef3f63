//! The loops around a step, and tiles that begin at multiples of their vectors in the destination.

use crate::sets::TileKernel;
use crate::steps::{MAX_OUTER_LOOPS, Matrix, OuterLoop, Starts, Tiles};

/// Calls `step` for every iteration of the loops.
#[inline(always)]
pub(super) fn each(
    loops: &[OuterLoop],
    from: *const u8,
    to: *mut u8,
    mut step: impl FnMut(*const u8, *mut u8),
) {
    let Some((inner, outer)) = loops.split_last() else { return step(from, to) };
    let mut all_of_inner = |from: *const u8, to: *mut u8| {
        for i in 0..inner.count {
            let (source, destination) = inner.at(i);
            step(from.wrapping_offset(source), to.wrapping_offset(destination));
        }
    };
    if outer.is_empty() {
        return all_of_inner(from, to);
    }
    let mut at = [0usize; MAX_OUTER_LOOPS];
    let (mut from, mut to) = (from, to);
    loop {
        all_of_inner(from, to);
        // Moves on to the next iteration of the outer loops, as an odometer does.
        let mut is_done = true;
        for (at, own) in at.iter_mut().zip(outer).rev() {
            let (source, destination) = own.at(*at);
            (from, to) = (from.wrapping_offset(-source), to.wrapping_offset(-destination));
            *at += 1;
            if *at < own.count {
                let (source, destination) = own.at(*at);
                (from, to) = (from.wrapping_offset(source), to.wrapping_offset(destination));
                is_done = false;
                break;
            }
            *at = 0;
        }
        if is_done {
            return;
        }
    }
}

/// Transposes a matrix. All tiles but those of the first rows begin where `starts` says: a store that crosses a cache line
/// takes two to three times as long. It changes the matrix and restores it.
///
/// # Safety
/// The same as [`transpose`](crate::micro::transpose::transpose) with this kernel, whose longest tile has
/// `starts.first` rows.
#[inline]
pub(super) unsafe fn aligned(
    tiles: &Tiles,
    (kernel, starts): (TileKernel, Starts),
    matrix: &mut Matrix,
    from: *const u8,
    to: *mut u8,
) {
    let head = tiles.head(starts, to);
    if !cfg!(vectors) || head == 0 {
        // SAFETY: the caller's promise.
        return unsafe { kernel(matrix, from, to) };
    }
    // Changed in place, as `each_strip` says.
    let (rows, row_offsets) = (matrix.rows, matrix.row_offsets);
    matrix.rows = starts.first;
    // SAFETY: these are the first rows of the matrix, those of the longest tile.
    unsafe { kernel(matrix, from, to) };
    let row = if tiles.is_strided { matrix.row.wrapping_mul(head as isize) } else { 0 };
    let (from, to) = (from.wrapping_offset(row), to.wrapping_add(head * tiles.unit));
    (matrix.rows, matrix.row_offsets) = (rows - head, row_offsets.wrapping_add(head));
    // SAFETY: `head` is less than a vector, and a matrix whose tiles begin at multiples has several vectors of rows, so
    // that more are left than those of a tile.
    unsafe { kernel(matrix, from, to) };
    (matrix.rows, matrix.row_offsets) = (rows, row_offsets);
}
