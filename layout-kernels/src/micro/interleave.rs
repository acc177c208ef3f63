//! Several vectors made by the same loads: of planes, columns, interleaved rows, and blocks.

use super::offsets::opaque;
use super::shuffle::{Stream, each_vector, load, put};
use super::vector::{Permute, Vector, Vectors};
use crate::steps::{Form, LINE, MAX_OUTPUTS, Permutation};

/// The values of an expression for each index, which is a constant.
macro_rules! each {
    (|$index:ident| $body:expr, $($number:literal)*) => {
        [$({
            const $index: usize = $number;
            $body
        }),*]
    };
}

/// Stores `outputs` vectors at the offsets of the outputs, `stored` bytes of each. With `ORDER`, a table orders their
/// bytes first. If `is_whole` is set, vectors are stored whole, since later stores overwrite their excess. The first
/// `covered` outputs always are: the next output overwrites their excess.
///
/// # Safety
/// The same as [`permute`](super::shuffle::permute), for every output, of which at least eight bytes are stored.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn put_outputs<V: Permute, const COUNT: usize, const ORDER: bool>(
    v: [V; COUNT],
    table: V::Table,
    permutation: &Permutation,
    (outputs, covered): (usize, usize),
    to: *mut u8,
    (is_whole, stream): (bool, Stream),
) {
    let stored = permutation.stored;
    debug_assert!((8..=V::BYTES).contains(&stored), "{permutation:?}");
    debug_assert!(outputs <= COUNT && covered <= outputs, "{outputs} outputs, {covered} covered");
    let is_whole = is_whole || stored == V::BYTES;
    let stream = if stored == V::BYTES { stream } else { Stream::NEVER };
    each!(|INDEX| if const { INDEX < COUNT } && INDEX < outputs {
        let to = to.wrapping_offset(permutation.output_offsets[INDEX]);
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        let v = if ORDER { unsafe { v[INDEX].permuted(table) } } else { v[INDEX] };
        if is_whole || INDEX < covered {
            // SAFETY: `stored` bytes are writable. The bytes after them are writable too, and are stored later.
            unsafe { put(v, to, stream) };
        } else {
            // SAFETY: `stored` bytes are writable.
            unsafe { v.store_most(to, stored) };
        }
    }, 0 1 2 3 4 5 6 7);
}

/// The tables of up to three loads for up to three vectors.
type Tables<V> = [[<V as Permute>::Table; 3]; 3];

/// # Safety
/// The CPU must have the features of `V`.
#[inline(always)]
unsafe fn tables_of<V: Permute>(permutation: &Permutation) -> Tables<V> {
    each!(|INDEX| each!(|OUTPUT| {
        // SAFETY: the caller's promise.
        unsafe { V::table(&permutation.tables[INDEX * MAX_OUTPUTS + OUTPUT]) }
    }, 0 1 2), 0 1 2)
}

/// Makes one vector for each of `COUNT` loads. The other vectors are unspecified.
///
/// # Safety
/// The same as [`load`], for the first `COUNT` loads.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn outputs_of<V: Permute, const COUNT: usize, const LANES: bool>(
    permutation: &Permutation,
    tables: &Tables<V>,
    from: *const u8,
) -> [V; 3] {
    let loads = each!(|INDEX| {
        let index = if const { INDEX < COUNT } { INDEX } else { 0 };
        // SAFETY: it is a load of the iteration.
        unsafe { load::<V, LANES>(permutation, index, from) }
    }, 0 1 2);
    each!(|OUTPUT| {
        let v = if COUNT == 1 {
            // SAFETY: the CPU has the features of `V`, by the caller's promise.
            unsafe { loads[0].permuted(tables[0][OUTPUT]) }
        } else {
            let of_output = [tables[0][OUTPUT], tables[1][OUTPUT]];
            // SAFETY: as above.
            unsafe { loads[0].permuted_two(loads[1], of_output) }
        };
        if COUNT < 3 {
            v
        } else {
            // SAFETY: as above; the bytes without an index in the table come from an earlier load.
            unsafe { loads[2].permute(tables[2][OUTPUT], v) }
        }
    }, 0 1 2)
}

