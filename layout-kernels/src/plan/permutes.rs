//! Byte permutes of a nest: the loops around their vectors.

use super::machine as t;
use super::nests::Nest;
use super::shapes::Costed;
use crate::isa::{Isa, LANE};
use crate::steps::{
    Align, COPIED, Form, LINE, Loop, MAX_PLANES, OuterLoop, OuterLoops, Permutation, Step,
    balanced, distance, each, extended, least,
};

/// Makes a byte permute. Returns false if that is impossible.
#[inline(never)]
pub(super) const fn permuted(
    nest: &Nest,
    isa: Isa,
    own: &Costed,
    step: &mut Step,
    loops: &mut OuterLoops,
) -> bool {
    loops.clear();
    // The distances by which the loops move the vectors in the source; the loop that continues these in the destination
    // is the innermost one; and the smallest source stride of the others.
    let (mut range, mut run, mut near) = ((0, 0), nest.count, usize::MAX);
    each!(rev i, 0..nest.count, {
        let outer = OuterLoop::of(nest.loops[i], own.chunk(nest, i));
        range = extended(range, outer.last_source);
        if run == nest.count && outer.count > 1 && outer.destination == own.covered(nest) as isize {
            run = i;
            continue;
        }
        if outer.count > 1 && outer.source != 0 {
            near = least(near, distance(outer.source));
        }
        if !loops.push(outer) {
            return false;
        }
    });
    *step = Step::Permute(Permutation::NONE);
    let Step::Permute(made) = step else { return false };
    if !own.set(nest, isa, range, made) {
        return false;
    }
    let (mut inner, mut of_run) = (OuterLoop::ONCE, Loop::ONCE);
    if run < nest.count {
        of_run = nest.loops[run];
        let (mut divided, mut chunk) = (of_run, own.chunk(nest, run));
        if made.set_pair(&of_run, chunk, isa) {
            // The farthest pair begins an iteration earlier.
            range.1 -= if made.apart > 0 { made.apart } else { 0 };
            chunk *= 2;
        }
        let most = t::run_at_once(of_run.source, (made.windows(isa), chunk)) * chunk;
        // If another loop is nearer in the source, it gets blocks of the run.
        if near < distance(of_run.source).saturating_mul(of_run.size) && of_run.size > most {
            divided.size = balanced(of_run.size.div_ceil(chunk), most / chunk) * chunk;
            if !loops.push(OuterLoop::of(of_run, divided.size)) {
                return false;
            }
        }
        inner = OuterLoop::of(divided, chunk);
    }
    loops.sort();
    if inner.count == 1 {
        inner = loops.pop();
    }
    let (next, outer) = (loops.pop(), loops.pop());
    made.set_loops([inner, next, outer], isa.permute(), of_run);
    let end = nest.source_range.1 - nest.source - range.1;
    made.end_inside((end, nest.source_range.1), isa, loops)
}

impl Permutation {
    /// Returns the number of loads with an address of their own.
    const fn windows(&self, isa: Isa) -> usize {
        let lanes = if self.lanes { isa.permute() / LANE } else { 1 };
        self.loads * if self.is_pair() { 2 } else { lanes }
    }

    /// Makes two iterations of a run one, if that has a kernel: the loads of the second are the upper lanes. Returns whether
    /// it has.
    const fn set_pair(&mut self, of_run: &Loop, chunk: usize, isa: Isa) -> bool {
        // What both iterations store of a plane is one vector. Vectors that follow one another are like rows.
        let (are_rows, are_planes) = match self.form {
            Form::Parts { before: false, .. } => (true, false),
            Form::Parts { .. } | Form::Tables if self.stored == LANE => {
                (matches!(self.form, Form::Tables) && self.valid > LANE, self.valid == LANE)
            }
            _ => (false, false),
        };
        let apart = of_run.source.wrapping_mul(chunk as isize);
        let fits = are_planes && apart != 0 || are_rows && apart == LANE as isize;
        if !isa.has_second_lane() || !fits || of_run.size / 2 < chunk {
            return false;
        }
        let mut own = *self;
        (own.apart, own.valid) = (apart, 2 * own.valid);
        own.stored = if are_rows { own.stored } else { own.valid };
        if isa.permute_kernel(&own).is_none() {
            return false;
        }
        each!(i, 0..own.tables.len(), {
            let (lower, upper) = own.tables[i].split_at_mut(LANE);
            if let (Some(lower), Some(upper)) =
                (lower.first_chunk(), upper.first_chunk_mut::<LANE>())
            {
                *upper = *lower;
            }
        });
        if own.read_end > 0 && apart > 0 {
            own.read_end = own.read_end.saturating_add(apart);
        }
        *self = own;
        true
    }

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
        let is_short = may_be_short && (isa.stores_some() || isa.permute() < LANE || !by_one);
        if isa.permute() == LANE && all <= COPIED as isize {
            self.read_end = Self::ALL;
            return true;
        } else if is_short && isa.permute() >= LANE {
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

    /// Sets the loops, and counts the iterations in which whole vectors may be stored.
    const fn set_loops(
        &mut self,
        [inner, next, outer]: [OuterLoop; 3],
        bytes: usize,
        of_run: Loop,
    ) {
        (self.inner, self.next, self.outer) = (inner, next, outer);
        self.is_whole = self.valid % bytes == 0 && self.stored % bytes == 0 && !self.has_gaps;
        let valid = self.valid as isize;
        // The bytes from the start of an iteration on that whole vectors cover: several may be one run.
        let last = self.output_offsets[(self.outputs - 1) % MAX_PLANES];
        let upper = if self.is_pair() { valid / 2 } else { 0 };
        let vector = bytes as isize + upper + if last >= 0 && last < valid { last } else { 0 };
        // With the gap after the last unit, the destination may be longer than memory.
        let run = inner.last_destination.saturating_add(valid);
        // Iterations that are contiguous in the destination.
        let is_run = inner.count > 1 && inner.destination == valid;
        if is_run && run >= vector && !self.has_gaps {
            let most = ((run - vector) / valid) as usize + 1;
            self.whole_iterations = least(most, inner.count - 1);
            let aligns = bytes == LINE || matches!(self.form, Form::Lanes);
            if self.is_whole && aligns && inner.count >= t::FEWEST_ALIGNED {
                self.align = Align::of(of_run, self.valid);
            }
        }
        let follow = (is_run || inner.count == 1) && next.destination == run;
        if follow && next.count > 1 && !self.has_gaps {
            let end = next.last_destination + run;
            let furthest = inner.last_destination + vector;
            if end >= furthest {
                self.whole_runs = least(((end - furthest) / run) as usize + 1, next.count - 1);
            }
        }
        self.run = if is_run { run } else { valid } as usize;
        self.are_lines =
            inner.are_multiples(LINE) && next.are_multiples(LINE) && outer.are_multiples(LINE);
        each!(i, 0..self.outputs, {
            self.are_lines &= self.output_offsets[i % MAX_PLANES] % LINE as isize == 0;
        });
    }
}
