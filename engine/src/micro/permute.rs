//! Byte permutes: each vector of the destination out of several loads, with one table each.

use crate::isa::vector::Permute;
use crate::plan::permute::Permutation;
use crate::plan::round::Round;

/// Runs `permutation`, whose loads are `PARTS`: with `LANES` 16 bytes from four places each, else a vector.
///
/// # Safety
/// - in every iteration of the rounds, 16 or `V::BYTES` bytes are readable at each offset from the pointer,
///   and `valid` bytes are writable, the sides do not overlap, and the permutation's counts of iterations that may
///   store more are right;
/// - it has `PARTS` parts; the CPU has the features of `V`.
#[inline(always)]
pub(crate) unsafe fn permute<V: Permute, const PARTS: usize, const LANES: bool>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
) {
    debug_assert!(permutation.parts == PARTS && permutation.lanes == LANES, "{permutation:?}");
    let Permutation { inner, next, whole_runs, whole_rounds, valid, .. } = *permutation;
    macro_rules! table {
        ($($part:literal)*) => {
            [$(
                // SAFETY: the CPU has the features of `V`, by the caller's promise.
                unsafe { V::table(&permutation.tables[$part]) }
            ),*]
        };
    }
    let tables = table!(0 1 2 3 4 5 6 7);
    // SAFETY: the fill is as long as the longest vector.
    let fill = unsafe { V::load(permutation.fill.as_ptr()) };
    let runs = permutation.outer.count * next.count;
    let (mut outer, mut run) = (0, 0);
    for _ in 0..runs {
        let (source, destination) = permutation.outer.at(outer);
        let (from, to) = (from.wrapping_offset(source), to.wrapping_offset(destination));
        let (source, destination) = next.at(run);
        let (from, to) = (from.wrapping_offset(source), to.wrapping_offset(destination));
        let whole = if valid == V::BYTES || run < whole_runs { inner.count } else { whole_rounds };
        let Round { source, destination, .. } = inner;
        let (mut round_from, mut round_to) = (from, to);
        for round in 0..inner.count {
            if round + 1 == inner.count {
                round_from = from.wrapping_offset(inner.last_source);
                round_to = to.wrapping_offset(inner.last_destination);
            }
            // SAFETY: an iteration of the rounds.
            let v = unsafe { permuted::<V, PARTS, LANES>(permutation, &tables, fill, round_from) };
            if round < whole {
                // SAFETY: `valid` bytes are writable, and what follows them is so too and is stored later.
                unsafe { v.store(round_to) };
            } else {
                // SAFETY: `valid` bytes are writable.
                unsafe { v.store_part(round_to, valid) };
            }
            round_from = round_from.wrapping_offset(source);
            round_to = round_to.wrapping_offset(destination);
        }
        run += 1;
        if run == next.count {
            (outer, run) = (outer + 1, 0);
        }
    }
}

/// One vector of the destination.
///
/// # Safety
/// As [`permute`], for one iteration.
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
            // SAFETY: the CPU has the features of `V`; each byte has one part, or is part of the fill.
            v = unsafe { own.permute(tables[$part], v) };
        })*};
    }
    parts!(0 1 2 3 4 5 6 7);
    v
}
