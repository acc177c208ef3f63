//! Byte permutes: each vector of the destination is made of several loads, with one table each.

use super::vector::Permute;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::steps::MAX_OUTPUTS;
use crate::steps::{LINE, Permutation, Round};

/// Where the next round begins on both sides, and where the first round began.
#[derive(Clone, Copy)]
struct Cursor {
    from: *const u8,
    to: *mut u8,
    first: (*const u8, *mut u8),
}

impl Cursor {
    #[inline(always)]
    fn new(from: *const u8, to: *mut u8) -> Self {
        Self { from, to, first: (from, to) }
    }

    /// Returns where round `round` begins. It is called for each round in order.
    #[inline(always)]
    fn step(&mut self, of: &Round, round: usize) -> Self {
        let (mut from, mut to) = (self.from, self.to);
        if round + 1 == of.count {
            from = self.first.0.wrapping_offset(of.last_source);
            to = self.first.1.wrapping_offset(of.last_destination);
        }
        self.from = self.from.wrapping_offset(of.source);
        self.to = self.to.wrapping_offset(of.destination);
        Self::new(from, to)
    }
}

/// Calls `$step` for each vector of a permutation: with its pointers on both sides, and whether the whole vector may
/// be stored.
///
/// If the vectors of a run are whole, those after the first are aligned to cache lines of the destination if
/// possible.
macro_rules! each_vector {
    ($permutation:ident, $from:ident, $to:ident, |$source:ident, $destination:ident, $whole:pat_param| $body:expr) => {{
        let Permutation { inner, next, outer, whole_runs, whole_rounds, .. } = *$permutation;
        let is_whole = $permutation.is_whole;
        let mut outer_at = Cursor::new($from, $to);
        for round in 0..outer.count {
            let mut next_at = outer_at.step(&outer, round);
            for run in 0..next.count {
                let Cursor { from: mut $source, to: mut $destination, .. } =
                    next_at.step(&next, run);
                let last = $source.wrapping_offset(inner.last_source);
                let last_to = $destination.wrapping_offset(inner.last_destination);
                let is_all = is_whole || run < whole_runs;
                let limit = $destination
                    .wrapping_offset(inner.destination.wrapping_mul(whole_rounds as isize));
                let shift = $permutation.align.shift($destination as usize);
                if shift != 0 && $destination < last_to {
                    let $whole = true;
                    $body;
                    let align = &$permutation.align;
                    $source = $source.wrapping_offset(align.source.wrapping_mul(shift));
                    $destination =
                        $destination.wrapping_offset(align.destination.wrapping_mul(shift));
                }
                while $destination < last_to {
                    let $whole = is_all || $destination < limit;
                    $body;
                    $source = $source.wrapping_offset(inner.source);
                    $destination = $destination.wrapping_offset(inner.destination);
                }
                let ($source, $destination, $whole) = (last, last_to, is_all);
                $body;
            }
        }
    }};
}

