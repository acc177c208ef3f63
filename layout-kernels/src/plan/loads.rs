//! Loads: which loads make a vector of the destination, and their tables.

use super::byte_move::Padding;
use super::nests::Nest;
use super::thresholds::FEWEST_ALIGNED;
use crate::steps::{
    Align, Form, LINE, Loop, MAX_LOADS, MAX_LOOPS, MAX_PLANES, MAX_WINDOWS, OuterLoop, Permutation,
    distance, extended,
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
pub(super) struct Split {
    /// The number of iterations inside a window.
    pub(super) within: usize,
    /// The number of windows.
    pub(super) windows: usize,
}

impl Split {
    /// One iteration in one window.
    const WHOLE: Self = Self { within: 1, windows: 1 };
}

impl Shape {
    /// A vector without padding and gaps.
    pub(super) const fn new(count: usize, last: usize, valid: usize) -> Self {
        Self { count, last, valid, pads: false, has_gaps: false }
    }

    /// Returns the number of iterations of a loop that the vector contains.
    pub(crate) const fn chunk(&self, nest: &Nest, of: usize) -> usize {
        if of + 1 < self.count {
            nest.loops[of % MAX_LOOPS].size
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
        let (mut range, mut i) = ((0, nest.unit as isize), 0);
        while i < self.count {
            let last = nest.loops[i % MAX_LOOPS].source * (self.chunk(nest, i) as isize - 1);
            range = extended(range, last);
            i += 1;
        }
        range
    }

    /// Divides the digits into windows, and returns their number. Inlined, since a caller may need only the number.
    #[inline(always)]
    const fn split(&self, nest: &Nest, of: Window, splits: &mut [Split; MAX_DIGITS]) -> usize {
        let Window { bytes: window, units: most_units } = of;
        let mut order = [0; MAX_DIGITS];
        nest.order_by_source(self.count, &mut order);
        let (mut span, mut units, mut windows) = (nest.unit, 1usize, 1usize);
        let (mut i, mut full) = (0, false);
        while i < self.count {
            let digit = order[i % MAX_DIGITS];
            let (size, stride) =
                (self.chunk(nest, digit), distance(nest.loops[digit % MAX_LOOPS].source));
            // Divides only where it must, since every shape that is tried gets here.
            let all = stride.saturating_mul(size - 1);
            let has_room = units.saturating_mul(size) <= most_units;
            if has_room && (stride == 0 || !full && span <= window && all <= window - span) {
                (span, units) = (span + all, units * size);
                splits[digit % MAX_DIGITS] = Split { within: size, windows: 1 };
            } else {
                let most = if stride == 0 {
                    size
                } else if full || span > window || stride > window - span {
                    1
                } else {
                    (window - span) / stride + 1
                };
                let most =
                    if units.saturating_mul(most) > most_units { most_units / units } else { most };
                (full, span, units) = (true, span + (most - 1) * stride, units * most);
                let own = if most == 1 { size } else { size.div_ceil(most) };
                splits[digit % MAX_DIGITS] = Split { within: most, windows: own };
                windows = windows.saturating_mul(own);
            }
            i += 1;
        }
        windows
    }

    /// Returns how the digits are divided into windows, and the number of these.
    #[inline(never)]
    pub(super) const fn splits(&self, nest: &Nest, of: Window) -> ([Split; MAX_DIGITS], usize) {
        let mut splits = [Split::WHOLE; MAX_DIGITS];
        let windows = self.split(nest, of, &mut splits);
        (splits, windows)
    }

    /// Returns the number of windows.
    #[inline(never)]
    pub(crate) const fn windows(&self, nest: &Nest, of: Window) -> usize {
        self.split(nest, of, &mut [Split::WHOLE; MAX_DIGITS])
    }

    /// Sets the offsets and tables for windows of 16 bytes in each lane, or of a whole vector of `bytes` bytes. Returns
    /// false if there are too many, or an offset exceeds an `i32`. The loops around the vector move its loads by
    /// `range.0` to `range.1` bytes. A window holds at most `units` units, and `more` bytes after the last of them.
    #[inline(never)]
    pub(crate) const fn permutation(
        &self,
        nest: &Nest,
        range: (isize, isize),
        bytes: usize,
        (lanes, units, more): (bool, usize, usize),
        made: &mut Permutation,
    ) -> bool {
        let window = if lanes { 16 } else { bytes };
        let each = if lanes { bytes / 16 } else { 1 };
        let mut all = Units::NONE;
        self.set_units(nest, Window { bytes: window - more, units }, &mut all);
        let loads = loads_of(all.windows, each);
        if all.windows > MAX_WINDOWS || loads > MAX_LOADS || loads == 0 {
            return false;
        }
        all.set_ranges((nest.unit + more) as isize);
        (made.loads, made.lanes, made.valid, made.pads) = (loads, lanes, self.valid, self.pads);
        made.has_gaps = self.has_gaps;
        if !made.place_windows(&mut all, nest, range, window) {
            return false;
        }
        made.set_tables(&all, nest.unit, if lanes { each } else { 0 });
        if let (true, Some((padding, _))) = (self.pads, nest.padding) {
            made.set_fill(padding, self.valid);
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
        all.count = 1;
        // Windows are numbered like digits, with the last digit fastest.
        let (mut digit, mut owners) = (0, windows);
        while digit < self.count {
            let (own, size) = (&nest.loops[digit % MAX_LOOPS], self.chunk(nest, digit));
            let (Split { within, windows }, before) = (splits[digit % MAX_DIGITS], all.count);
            // The iterations inside a window, then the windows.
            all.repeat(before * within, (own.source, 0, own.destination as usize));
            if windows > 1 {
                owners /= windows;
                let (steps, position) = (within as isize, own.destination as usize * within);
                all.repeat(before * size, (own.source * steps, owners, position));
            }
            digit += 1;
        }
    }
}

/// Returns the number of loads of `windows` windows, `each` in a load. There are kernels for six and eight loads of
/// several windows, but not for five and seven.
pub(super) const fn loads_of(windows: usize, each: usize) -> usize {
    let loads = windows.div_ceil(each);
    if each > 1 && loads > 4 { loads.next_multiple_of(2) } else { loads }
}

/// Sets `COUNT` bytes of a table, from byte `position` on, to consecutive numbers from `byte` on. A constant number, so
/// that the compiler unrolls the loop, whose end would often be mispredicted.
#[inline(always)]
const fn set_bytes<const COUNT: usize>(table: &mut [u8; 64], position: usize, byte: u8) {
    let mut i = 0;
    while i < COUNT {
        table[(position + i) % 64] = byte + i as u8;
        i += 1;
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
    positions: [u8; 64],
}

impl Units {
    pub(super) const NONE: Self = Self {
        count: 0,
        windows: 0,
        starts: [0; MAX_WINDOWS],
        ends: [0; MAX_WINDOWS],
        sources: [0; 64],
        owners: [0; 64],
        positions: [0; 64],
    };

    /// Repeats all units until there are `count`, each time at these distances after the last time: in the source, in
    /// windows and in the vector.
    const fn repeat(&mut self, count: usize, (source, owner, position): (isize, usize, usize)) {
        debug_assert!(count <= 64, "no vector has more units");
        let (mut from, mut to) = (0, self.count);
        while to < count {
            self.sources[to % 64] = self.sources[from % 64] + source;
            self.owners[to % 64] = self.owners[from % 64] + owner as u8;
            self.positions[to % 64] = self.positions[from % 64] + position as u8;
            (from, to) = (from + 1, to + 1);
        }
        self.count = to;
    }

    /// Sets the ranges of the windows: from the start of the lowest unit to `bytes` bytes after that of the highest.
    const fn set_ranges(&mut self, bytes: isize) {
        let mut i = 0;
        while i < self.windows {
            let own = i % MAX_WINDOWS;
            (self.starts[own], self.ends[own]) = (isize::MAX, isize::MIN);
            i += 1;
        }
        let mut i = 0;
        while i < self.count {
            let (own, start) = (self.owners[i % 64] as usize % MAX_WINDOWS, self.sources[i % 64]);
            let end = start + bytes;
            let (least, most) = (self.starts[own], self.ends[own]);
            self.starts[own] = if start < least { start } else { least };
            self.ends[own] = if end > most { end } else { most };
            i += 1;
        }
    }
}

impl Permutation {
    /// Sets the tables of units of `unit` bytes, and marks their bytes. Loads have `lanes` lanes, of a window each, or
    /// are windows if there are 0.
    const fn set_tables(&mut self, all: &Units, unit: usize, lanes: usize) {
        let (shift, lane) = if lanes == 0 { (0, 0) } else { (lanes.trailing_zeros(), lanes - 1) };
        let (bytes, mut i) = (prefix(unit), 0);
        while i < all.count {
            let (owner, position) = (all.owners[i % 64] as usize, all.positions[i % 64] as usize);
            let start = all.starts[owner % MAX_WINDOWS];
            let mut byte = (all.sources[i % 64] - start) as u8 + 16 * (owner & lane) as u8;
            let (table, own) = (&mut self.tables[(owner >> shift) % MAX_LOADS], bytes << position);
            self.mask |= own;
            match unit {
                1 => set_bytes::<1>(table, position, byte),
                2 => set_bytes::<2>(table, position, byte),
                4 => set_bytes::<4>(table, position, byte),
                8 => set_bytes::<8>(table, position, byte),
                _ => {
                    let mut rest = own;
                    // Of a loop over a range the compiler would make vectors, which take longer for short units.
                    while rest != 0 {
                        table[rest.trailing_zeros() as usize % 64] = byte;
                        (byte, rest) = (byte + 1, rest & (rest - 1));
                    }
                }
            }
            i += 1;
        }
    }

    /// Fills the bytes of a vector of `valid` bytes that no unit has.
    const fn set_fill(&mut self, padding: Padding, valid: usize) {
        let (mut rest, mut group) = (prefix(valid) & !self.mask, 0);
        while rest != 0 {
            let byte = rest.trailing_zeros() as usize;
            while byte >= group + padding.group {
                group += padding.group;
            }
            self.fill[byte % 64] = padding.fill[(byte - group) % 8];
            rest &= rest - 1;
        }
        self.mask = prefix(valid);
    }

    /// Shifts windows so that they lie inside the source in every iteration. If that is impossible for some, sets
    /// `read_end` to the end of the last of them. Returns false if an offset is too large.
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
            if all.starts[i] > i32::MAX as isize || all.starts[i] < i32::MIN as isize {
                return false;
            }
            self.offsets[i] = all.starts[i] as i32;
            i += 1;
        }
        self.length = (all.ends[0] - all.starts[0]) as u8;
        // Unused lanes load the same bytes as the last window.
        while i < MAX_WINDOWS {
            self.offsets[i] = self.offsets[all.windows - 1];
            i += 1;
        }
        true
    }

    /// Sets the loops, and counts the iterations in which whole vectors may be stored.
    pub(crate) const fn set_loops(
        &mut self,
        inner: OuterLoop,
        next: OuterLoop,
        outer: OuterLoop,
        bytes: usize,
        of_run: Loop,
    ) {
        (self.inner, self.next, self.outer) = (inner, next, outer);
        self.is_whole = self.valid % bytes == 0 && self.stored % bytes == 0 && !self.has_gaps;
        let valid = self.valid as isize;
        // The bytes from the start of an iteration on that whole vectors cover: several may be one run.
        let last = self.output_offsets[(self.outputs - 1) % MAX_PLANES];
        let vector = bytes as isize + if last >= 0 && last < valid { last } else { 0 };
        // With the gap after the last unit, the destination may be longer than memory.
        let run = inner.last_destination.saturating_add(valid);
        // Iterations that are contiguous in the destination.
        let is_run = inner.count > 1 && inner.destination == valid;
        if is_run && run >= vector && !self.has_gaps {
            let most = ((run - vector) / valid) as usize + 1;
            self.whole_iterations = if most < inner.count - 1 { most } else { inner.count - 1 };
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
    use crate::steps::{Loop, OuterLoop, Permutation};

    /// Iterations, the first of them, whose vectors of `bytes` bytes end where a later iteration of the run begins or
    /// ends.
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
                    let inner = OuterLoop::of(Loop::new(size * chunk, 1, step), chunk);
                    let inner = OuterLoop {
                        destination: step,
                        last_destination: step * (inner.count as isize - 1),
                        ..inner
                    };
                    let run = valid * inner.count;
                    let next = OuterLoop::of(Loop::new(runs, 1, run as isize), 1);
                    let mut permutation = Permutation { valid, ..Permutation::NONE };
                    permutation.set_loops(inner, next, OuterLoop::ONCE, bytes, Loop::ONCE);
                    let text = std::format!(
                        "{valid} of {bytes} bytes, {} iterations, {runs} runs",
                        inner.count
                    );
                    assert_eq!(permutation.is_whole, valid % bytes == 0, "{text}");
                    assert_eq!(
                        permutation.whole_iterations,
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
                    let apart = OuterLoop { destination: next.destination + 1, ..next };
                    permutation.whole_runs = 0;
                    permutation.set_loops(inner, apart, OuterLoop::ONCE, bytes, Loop::ONCE);
                    assert_eq!(permutation.whole_runs, 0, "{text}");
                }
            }
        }
    }
}
