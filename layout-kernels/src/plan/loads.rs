//! Loads: which loads make a vector of the destination, and their tables.

use super::nests::Nest;
use crate::isa::Isa;
use crate::steps::thresholds::{COPIED, FEWEST_ALIGNED, LEAST_SWAPPED, LINE};
use crate::steps::{
    Align, Form, Loop, MAX_PARTS, MAX_PLANES, MAX_WINDOWS, Permutation, Round, Rounds, distance,
};

/// The maximal number of digits of a vector.
pub(super) const MAX_DIGITS: usize = 8;

/// The digits of a vector of the destination: the first digits of a nest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) count: usize,
    /// The number of iterations of the last digit.
    pub(crate) last: usize,
    /// The bytes of the vector.
    pub(crate) valid: usize,
    /// Whether the vector contains padding after groups.
    pub(crate) pads: bool,
    /// Whether the vector contains bytes that the move leaves as they are: `valid` includes them.
    pub(crate) has_gaps: bool,
}

/// What a window holds at most: bytes from its first unit on, and units.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub(crate) bytes: usize,
    pub(crate) units: usize,
}

impl Window {
    /// A window of any number of units.
    pub(crate) const fn of(bytes: usize) -> Self {
        Self { bytes, units: usize::MAX }
    }
}

/// How a digit is divided into windows.
#[derive(Clone, Copy)]
struct Split {
    /// The number of iterations inside a window.
    within: usize,
    /// The number of windows.
    windows: usize,
}

impl Shape {
    /// Returns the number of iterations of a loop that the vector contains.
    pub(crate) const fn chunk(&self, nest: &Nest, of: usize) -> usize {
        if of + 1 < self.count {
            nest.loops[of].size
        } else if of + 1 == self.count {
            self.last
        } else {
            1
        }
    }

    /// Returns the bytes of the vector without those that the move leaves as they are.
    pub(super) const fn moved(&self, nest: &Nest) -> usize {
        if !self.has_gaps {
            return self.valid;
        }
        let (mut bytes, mut i) = (nest.unit, 0);
        while i < self.count {
            bytes *= self.chunk(nest, i);
            i += 1;
        }
        bytes
    }

    /// Returns the range of the vector's bytes in the source.
    pub(super) const fn span(&self, nest: &Nest) -> (isize, isize) {
        let (mut low, mut high, mut i) = (0, nest.unit as isize, 0);
        while i < self.count {
            let last = nest.loops[i].source * (self.chunk(nest, i) as isize - 1);
            if last < 0 {
                low += last;
            } else {
                high += last;
            }
            i += 1;
        }
        (low, high)
    }

    /// Divides the digits into windows. Also returns the number of windows.
    const fn splits(&self, nest: &Nest, of: Window) -> ([Split; MAX_DIGITS], usize) {
        let Window { bytes: window, units: most_units } = of;
        let mut splits = [Split { within: 1, windows: 1 }; MAX_DIGITS];
        let mut done = [false; MAX_DIGITS];
        let (mut span, mut units, mut windows) = (nest.unit, 1usize, 1usize);
        let (mut i, mut full) = (0, false);
        while i < self.count {
            // The digit with the next smallest stride.
            let (mut best, mut j) = (usize::MAX, 0);
            while j < self.count {
                let smaller = best == usize::MAX
                    || distance(nest.loops[j].source) < distance(nest.loops[best].source);
                if !done[j] && smaller {
                    best = j;
                }
                j += 1;
            }
            done[best] = true;
            let (size, stride) = (self.chunk(nest, best), distance(nest.loops[best].source));
            // Divides only where it must, since every shape that is tried gets here.
            let all = stride.saturating_mul(size - 1);
            let has_room = units.saturating_mul(size) <= most_units;
            if has_room && (stride == 0 || !full && span <= window && all <= window - span) {
                (span, units) = (span + all, units * size);
                splits[best] = Split { within: size, windows: 1 };
            } else {
                let most = if stride == 0 {
                    size
                } else if full || span > window {
                    1
                } else {
                    (window - span) / stride + 1
                };
                let most =
                    if units.saturating_mul(most) > most_units { most_units / units } else { most };
                (full, span, units) = (true, span + (most - 1) * stride, units * most);
                splits[best] = Split { within: most, windows: size.div_ceil(most) };
                windows = windows.saturating_mul(splits[best].windows);
            }
            i += 1;
        }
        (splits, windows)
    }

