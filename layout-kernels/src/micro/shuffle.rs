//! Byte permutes: each vector of the destination is made of several loads, with one table each.

use super::offsets::opaque;
use super::vector::{Permute, Vector};
use crate::steps::{Form, LINE, Permutation, Round};

/// Where the next round begins on both sides, and where the first round began.
#[derive(Clone, Copy)]
pub(super) struct Cursor {
    pub(super) from: *const u8,
    pub(super) to: *mut u8,
    first: (*const u8, *mut u8),
}

impl Cursor {
    #[inline(always)]
    pub(super) fn new(from: *const u8, to: *mut u8) -> Self {
        Self { from, to, first: (from, to) }
    }

    /// Returns where round `round` begins. It is called for each round in order.
    #[inline(always)]
    pub(super) fn step(&mut self, of: &Round, round: usize) -> Self {
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
/// If the vectors of a run are whole, those after the first are aligned to cache lines of the destination if possible.
/// `$how` says whether that is so, and whether four vectors are one iteration of the loop: some CPUs take longer where
/// the machine code of a short loop crosses a cache line, which differs from program to program.
macro_rules! each_vector {
    ($permutation:ident, $from:ident, $to:ident, |$($rest:tt)*) => {
        // Only vectors of a line are aligned.
        each_vector!((V::BYTES == LINE, false), $permutation, $from, $to, |$($rest)*)
    };
    (by four || $body:block) => {
        $body
        $body
        $body
        $body
    };
    ($how:expr, $permutation:ident, $from:ident, $to:ident, |$source:ident, $destination:ident, $whole:pat_param| $body:expr) => {{
        let (aligns, by_four) = $how;
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
                let (mut step, mut step_to) = (inner.source, inner.destination);
                let shift =
                    if aligns { $permutation.align.shift($destination as usize) } else { 0 };
                if shift != 0 {
                    let align = &$permutation.align;
                    step = align.source.wrapping_mul(shift);
                    step_to = align.destination.wrapping_mul(shift);
                }
                if by_four {
                    let end = if is_all || limit > last_to { last_to } else { limit };
                    while inner.are_four($destination as usize, end as usize) {
                        each_vector!(by four || {
                            let $whole = true;
                            $body;
                            $source = $source.wrapping_offset(inner.source);
                            $destination = $destination.wrapping_offset(inner.destination);
                        });
                    }
                }
                while $destination < last_to {
                    let $whole = is_all || $destination < limit;
                    $body;
                    $source = $source.wrapping_offset(step);
                    $destination = $destination.wrapping_offset(step_to);
                    if aligns {
                        // Hidden, or the compiler would repeat the body for the first vector.
                        (step, step_to) = (opaque!(inner.source), opaque!(inner.destination));
                    }
                }
                let ($source, $destination, $whole) = (last, last_to, is_all);
                $body;
            }
        }
    }};
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) use each_vector;

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
    debug_assert!(permutation.form == Form::Tables, "{permutation:?}");
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
    // Only vectors of a line are aligned.
    let how = (V::BYTES == LINE, V::BYTES < LINE && PARTS <= 2);
    each_vector!(how, permutation, from, to, |from, to, is_whole| {
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

/// [`permute`] for short permutations of vectors of one lane, of any number of parts. Their loads take much code, and the
/// loop of [`permute`] would keep its numbers on the stack for them.
///
/// # Safety
/// The same as [`permute`], with `lengths` bytes at each offset.
#[inline(always)]
pub(crate) unsafe fn short<V: Permute>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    _: bool,
) {
    debug_assert!(permutation.form == Form::Short && V::BYTES == 16, "{permutation:?}");
    let Permutation { offsets, lengths, tables, mask, .. } = permutation;
    // SAFETY: the fill has the length of the longest vector.
    let fill = unsafe { V::load(permutation.fill.as_ptr()) };
    each_vector!(permutation, from, to, |from, to, is_whole| {
        let mut v = fill;
        for ((offset, length), table) in
            offsets.iter().zip(lengths).zip(tables).take(permutation.parts)
        {
            let from = from.wrapping_offset(*offset as isize);
            // SAFETY: these bytes are readable at the offset.
            let own = unsafe { V::load_part(from, *length as usize) };
            // SAFETY: the CPU has the features of `V`, by the caller's promise.
            let table = unsafe { V::table(table) };
            // SAFETY: as above. Each byte comes from one part, or from the fill.
            v = unsafe { own.permute(table, v) };
        }
        if is_whole {
            // SAFETY: `valid` bytes are writable. The bytes after them are writable too, and are stored later.
            unsafe { v.store(to) };
        } else {
            // SAFETY: the bytes of the mask are writable, by the caller's promise.
            unsafe { v.store_some(to, *mask) };
        }
    });
}

/// Stores a vector, non-temporally if `stream` is set and the vector is a whole cache line.
///
/// # Safety
/// The same as [`store`](super::vector::Vector::store). With `stream`, the caller must call
/// [`Stores::finish`](crate::Stores::finish) afterwards.
#[inline(always)]
pub(super) unsafe fn put<V: Vector>(v: V, to: *mut u8, stream: bool) {
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
            } else if V::BYTES > 16 && permutation.is_short {
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
