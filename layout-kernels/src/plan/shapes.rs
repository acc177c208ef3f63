//! Shapes: the possible vectors of a byte permute, their costs, and the loops around them.

use super::copies::cost_of_copies;
use super::loads::{LANE, MAX_DIGITS, Shape, Window, loads_of};
use super::machine as t;
use super::nests::Nest;
use super::shared::{Costed, rows_of_lanes, runs, set_planes_of};
use super::tiling::Tiling;
use crate::isa::Isa;
use crate::steps::{
    COPIED, Form, Loop, MAX_LOADS, OuterLoop, OuterLoops, Permutation, Step, balanced, distance,
    extended, least,
};

/// The kinds of vectors of a byte permute: one; planes or columns, made of the same loads; and several that follow one
/// another in the destination.
const ONE: usize = 0;
const PLANES: usize = 1;
const RUNS: usize = 2;
pub(super) const KINDS: usize = 3;

/// Finds the best vectors of a byte permute for each kind, in place of impossible ones. Columns of a lane and blocks
/// that cost `limit` or more are left out, since many are tried.
#[inline(never)]
pub(super) const fn best_shapes(nest: &Nest, isa: Isa, limit: usize, best: &mut [Costed; KINDS]) {
    let bytes = isa.permute();
    let mut shape = Shape::new(0, 1, nest.unit);
    if isa.has_avx2() && nest.padding.is_none() {
        best[PLANES] = rows_of_lanes(nest, isa);
        best[RUNS] = runs(nest, isa, limit);
    }
    let (mut limit, mut kind) = (limit, 0);
    while kind < KINDS {
        limit = least(best[kind].cost, limit);
        kind += 1;
    }
    let of = (isa, limit);
    let Some((group, moved)) = padded_group(nest, bytes) else { return };
    // Takes the digits that fit whole, then some iterations of the next one.
    while shape.count < nest.count && shape.count < MAX_DIGITS {
        if shape.valid == moved {
            (shape.valid, shape.pads) = (group, true);
        }
        let own = nest.loops[shape.count];
        if !own.follows(shape.valid) {
            let stride = own.destination as usize;
            let is_kept = isa.stores_some() && nest.padding.is_none() && stride > shape.valid;
            if !is_kept || stride > bytes / 2 {
                break;
            }
            // A vector with the bytes between iterations, or one for each.
            better(nest, of, &shape, best);
            (shape.valid, shape.has_gaps) = (stride, true);
        }
        let most = bytes / shape.valid;
        if most < 2 {
            break;
        }
        shape.count += 1;
        if own.size <= most {
            shape.last = own.size;
            shape.valid *= own.size;
            continue;
        }
        if nest.padding.is_some() && !shape.pads {
            return;
        }
        divided(nest, of, &mut shape, &own, most, best);
        return;
    }
    if shape.valid == moved {
        (shape.valid, shape.pads) = (group, true);
    }
    if nest.padding.is_some() && !shape.pads {
        return;
    }
    better(nest, of, &shape, best);
}

/// Returns the bytes of a group with its padding and without it, or 0 if nothing is padded. Returns `None` if no
/// vector of `bytes` bytes holds a unit or a group.
const fn padded_group(nest: &Nest, bytes: usize) -> Option<(usize, usize)> {
    let (group, moved) = match nest.padding {
        Some((padding, moved)) => (padding.group, moved),
        None => (0, 0),
    };
    let is_word = bytes < 16 && (group != bytes || moved != nest.unit);
    if bytes == 0 || nest.unit > bytes || group > bytes || is_word {
        None
    } else {
        Some((group, moved))
    }
}

/// Tries shapes whose last digit is at most `most` iterations of a loop that does not fit whole.
const fn divided(
    nest: &Nest,
    of: (Isa, usize),
    shape: &mut Shape,
    own: &Loop,
    most: usize,
    best: &mut [Costed; KINDS],
) {
    let before = shape.valid;
    let tries = [most, balanced(own.size, most), most & !3];
    let mut i = 0;
    while i < tries.len() {
        let is_new = i == 0 || tries[i] < most && (i == 1 || tries[2] != tries[1]);
        if is_new && tries[i] > 0 {
            shape.last = tries[i];
            shape.valid = before * tries[i];
            better(nest, of, shape, best);
        }
        i += 1;
    }
}

/// Keeps a shape if it is cheaper than the best one so far.
const fn better(
    nest: &Nest,
    (isa, limit): (Isa, usize),
    shape: &Shape,
    best: &mut [Costed; KINDS],
) {
    let bytes = isa.permute();
    if shape.count == 0 && !shape.pads && !shape.has_gaps {
        // Copies do the same.
        return;
    }
    // Loads of a vector, and of 16 bytes for each lane.
    let windows = [(bytes, 1), (LANE, bytes / LANE)];
    let mut i = 0;
    while i < 2 && (i == 0 || bytes > LANE) {
        let (window, each) = windows[i];
        let count = shape.windows(nest, Window::of(window));
        if nest.unit <= window && count <= MAX_LOADS * each {
            // Lanes that nothing needs are loaded too.
            let own = Costed::new(*shape, loads_of(count, each));
            let (lanes, window) = (i == 1, Window::of(window));
            best[ONE].keep(&Costed { lanes, window, ..own }.costed(nest, isa));
        }
        i += 1;
    }
    if isa.has_avx2() {
        set_planes_of(&mut best[PLANES], nest, shape, isa, limit);
    }
}

