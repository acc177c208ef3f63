//! Plans of one step: the cheapest step for a nest, and the loops around it. [`Plan`](super::Plan) chooses between it
//! and two passes.

use super::costs;
use super::nests::Nest;
use super::shapes::{KINDS, best_shapes, permuted};
use super::shared::Costed;
use super::tiling::{Tiling, tiled};
use crate::isa::Isa;
use crate::sets::Code;
use crate::steps::classes;
use crate::steps::thresholds::{self as t, LEAST_NON_TEMPORAL, NON_TEMPORAL};
use crate::steps::{
    Copies, Form, Loop, OuterLoop, OuterLoops, Permutation, Runs, Step, balanced, distance, least,
};

/// Whether stores are non-temporal: those of whole cache lines, or of 16 bytes that together fill lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stores {
    /// If both sides together take more than a share of the last-level cache.
    #[default]
    Auto,
    /// Never.
    Cached,
    /// If the kernel has such stores and the alignment allows them. Plans in two passes, and those of elements of less
    /// than a byte, have none.
    NonTemporal,
}

impl Stores {
    /// Whether kernels have non-temporal stores.
    const ANY: bool = cfg!(all(target_arch = "x86_64", target_feature = "sse2"));

    /// [`Auto`](Self::Auto) for several plans whose sources and destinations together take `bytes` bytes. It also
    /// works in const evaluation, by assuming a small last-level cache.
    pub const fn of(bytes: usize) -> Self {
        if Self::ANY && bytes >= NON_TEMPORAL.0 { Self::NonTemporal } else { Self::Cached }
    }

    /// Whether a plan of `bytes` bytes can have non-temporal stores on some machine.
    pub(crate) const fn may_stream(self, bytes: usize) -> bool {
        match self {
            Self::Auto => bytes >= LEAST_NON_TEMPORAL,
            Self::Cached => false,
            Self::NonTemporal => true,
        }
    }

    /// Returns the size of source and destination together from which stores are non-temporal on this machine.
    pub(super) fn least(self) -> usize {
        match self {
            Self::Auto => non_temporal(),
            Self::Cached => usize::MAX,
            Self::NonTemporal => 0,
        }
    }

    /// Whether stores are non-temporal on this machine.
    #[inline]
    pub(super) fn stream(self, bytes: usize) -> bool {
        // Most plans are smaller than the threshold of every machine, so that is checked first.
        self.may_stream(bytes) && (self == Self::NonTemporal || bytes >= non_temporal() / 2)
    }
}

/// Returns the size of source and destination together, in bytes, from which stores are non-temporal.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
fn non_temporal() -> usize {
    use core::sync::atomic::{AtomicUsize, Ordering};
    static KNOWN: AtomicUsize = AtomicUsize::new(0);
    let known = KNOWN.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    let (least, most) = NON_TEMPORAL;
    let bytes = crate::sets::last_level().clamp(least, most);
    KNOWN.store(bytes, Ordering::Relaxed);
    bytes
}

/// Returns the size of source and destination together, in bytes, from which stores are non-temporal.
#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
fn non_temporal() -> usize {
    NON_TEMPORAL.1
}

/// A step, and the loops around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BytePlan {
    pub(crate) isa: Isa,
    /// The offsets at which the first unit of the loops begins.
    pub(crate) source: isize,
    pub(crate) destination: isize,
    pub(crate) bytes: usize,
    pub(crate) pads: bool,
    pub(crate) loops: OuterLoops,
    pub(crate) step: Step,
    pub(crate) code: Code,
}

impl BytePlan {
    /// A plan that moves nothing. Inlined, since a constant would be copied whole.
    #[inline(always)]
    pub(super) const fn nothing() -> Self {
        Self {
            isa: Isa::Portable,
            source: 0,
            destination: 0,
            bytes: 0,
            pads: false,
            loops: OuterLoops::NONE,
            step: Step::nothing(),
            code: Code::None,
        }
    }

    /// Returns the plan with the best step for a nest of bytes.
    #[inline(never)]
    pub(super) const fn new(nest: &Nest, isa: Isa) -> Self {
        let (mut own, mut all) = (Self::nothing(), Candidates::NONE);
        all.set(nest, planned(isa), usize::MAX);
        own.set(nest, isa, &mut all);
        own
    }