    /// Returns the number of windows.
    pub(crate) const fn windows(&self, nest: &Nest, of: Window) -> usize {
        self.splits(nest, of).1
    }

    /// Sets the offsets and tables for windows of 16 bytes in each lane, or of a whole vector of `bytes` bytes.
    /// Returns false if there are too many, or an offset is too large. The rest of the nest moves the vector by
    /// `low..=high` bytes. A window holds at most `units` units, and `more` bytes after the last of them.
    #[inline(never)]
    pub(crate) const fn permutation(
        &self,
        nest: &Nest,
        reach: (isize, isize),
        bytes: usize,
        (lanes, units, more): (bool, usize, usize),
        made: &mut Permutation,
    ) -> bool {
        let window = if lanes { 16 } else { bytes };
        let each = if lanes { bytes / 16 } else { 1 };
        let mut all = Units::NONE;
        self.set_units(nest, Window { bytes: window - more, units }, &mut all);
        let parts = all.windows.div_ceil(each);
        if all.windows > MAX_WINDOWS || parts > MAX_PARTS || parts == 0 {
            return false;
        }
        (made.parts, made.lanes, made.valid, made.pads) = (parts, lanes, self.valid, self.pads);
        made.has_gaps = self.has_gaps;
        made.mask = if self.pads { prefix(self.valid) } else { 0 };
        let mut i = 0;
        while i < all.windows {
            all.ends[i] += more as isize;
            i += 1;
        }
        if !made.place_windows(&mut all, nest, reach, window) {
            return false;
        }
        if let (true, Some((padding, _))) = (self.pads, nest.padding) {
            let mut byte = 0;
            while byte < self.valid {
                made.fill[byte] = padding.fill[byte % padding.group % 8];
                byte += 1;
            }
        }
        let mut unit = 0;
        while unit < all.count {
            let owner = all.owners[unit] as usize;
            let (part, lane) = if lanes { (owner / each, owner % each) } else { (owner, 0) };
            let first = (all.sources[unit] - all.starts[owner]) as usize + 16 * lane;
            let (place, mut byte) = (all.places[unit] as usize, 0);
            while byte < nest.unit {
                made.tables[part][place + byte] = (first + byte) as u8;
                if self.pads {
                    made.fill[place + byte] = 0;
                }
                made.mask |= 1 << (place + byte);
                byte += 1;
            }
            unit += 1;
        }
        true
    }

    /// Finds the units of the vector, and the windows that hold them. It adds no units if there are too many windows.
    const fn set_units(&self, nest: &Nest, of: Window, all: &mut Units) {
        let (splits, windows) = self.splits(nest, of);
        all.windows = windows;
        if windows > MAX_WINDOWS {
            return;
        }
        // Windows are numbered like digits, with the last digit fastest.
        let (mut weights, mut sizes) = ([1; MAX_DIGITS], [1; MAX_DIGITS]);
        let (mut digit, mut weight) = (self.count, 1);
        while digit > 0 {
            digit -= 1;
            (weights[digit], sizes[digit]) = (weight, self.chunk(nest, digit));
            weight *= splits[digit].windows;
        }
        // A counter of digits: the position in each digit, and in its window.
        let (mut at, mut in_window) = ([0usize; MAX_DIGITS], [0usize; MAX_DIGITS]);
        let (mut offset, mut owner, mut place) = (0isize, 0usize, 0usize);
        loop {
            all.add(offset, owner, place, nest.unit as isize);
            let mut digit = 0;
            loop {
                if digit == self.count {
                    return;
                }
                let (own, size) = (&nest.loops[digit], sizes[digit]);
                at[digit] += 1;
                if at[digit] < size {
                    offset += own.source;
                    place += own.destination as usize;
                    in_window[digit] += 1;
                    if in_window[digit] == splits[digit].within {
                        in_window[digit] = 0;
                        owner += weights[digit];
                    }
                    break;
                }
                offset -= own.source * (size as isize - 1);
                place -= own.destination as usize * (size - 1);
                owner -= weights[digit] * (splits[digit].windows - 1);
                (at[digit], in_window[digit]) = (0, 0);
                digit += 1;
            }
        }
    }
}

