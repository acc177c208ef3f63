//! Several vectors made by the same loads: of planes, columns, interleaved rows, and blocks.

use super::offsets::opaque;
use super::shuffle::{Stream, each_vector, put, put_lines};
use super::vector::{Permute, Vector, Vectors};
use crate::steps::{Form, LINE, MAX_OUTPUTS, Permutation};

/// Makes load number `index`: one vector, or two or four windows, each at an offset of its own. Four windows are lanes
/// of 16 bytes.
///
/// # Safety
/// The same as [`permute`](super::shuffle::permute), for this load of one iteration, but half a vector must be readable
/// at each of two windows.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn load<V: Vector>(
    permutation: &Permutation,
    (index, windows): (usize, usize),
    from: *const u8,
) -> V {
    let at = |window: usize| from.wrapping_offset(permutation.offsets[window] as isize);
    match windows {
        // SAFETY: a vector is readable at the offset of the load.
        1 => unsafe { V::load(at(index)) },
        // SAFETY: half a vector is readable at each offset.
        2 => unsafe { V::load_halves([at(2 * index), at(2 * index + 1)]) },
        _ => {
            let first = index * (V::BYTES / 16);
            let lanes = [at(first), at(first + 1), at(first + 2), at(first + 3)];
            // SAFETY: 16 bytes are readable at each offset.
            unsafe { V::load_lanes(lanes) }
        }
    }
}

/// The values of an expression for each index, which is a constant.
macro_rules! each {
    (|$index:ident| $body:expr, $($number:literal)*) => {
        [$({
            const $index: usize = $number;
            $body
        }),*]
    };
}

pub(super) use each;

/// Stores `outputs` vectors at the offsets of the outputs, `stored` bytes of each, or `tail` bytes of the last one if
/// that is not 0: only [`tables`] has tails, of at most three outputs. With `ORDER`, a table orders their bytes first.
/// If `is_whole` is set, vectors are stored whole, since later stores overwrite their excess. The first `covered`
/// outputs always are: the next output overwrites their excess.
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
        if V::BYTES == LINE && COUNT == 3 && INDEX + 1 == outputs && permutation.tail > 0 {
            // SAFETY: `tail` bytes of the last output are writable.
            unsafe { v.store_few::<false>(to, permutation.tail) };
        } else if is_whole || INDEX < covered {
            // SAFETY: `stored` bytes are writable. The bytes after them are writable too, and are stored later.
            unsafe { put(v, to, stream) };
        } else {
            // SAFETY: `stored` bytes are writable.
            unsafe { v.store_most(to, stored) };
        }
    }, 0 1 2 3 4 5 6 7);
}