/// Runs `permutation`, which has `PARTS` loads. With `LANES`, a load takes 16 bytes at each of four offsets; without,
/// it takes one vector. With `stream`, whole vectors are stored non-temporally.
///
/// # Safety
/// - In every iteration of the rounds, 16 or `V::BYTES` bytes (or `lengths`, if the permutation is short) must be
///   readable at each offset from the pointer, and the bytes of `mask` writable. The sides must not overlap. The
///   permutation's numbers of iterations that may store whole vectors must be right.
/// - The permutation must have `PARTS` parts, and the CPU the features of `V`.
/// - With `stream`, the caller must call [`Stores::finish`](crate::Stores::finish) afterwards.
#[inline(always)]
pub(crate) unsafe fn permute<V: Permute, const PARTS: usize, const LANES: bool>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    stream: bool,
) {
    debug_assert!(permutation.parts == PARTS, "{permutation:?}");
    debug_assert!(permutation.lanes == LANES || V::BYTES == 16, "{permutation:?}");
    macro_rules! table {
        ($($part:literal)*) => {
            [$(
                // SAFETY: the CPU has the features of `V`, by the caller's promise.
                unsafe { V::table(&permutation.tables[$part]) }
            ),*]
        };
    }
    let tables = table!(0 1 2 3 4 5 6 7);
    // SAFETY: the fill has the length of the longest vector.
    let fill = unsafe { V::load(permutation.fill.as_ptr()) };
    each_vector!(permutation, from, to, |from, to, is_whole| {
        // SAFETY: it is an iteration of the rounds.
        let v = unsafe { permuted::<V, PARTS, LANES>(permutation, &tables, fill, from) };
        if is_whole {
            // SAFETY: `valid` bytes are writable. The bytes after them are writable too, and are stored later.
            unsafe { put(v, to, stream) };
        } else {
            // SAFETY: the bytes of the mask are writable, by the caller's promise.
            unsafe { v.store_some(to, permutation.mask) };
        }
    });
}

