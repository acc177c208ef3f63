//! Byte permutes: loads are mixed into one or several vectors of the destination, by tables or perfect shuffles.

use super::offsets::opaque;
use super::vector::{Permute, Vector};
use crate::steps::{LINE, MAX_OUTPUTS, MAX_TABLES, Permutation};

/// The values of an expression for each index, which is a constant.
macro_rules! each {
    (|$index:ident| $body:expr, $($number:literal)*) => {
        [$({
            const $index: usize = $number;
            $body
        }),*]
    };
}

/// Repeats the body for each vector of a permutation: with its pointers on both sides, and whether the whole vector may
/// be stored.
///
/// If the vectors of a run are whole, those after the first are aligned to cache lines of the destination if possible.
/// `$how` says whether that is so.
///
/// Most runs are a few vectors, so what comes before and after them counts. Loops keep little from run to run, since
/// loads from the stack take as long as those of the vectors, and no condition is the same for a whole run, or the
/// compiler would repeat the body for each of its values.
macro_rules! each_vector {
    ($how:expr, $permutation:ident, $from:ident, $to:ident, |$source:ident, $destination:ident, $whole:pat_param| $body:expr) => {{
        let aligns = $how;
        let Permutation { inner, next, outer, is_whole, .. } = *$permutation;
        let whole_bytes = inner.destination.wrapping_mul($permutation.whole_iterations as isize);
        // How many runs, the last ones, have vectors that are not stored whole.
        let partial = if is_whole { 0 } else { next.count.saturating_sub($permutation.whole_runs) };
        for i in 0..outer.count {
            let (first, first_to) = outer.at(i);
            let (first, first_to) = ($from.wrapping_offset(first), $to.wrapping_offset(first_to));
            // Where the last vector of a run begins.
            let mut last = first.wrapping_offset(inner.last_source);
            let mut last_to = first_to.wrapping_offset(inner.last_destination);
            let mut left = next.count;
            while left > 0 {
                let mut $source = last.wrapping_offset(inner.last_source.wrapping_neg());
                let mut $destination =
                    last_to.wrapping_offset(inner.last_destination.wrapping_neg());
                let is_all = left > partial;
                let limit =
                    if is_all { last_to } else { $destination.wrapping_offset(whole_bytes) };
                let mut shift =
                    if aligns { $permutation.align.shift($destination as usize) } else { 0 };
                let (mut end, mut lines) = (last_to, ($source, $destination));
                if shift != 0 {
                    // First one vector, then the others in lines.
                    let align = &$permutation.align;
                    lines.0 = $source.wrapping_offset(align.source.wrapping_mul(shift));
                    lines.1 = $destination.wrapping_offset(align.destination.wrapping_mul(shift));
                    end = $destination.wrapping_add(1);
                }
                loop {
                    while $destination < end {
                        let $whole = $destination < limit;
                        $body;
                        $source = $source.wrapping_offset(inner.source);
                        $destination = $destination.wrapping_offset(inner.destination);
                    }
                    if shift == 0 {
                        break;
                    }
                    ($source, $destination, end) = (lines.0, lines.1, last_to);
                    // Opaque, or the compiler would repeat the body for the first vector.
                    shift = opaque!(0);
                }
                let ($source, $destination, $whole) = (last, last_to, is_all);
                $body;
                left -= 1;
                last = last.wrapping_offset(next.source);
                last_to = last_to.wrapping_offset(next.destination);
                if left == 1 {
                    // Opaque, so that it is a branch: other runs need none of these numbers.
                    let by = opaque!(next.last_source).wrapping_add(inner.last_source);
                    last = first.wrapping_offset(by);
                    let by = next.last_destination.wrapping_add(inner.last_destination);
                    last_to = first_to.wrapping_offset(by);
                }
            }
        }
    }};
}