/// Stores the vectors of planes, which are whole. The offsets of loads in two lanes leave no register for an offset of
/// each plane, so all come from one stride. It is opaque, or the compiler would compute them once, before the loop.
///
/// # Safety
/// The same as [`permute`](super::shuffle::permute), for every output. Outputs must be evenly spaced, the first at 0.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn put_planes<V: Vector, const COUNT: usize>(
    v: [V; COUNT],
    permutation: &Permutation,
    to: *mut u8,
) {
    let (offsets, outputs) = (&permutation.output_offsets, permutation.outputs);
    let stride = opaque!(offsets[1]);
    each!(|INDEX| if const { INDEX < COUNT } && INDEX < outputs {
        let offset = stride.wrapping_mul(INDEX as isize);
        debug_assert!(offsets[INDEX] == offset, "{permutation:?}");
        // SAFETY: a vector is writable for each output. It is there, since outputs are evenly spaced.
        unsafe { v[INDEX].store(to.wrapping_offset(offset)) };
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
unsafe fn outputs_of<V: Permute, const COUNT: usize, const WINDOWS: usize>(
    permutation: &Permutation,
    tables: &Tables<V>,
    from: *const u8,
) -> [V; 3] {
    let loads = each!(|INDEX| {
        let index = if const { INDEX < COUNT } { INDEX } else { 0 };
        // SAFETY: it is a load of the iteration.
        unsafe { load::<V>(permutation, (index, WINDOWS), from) }
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
/// vector, or two or four `WINDOWS`, each at an offset of its own.
///
/// # Safety
/// The same as [`permute`](super::shuffle::permute), for every output, but half a vector must be readable at each of
/// two windows. The permutation must have `COUNT` loads and `OUTPUTS` outputs.
#[inline(always)]
pub(crate) unsafe fn tables<
    V: Permute,
    const COUNT: usize,
    const OUTPUTS: usize,
    const WINDOWS: usize,
>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    stream: bool,
) {
    debug_assert!(permutation.loads == COUNT && permutation.outputs == OUTPUTS, "{permutation:?}");
    let form = if WINDOWS == 2 { Form::HalfRows } else { Form::Tables };
    debug_assert!(permutation.form == form, "{permutation:?}");
    debug_assert!(permutation.lanes == (WINDOWS > 2), "{permutation:?}");
    debug_assert!(WINDOWS > 2 || permutation.stored == V::BYTES, "{permutation:?}");
    // SAFETY: the CPU has the features of `V`, by the caller's promise.
    let tables = unsafe { tables_of::<V>(permutation) };
    each_vector!(permutation, from, to, |from, to, is_whole, again| {
        // SAFETY: it is an iteration of the loops.
        let v = unsafe { outputs_of::<V, COUNT, WINDOWS>(permutation, &tables, from) };
        if WINDOWS == 2 {
            // SAFETY: whole lines are writable for all outputs.
            unsafe { put_lines::<V, OUTPUTS>(v, to, again) };
        } else {
            // Vectors of loads that are not in lanes are whole.
            let how = (is_whole || WINDOWS == 1, Stream::of(stream));
            // SAFETY: they are the outputs of the iteration.
            unsafe {
                put_outputs::<V, 3, false>(v, tables[0][0], permutation, (OUTPUTS, 0), to, how)
            };
        }
    });
}

/// Interleaves three rows with tables in each of two lanes. All bytes of the lower lanes come before those of the upper
/// ones.
///
/// # Safety
/// The same as [`tables`], for three loads.
#[inline(always)]
pub(crate) unsafe fn three_in_lanes<V: Permute>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    _: bool,
) {
    debug_assert!(permutation.loads == 3 && permutation.outputs == 3, "{permutation:?}");
    debug_assert!(!permutation.lanes, "{permutation:?}");
    debug_assert!(permutation.form == Form::ThreeRowsInLanes, "{permutation:?}");
    // SAFETY: the CPU has the features of `V`, by the caller's promise.
    let tables = unsafe { tables_of::<V>(permutation) };
    each_vector!(permutation, from, to, |from, to, _, _| {
        // SAFETY: it is an iteration of the loops.
        let v = unsafe { outputs_of::<V, 3, 1>(permutation, &tables, from) };
        // SAFETY: both halves of every output are writable.
        unsafe { put_halves(v, to) };
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

/// Runs `permutation` for two planes made by the same two loads. A load takes 16 bytes for each lane, and has, in each
/// lane, half of the bytes of both planes.
///
/// # Safety
/// The same as [`tables`]. The first two tables must collect each plane's bytes in a half.
#[inline(always)]
pub(crate) unsafe fn halves<V: Permute>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    stream: bool,
) {
    let stream = Stream::of(stream);
    debug_assert!(permutation.loads == 2 && permutation.outputs == 2, "{permutation:?}");
    debug_assert!(permutation.lanes, "{permutation:?}");
    debug_assert!(permutation.form == Form::Halves, "{permutation:?}");
    // SAFETY: the CPU has the features of `V`, by the caller's promise.
    let tables = each!(|INDEX| unsafe { V::table(&permutation.tables[INDEX]) }, 0 1);
    let offsets = permutation.output_offsets;
    each_vector!(permutation, from, to, |from, to, _, _| {
        let [first, second] = each!(|INDEX| {
            // SAFETY: it is a load of the iteration.
            let v = unsafe { load::<V>(permutation, (INDEX, 4), from) };
            // SAFETY: the CPU has the features of `V`, by the caller's promise.
            unsafe { v.permuted(tables[INDEX]) }
        }, 0 1);
        // SAFETY: as above.
        let v = unsafe { first.zip_low::<8>(second) };
        // SAFETY: a vector is writable for each output.
        unsafe { put(v, to.wrapping_offset(offsets[0]), stream) };
        // SAFETY: as above.
        let v = unsafe { first.zip_high::<8>(second) };
        // SAFETY: as above.
        unsafe { put(v, to.wrapping_offset(offsets[1]), stream) };
    });
}

/// Runs `permutation` for two to four planes made by the same four loads, each of which has a quarter vector of every
/// plane. With `COLUMNS` it makes columns, the bytes of whose quarters are not in order. Loads take 16 bytes for each
/// lane, but for planes of vectors of a line.
///
/// # Safety
/// The same as [`tables`]. The first four tables must collect each plane's bytes in a quarter. With `COLUMNS`, the
/// fifth table must order them.
#[inline(always)]
pub(crate) unsafe fn quarters<V: Permute, const COLUMNS: bool>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    stream: bool,
) {
    debug_assert!(permutation.loads == 4 && permutation.outputs <= 4, "{permutation:?}");
    let are_lanes = COLUMNS || V::BYTES < LINE;
    let windows = if are_lanes { 4 } else { 1 };
    debug_assert!(permutation.lanes == are_lanes || V::BYTES == 16, "{permutation:?}");
    debug_assert!(COLUMNS || permutation.stored == V::BYTES, "{permutation:?}");
    let form = if COLUMNS { Form::QuarterColumns } else { Form::Quarters };
    debug_assert!(permutation.form == form, "{permutation:?}");
    // SAFETY: the CPU has the features of `V`, by the caller's promise.
    let tables = each!(|INDEX| unsafe { V::table(&permutation.tables[INDEX]) }, 0 1 2 3);
    // SAFETY: as above.
    let ordered = unsafe { V::table(&permutation.tables[4]) };
    each_vector!(permutation, from, to, |from, to, is_whole, _| {
        let loads = each!(|INDEX| {
            // SAFETY: it is a load of the iteration.
            let v = unsafe { load::<V>(permutation, (INDEX, windows), from) };
            // SAFETY: the CPU has the features of `V`, by the caller's promise.
            unsafe { v.permuted(tables[INDEX]) }
        }, 0 1 2 3);
        // SAFETY: as above.
        let v = unsafe { V::quarters_transposed(loads) };
        if !COLUMNS && V::BYTES < LINE {
            // SAFETY: they are the outputs of the iteration, planes that one stride separates.
            unsafe { put_planes(v, permutation, to) };
        } else {
            // Planes are whole vectors.
            let (count, how) =
                ((permutation.outputs, 0), (is_whole || !COLUMNS, Stream::of(stream)));
            // SAFETY: they are the outputs of the iteration.
            unsafe { put_outputs::<V, 4, COLUMNS>(v, ordered, permutation, count, to, how) };
        }
    });
}

/// Runs `permutation` for two to eight outputs made by the same eight loads, each of which has an eighth of every
/// output. With `FIRST`, the first eight tables collect each output's bytes in an eighth. With `LAST`, another table
/// orders the bytes of an output. Loads take 16 bytes for each lane, but for rows and for vectors of a line.
///
/// # Safety
/// The same as [`tables`]. The table that orders must be the ninth, or the first without `FIRST`. The outputs of rows,
/// which have no `FIRST`, must follow one another.
#[inline(always)]
pub(crate) unsafe fn eighths<V: Permute, const FIRST: bool, const LAST: bool>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    stream: bool,
) {
    debug_assert!(permutation.loads == 8 && permutation.outputs <= 8, "{permutation:?}");
    let are_lanes = FIRST && V::BYTES < LINE;
    let windows = if are_lanes { 4 } else { 1 };
    debug_assert!(permutation.lanes == are_lanes || V::BYTES == 16, "{permutation:?}");
    debug_assert!(LAST || permutation.stored == V::BYTES, "{permutation:?}");
    let form = match (FIRST, LAST) {
        (true, false) => Form::Eighths,
        (true, true) => Form::EighthColumns,
        _ => Form::EighthRows,
    };
    debug_assert!(permutation.form == form, "{permutation:?}");
    let first = each!(|INDEX| {
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        unsafe { V::table(&permutation.tables[if FIRST { INDEX } else { 0 }]) }
    }, 0 1 2 3 4 5 6 7);
    // SAFETY: as above.
    let ordered = unsafe { V::table(&permutation.tables[if FIRST { 8 } else { 0 }]) };
    each_vector!(permutation, from, to, |from, to, is_whole, _| {
        let v = each!(|INDEX| {
            // SAFETY: it is a load of the iteration.
            let v = unsafe { load::<V>(permutation, (INDEX, windows), from) };
            // SAFETY: the CPU has the features of `V`, by the caller's promise.
            if FIRST { unsafe { v.permuted(first[INDEX]) } } else { v }
        }, 0 1 2 3 4 5 6 7);
        // SAFETY: as above.
        let v = unsafe { V::eighths_transposed(v) };
        if !LAST && V::BYTES < LINE {
            // SAFETY: they are the outputs of the iteration, planes that one stride separates.
            unsafe { put_planes(v, permutation, to) };
        } else {
            let count = if FIRST { (permutation.outputs, 0) } else { (8, 7) };
            // Planes are whole vectors.
            let how = (is_whole || !LAST, Stream::of(stream));
            // SAFETY: they are the outputs of the iteration. Those of rows follow one another.
            unsafe { put_outputs::<V, 8, LAST>(v, ordered, permutation, count, to, how) };
        }
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
    each_vector!(permutation, from, to, |from, to, _, _| {
        // SAFETY: it is the first load of the iteration.
        let mut v = [unsafe { load::<V>(permutation, (0, 1), from) }; ROWS];
        each!(|INDEX| if const { INDEX < ROWS } {
            // SAFETY: it is a load of the iteration.
            v[INDEX] = unsafe { load::<V>(permutation, (INDEX, 1), from) };
        }, 1 2 3);
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        let v = unsafe { v.shuffled::<WIDTH>() };
        // SAFETY: as above.
        let v = if ROWS > 2 { unsafe { v.shuffled::<WIDTH>() } } else { v };
        // SAFETY: all bytes of the vectors are writable.
        unsafe { put_halves(v, to) };
    });
}

/// Interleaves five to eight rows. In each of two lanes, a load has 16 bytes of a row, and each of eight vectors gets
/// an eighth of every row.
///
/// # Safety
/// The same as [`tables`]. The first table must interleave the eighths of the rows, for outputs that follow one another
/// in each half of the vector's bytes.
#[inline(always)]
pub(crate) unsafe fn eighths_in_lanes<V: Permute>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    _: bool,
) {
    debug_assert!(permutation.loads == 8 && permutation.outputs == 8, "{permutation:?}");
    debug_assert!(!permutation.lanes, "{permutation:?}");
    debug_assert!(permutation.form == Form::EighthRowsInLanes, "{permutation:?}");
    // SAFETY: the CPU has the features of `V`, by the caller's promise.
    let table = unsafe { V::table(&permutation.tables[0]) };
    let (offsets, stored) = (permutation.output_offsets, permutation.stored);
    let upper = permutation.valid / 2;
    each_vector!(permutation, from, to, |from, to, is_whole, _| {
        let v = each!(|INDEX| {
            // SAFETY: it is a load of the iteration.
            unsafe { load::<V>(permutation, (INDEX, 1), from) }
        }, 0 1 2 3 4 5 6 7);
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        let v = unsafe { V::eighths_transposed(v) };
        let halves = each!(|INDEX| {
            // SAFETY: as above.
            let v = unsafe { v[INDEX].permuted(table) };
            // SAFETY: as above.
            unsafe { v.halves() }
        }, 0 1 2 3 4 5 6 7);
        each!(|INDEX| {
            // SAFETY: the bytes of the half are writable. Its excess is stored later.
            unsafe { halves[INDEX].0.store(to.wrapping_offset(offsets[INDEX])) };
        }, 0 1 2 3 4 5 6 7);
        each!(|INDEX| {
            let to = to.wrapping_add(upper).wrapping_offset(offsets[INDEX]);
            if is_whole || INDEX < 7 {
                // SAFETY: as above. If `is_whole` is set, the excess of the last one is stored later too.
                unsafe { halves[INDEX].1.store(to) };
            } else {
                // SAFETY: `stored` bytes are writable.
                unsafe { halves[INDEX].1.store_part(to, stored) };
            }
        }, 0 1 2 3 4 5 6 7);
    });
}