    /// [`new`](Self::new) from the candidates for the nest, in place of a plan that moves nothing.
    pub(super) const fn set(&mut self, nest: &Nest, isa: Isa, all: &mut Candidates) {
        let chosen = planned(isa);
        (self.isa, self.bytes) = (isa, nest.bytes);
        let start = choose(nest, chosen, all, (&mut self.step, &mut self.loops));
        (self.source, self.destination) = start;
        self.pads = nest.padding.is_some() && self.step.pads();
        self.code.set(&self.step, chosen, nest.bytes, Stores::Auto.may_stream(nest.bytes));
    }
}

/// Chooses the cheapest step for a nest, in place since a step is as large as a plan. Returns where its first unit
/// begins in the source and the destination.
#[inline(never)]
pub(super) const fn choose(
    nest: &Nest,
    isa: Isa,
    all: &mut Candidates,
    (step, loops): (&mut Step, &mut OuterLoops),
) -> (isize, isize) {
    let start = (nest.source, nest.destination);
    if !Candidates::are_compared(nest, isa) {
        copied(nest, isa, step, loops);
        return start;
    }
    let Candidates { copies, tiling, shapes } = all;
    let copies = *copies;
    let (tiles, mut late) = (tiling.cost, 0);
    // Tries the cheapest first, as long as any is left.
    while let Some(which) = cheapest(shapes) {
        let best = shapes[which];
        shapes[which].cost = usize::MAX;
        // Copies win a tie.
        if best.cost >= copies || best.cost > tiles && !best.shape.pads {
            continue;
        }
        if !permuted(nest, isa, (&best, which), step, loops) {
            continue;
        }
        // Only now it is known whether loads would end after the source, which costs more: others may be cheaper.
        let more = match step {
            Step::Permute(own) if own.read_end == Permutation::ALL => {
                costs::small_source(nest.bytes)
            }
            Step::Permute(own) if own.read_end > 0 => costs::one_separately(nest.bytes),
            Step::Permute(own)
                if matches!(own.form, Form::Short) && !own.pads && !isa.stores_some() =>
            {
                costs::short(own.valid)
            }
            _ => 0,
        };
        if more == 0 || late >> which & 1 == 1 {
            return start;
        }
        shapes[which].cost = best.cost.saturating_add(more);
        late |= 1 << which;
    }
    if tiles < copies && tiled(nest, isa, tiling, (step, loops)) {
        tiling.start
    } else {
        copied(nest, isa, step, loops);
        start
    }
}

/// Returns the instruction set for which a step is chosen. Without vectors the tables are too small for plans of other
/// instruction sets, which could not run anyway.
pub(super) const fn planned(isa: Isa) -> Isa {
    if cfg!(vectors) { isa } else { Isa::Portable }
}

/// The possible steps for a nest, with their costs. The cost is `usize::MAX` if a step is impossible.
#[derive(Clone, Copy)]
pub(super) struct Candidates {
    pub(super) copies: usize,
    pub(super) tiling: Tiling,
    pub(super) shapes: [Costed; KINDS],
}

impl Candidates {
    /// Whether costs are compared. If not, runs are copied.
    pub(super) const fn are_compared(nest: &Nest, isa: Isa) -> bool {
        is_padded(nest, isa) || nest.count > 0 && nest.unit < t::ALWAYS_COPIED
    }

    /// No step is possible.
    pub(super) const NONE: Self =
        Self { copies: usize::MAX, tiling: Tiling::NONE, shapes: [Costed::NONE; KINDS] };

    /// Returns the least cost.
    #[cfg(vectors)]
    pub(super) const fn least(&self) -> usize {
        let mut cost = least(self.copies, self.tiling.cost);
        let mut i = 0;
        while i < KINDS {
            cost = least(cost, self.shapes[i].cost);
            i += 1;
        }
        cost
    }

    /// Finds the candidates for a nest, in place of none. If costs are not compared, there are none. Steps that cost
    /// `limit` or more may be left out.
    #[inline(never)]
    pub(super) const fn set(&mut self, nest: &Nest, isa: Isa, limit: usize) {
        if !Self::are_compared(nest, isa) {
            return;
        }
        let copies = cost_of_copies(nest, isa);
        self.tiling = Tiling::of(nest, isa, isa.lane());
        let bytes = if isa.lane() == 16 { self.tiling.other_least(nest.unit) } else { 0 };
        if bytes > 0 {
            let other = Tiling::of(nest, isa, bytes);
            if other.cost < self.tiling.cost {
                self.tiling = other;
            }
        }
        // The cost of copies does not limit vectors that fill padding.
        let limit = if copies < limit && nest.padding.is_none() { copies } else { limit };
        let limit = least(self.tiling.cost, limit);
        best_shapes(nest, isa, limit, &mut self.shapes);
        self.copies = if self.pads() { usize::MAX } else { copies };
    }