/// A load of one vector.
pub(crate) const VECTOR: usize = 0;
/// A load of 16 bytes for each lane, at an offset of its own.
pub(crate) const LANES: usize = 1;
/// A load of the first [`length`](Permutation::length) bytes of a vector.
pub(crate) const PART: usize = 2;
/// A load of 16 bytes for each of two lanes, all [as far](Permutation::apart) from each other.
pub(crate) const PAIR: usize = 3;

/// Runs `permutation`: mixes `LOADS` loads into `OUTPUTS` vectors, or fewer with `BEFORE`.
///
/// If `WIDTH` is 0, a table for each load says which of its bytes a vector gets. Otherwise loads are
/// [zipped](Permute::zipped). With `BEFORE`, a table for each load orders its bytes first. With `AFTER`, one more orders
/// the bytes of each vector.
///
/// # Safety
/// - In every iteration of the loops, each load must be readable, and of each output the bytes of `mask` writable if
///   there is one, else `stored` bytes, at least eight. The sides must not overlap. The permutation's numbers of
///   iterations that may store whole vectors must be right.
/// - Outputs with `AFTER` alone must follow one another. Without a table, vectors must have one or two lanes.
/// - With vectors of two lanes, an iteration is two of the nest: the upper lanes are loaded `apart` bytes after the lower
///   ones. The outputs of a [`PAIR`] are evenly spaced, each a whole vector; of others the upper lanes are stored
///   `valid / 2` bytes after the lower ones.
/// - The permutation must have this form, and the CPU the features of `V`.
/// - With `stream`, whole vectors are stored non-temporally, if there are tables: the caller must call
///   [`Stores::finish`](crate::Stores::finish) afterwards.
#[inline(always)]
pub(crate) unsafe fn network<
    V: Permute,
    const LOADS: usize,
    const OUTPUTS: usize,
    const LOAD: usize,
    const BEFORE: bool,
    const WIDTH: usize,
    const AFTER: bool,
>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    stream: bool,
) {
    let Permutation { loads, outputs, lanes, .. } = *permutation;
    debug_assert!(loads == LOADS && outputs <= OUTPUTS, "{permutation:?}");
    debug_assert!(lanes == (LOAD == LANES) || V::BYTES < LINE, "{permutation:?}");
    let tables = each!(|INDEX| {
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        unsafe { V::table(&permutation.tables[INDEX]) }
    }, 0 1 2 3 4 5 6 7 8 9 10 11);
    let after = tables[if BEFORE { LOADS } else { 0 }];
    // SAFETY: the fill has the length of the longest vector.
    let fill = unsafe { V::load(permutation.fill.as_ptr()) };
    // Only vectors of a line are aligned.
    let how = V::BYTES == LINE;
    let stream = Stream::of(stream);
    if const { OUTPUTS == 1 && LOADS <= 2 && WIDTH == 0 } && permutation.is_once() {
        let is_whole = permutation.is_whole || permutation.whole_runs > 0;
        // SAFETY: it is the only iteration of the loops.
        let v = unsafe { loaded::<V, LOADS, LOAD>(permutation, from) };
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        let v = unsafe { mixed::<V, LOADS, OUTPUTS, BEFORE, WIDTH>(v, &tables, fill) };
        let of = (permutation, after, (is_whole, stream));
        // SAFETY: they are the outputs of the iteration.
        return unsafe { put_all::<V, OUTPUTS, LOAD, BEFORE, AFTER>(v, of, to) };
    }
    each_vector!(how, permutation, from, to, |from, to, is_whole| {
        // SAFETY: it is an iteration of the loops.
        let v = unsafe { loaded::<V, LOADS, LOAD>(permutation, from) };
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        let v = unsafe { mixed::<V, LOADS, OUTPUTS, BEFORE, WIDTH>(v, &tables, fill) };
        let of = (permutation, after, (is_whole, stream));
        // SAFETY: they are the outputs of the iteration.
        unsafe { put_all::<V, OUTPUTS, LOAD, BEFORE, AFTER>(v, of, to) };
    });
}

