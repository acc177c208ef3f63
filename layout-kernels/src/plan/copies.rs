//! Copies of runs: their cost, order, blocks and kernels.

use super::machine::{self as t, LEAST_NON_TEMPORAL, Machine};
use super::nests::Nest;
use crate::isa::{Isa, LANE};
use crate::steps::loops;
use crate::steps::{
    Copies, Loop, OuterLoop, OuterLoops, Runs, Step, balanced, distance, each, greater, least,
};

/// Returns the cost of copies of runs.
pub(super) const fn cost_of_copies(nest: &Nest, isa: Isa) -> usize {
    // But for the limits of blocks.
    let runs = match (nest.count, nearest(nest)) {
        (0, _) => 1,
        (_, 0) => nest.loops[0].size,
        (_, by_source) => nest.loops[0].size.saturating_mul(nest.loops[by_source].size),
    };
    let overlapping = if overlapping_class(nest, isa) > 0 { nest.loops[0].size } else { 0 };
    Machine::of(isa).copy(nest.unit, overlapping, runs)
}

/// Copies runs of the unit's length.
#[inline(never)]
pub(super) const fn copied(nest: &Nest, isa: Isa, step: &mut Step, loops: &mut OuterLoops) {
    loops.clear();
    // One of two loops is contiguous in the source, the other in the destination: copies blocks of both.
    let by_source = nearest(nest);
    let may_stream = isa.has_streams() && nest.unit >= t::LONG;
    let streamed = if may_stream { loops::STREAMED_RUNS } else { 0 };
    let (from, to, source_first) = blocks(nest, isa, by_source, streamed);
    let (mut inner, mut outer) = (Loop::ONCE, Loop::ONCE);
    each!(rev i, 0..nest.count, {
        let own = nest.loops[i];
        // Blocks gain nothing where one loop is the fastest on both sides. Nor do they on targets without vectors,
        // which may have no cache.
        let is_whole = i == 0 && by_source == 0 || !isa.has_vectors() && (i == by_source || i == 0);
        let most = if is_whole {
            usize::MAX
        } else if i == by_source {
            from / nest.unit
        } else if i == 0 {
            to / nest.unit
        } else {
            1
        };
        let chunk = balanced(own.size, greater(most, 1));
        let has_room = loops.push(OuterLoop::of(own, chunk));
        debug_assert!(has_room, "there are no more outer loops than loops");
        let chunk = Loop { size: chunk, ..own };
        if i == by_source {
            inner = chunk;
        } else if i == 0 {
            outer = chunk;
        }
    });
    loops.sort();
    if by_source == 0 && isa.has_vectors() {
        // A call copies two loops.
        let OuterLoop { count, source, destination, .. } = loops.pop();
        outer = Loop::new(count, source, destination);
    }
    let overlapping = overlapping_class(nest, isa);
    debug_assert!(
        overlapping == 0 || !source_first,
        "runs with overlapping vectors are in the order of the destination"
    );
    let class = if overlapping > 0 { overlapping } else { loops::copy_class(nest.unit) };
    let runs = if by_source == 0 || source_first {
        Runs { bytes: nest.unit, inner, outer }
    } else {
        Runs { bytes: nest.unit, inner: outer, outer: inner }
    };
    *step = Step::Copies(Copies { class, streamed, runs });
}

/// Returns the bytes of a block of runs that are consecutive in the source, the bytes of a block of those that are
/// consecutive in the destination, and whether the former are copied consecutively. If not, the latter are, so that
/// whole cache lines are written.
const fn blocks(nest: &Nest, isa: Isa, by_source: usize, streamed: usize) -> (usize, usize, bool) {
    let unit = nest.unit;
    if streamed == loops::STREAMED_RUNS && nest.bytes >= LEAST_NON_TEMPORAL {
        // Eight runs, since a line that two runs share is stored whole inside a block alone.
        return (unit, unit.saturating_mul(8), false);
    }
    // A loop of few runs takes longer than the runs.
    let is_shorter = isa.has_vectors() && nest.loops[0].size < nest.loops[by_source].size;
    let source_first = lines_leave(nest) || is_shorter && nest.loops[0].size < t::LEAST_RUNS;
    // Those that share sets in the destination are few at once.
    let few = t::half_of(t::sets(nest.loops[by_source].destination));
    (least(few.saturating_mul(unit), t::COPY_BLOCK[0]), t::COPY_BLOCK[1], source_first)
}

/// Whether runs that are consecutive in the destination share cache sets in the source, so that their lines do not stay
/// in the cache until the next runs.
const fn lines_leave(nest: &Nest) -> bool {
    let stride = nest.loops[0].source;
    t::share_sets(stride) && t::half_of(t::sets(stride)) < t::COPY_BLOCK[1] / nest.unit
}

/// Returns the loop with the smallest nonzero stride in the source.
const fn nearest(nest: &Nest) -> usize {
    let mut best = 0;
    each!(i, 1..nest.count, {
        let (own, least) = (distance(nest.loops[i].source), distance(nest.loops[best].source));
        if own != 0 && (own < least || least == 0) {
            best = i;
        }
    });
    best
}

/// Returns the class of runs along the fastest loop if they may be copied as whole vectors of 16 or 32 bytes, or 0 if
/// not. The runs follow one another in the destination, so each overwrites the excess of the one before. No vector
/// ends after the next run in the source.
const fn overlapping_class(nest: &Nest, isa: Isa) -> usize {
    let (bytes, along) = (nest.unit, nest.loops[0]);
    let (class, vector) = match bytes < LANE {
        true => (loops::OVERLAPPING_RUNS, LANE),
        false => (loops::LONG_OVERLAPPING_RUNS, 2 * LANE),
    };
    if bytes <= vector / 2 || bytes >= vector {
        return 0;
    }
    let fits = along.follows(bytes) && along.source >= (vector - bytes) as isize;
    let are_enough = along.size >= t::LEAST_RUNS && !lines_leave(nest);
    if fits && are_enough && isa.vector() >= vector { class } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::{Nest, overlapping_class};
    use crate::isa::Isa;
    use crate::steps::Loop;
    use crate::steps::loops::OVERLAPPING_RUNS;

    /// Runs are copied as overlapping vectors if each vector ends within the next run on both sides.
    #[test]
    fn vectors_of_overlapping_runs_end_within_the_next_run() {
        let class = |unit: usize, along: Loop, isa| {
            let mut nest = Nest { unit, count: 1, ..Nest::NOTHING };
            nest.loops[0] = along;
            overlapping_class(&nest, isa)
        };
        for bytes in 1..=70_usize {
            for stride in [-40, -1, 0, 1, 6, 15, 16, 40, 1000] {
                let along = Loop::new(9, stride, bytes as isize);
                for (isa, most) in [(Isa::Portable, 0), (Isa::Sse2, 16), (Isa::Avx512, 32)] {
                    let vector = (bytes + 1).next_power_of_two();
                    let fits = vector <= most && stride + bytes as isize >= vector as isize;
                    let overlaps = fits && bytes > 8 && bytes != 16;
                    let expected = if overlaps { OVERLAPPING_RUNS + vector / 32 } else { 0 };
                    assert_eq!(class(bytes, along, isa), expected, "{bytes}, {stride}");
                }
                let apart = Loop { destination: bytes as isize + 1, ..along };
                let few = Loop { size: 4, ..along };
                assert!([apart, few].iter().all(|own| class(bytes, *own, Isa::Avx2) == 0));
            }
        }
    }
}
