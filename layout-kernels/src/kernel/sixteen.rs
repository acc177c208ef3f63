//! Units of 16 bytes that trade places, one by one: there is nothing to shuffle.
//!
//! Some columns at a time, and of them eight rows, so that few lines are being read and written at once.

use super::matrix::Matrix;
use super::offsets::{Offsets, opaque};

/// As many bytes as a lane has.
type Unit = [u8; 16];

/// The columns that are moved at a time: their rows are a kilobyte each.
const COLUMNS: usize = 1024 / size_of::<Unit>();

/// Transposes a matrix of units of 16 bytes.
///
/// # Safety
/// - every unit of the matrix is readable in the source and writable in the destination, and the two do not
///   overlap;
/// - its rows are not in groups.
#[inline(always)]
pub(super) unsafe fn transpose<O: Offsets>(
    matrix: &Matrix,
    source: *const u8,
    destination: *mut u8,
) {
    debug_assert!(matrix.rows.groups == 1, "{matrix:?}");
    if O::HIDDEN {
        // SAFETY: the caller's promise.
        unsafe { apart(matrix, source, destination) }
    } else {
        // SAFETY: the caller's promise.
        unsafe { strips::<false>(matrix, source, destination) }
    }
}

/// [`strips`] as a function of its own, which needs no CPU feature: where it is inlined and bounds are not
/// known registers are short, and what it loads from the stack waits for stores before it to addresses with
/// the same last 12 bits.
///
/// # Safety
/// As [`transpose`].
#[inline(never)]
unsafe fn apart(matrix: &Matrix, source: *const u8, destination: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { strips::<true>(matrix, source, destination) }
}

/// # Safety
/// As [`transpose`].
#[inline(always)]
unsafe fn strips<const HIDDEN: bool>(matrix: &Matrix, source: *const u8, destination: *mut u8) {
    let mut column = 0;
    while column < matrix.columns {
        let left = matrix.columns - column;
        let columns = if left < COLUMNS { left } else { COLUMNS };
        let from = source.wrapping_add(column * size_of::<Unit>());
        let to = destination.wrapping_offset(column as isize * matrix.destination_stride);
        // SAFETY: the columns are part of the matrix.
        unsafe { strip::<HIDDEN>(matrix, columns, from, to) };
        column += columns;
    }
}

/// All rows of so many columns, of which the first begins at `source` and `destination`.
///
/// # Safety
/// As [`transpose`], for a matrix of these columns.
#[inline(always)]
#[cfg_attr(
    target_arch = "x86_64",
    expect(clippy::pointers_in_nomem_asm_block, reason = "nothing is read through them here")
)]
unsafe fn strip<const HIDDEN: bool>(
    matrix: &Matrix,
    columns: usize,
    source: *const u8,
    destination: *mut u8,
) {
    let (rows, stride) = (matrix.rows.count(), matrix.rows.stride);
    let mut row = 0;
    // A pointer for each row, unless all is known: an address made anew for each unit takes as long as to
    // move it.
    macro_rules! move_rows {
        ($count:literal: $($i:literal)*) => {{
            let first = source.wrapping_offset(stride.wrapping_mul(row as isize));
            let from = [$({
                let own = first.wrapping_offset(stride.wrapping_mul($i));
                if HIDDEN { opaque!(own) } else { own }
            }),*];
            let mut to = destination.wrapping_add(row * size_of::<Unit>());
            for column in 0..columns {
                $(
                    let unit = from[$i].cast::<Unit>().wrapping_add(column);
                    // SAFETY: a unit of the matrix, whose type asks for no alignment; source and destination
                    // do not overlap.
                    unsafe { unit.copy_to_nonoverlapping(to.cast::<Unit>().wrapping_add($i), 1) };
                )*
                to = to.wrapping_offset(matrix.destination_stride);
            }
            row += $count;
        }};
    }
    while rows - row >= 8 {
        move_rows!(8: 0 1 2 3 4 5 6 7);
    }
    if rows - row >= 4 {
        move_rows!(4: 0 1 2 3);
    }
    while row < rows {
        move_rows!(1: 0);
    }
}