/// Returns a mask of the first bytes of a vector.
const fn prefix(bytes: usize) -> u64 {
    if bytes < 64 { (1 << bytes) - 1 } else { u64::MAX }
}

/// The units of a vector: their offsets on both sides, and the windows that hold them. A window begins with its
/// lowest unit and ends with its highest.
pub(super) struct Units {
    count: usize,
    pub(super) windows: usize,
    pub(super) starts: [isize; MAX_WINDOWS],
    pub(super) ends: [isize; MAX_WINDOWS],
    sources: [isize; 64],
    owners: [u8; 64],
    places: [u8; 64],
}

impl Units {
    pub(super) const NONE: Self = Self {
        count: 0,
        windows: 0,
        starts: [0; MAX_WINDOWS],
        ends: [0; MAX_WINDOWS],
        sources: [0; 64],
        owners: [0; 64],
        places: [0; 64],
    };

    /// Adds a unit that begins at `source` and `place` to the window `owner`.
    const fn add(&mut self, source: isize, owner: usize, place: usize, unit: isize) {
        let end = source + unit;
        let is_first = self.ends[owner] == self.starts[owner];
        if is_first || source < self.starts[owner] {
            self.starts[owner] = source;
        }
        if is_first || end > self.ends[owner] {
            self.ends[owner] = end;
        }
        self.sources[self.count] = source;
        (self.owners[self.count], self.places[self.count]) = (owner as u8, place as u8);
        self.count += 1;
    }
}

impl Permutation {
    /// Shifts windows so that they lie inside the source in every round. If that is impossible for some, sets `read_end` to
    /// the end of the last of them. Returns false if an offset is too large.
    pub(super) const fn place_windows(
        &mut self,
        all: &mut Units,
        nest: &Nest,
        (low, high): (isize, isize),
        window: usize,
    ) -> bool {
        let least = nest.source_range.0 - nest.source - low;
        let most = nest.source_range.1 - nest.source - high - window as isize;
        let mut i = 0;
        while i < all.windows {
            if all.starts[i] > most {
                // A window can begin earlier if it still holds the same bytes. Words are loaded byte by byte.
                if window > 4 && most >= least && all.ends[i] - most <= window as isize {
                    all.starts[i] = most;
                } else {
                    let end = all.starts[i] + window as isize;
                    self.read_end = if end > self.read_end { end } else { self.read_end };
                }
            }
            if !self.lanes {
                self.lengths[i] = (all.ends[i] - all.starts[i]) as u8;
            }
            if all.starts[i] > i32::MAX as isize || all.starts[i] < i32::MIN as isize {
                return false;
            }
            self.offsets[i] = all.starts[i] as i32;
            i += 1;
        }
        // Unused lanes load the same bytes as the last window.
        while i < MAX_WINDOWS {
            self.offsets[i] = self.offsets[all.windows - 1];
            i += 1;
        }
        true
    }