/// Runs `permutation` for `OUTPUTS` vectors made by the same `COUNT` loads, at most one for each. A load takes a
/// vector, or with `LANES` 16 bytes for each lane.
///
/// # Safety
/// The same as [`permute`](super::shuffle::permute), for every output. The permutation must have `COUNT` loads and
/// `OUTPUTS` outputs.
#[inline(always)]
pub(crate) unsafe fn tables<
    V: Permute,
    const COUNT: usize,
    const OUTPUTS: usize,
    const LANES: bool,
>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    stream: bool,
) {
    debug_assert!(permutation.loads == COUNT && permutation.outputs == OUTPUTS, "{permutation:?}");
    debug_assert!(permutation.form == Form::Tables, "{permutation:?}");
    debug_assert!(permutation.lanes == LANES, "{permutation:?}");
    debug_assert!(LANES || permutation.stored == V::BYTES, "{permutation:?}");
    // SAFETY: the CPU has the features of `V`, by the caller's promise.
    let tables = unsafe { tables_of::<V>(permutation) };
    each_vector!(permutation, from, to, |from, to, is_whole| {
        // SAFETY: it is an iteration of the loops.
        let v = unsafe { outputs_of::<V, COUNT, LANES>(permutation, &tables, from) };
        // Vectors of loads that are not in lanes are whole.
        let how = (is_whole || !LANES, Stream::of(stream));
        // SAFETY: they are the outputs of the iteration.
        unsafe { put_outputs::<V, 3, false>(v, tables[0][0], permutation, (OUTPUTS, 0), to, how) };
    });
}

/// Stores the lower halves of up to four vectors one after another, then the upper ones: lines are stored one after the
/// other. Halves of 16 bytes cross no line if the first begins at a multiple of 16, so they are not joined.
///
/// # Safety
/// All bytes of the vectors must be writable from `to` on. The CPU must have the features of `V`.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn put_halves<V: Vector, const COUNT: usize>(v: [V; COUNT], to: *mut u8) {
    debug_assert!(COUNT <= 4, "{COUNT} vectors");
    each!(|INDEX| if const { INDEX < COUNT } {
        // SAFETY: the caller's promise.
        let (low, _) = unsafe { v[INDEX].halves() };
        // SAFETY: as above.
        unsafe { low.store(to.wrapping_add(V::Half::BYTES * INDEX)) };
    }, 0 1 2 3);
    each!(|INDEX| if const { INDEX < COUNT } && V::BYTES > 16 {
        // SAFETY: as above.
        let (_, high) = unsafe { v[INDEX].halves() };
        // SAFETY: as above.
        unsafe { high.store(to.wrapping_add(V::Half::BYTES * (COUNT + INDEX))) };
    }, 0 1 2 3);
}

/// Runs `permutation` for up to `COUNT` vectors made by the same loads, four or eight, each of which has a part of every
/// vector. With `BEFORE`, the table of a load collects each vector's bytes in a part. With `AFTER`, another table orders
/// the bytes of a vector. A load takes a vector, or with `LANES` 16 bytes for each lane.
///
/// # Safety
/// The same as [`tables`]. The table that orders must come after those of the loads, or be the first without `BEFORE`.
/// The outputs without `BEFORE` must follow one another.
#[inline(always)]
pub(crate) unsafe fn parts<
    V: Permute,
    const COUNT: usize,
    const BEFORE: bool,
    const AFTER: bool,
    const LANES: bool,