/// Stores a vector, non-temporally if `stream` is set and the vector is a whole cache line.
///
/// # Safety
/// The same as [`store`](super::vector::Vector::store). With `stream`, the caller must call
/// [`Stores::finish`](crate::Stores::finish) afterwards.
#[inline(always)]
unsafe fn put<V: Permute>(v: V, to: *mut u8, stream: bool) {
    if stream && V::BYTES == LINE && to as usize % LINE == 0 {
        // SAFETY: the caller's promise, and the pointer is aligned.
        unsafe { v.stream(to) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { v.store(to) };
    }
}

/// Makes one vector of the destination.
///
/// # Safety
/// The same as [`permute`], for one iteration.
#[inline(always)]
unsafe fn permuted<V: Permute, const PARTS: usize, const LANES: bool>(
    permutation: &Permutation,
    tables: &[V::Table; 8],
    fill: V,
    from: *const u8,
) -> V {
    let offsets = &permutation.offsets;
    let mut v = fill;
    macro_rules! parts {
        ($($part:literal)*) => {$(if $part < PARTS {
            let own = if LANES {
                let first = $part * V::BYTES / 16;
                let at = |lane: usize| from.wrapping_offset(offsets[first + lane] as isize);
                // SAFETY: 16 bytes are readable at each offset.
                unsafe { V::load_lanes([at(0), at(1), at(2), at(3)]) }
            } else if permutation.is_short {
                let (at, length) = (offsets[$part] as isize, permutation.lengths[$part] as usize);
                // SAFETY: these bytes are readable at the offset.
                unsafe { V::load_part(from.wrapping_offset(at), length) }
            } else {
                // SAFETY: a vector is readable at the offset.
                unsafe { V::load(from.wrapping_offset(offsets[$part] as isize)) }
            };
            // SAFETY: the CPU has the features of `V`. Each byte comes from one part, or from the fill.
            v = unsafe { own.permute(tables[$part], v) };
        })*};
    }
    parts!(0 1 2 3 4 5 6 7);
    v
}

/// Loads one part of several vectors. With `LANES`, it takes 16 bytes at each of four offsets; without, one vector.
///
/// # Safety
/// The same as [`permute`], for part `part` of one iteration of a permutation that is not short.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
unsafe fn part<V: Permute, const LANES: bool>(
    permutation: &Permutation,
    part: usize,
    from: *const u8,
) -> V {
    let at = |window: usize| from.wrapping_offset(permutation.offsets[window] as isize);
    if LANES {
        let first = part * (V::BYTES / 16);
        let lanes = [at(first), at(first + 1), at(first + 2), at(first + 3)];
        // SAFETY: 16 bytes are readable at each offset.
        unsafe { V::load_lanes(lanes) }
    } else {
        // SAFETY: a vector is readable at the offset of a part.
        unsafe { V::load(at(part)) }
    }
}

/// Stores one of several vectors. If `is_whole` is set, later stores overwrite the excess.
///
/// # Safety
/// The same as [`permute`], for one output.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
unsafe fn put_short<V: Permute>(v: V, to: *mut u8, stored: usize, is_whole: bool, stream: bool) {
    if stored == V::BYTES {
        // SAFETY: a vector is writable.
        unsafe { put(v, to, stream) };
    } else if is_whole {
        // SAFETY: `stored` bytes are writable. The bytes after them are writable too, and are stored later.
        unsafe { v.store(to) };
    } else {
        // SAFETY: `stored` bytes are writable.
        unsafe { v.store_part(to, stored) };
    }
}

/// Runs `permutation` for several vectors made by the same loads. There is one vector for each part. With `LANES`, a
/// load takes 16 bytes at each of four offsets.
///
/// # Safety
/// The same as [`permute`], for every output. The permutation must have `COUNT` parts and outputs, and must not be
/// short.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
pub(crate) unsafe fn shared<V: Permute, const COUNT: usize, const LANES: bool>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    stream: bool,
) {
    debug_assert!(permutation.parts == COUNT && permutation.outputs == COUNT, "{permutation:?}");
    debug_assert!(!permutation.is_short && permutation.lanes == LANES, "{permutation:?}");
    macro_rules! tables {
        ($part:literal) => {
            [tables!($part, 0), tables!($part, 1), tables!($part, 2)]
        };
        ($part:literal, $output:literal) => {
            // SAFETY: the CPU has the features of `V`, by the caller's promise.
            unsafe { V::table(&permutation.tables[$part * MAX_OUTPUTS + $output]) }
        };
    }
    let tables = [tables!(0), tables!(1), tables!(2)];
    let offsets = permutation.output_offsets;
    each_vector!(permutation, from, to, |from, to, is_whole| {
        macro_rules! load {
            ($part:literal) => {{
                let index = if $part < COUNT { $part } else { 0 };
                // SAFETY: it is a part of the iteration.
                unsafe { part::<V, LANES>(permutation, index, from) }
            }};
        }
        let loads = [load!(0), load!(1), load!(2)];
        macro_rules! output {
            ($output:literal: $($part:literal)*) => {if $output < COUNT {
                // SAFETY: the CPU has the features of `V`, by the caller's promise.
                let mut v = unsafe { loads[0].permuted(tables[0][$output]) };
                $(if $part < COUNT {
                    // SAFETY: as above; the bytes without an index in the table come from an earlier part.
                    v = unsafe { loads[$part].permute(tables[$part][$output], v) };
                })*
                let to = to.wrapping_offset(offsets[$output]);
                if LANES {
                    // SAFETY: it is an output of the iteration.
                    unsafe { put_short(v, to, permutation.stored, is_whole, stream) };
                } else {
                    // SAFETY: a vector is writable for each output.
                    unsafe { put(v, to, stream) };
                }
            }};
        }
        output!(0: 1 2);
        output!(1: 1 2);
        output!(2: 1 2);
    });
}

