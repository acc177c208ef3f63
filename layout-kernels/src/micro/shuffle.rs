//! Byte permutes: each vector of the destination is made of several loads, with one table each.

use super::offsets::opaque;
use super::vector::{Permute, Vector};
use crate::steps::{Form, LINE, Permutation};

/// Repeats the body for each vector of a permutation: with its pointers on both sides, and whether the whole vector may
/// be stored.
///
/// If the vectors of a run are whole, those after the first are aligned to cache lines of the destination if possible.
/// `$how` says whether that is so, and whether four vectors are one iteration of the loop: some CPUs take longer where
/// the machine code of a short loop crosses a cache line, which differs from program to program.
///
/// Most runs are a few vectors, so what comes before and after them counts. Loops keep little from run to run, since
/// loads from the stack take as long as those of the vectors, and no condition is the same for a whole run, or the
/// compiler would repeat the body for each of its values.
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
                let mut $destination = last_to.wrapping_offset(inner.last_destination.wrapping_neg());
                let is_all = left > partial;
                let limit = if is_all { last_to } else { $destination.wrapping_offset(whole_bytes) };
                let mut shift =
                    if aligns { $permutation.align.shift($destination as usize) } else { 0 };
                // Each body has a place of its own on the stack of code that is not optimized.
                if cfg!(not(unoptimized)) && by_four {
                    let end = if limit > last_to { last_to } else { limit };
                    while inner.are_four($destination as usize, end as usize) {
                        each_vector!(by four || {
                            let $whole = true;
                            $body;
                            $source = $source.wrapping_offset(inner.source);
                            $destination = $destination.wrapping_offset(inner.destination);
                        });
                    }
                }
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

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) use each_vector;

/// Runs `permutation`, which has `LOADS` loads. With `LANES`, a load takes 16 bytes at each of four offsets; without,
/// it takes one vector. With `stream`, whole vectors are stored non-temporally.
///
/// # Safety
/// - In every iteration of the loops, `V::BYTES` bytes, or 16 with `LANES`, must be readable at each offset from the
///   pointer, and the bytes of `mask` must be writable. The sides must not overlap. The permutation's numbers of
///   iterations that may store whole vectors must be right.
/// - The permutation must have `LOADS` loads, and the CPU the features of `V`.
/// - With `stream`, the caller must call [`Stores::finish`](crate::Stores::finish) afterwards.
#[inline(always)]
pub(crate) unsafe fn permute<V: Permute, const LOADS: usize, const LANES: bool>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    stream: bool,
) {
    debug_assert!(permutation.loads == LOADS, "{permutation:?}");
    debug_assert!(permutation.lanes == LANES || V::BYTES == 16, "{permutation:?}");
    debug_assert!(permutation.form == Form::Tables, "{permutation:?}");
    macro_rules! table {
        ($($load:literal)*) => {
            [$(
                // SAFETY: the CPU has the features of `V`, by the caller's promise.
                unsafe { V::table(&permutation.tables[$load]) }
            ),*]
        };
    }
    let tables = table!(0 1 2 3 4 5 6 7);
    // SAFETY: the fill has the length of the longest vector.
    let fill = unsafe { V::load(permutation.fill.as_ptr()) };
    // Only vectors of a line are aligned.
    let how = (V::BYTES == LINE, V::BYTES < LINE && LOADS <= 2);
    let stream = Stream::of(stream);
    each_vector!(how, permutation, from, to, |from, to, is_whole| {
        // SAFETY: it is an iteration of the loops.
        let v = unsafe { permuted::<V, LOADS, LANES>(permutation, &tables, fill, from) };
        if is_whole {
            // SAFETY: `valid` bytes are writable. The bytes after them are writable too, and are stored later.
            unsafe { put(v, to, stream) };
        } else {
            // SAFETY: the bytes of the mask are writable, by the caller's promise.
            unsafe { v.store_some(to, permutation.mask) };
        }
    });
}