    /// Whether a byte permute fills padding.
    const fn pads(&self) -> bool {
        let mut i = 0;
        while i < KINDS && !self.shapes[i].shape.pads {
            i += 1;
        }
        i < KINDS
    }
}

/// Returns the cost of copies of runs.
const fn cost_of_copies(nest: &Nest, isa: Isa) -> usize {
    // Byte permutes may have non-temporal stores where copies of such runs do not.
    let may_stream = Stores::Auto.may_stream(nest.bytes);
    let are_spread = !may_stream && nest.count > 0 && costs::are_spread(nest.loops[0]);
    let by_source = nearest(nest);
    let copies = match streamed_class(nest, isa, by_source) {
        classes::STREAMED_BY_16 if nest.unit == 16 => costs::LANES,
        _ if overlapping(nest, isa, by_source) > 0 => {
            costs::overlapping(nest.unit, nest.loops[0].size, at_once(nest, by_source))
        }
        _ => costs::copy(nest.unit, at_once(nest, by_source), are_spread),
    };
    let have_tables = isa.permute() >= 16 && !nest.may_be_inlined;
    let sooner = if have_tables { costs::start(nest.unit, nest.bytes) } else { 0 };
    let later = if nest.is_pass { costs::near_copies(nest.unit) } else { 0 };
    copies.saturating_sub(sooner).saturating_add(later)
}

/// Whether a byte permute may fill padding.
const fn is_padded(nest: &Nest, isa: Isa) -> bool {
    nest.padding.is_some() && isa.permute() > 0
}

/// Returns the cheapest vector that is possible.
pub(super) const fn cheapest(shapes: &[Costed; KINDS]) -> Option<usize> {
    let (mut best, mut i) = (0, 1);
    while i < KINDS {
        if shapes[i].cost < shapes[best].cost {
            best = i;
        }
        i += 1;
    }
    if shapes[best].cost == usize::MAX { None } else { Some(best) }
}

/// Copies runs of the unit's length.
#[inline(never)]
const fn copied(nest: &Nest, isa: Isa, step: &mut Step, loops: &mut OuterLoops) {
    loops.clear();
    // One of two loops is contiguous in the source, the other in the destination: copies blocks of both.
    let by_source = nearest(nest);
    let streamed = streamed_class(nest, isa, by_source);
    let (from, to, source_first) = blocks(nest, isa, by_source, streamed);
    let mut i = nest.count;
    let (mut inner, mut outer) = (Loop::ONCE, Loop::ONCE);
    while i > 0 {
        i -= 1;
        let own = nest.loops[i];
        // Blocks gain nothing where one loop is the fastest on both sides. Nor do they on targets without vectors,
        // which may have no cache.
        let is_whole = i == 0 && by_source == 0 || isa.lane() < 16 && (i == by_source || i == 0);
        let most = if is_whole {
            usize::MAX
        } else if i == by_source {
            from / nest.unit
        } else if i == 0 {
            to / nest.unit
        } else {
            1
        };
        let most = if most < 1 { 1 } else { most };
        let chunk = balanced(own.size, most);
        let has_room = loops.push(OuterLoop::of(own, chunk));
        debug_assert!(has_room, "there are no more outer loops than loops");
        let chunk = Loop { size: chunk, ..own };
        if i == by_source {
            inner = chunk;
        } else if i == 0 {
            outer = chunk;
        }
    }
    loops.sort();
    if by_source == 0 && isa.lane() == 16 {
        // A call copies two loops.
        let OuterLoop { count, source, destination, .. } = loops.pop();
        outer = Loop::new(count, source, destination);
    }
    let overlapping = overlapping(nest, isa, by_source);
    debug_assert!(
        overlapping == 0 || !source_first,
        "runs with overlapping vectors are in the order of the destination"
    );
    let class = if overlapping > 0 { overlapping } else { classes::copy_class(nest.unit) };
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
    if streamed == classes::STREAMED_BY_16 {
        return (t::SOURCE_BY_16, t::block_by_16(unit), false);
    }
    let sets = t::sets(nest.loops[0].source);
    let sets_of_destination = t::sets(nest.loops[by_source].destination);
    if streamed == classes::STREAMED_RUNS && nest.bytes >= LEAST_NON_TEMPORAL {
        return (unit, t::streamed_block(unit), false);
    }
    if isa.lane() == 16 && unit >= t::LEAST_BY_SOURCE {
        if sets_of_destination > 8 {
            return (usize::MAX, usize::MAX, true);
        } else if t::is_in_order(unit, nest.loops[0].size, nest.bytes) {
            return (unit, usize::MAX, false);
        }
    }
    // If they share sets, copies few of them at once.
    let few = 4 * sets_of_destination;
    let (from, to) = if sets_of_destination <= 8 && few < t::COPY_SOURCE_BYTES / unit {
        (few * unit, t::long_block(unit, sets))
    } else {
        (t::COPY_SOURCE_BYTES, t::copy_block(unit))
    };
    let lines_leave = lines_leave(nest);
    if lines_leave && overlapping(nest, isa, by_source) > 0 {
        // The lines of a block stay until the next runs.
        return (from, t::overlapping_block(unit, sets), false);
    }
    // A loop of few runs takes longer than the runs.
    let is_shorter = isa.lane() == 16 && nest.loops[0].size < nest.loops[by_source].size;
    (from, to, lines_leave || is_shorter && t::are_few(unit, nest.loops[0].size))
}