    /// Lets no load of a permutation with its rounds end after the source. Loads take fewer bytes where that is fast;
    /// otherwise the driver moves all iterations out of a copy of a small source, or the farthest one, if only this one
    /// reads so far. Returns false if none of this is possible. `end` is the end of the source, from the vector
    /// that lies farthest in it on and from its beginning, and `others` are the rounds around the permutation.
    pub(super) const fn end_inside(
        &mut self,
        (end, all): (isize, isize),
        isa: Isa,
        others: &Rounds,
    ) -> bool {
        if self.read_end == 0 {
            return true;
        }
        let Self { inner, next, outer, .. } = *self;
        let mut rounds = *others;
        let has_room = rounds.push(inner) && rounds.push(next) && rounds.push(outer);
        let may_be_short = !self.lanes && self.outputs == 1;
        let by_one = has_room && (self.read_end - end) as usize <= rounds.lead();
        let is_short = may_be_short && (isa.stores_some() || isa.permute() < 16 || !by_one);
        if isa.permute() != 16 {
            self.is_short = is_short;
        } else if all <= COPIED as isize {
            self.read_end = Self::ALL;
            return true;
        } else if is_short {
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

    /// Sets the rounds, and counts the rounds in which whole vectors may be stored.
    pub(crate) const fn set_rounds(
        &mut self,
        inner: Round,
        next: Round,
        outer: Round,
        bytes: usize,
        of_run: Loop,
    ) {
        (self.inner, self.next, self.outer) = (inner, next, outer);
        self.is_whole = self.valid % bytes == 0 && self.stored % bytes == 0 && !self.has_gaps;
        let valid = self.valid as isize;
        let is_line = self.is_whole && self.valid == LINE && next.destination == valid;
        self.swaps = is_line && inner.destination != valid && next.count * LINE >= LEAST_SWAPPED;
        // The bytes from the start of an iteration on that whole vectors cover: several may be one run.
        let last = self.output_offsets[(self.outputs - 1) % MAX_PLANES];
        // The upper lanes follow all lower ones.
        let last = if matches!(self.form, Form::ThreeRowsApart | Form::EighthRowsApart) {
            last + valid / 2
        } else {
            last
        };
        let vector = bytes as isize + if last >= 0 && last < valid { last } else { 0 };
        // With the gap after the last unit, the destination may be longer than memory.
        let run = inner.last_destination.saturating_add(valid);
        // Consecutive rounds in the destination.
        let is_run = inner.count > 1 && inner.destination == valid;
        if is_run && run >= vector && !self.has_gaps {
            let most = ((run - vector) / valid) as usize + 1;
            self.whole_rounds = if most < inner.count - 1 { most } else { inner.count - 1 };
            let aligns = bytes == LINE || matches!(self.form, Form::Lanes);
            if self.is_whole && aligns && inner.count >= FEWEST_ALIGNED {
                self.align = Align::of(of_run, self.valid);
            }
        }
        let follow = (is_run || inner.count == 1) && next.destination == run;
        if follow && next.count > 1 && !self.has_gaps {
            let end = next.last_destination + run;
            let furthest = inner.last_destination + vector;
            if end >= furthest {
                let most = ((end - furthest) / run) as usize + 1;
                self.whole_runs = if most < next.count - 1 { most } else { next.count - 1 };
            }
        }
        self.run = if is_run { run } else { valid } as usize;
        self.are_lines =
            inner.are_multiples(LINE) && next.are_multiples(LINE) && outer.are_multiples(LINE);
        let mut i = 0;
        while i < self.outputs {
            self.are_lines &= self.output_offsets[i % MAX_PLANES] % LINE as isize == 0;
            i += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::steps::{Loop, Permutation, Round};

    /// Rounds, the first of them, whose vectors of `bytes` bytes end where a later round of the run begins or ends.
    fn whole(count: usize, apart: usize, first_end: usize, end: usize) -> usize {
        (0..count - 1).take_while(|i| i * apart + first_end <= end).count()
    }

    #[test]
    fn whole_vectors_are_stored_where_later_ones_end_after_them() {
        for bytes in [16, 64] {
            for valid in [1, 3, 12, 15, 16, 24, 48, 60, 63, 64] {
                for (size, chunk, runs) in
                    [(1, 1, 1), (2, 1, 3), (9, 1, 1), (9, 2, 5), (100, 3, 2), (1, 1, 7)]
                {
                    let step = valid as isize;
                    let inner = Round::of(Loop::new(size * chunk, 1, step), chunk);
                    let inner = Round {
                        destination: step,
                        last_destination: step * (inner.count as isize - 1),
                        ..inner
                    };
                    let run = valid * inner.count;
                    let next = Round::of(Loop::new(runs, 1, run as isize), 1);
                    let mut permutation = Permutation { valid, ..Permutation::NONE };
                    permutation.set_rounds(inner, next, Round::ONCE, bytes, Loop::ONCE);
                    let text = std::format!(
                        "{valid} of {bytes} bytes, {} rounds, {runs} runs",
                        inner.count
                    );
                    assert_eq!(permutation.is_whole, valid % bytes == 0, "{text}");
                    assert_eq!(
                        permutation.whole_rounds,
                        whole(inner.count, valid, bytes, run),
                        "{text}"
                    );
                    let last = valid * (inner.count - 1) + bytes;
                    assert_eq!(
                        permutation.whole_runs,
                        whole(runs, run, last, run * runs),
                        "{text}"
                    );
                    // Runs that do not follow one another have nothing after them.
                    let apart = Round { destination: next.destination + 1, ..next };
                    permutation.whole_runs = 0;
                    permutation.set_rounds(inner, apart, Round::ONCE, bytes, Loop::ONCE);
                    assert_eq!(permutation.whole_runs, 0, "{text}");
                }
            }
        }
    }
}