/// Makes the loads of an iteration.
///
/// # Safety
/// The same as [`network`], for one iteration.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn loaded<V: Vector, const LOADS: usize, const LOAD: usize>(
    permutation: &Permutation,
    from: *const u8,
) -> [V; LOADS] {
    // SAFETY: it is the first load.
    let mut v = [unsafe { load::<V, LOAD>(permutation, 0, from) }; LOADS];
    each!(|INDEX| if const { INDEX < LOADS } {
        // SAFETY: there is such a load.
        v[INDEX] = unsafe { load::<V, LOAD>(permutation, INDEX, from) };
    }, 1 2 3 4 5 6 7);
    v
}

/// Makes load number `index`.
///
/// # Safety
/// The same as [`network`], for this load of one iteration.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn load<V: Vector, const LOAD: usize>(
    permutation: &Permutation,
    index: usize,
    from: *const u8,
) -> V {
    let at = |window: usize| from.wrapping_offset(permutation.offsets[window] as isize);
    let first = index * (V::BYTES / 16);
    match LOAD {
        // SAFETY: a vector is readable at the offset of the load.
        VECTOR => unsafe { V::load(at(index)) },
        // SAFETY: 16 bytes are readable at each offset.
        LANES => unsafe { V::load_lanes([at(first), at(first + 1), at(first + 2), at(first + 3)]) },
        PAIR => {
            let upper = at(index).wrapping_offset(permutation.apart);
            // SAFETY: 16 bytes are readable at both.
            unsafe { V::load_lanes([at(index), upper, at(index), upper]) }
        }
        // SAFETY: these bytes are readable at the offset.
        _ => unsafe { V::load_part(at(index), permutation.length as usize) },
    }
}

/// Mixes loads into vectors.
///
/// # Safety
/// The CPU must have the features of `V`.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn mixed<
    V: Permute,
    const LOADS: usize,
    const OUTPUTS: usize,
    const BEFORE: bool,
    const WIDTH: usize,
>(
    mut v: [V; LOADS],
    tables: &[V::Table; MAX_TABLES],
    fill: V,
) -> [V; OUTPUTS] {
    each!(|INDEX| if const { BEFORE && INDEX < LOADS } {
        // SAFETY: the caller's promise, here and below.
        v[INDEX] = unsafe { v[INDEX].permuted(tables[INDEX]) };
    }, 0 1 2 3 4 5 6 7);
    if const { WIDTH > 0 } {
        // SAFETY: as above.
        v = unsafe { V::zipped::<LOADS, WIDTH>(v) };
    }
    let mut all = [v[0]; OUTPUTS];
    each!(|OUTPUT| if const { OUTPUT < OUTPUTS } {
        all[OUTPUT] = match WIDTH {
            // SAFETY: as above.
            0 => unsafe { joined::<V, LOADS, OUTPUTS>(&v, OUTPUT, tables, fill) },
            _ => v[OUTPUT],
        };
    }, 0 1 2 3 4 5 6 7);
    all
}

/// Makes one vector of loads: each byte comes from one of them, or from the fill of the only vector. A function of its
/// own, so that a debug build has its temporaries on the stack once.
///
/// # Safety
/// The CPU must have the features of `V`.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn joined<V: Permute, const LOADS: usize, const OUTPUTS: usize>(
    v: &[V; LOADS],
    output: usize,
    tables: &[V::Table; MAX_TABLES],
    fill: V,
) -> V {
    let table = |load| tables[if OUTPUTS > 1 { load * MAX_OUTPUTS + output } else { load }];
    let mut own = match OUTPUTS {
        // SAFETY: the caller's promise, here and below.
        1 => unsafe { v[0].permute(table(0), fill) },
        // SAFETY: as above.
        _ => unsafe { v[0].permuted_two(v[1], [table(0), table(1)]) },
    };
    each!(|LOAD| if const { LOAD < LOADS && (LOAD > 1 || OUTPUTS == 1) } {
        // SAFETY: as above.
        own = unsafe { v[LOAD].permute(table(LOAD), own) };
    }, 1 2 3 4 5 6 7);
    own
}

