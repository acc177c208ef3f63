//! Transposes of units of 16 bytes, which fill a lane of a vector.

use super::interleave::each;
use super::offsets::opaque;
use super::shuffle::{Stream, each_vector, put};
use super::vector::Vector;
use crate::steps::{Form, LINE, Permutation};

/// Transposes units of 16 bytes, four rows of four columns at a time.
///
/// # Safety
/// The same as [`permute`](super::shuffle::permute), but in every iteration 64 bytes must be readable at each of the
/// four offsets and writable at each of the four offsets of outputs. Vectors must have two or four lanes.
#[inline(always)]
pub(crate) unsafe fn transpose<V: Vector>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    stream: bool,
) {
    debug_assert!(permutation.loads == 4 && permutation.outputs == 4, "{permutation:?}");
    debug_assert!(permutation.form == Form::Lanes && V::BYTES > 16, "{permutation:?}");
    let (rows, columns) = (permutation.offsets, permutation.output_offsets);
    if V::BYTES < LINE && to as usize % V::BYTES > 0 {
        // Most vectors of 32 bytes that begin 16 bytes after one cross a line; stores of 16 bytes there do not.
        each_vector!((false, false), permutation, from, to, |from, to, _| {
            each!(|COLUMN| each!(|ROW| {
                let row = from.wrapping_offset(rows[ROW] as isize);
                // SAFETY: the units of a row are readable.
                let unit = unsafe { V::Half::load(row.wrapping_add(16 * COLUMN)) };
                let column = to.wrapping_offset(columns[COLUMN]);
                // SAFETY: the units of a column are writable.
                unsafe { unit.store(column.wrapping_add(16 * ROW)) };
            }, 0 1 2 3), 0 1 2 3);
        });
        return;
    }
    each_vector!((true, false), permutation, from, to, |from, to, _| {
        let from = |row: usize| from.wrapping_offset(rows[row] as isize);
        let to = |column: usize| to.wrapping_offset(columns[column]);
        if V::BYTES == LINE {
            // SAFETY: the units of a row are readable.
            let v = each!(|ROW| unsafe { V::load(from(ROW)) }, 0 1 2 3);
            // SAFETY: the CPU has the features of `V`, by the caller's promise.
            let v = unsafe { V::lanes_transposed(v) };
            // SAFETY: the units of a column are writable.
            each!(|COLUMN| unsafe { put(v[COLUMN], to(COLUMN), Stream::of(stream)) }, 0 1 2 3);
        } else {
            // SAFETY: these are the first two columns of all rows, then the others.
            each!(|HALF| unsafe { two_columns::<V>(from, to, 2 * HALF) }, 0 1);
        }
    });
}

/// Transposes units of 16 bytes: the columns `first` and `first + 1` of four rows, in vectors of two lanes.
///
/// # Safety
/// Two units must be readable in each of four rows, from unit `first` on, and four units writable in each of the two
/// columns. The CPU must have the features of `V`.
#[inline(always)]
unsafe fn two_columns<V: Vector>(
    from: impl Fn(usize) -> *const u8,
    to: impl Fn(usize) -> *mut u8,
    first: usize,
) {
    let halves = each!(|HALF| {
        // SAFETY: the units of a row are readable.
        let low = unsafe { V::load(from(2 * HALF).wrapping_add(16 * first)) };
        // SAFETY: as above.
        let high = unsafe { V::load(from(2 * HALF + 1).wrapping_add(16 * first)) };
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        unsafe { V::lanes_transposed([low, high]) }
    }, 0 1);
    each!(|COLUMN| {
        let column = to(first + COLUMN);
        // SAFETY: the units of a column are writable.
        unsafe { halves[0][COLUMN].store(column) };
        // SAFETY: as above.
        unsafe { halves[1][COLUMN].store(column.wrapping_add(V::BYTES)) };
    }, 0 1);
}