/// [`permute`] for one load that ends early. It takes much code, and the loop of [`permute`] would keep its numbers on
/// the stack for it.
///
/// # Safety
/// The same as [`permute`], with `length` bytes at the offset.
#[inline(always)]
pub(crate) unsafe fn short<V: Permute>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    stream: bool,
) {
    debug_assert!(permutation.form == Form::Short && permutation.loads == 1, "{permutation:?}");
    let stream = Stream::of(stream);
    let (offset, length) = (permutation.offsets[0] as isize, permutation.length as usize);
    // SAFETY: the fill has the length of the longest vector.
    let fill = unsafe { V::load(permutation.fill.as_ptr()) };
    // SAFETY: the CPU has the features of `V`, by the caller's promise.
    let table = unsafe { V::table(&permutation.tables[0]) };
    each_vector!(permutation, from, to, |from, to, is_whole| {
        // SAFETY: these bytes are readable at the offset.
        let own = unsafe { V::load_part(from.wrapping_offset(offset), length) };
        // SAFETY: as above. Each byte comes from the load, or from the fill.
        let v = unsafe { own.permute(table, fill) };
        if is_whole {
            // SAFETY: `valid` bytes are writable. The bytes after them are writable too, and are stored later.
            unsafe { put(v, to, stream) };
        } else {
            // SAFETY: the bytes of the mask are writable, by the caller's promise.
            unsafe { v.store_some(to, permutation.mask) };
        }
    });
}

/// Which vectors are stored non-temporally: those whose address has no bit of this mask. It is `LINE - 1` for vectors
/// that begin at lines, and all ones for none. A flag would make the compiler repeat loops for each of its values.
#[derive(Clone, Copy)]
pub(super) struct Stream(usize);

impl Stream {
    /// All stores are plain.
    pub(super) const NEVER: Self = Self(usize::MAX);

    #[inline(always)]
    pub(super) const fn of(stream: bool) -> Self {
        if stream { Self(LINE - 1) } else { Self::NEVER }
    }
}

/// Stores a vector, non-temporally if `stream` says so.
///
/// # Safety
/// The same as [`store`](super::vector::Vector::store). Unless `stream` is [`NEVER`](Stream::NEVER), the caller must
/// call [`Stores::finish`](crate::Stores::finish) afterwards.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) unsafe fn put<V: Vector>(v: V, to: *mut u8, stream: Stream) {
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

/// Makes load number `index`: one vector, or with `LANES` 16 bytes for each lane, at an offset of its own.
///
/// # Safety
/// The same as [`permute`], for this load of one iteration.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) unsafe fn load<V: Vector, const LANES: bool>(
    permutation: &Permutation,
    index: usize,
    from: *const u8,
) -> V {
    let at = |window: usize| from.wrapping_offset(permutation.offsets[window] as isize);
    if !LANES {
        // SAFETY: a vector is readable at the offset of the load.
        return unsafe { V::load(at(index)) };
    }
    let first = index * (V::BYTES / 16);
    let lanes = [at(first), at(first + 1), at(first + 2), at(first + 3)];
    // SAFETY: 16 bytes are readable at each offset.
    unsafe { V::load_lanes(lanes) }
}

/// Makes one vector of the destination.
///
/// # Safety
/// The same as [`permute`], for one iteration.
#[cfg_attr(unoptimized, inline(never))]
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn permuted<V: Permute, const LOADS: usize, const LANES: bool>(
    permutation: &Permutation,
    tables: &[V::Table; 8],
    fill: V,
    from: *const u8,
) -> V {
    let mut v = fill;
    macro_rules! loads {
        ($($load:literal)*) => {$(if const { $load < LOADS } {
            // SAFETY: it is a load of the iteration.
            let own = unsafe { load::<V, LANES>(permutation, $load, from) };
            // SAFETY: the CPU has the features of `V`. Each byte comes from one load, or from the fill.
            v = unsafe { own.permute(tables[$load], v) };
        })*};
    }
    loads!(0 1 2 3 4 5 6 7);
    v
}