/// Stores the outputs of an iteration. If `is_whole` is set, vectors are stored whole, since later stores overwrite
/// their excess. So are vectors that have none, and those of which the next output overwrites it.
///
/// # Safety
/// The same as [`network`], for one iteration.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn put_all<
    V: Permute,
    const OUTPUTS: usize,
    const LOAD: usize,
    const BEFORE: bool,
    const AFTER: bool,
>(
    v: [V; OUTPUTS],
    (permutation, after, (is_whole, stream)): (&Permutation, V::Table, (bool, Stream)),
    to: *mut u8,
) {
    let Permutation { outputs, stored, mask, .. } = *permutation;
    if const { V::BYTES == 32 } {
        return match LOAD {
            // SAFETY: the caller's promise, for two iterations.
            PAIR => unsafe { put_planes::<V, OUTPUTS, AFTER>(v, (permutation, after), to) },
            // SAFETY: as above.
            _ => unsafe { put_rows::<V, OUTPUTS, AFTER>(v, (permutation, after, is_whole), to) },
        };
    }
    let is_full = stored == V::BYTES;
    debug_assert!(OUTPUTS == 1 || (8..=V::BYTES).contains(&stored), "{permutation:?}");
    debug_assert!(OUTPUTS == 1 || is_full || LOAD == LANES || AFTER, "{permutation:?}");
    let is_whole = is_whole || OUTPUTS > 1 && (is_full || LOAD != LANES && !AFTER);
    let stream = if OUTPUTS == 1 || is_full { stream } else { Stream::NEVER };
    let outputs = if BEFORE { outputs } else { OUTPUTS };
    each!(|INDEX| if const { INDEX < OUTPUTS } && INDEX < outputs {
        let at = if OUTPUTS > 1 { permutation.output_offsets[INDEX] } else { 0 };
        let to = to.wrapping_offset(at);
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        let v = if AFTER { unsafe { v[INDEX].permuted(after) } } else { v[INDEX] };
        if is_whole || AFTER && !BEFORE && INDEX + 1 < OUTPUTS {
            // SAFETY: the bytes are writable. Those after them are writable too, and are stored later.
            unsafe { put(v, to, stream) };
        } else if OUTPUTS == 1 {
            // SAFETY: the bytes of the mask are writable.
            unsafe { v.store_some(to, mask) };
        } else {
            // SAFETY: `stored` bytes are writable.
            unsafe { v.store_most(to, stored) };
        }
    }, 0 1 2 3 4 5 6 7);
}

/// Stores the planes of a pair of iterations, each a vector. Two offsets of each load leave no register for one of each
/// plane, so all come from one stride. It is opaque, or the compiler would compute them before the loop.
///
/// # Safety
/// The same as [`network`], for one iteration.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn put_planes<V: Permute, const OUTPUTS: usize, const AFTER: bool>(
    v: [V; OUTPUTS],
    (permutation, after): (&Permutation, V::Table),
    to: *mut u8,
) {
    let stride = opaque!(permutation.output_offsets[1]);
    each!(|INDEX| if const { INDEX < OUTPUTS } && INDEX < permutation.outputs {
        let offset = stride.wrapping_mul(INDEX as isize);
        debug_assert!(offset == permutation.output_offsets[INDEX], "{permutation:?}");
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        let v = if AFTER { unsafe { v[INDEX].permuted(after) } } else { v[INDEX] };
        // SAFETY: the bytes are writable.
        unsafe { v.store(to.wrapping_offset(offset)) };
    }, 0 1 2 3 4 5 6 7);
}

