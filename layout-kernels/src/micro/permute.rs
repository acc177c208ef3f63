//! Byte permutes: each vector of the destination out of several loads, with one table each.

use crate::isa::vector::Permute;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::plan::permute::NONE;
use crate::plan::permute::Permutation;
use crate::plan::round::Round;
use crate::plan::thresholds::LINE;

/// Runs `permutation`, whose loads are `PARTS`: with `LANES` 16 bytes from four places each, else a vector. With
/// `stream` whole vectors are stored past the caches.
///
/// # Safety
/// - in every iteration of the rounds, 16 or `V::BYTES` bytes (or `lengths`, if it is short) are readable at each
///   offset from the pointer, and `valid` bytes are writable, the sides do not overlap, and the permutation's counts
///   of iterations that may store more are right;
/// - it has `PARTS` parts; the CPU has the features of `V`;
/// - with `stream`, every vector is whole and aligned, as [`Vector::stream`](crate::isa::vector::Vector::stream) wants.
#[inline(always)]
pub(crate) unsafe fn permute<V: Permute, const PARTS: usize, const LANES: bool>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    stream: bool,
) {
    debug_assert!(permutation.parts == PARTS, "{permutation:?}");
    debug_assert!(permutation.lanes == LANES || V::BYTES == 16, "{permutation:?}");
    let Permutation { inner, next, outer, whole_runs, whole_rounds, valid, .. } = *permutation;
    debug_assert!(!stream || valid == V::BYTES && valid == LINE, "{permutation:?}");
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
    let mut outer_at = Cursor::new(from, to);
    for round in 0..outer.count {
        let mut next_at = outer_at.step(&outer, round);
        for run in 0..next.count {
            let mut at = next_at.step(&next, run);
            let whole =
                if valid == V::BYTES || run < whole_runs { inner.count } else { whole_rounds };
            for round in 0..inner.count {
                let Cursor { from, to, .. } = at.step(&inner, round);
                // SAFETY: an iteration of the rounds.
                let v = unsafe { permuted::<V, PARTS, LANES>(permutation, &tables, fill, from) };
                if stream && V::BYTES == LINE {
                    // SAFETY: `valid` bytes, a whole vector, are writable, and aligned.
                    unsafe { v.stream(to) };
                } else if round < whole {
                    // SAFETY: `valid` bytes are writable, and what follows them is so too and is stored later.
                    unsafe { v.store(to) };
                } else {
                    // SAFETY: `valid` bytes are writable.
                    unsafe { v.store_part(to, valid) };
                }
            }
        }
    }
}

/// Where the next round begins on both sides, and where the first one did.
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

    /// Where round `round` begins, for each round in turn.
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

/// Runs `permutation` for planes that the same loads hold: unit `i` of plane `j` is `j` times `plane_source` bytes behind
/// that of the first one, and `j` times `plane_destination` in the destination.
///
/// # Safety
/// As [`permute`] without lanes, for every plane; the permutation is not short and has `PLANES` planes.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[inline(always)]
pub(crate) unsafe fn planes<V: Permute, const PARTS: usize, const PLANES: usize>(
    permutation: &Permutation,
    from: *const u8,
    to: *mut u8,
    stream: bool,
) {
    debug_assert!(permutation.parts == PARTS && permutation.planes == PLANES, "{permutation:?}");
    debug_assert!(!permutation.is_short && permutation.valid == V::BYTES, "{permutation:?}");
    let Permutation { inner, next, outer, plane_source, plane_destination, .. } = *permutation;
    macro_rules! table {
        ($part:literal $plane:literal) => {{
            let further = |byte: u8| if byte == NONE { NONE } else { byte + $plane * plane_source };
            let bytes = permutation.tables[$part].map(further);
            // SAFETY: the CPU has the features of `V`, by the caller's promise.
            unsafe { V::table(&bytes) }
        }};
    }
    macro_rules! tables {
        ($($part:literal)*) => {
            [$([table!($part 0), table!($part 1), table!($part 2), table!($part 3)]),*]
        };
    }
    let tables = tables!(0 1 2 3);
    // SAFETY: the fill is as long as the longest vector.
    let fill = unsafe { V::load(permutation.fill.as_ptr()) };
    let mut outer_at = Cursor::new(from, to);
    for round in 0..outer.count {
        let mut next_at = outer_at.step(&outer, round);
        for run in 0..next.count {
            let mut at = next_at.step(&next, run);
            for round in 0..inner.count {
                let Cursor { from, to, .. } = at.step(&inner, round);
                macro_rules! load {
                    ($part:literal) => {{
                        let part = if $part < PARTS { $part } else { 0 };
                        let offset = permutation.offsets[part] as isize;
                        // SAFETY: a vector is readable at the offset of a part.
                        unsafe { V::load(from.wrapping_offset(offset)) }
                    }};
                }
                let loads = [load!(0), load!(1), load!(2), load!(3)];
                macro_rules! part {
                    ($v:ident $plane:literal: $($part:literal)*) => {$(if $part < PARTS {
                        // SAFETY: the CPU has the features of `V`; each byte has one part.
                        $v = unsafe { loads[$part].permute(tables[$part][$plane], $v) };
                    })*};
                }
                macro_rules! plane {
                    ($($plane:literal)*) => {$(if $plane < PLANES {
                        let mut v = fill;
                        part!(v $plane: 0 1 2 3);
                        let to = to.wrapping_offset($plane * plane_destination);
                        if stream {
                            // SAFETY: a vector is writable in each plane, and aligned.
                            unsafe { v.stream(to) };
                        } else {
                            // SAFETY: a vector is writable in each plane.
                            unsafe { v.store(to) };
                        }
                    })*};
                }
                plane!(0 1 2 3);
            }
        }
    }
}