/// What surrounds the vectors of a byte permute.
struct Around {
    /// The lowest and the highest distance by which the loops move a vector in the source.
    range: (isize, isize),
    /// The loop that continues the vector in the destination, and the number of its iterations in the vector.
    run: usize,
    run_chunk: usize,
    /// The smallest source stride of the other loops.
    near: usize,
}

/// Sets the loops around the vectors of a shape, without its run: the loop that continues the vector in the
/// destination is the innermost one.
const fn around(nest: &Nest, of: &Costed, loops: &mut OuterLoops) -> Option<Around> {
    loops.clear();
    let (run, run_chunk, near) = (nest.count, 1, usize::MAX);
    let mut own = Around { range: (0, 0), run, run_chunk, near };
    let (covered, mut i) = (of.covered(nest) as isize, 0);
    while i < nest.count {
        let outer = OuterLoop::of(nest.loops[i], of.chunk(nest, i));
        let source = distance(outer.source);
        if outer.count > 1 && outer.destination == covered {
            (own.run, own.run_chunk) = (i, of.chunk(nest, i));
        } else if outer.count > 1 && source != 0 && source < own.near {
            own.near = source;
        }
        own.range = extended(own.range, outer.last_source);
        i += 1;
    }
    while i > 0 {
        i -= 1;
        if i != own.run && !loops.push(OuterLoop::of(nest.loops[i], of.chunk(nest, i))) {
            return None;
        }
    }
    Some(own)
}

/// Makes a byte permute. Returns false if that is impossible.
#[inline(never)]
pub(super) const fn permuted(
    nest: &Nest,
    isa: Isa,
    own: &Costed,
    step: &mut Step,
    loops: &mut OuterLoops,
) -> bool {
    let Some(Around { range, run, run_chunk, near }) = around(nest, own, loops) else {
        return false;
    };
    *step = Step::Permute(Permutation::NONE);
    let Step::Permute(permutation) = step else { return false };
    if !own.set(nest, isa, range, permutation) {
        return false;
    }
    let (mut inner, mut of_run) = (OuterLoop::ONCE, Loop::ONCE);
    if run < nest.count {
        of_run = nest.loops[run];
        let mut own = nest.loops[run];
        // Halves of rows and pairs of lanes count once, which matters little.
        let each = if permutation.lanes { isa.permute() / 16 } else { 1 };
        let windows = permutation.loads * each;
        let most = t::run_at_once(own.source, (windows, run_chunk), nest.bytes) * run_chunk;
        // If another loop is nearer in the source, it gets blocks of the run.
        if near < distance(own.source).saturating_mul(own.size) && own.size > most {
            let block = balanced(own.size.div_ceil(run_chunk), most / run_chunk) * run_chunk;
            if !loops.push(OuterLoop::of(own, block)) {
                return false;
            }
            own.size = block;
        }
        inner = OuterLoop::of(own, run_chunk);
    }
    loops.sort();
    if inner.count == 1 {
        inner = loops.pop();
    }
    let next = loops.pop();
    let outer = loops.pop();
    permutation.set_loops(inner, next, outer, isa.permute(), of_run);
    let end = nest.source_range.1 - nest.source - range.1;
    permutation.end_inside((end, nest.source_range.1), isa, loops)
}

impl Permutation {
    /// Lets no load of a permutation in its loops end after the source. Loads take fewer bytes where that is fast;
    /// otherwise the driver moves all iterations out of a copy of a small source, or the farthest one, if only this one
    /// reads so far. Returns false if none of this is possible. `end` is the end of the source, from the vector
    /// that lies farthest in it on and from its beginning, and `others` are the loops around the permutation.
    const fn end_inside(
        &mut self,
        (end, all): (isize, isize),
        isa: Isa,
        others: &OuterLoops,
    ) -> bool {
        if self.read_end == 0 {
            return true;
        }
        let Self { inner, next, outer, .. } = *self;
        let mut loops = *others;
        let has_room = loops.push(inner) && loops.push(next) && loops.push(outer);
        let may_be_short = !self.lanes && self.outputs == 1;
        let by_one = has_room && (self.read_end - end) as usize <= loops.lead();
        let is_short = may_be_short && (isa.stores_some() || isa.permute() < 16 || !by_one);
        if isa.permute() == 16 && all <= COPIED as isize {
            self.read_end = Self::ALL;
            return true;
        } else if is_short && isa.permute() >= 16 {
            self.form = Form::Short;
        }
        self.read_end = if is_short || !by_one {
            0
        } else {
            // It saturates for a source as long as memory, after whose end nothing is read then.
            self.read_end
                .saturating_add(inner.farthest().0 + next.farthest().0 + outer.farthest().0)
        };
        is_short || by_one
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