/// Stores the rows of a pair of iterations: those of the lower lanes, then those of the upper ones. Each overwrites the
/// excess of the one before.
///
/// # Safety
/// The same as [`network`], for one iteration.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn put_rows<V: Permute, const OUTPUTS: usize, const AFTER: bool>(
    mut v: [V; OUTPUTS],
    (permutation, after, is_whole): (&Permutation, V::Table, bool),
    to: *mut u8,
) {
    let Permutation { valid, stored, output_offsets, .. } = *permutation;
    let is_whole = is_whole || stored == V::Half::BYTES;
    each!(|INDEX| if const { INDEX < OUTPUTS } {
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        v[INDEX] = if AFTER { unsafe { v[INDEX].permuted(after) } } else { v[INDEX] };
        // SAFETY: as above.
        let (low, _) = unsafe { v[INDEX].halves() };
        // SAFETY: the bytes are writable. Those after them are writable too, and are stored later.
        unsafe { low.store(to.wrapping_offset(output_offsets[INDEX])) };
    }, 0 1 2 3 4 5 6 7);
    let to = to.wrapping_add(valid / 2);
    each!(|INDEX| if const { INDEX < OUTPUTS } {
        // SAFETY: as above.
        let (_, high) = unsafe { v[INDEX].halves() };
        let to = to.wrapping_offset(output_offsets[INDEX]);
        if is_whole || INDEX + 1 < OUTPUTS {
            // SAFETY: as above, and after the last one whole vectors may be stored.
            unsafe { high.store(to) };
        } else {
            // SAFETY: `stored` bytes are writable.
            unsafe { high.store_part(to, stored) };
        }
    }, 0 1 2 3 4 5 6 7);
}

/// Which vectors are stored non-temporally: those whose address has no bit of this mask. It is `LINE - 1` for vectors
/// that begin at lines, and all ones for none. A flag would make the compiler repeat loops for each of its values.
#[derive(Clone, Copy)]
struct Stream(usize);

impl Stream {
    /// All stores are plain.
    const NEVER: Self = Self(usize::MAX);

    #[inline(always)]
    const fn of(stream: bool) -> Self {
        if stream { Self(LINE - 1) } else { Self::NEVER }
    }
}

/// Stores a vector, non-temporally if `stream` says so.
///
/// # Safety
/// The same as [`store`](Vector::store). Unless `stream` is [`NEVER`](Stream::NEVER), the caller must
/// call [`Stores::finish`](crate::Stores::finish) afterwards.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn put<V: Vector>(v: V, to: *mut u8, stream: Stream) {
    // So the compiler drops the branch for a constant `NEVER`.
    // SAFETY: bytes are writable at the pointer.
    unsafe { core::hint::assert_unchecked(!to.is_null()) };
    if V::BYTES == LINE && to as usize & stream.0 == 0 {
        // SAFETY: the caller's promise, and the pointer is aligned.
        unsafe { v.stream(to) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { v.store(to) };
    }
}

/// Transposes units of 16 bytes, four rows of four columns at a time.
///
/// # Safety
/// The same as [`network`], but in every iteration 64 bytes must be readable at each of the
/// four offsets and writable at each of the four offsets of outputs. Vectors must have two or four lanes.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
pub(crate) unsafe fn units_of_lanes<V: Vector>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    stream: bool,
) {
    debug_assert!(permutation.loads == 4 && permutation.outputs == 4, "{permutation:?}");
    if const { V::BYTES == LINE } && !stream && to as usize % 16 == 0 {
        // Stores of two lanes that begin at a multiple of a unit cross fewer lines.
        // SAFETY: the caller's promise; a CPU with the features of `V` has those of its half.
        return unsafe { units_of_lanes::<V::Half>(permutation, from, to, false) };
    }
    debug_assert!(V::BYTES > 16, "{permutation:?}");
    let (rows, columns) = (permutation.offsets, permutation.output_offsets);
    if V::BYTES < LINE && to as usize % V::BYTES > 0 {
        // Most vectors of 32 bytes that begin 16 bytes after one cross a line; stores of 16 bytes there do not.
        each_vector!(false, permutation, from, to, |from, to, _| {
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
    each_vector!(true, permutation, from, to, |from, to, _| {
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
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
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