>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    stream: bool,
) where
    [V; COUNT]: Vectors<V>,
{
    let Permutation { loads, outputs, form, .. } = *permutation;
    debug_assert!(loads == COUNT && outputs <= COUNT, "{permutation:?}");
    debug_assert!(permutation.lanes == LANES || V::BYTES == 16, "{permutation:?}");
    debug_assert!(AFTER || permutation.stored == V::BYTES, "{permutation:?}");
    debug_assert!(form == Form::Parts { before: BEFORE, after: AFTER }, "{permutation:?}");
    let before = each!(|INDEX| {
        let index = if BEFORE && INDEX < COUNT { INDEX } else { 0 };
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        unsafe { V::table(&permutation.tables[index]) }
    }, 0 1 2 3 4 5 6 7);
    // SAFETY: as above.
    let after = unsafe { V::table(&permutation.tables[if AFTER && BEFORE { COUNT } else { 0 }]) };
    each_vector!(permutation, from, to, |from, to, is_whole| {
        // SAFETY: it is the first load of the iteration.
        let mut v = [unsafe { load::<V, LANES>(permutation, 0, from) }; COUNT];
        each!(|INDEX| if const { INDEX < COUNT } {
            // SAFETY: it is a load of the iteration.
            v[INDEX] = unsafe { load::<V, LANES>(permutation, INDEX, from) };
        }, 1 2 3 4 5 6 7);
        each!(|INDEX| if const { BEFORE && INDEX < COUNT } {
            // SAFETY: the CPU has the features of `V`, by the caller's promise.
            v[INDEX] = unsafe { v[INDEX].permuted(before[INDEX]) };
        }, 0 1 2 3 4 5 6 7);
        // SAFETY: as above.
        let v = unsafe { V::parts_transposed(v) };
        let count = if BEFORE { (outputs, 0) } else { (COUNT, COUNT - 1) };
        // Planes are whole vectors.
        let how = (is_whole || !AFTER, Stream::of(stream));
        // SAFETY: they are the outputs of the iteration. Those of rows follow one another.
        unsafe { put_outputs::<V, COUNT, AFTER>(v, after, permutation, count, to, how) };
    });
}

/// Interleaves two or four rows of units of `WIDTH` bytes without tables: each perfect shuffle of all units doubles the
/// number of rows that are interleaved.
///
/// # Safety
/// The same as [`tables`]. The permutation must have `ROWS` loads and outputs. Vectors must have one or two lanes.
#[inline(always)]
pub(crate) unsafe fn zips<V: Vector, const ROWS: usize, const WIDTH: usize>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    _: bool,
) where
    [V; ROWS]: Vectors<V>,
{
    debug_assert!(permutation.loads == ROWS && permutation.outputs == ROWS, "{permutation:?}");
    debug_assert!(!permutation.lanes, "{permutation:?}");
    debug_assert!(permutation.form == Form::Zips(WIDTH), "{permutation:?}");
    each_vector!(permutation, from, to, |from, to, _| {
        // SAFETY: it is the first load of the iteration.
        let mut v = [unsafe { load::<V, false>(permutation, 0, from) }; ROWS];
        each!(|INDEX| if const { INDEX < ROWS } {
            // SAFETY: it is a load of the iteration.
            v[INDEX] = unsafe { load::<V, false>(permutation, INDEX, from) };
        }, 1 2 3);
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        let v = unsafe { v.shuffled::<WIDTH>() };
        // SAFETY: as above.
        let v = if ROWS > 2 { unsafe { v.shuffled::<WIDTH>() } } else { v };
        // SAFETY: all bytes of the vectors are writable.
        unsafe { put_halves(v, to) };
    });
}

/// Transposes units of 16 bytes, four rows of four columns at a time.
///
/// # Safety
/// The same as [`permute`](super::shuffle::permute), but in every iteration 64 bytes must be readable at each of the
/// four offsets and writable at each of the four offsets of outputs. Vectors must have two or four lanes.
#[inline(always)]
pub(crate) unsafe fn units_of_lanes<V: Vector>(
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