/// Whether runs that are consecutive in the destination share cache sets in the source, so that their lines do not stay
/// in the cache until the next runs.
const fn lines_leave(nest: &Nest) -> bool {
    let Loop { size, source, .. } = nest.loops[0];
    let sets = t::sets(source);
    let is_crowded = sets <= 8 && 4 * sets < t::COPY_DESTINATION_BYTES / nest.unit;
    is_crowded && !t::stays_cached(nest.unit, size, sets, nest.bytes)
}

/// Returns the class of runs whose vectors overlap, or 0 if they do not. Where their lines share sets, they overlap
/// only if many runs are consecutive in the source: vectors may reach into the next line.
const fn overlapping(nest: &Nest, isa: Isa, by_source: usize) -> usize {
    let are_many = by_source > 0 && nest.loops[by_source].size >= t::LEAST_OVERLAPPING.1;
    if lines_leave(nest) && !are_many {
        return 0;
    }
    classes::overlapping_class(nest.unit, nest.loops[0], isa)
}

/// Returns the class of non-temporal stores of runs, or 0 if they have none.
const fn streamed_class(nest: &Nest, isa: Isa, by_source: usize) -> usize {
    let may_be_16 = isa.vector() < t::LINE && nest.unit <= t::LONGEST_BY_16;
    if !isa.has_streams() {
        0
    } else if may_be_16 && nest.bytes >= t::LEAST_BY_16 && fill_lines(nest, by_source) {
        classes::STREAMED_BY_16
    } else if nest.unit >= t::least_streamed_run(isa) {
        classes::STREAMED_RUNS
    } else {
        0
    }
}

/// Whether runs that are stored non-temporally, 16 bytes at a time, fill lines: each block is contiguous in the
/// destination for so long that the lines at its ends, which it stores in part, matter little.
const fn fill_lines(nest: &Nest, by_source: usize) -> bool {
    let (unit, runs, next) = (nest.unit, nest.loops[0], nest.loops[by_source]);
    if nest.count == 0 || by_source == 0 || unit % 16 != 0 || !runs.follows(unit) {
        return false;
    }
    let mut i = 0;
    while i < nest.count {
        if nest.loops[i].destination % 16 != 0 {
            return false;
        }
        i += 1;
    }
    if runs.size >= t::block_by_16(unit) / unit {
        return true;
    }
    let mut bytes = runs.size * unit;
    if next.follows(bytes) {
        let most = if t::SOURCE_BY_16 < unit { 1 } else { t::SOURCE_BY_16 / unit };
        bytes *= balanced(next.size, most);
    }
    t::are_few_positions(unit, runs.size, runs.source) && bytes >= t::LEAST_BLOCK_BY_16
}

/// Returns how many runs are copied at once, but for the limits of blocks.
const fn at_once(nest: &Nest, by_source: usize) -> usize {
    match (nest.count, by_source) {
        (0, _) => 1,
        (_, 0) => nest.loops[0].size,
        _ => nest.loops[0].size.saturating_mul(nest.loops[by_source].size),
    }
}

/// Returns the loop with the smallest nonzero stride in the source.
const fn nearest(nest: &Nest) -> usize {
    let (mut best, mut i) = (0, 1);
    while i < nest.count {
        let (own, least) = (distance(nest.loops[i].source), distance(nest.loops[best].source));
        if own != 0 && (own < least || least == 0) {
            best = i;
        }
        i += 1;
    }
    best
}