/// Runs `permutation` for two to four planes made by the same four loads, each of which has a quarter vector of every
/// plane. With `ROWS` it interleaves four rows. With `LANES` it makes four columns, whose quarters have excess bytes.
///
/// # Safety
/// The same as [`shared`]. The first four tables must collect each plane's bytes in a quarter; with `ROWS`, the first
/// table must interleave quarter vectors of the rows. With `LANES`, the fifth table must leave out the excess.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
pub(crate) unsafe fn four<V: Permute, const ROWS: bool, const LANES: bool>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    stream: bool,
) {
    debug_assert!(permutation.parts == 4 && permutation.outputs <= 4, "{permutation:?}");
    debug_assert!(!permutation.is_short && permutation.lanes == LANES, "{permutation:?}");
    macro_rules! each {
        (|$part:ident| $body:expr) => {
            [
                each!(0, $part, $body),
                each!(1, $part, $body),
                each!(2, $part, $body),
                each!(3, $part, $body),
            ]
        };
        ($number:literal, $part:ident, $body:expr) => {{
            const $part: usize = $number;
            $body
        }};
    }
    let tables = each!(|PART| {
        let table = &permutation.tables[if ROWS { 0 } else { PART }];
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        unsafe { V::table(table) }
    });
    // SAFETY: as above.
    let without_excess = unsafe { V::table(&permutation.tables[4]) };
    let offsets = permutation.output_offsets;
    each_vector!(permutation, from, to, |from, to, is_whole| {
        let loads = each!(|PART| {
            // SAFETY: it is a part of the iteration.
            let v = unsafe { part::<V, LANES>(permutation, PART, from) };
            // SAFETY: the CPU has the features of `V`, by the caller's promise.
            if ROWS { v } else { unsafe { v.permuted(tables[PART]) } }
        });
        // SAFETY: as above.
        let quarters = unsafe { V::quarters_transposed(loads) };
        each!(|PART| {
            let v = quarters[PART];
            // SAFETY: as above.
            let v = if ROWS { unsafe { v.permuted(tables[PART]) } } else { v };
            let to = to.wrapping_offset(offsets[PART]);
            if LANES {
                // SAFETY: as above.
                let v = unsafe { v.permuted(without_excess) };
                // SAFETY: it is an output of the iteration.
                unsafe { put_short(v, to, permutation.stored, is_whole, stream) }
            } else if ROWS || PART < permutation.outputs {
                // SAFETY: a vector is writable for each output.
                unsafe { put(v, to, stream) }
            }
        });
    });
}

/// Runs `permutation` for two to eight planes made by the same eight loads, each of which has an eighth of a vector of
/// every plane. With `ROWS` it interleaves five to eight rows.
///
/// # Safety
/// The same as [`shared`]. The first eight tables must collect each plane's bytes in an eighth;
/// with `ROWS`, the first table must interleave eighths of the rows, for outputs that follow one another.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
pub(crate) unsafe fn eight<V: Permute, const ROWS: bool>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    stream: bool,
) {
    debug_assert!(permutation.parts == 8 && permutation.outputs <= 8, "{permutation:?}");
    debug_assert!(!permutation.is_short && !permutation.lanes, "{permutation:?}");
    macro_rules! each {
        (|$part:ident| $body:expr) => {
            each!($part, $body, 0 1 2 3 4 5 6 7)
        };
        ($part:ident, $body:expr, $($number:literal)*) => {
            [$({
                const $part: usize = $number;
                $body
            }),*]
        };
    }
    let tables = each!(|PART| {
        // SAFETY: the CPU has the features of `V`, by the caller's promise.
        unsafe { V::table(&permutation.tables[if ROWS { 0 } else { PART }]) }
    });
    let (outputs, offsets, stored) =
        (permutation.outputs, permutation.output_offsets, permutation.stored);
    each_vector!(permutation, from, to, |from, to, is_whole| {
        let v = each!(|PART| {
            // SAFETY: it is a part of the iteration.
            let v = unsafe { part::<V, false>(permutation, PART, from) };
            // SAFETY: the CPU has the features of `V`, by the caller's promise.
            if ROWS { v } else { unsafe { v.permuted(tables[PART]) } }
        });
        // SAFETY: as above.
        let v = unsafe { V::eighths_transposed(v) };
        each!(|PART| if ROWS || PART < outputs {
            let to = to.wrapping_offset(offsets[PART]);
            if ROWS {
                // SAFETY: as above.
                let v = unsafe { v[PART].permuted(tables[PART]) };
                // SAFETY: it is an output of the iteration. The last one covers the excess of those before it.
                unsafe { put_short(v, to, stored, is_whole || PART < 7, stream) };
            } else {
                // SAFETY: a vector is writable for each output.
                unsafe { put(v[PART], to, stream) };
            }
        });
    });
}
