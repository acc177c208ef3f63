//! Loads: which of them make a vector of the destination, and their tables.

use super::nests::Nest;
use crate::steps::thresholds::{FEWEST_ALIGNED, LINE};
use crate::steps::{Align, Loop, MAX_OUTPUTS, MAX_PARTS, MAX_WINDOWS, NONE, Permutation, Round};

/// The most digits of a vector.
pub(super) const MAX_DIGITS: usize = 8;

/// The most vectors of a block.
pub(super) const MAX_BLOCK: usize = 3;

/// The digits of a vector of the destination: the first ones of a nest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) count: usize,
    /// The iterations of the last digit.
    pub(crate) last: usize,
    /// The bytes of the vector.
    pub(crate) valid: usize,
    /// Whether groups are padded.
    pub(crate) pads: bool,
}

/// How a digit is divided into windows.
#[derive(Clone, Copy)]
struct Split {
    /// The iterations inside a window.
    within: usize,
    /// The number of windows.
    windows: usize,
}

impl Shape {
    /// The iterations of a loop that the vector has.
    pub(crate) const fn chunk(&self, nest: &Nest, of: usize) -> usize {
        if of + 1 < self.count {
            nest.loops[of].size
        } else if of + 1 == self.count {
            self.last
        } else {
            1
        }
    }

    /// Where the bytes of the vector begin and end in the source.
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

    /// How digits are divided into windows of `window` bytes, and how many windows there are.
    const fn splits(&self, nest: &Nest, window: usize) -> ([Split; MAX_DIGITS], usize) {
        let mut splits = [Split { within: 1, windows: 1 }; MAX_DIGITS];
        let mut done = [false; MAX_DIGITS];
        let (mut span, mut windows, mut i, mut full) = (nest.unit, 1usize, 0, false);
        while i < self.count {
            // The digit of the next smallest stride.
            let (mut best, mut j) = (usize::MAX, 0);
            while j < self.count {
                let smaller = best == usize::MAX
                    || nest.loops[j].source.unsigned_abs() < nest.loops[best].source.unsigned_abs();
                if !done[j] && smaller {
                    best = j;
                }
                j += 1;
            }
            done[best] = true;
            let (size, stride) = (self.chunk(nest, best), nest.loops[best].source.unsigned_abs());
            let within = if stride == 0 {
                size
            } else if full || span > window {
                1
            } else {
                let most = (window - span) / stride + 1;
                if most < size { most } else { size }
            };
            full = full || within < size;
            span += (within - 1) * stride;
            splits[best] = Split { within, windows: size.div_ceil(within) };
            windows = windows.saturating_mul(splits[best].windows);
            i += 1;
        }
        (splits, windows)
    }

    /// The number of windows of so many bytes.
    pub(crate) const fn windows(&self, nest: &Nest, window: usize) -> usize {
        self.splits(nest, window).1
    }

    /// Sets the offsets and tables for windows of 16 bytes in each lane, or of a whole vector of `bytes` bytes; false
    /// where a load would leave the source. The rest of the nest moves the vector by `low..=high` bytes.
    #[inline(never)]
    pub(crate) const fn permutation(
        &self,
        nest: &Nest,
        reach: (isize, isize),
        bytes: usize,
        lanes: bool,
        made: &mut Permutation,
    ) -> bool {
        let window = if lanes { 16 } else { bytes };
        let each = if lanes { bytes / 16 } else { 1 };
        let mut all = self.units(nest, window);
        let parts = all.windows.div_ceil(each);
        if all.windows > MAX_WINDOWS || parts > MAX_PARTS || parts == 0 {
            return false;
        }
        (made.parts, made.lanes, made.valid, made.pads) = (parts, lanes, self.valid, self.pads);
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
                made.fill[place + byte] = 0;
                byte += 1;
            }
            unit += 1;
        }
        true
    }

    /// The units of the vector, and the windows that hold them.
    const fn units(&self, nest: &Nest, window: usize) -> Units {
        let (splits, windows) = self.splits(nest, window);
        let mut all = Units { windows, ..Units::NONE };
        if windows > MAX_WINDOWS {
            return all;
        }
        // Windows count as digits do, the last digit fastest.
        let mut weights = [1; MAX_DIGITS];
        let (mut digit, mut weight) = (self.count, 1);
        while digit > 0 {
            digit -= 1;
            weights[digit] = weight;
            weight *= splits[digit].windows;
        }
        // An odometer: the position in each digit, and in its window.
        let (mut at, mut in_window) = ([0usize; MAX_DIGITS], [0usize; MAX_DIGITS]);
        let (mut offset, mut owner, mut place) = (0isize, 0usize, 0usize);
        loop {
            all.add(offset, owner, place, nest.unit as isize);
            let mut digit = 0;
            loop {
                if digit == self.count {
                    return all;
                }
                let (own, size) = (nest.loops[digit], self.chunk(nest, digit));
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

/// The units of a vector: where each is on both sides, and which window holds it. Windows begin with their lowest unit
/// and end with the highest.
struct Units {
    count: usize,
    windows: usize,
    starts: [isize; MAX_WINDOWS],
    ends: [isize; MAX_WINDOWS],
    sources: [isize; 64],
    owners: [u8; 64],
    places: [u8; 64],
}

impl Units {
    const NONE: Self = Self {
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
    /// Moves windows so that they lie inside the source in every round. False if one cannot.
    const fn place_windows(
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
                // A window that begins earlier holds the same bytes, if it may. Words are loaded byte by byte there.
                if window > 4 && most >= least && all.ends[i] - most <= window as isize {
                    all.starts[i] = most;
                } else if self.lanes {
                    return false;
                } else {
                    self.is_short = true;
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
        // Lanes that nothing needs load what the last window does.
        while i < MAX_WINDOWS {
            self.offsets[i] = self.offsets[all.windows - 1];
            i += 1;
        }
        true
    }

    /// Takes in a loop over planes whose units the same loads hold. False if there is no such kernel.
    pub(crate) const fn set_planes(&mut self, plane: Loop, bytes: usize) -> bool {
        let (step, quarter) = (plane.source as usize, bytes / 4);
        let mut part = 0;
        while part < self.parts {
            let mut byte = 0;
            while byte < bytes {
                let index = self.tables[part][byte];
                // With four planes, each load has a quarter of a vector of every one.
                let is_own = plane.size < 4 || index == NONE || byte / quarter == part;
                if index != NONE && index as usize + (plane.size - 1) * step >= bytes || !is_own {
                    return false;
                }
                byte += 1;
            }
            part += 1;
        }
        let of_parts = self.tables;
        let mut part = 0;
        while part < self.parts {
            let mut output = 0;
            while output < plane.size {
                let mut byte = 0;
                while byte < bytes {
                    let index = of_parts[part][byte];
                    let own = if index == NONE { NONE } else { index + (output * step) as u8 };
                    if plane.size < 4 {
                        self.tables[part * MAX_OUTPUTS + output][byte] = own;
                    } else if index != NONE {
                        self.tables[part][quarter * output + byte % quarter] = own;
                    }
                    byte += 1;
                }
                self.output_offsets[output] = plane.destination * output as isize;
                output += 1;
            }
            part += 1;
        }
        self.outputs = plane.size;
        !self.is_short && self.valid == bytes
    }

    /// Takes the rows of a shape in turn, from one to the next in the source. False if they are too far apart.
    pub(crate) const fn set_rows(
        &mut self,
        shape: &Shape,
        unit: usize,
        stride: isize,
        bytes: usize,
    ) -> bool {
        if shape.valid == 3 * bytes {
            self.set_three(unit, stride, true, bytes)
        } else {
            self.set_four_rows(unit, stride, bytes)
        }
    }

    /// Takes three rows of `unit` bytes in turn, from one to the next in the source, or three planes out of them, from one to
    /// the next in the destination: three vectors of `bytes` bytes make three.
    pub(crate) const fn set_three(
        &mut self,
        unit: usize,
        stride: isize,
        is_rows: bool,
        bytes: usize,
    ) -> bool {
        if stride.unsigned_abs() > i32::MAX as usize / 4 {
            return false;
        }
        (self.parts, self.outputs) = (3, 3);
        // Each byte of each row. Units and vectors are powers of two, and masks keep indices inside tables.
        let (shift, of_unit, vector) = (unit.trailing_zeros(), unit - 1, bytes.trailing_zeros());
        let mut index = 0;
        while index < bytes {
            let mut at = 3 * (index >> shift << shift) + (index & of_unit);
            let mut row = 0;
            while row < 3 {
                let (owner, place) = (at >> vector & 3, at & (bytes - 1));
                if is_rows {
                    self.tables[row * MAX_OUTPUTS + owner][place & 63] = index as u8;
                } else {
                    self.tables[owner * MAX_OUTPUTS + row][index & 63] = place as u8;
                }
                (row, at) = (row + 1, at + unit);
            }
            index += 1;
        }
        let mut i = 0;
        while i < 3 {
            let (near, far) = ((bytes * i) as isize, stride * i as isize);
            self.offsets[i] = if is_rows { far } else { near } as i32;
            self.output_offsets[i] = if is_rows { near } else { far };
            i += 1;
        }
        self.valid = if is_rows { 3 * bytes } else { bytes };
        true
    }

    /// Takes four rows of `unit` bytes in turn, from one to the next in the source: four vectors make four. Each has a quarter
    /// of a vector of every row.
    const fn set_four_rows(&mut self, unit: usize, stride: isize, bytes: usize) -> bool {
        if stride.unsigned_abs() > i32::MAX as usize / 4 {
            return false;
        }
        (self.parts, self.outputs, self.valid) = (4, 4, 4 * bytes);
        let mut byte = 0;
        while byte < bytes {
            let (row, index) = (byte / unit % 4, byte / unit / 4 * unit + byte % unit);
            self.tables[0][byte] = (bytes / 4 * row + index) as u8;
            byte += 1;
        }
        let mut i = 0;
        while i < 4 {
            self.offsets[i] = (stride * i as isize) as i32;
            self.output_offsets[i] = (bytes * i) as isize;
            i += 1;
        }
        true
    }

    /// Takes a block of a shape: as many vectors on both sides, of which the last may overlap the one before it.
    pub(super) const fn set_block(&mut self, nest: &Nest, shape: &Shape, bytes: usize) -> bool {
        let (low, high) = shape.span(nest);
        if low < i32::MIN as isize || high > i32::MAX as isize {
            return false;
        }
        let (span, valid) = ((high - low) as usize, shape.valid);
        let most = if span > valid { span } else { valid };
        let count = most.div_ceil(bytes);
        (self.parts, self.outputs, self.valid) = (count, count, valid);
        let (mut starts, mut places, mut i) = ([0; MAX_BLOCK], [0; MAX_BLOCK], 0);
        while i < count {
            let begin = i * bytes;
            starts[i] = if begin + bytes > span { span - bytes } else { begin };
            places[i] = if begin + bytes > valid { valid - bytes } else { begin };
            self.offsets[i] = (low + starts[i] as isize) as i32;
            self.output_offsets[i] = places[i] as isize;
            i += 1;
        }
        // An odometer over units.
        let mut at = [0usize; MAX_DIGITS];
        let (mut offset, mut place) = (-low, 0);
        while place < valid {
            let mut byte = 0;
            while byte < nest.unit {
                self.set_byte(offset as usize + byte, place + byte, (&starts, &places), bytes);
                byte += 1;
            }
            place += nest.unit;
            let mut digit = 0;
            while digit < shape.count {
                let Loop { size, source, .. } = nest.loops[digit];
                at[digit] += 1;
                offset += source;
                if at[digit] < size {
                    break;
                }
                offset -= source * size as isize;
                at[digit] = 0;
                digit += 1;
            }
        }
        true
    }

    /// Byte `place` of a block is byte `offset` of the source, given where vectors begin on both sides.
    const fn set_byte(
        &mut self,
        offset: usize,
        place: usize,
        (starts, places): (&[usize; MAX_BLOCK], &[usize; MAX_BLOCK]),
        bytes: usize,
    ) {
        let mut part = self.parts - 1;
        while starts[part] > offset {
            part -= 1;
        }
        let mut output = 0;
        while output < self.outputs {
            if places[output] <= place && place < places[output] + bytes {
                let index = (offset - starts[part]) as u8;
                self.tables[part * MAX_OUTPUTS + output][place - places[output]] = index;
            }
            output += 1;
        }
    }

    /// Sets the rounds, and counts those that may store whole vectors.
    pub(crate) const fn set_rounds(
        &mut self,
        inner: Round,
        next: Round,
        outer: Round,
        bytes: usize,
        of_run: Loop,
    ) {
        (self.inner, self.next, self.outer) = (inner, next, outer);
        self.is_whole = self.valid % bytes == 0;
        let (vector, valid) = (bytes as isize, self.valid as isize);
        let run = inner.last_destination + valid;
        // Rounds that follow one another in the destination.
        let is_run = inner.count > 1 && inner.destination == valid;
        if is_run && run >= vector {
            let most = ((run - vector) / valid) as usize + 1;
            self.whole_rounds = if most < inner.count - 1 { most } else { inner.count - 1 };
            if self.is_whole && bytes == LINE && inner.count >= FEWEST_ALIGNED {
                self.align = Align::of(of_run, self.valid);
            }
        }
        let follow = (is_run || inner.count == 1) && next.destination == run;
        if follow && next.count > 1 {
            let end = next.last_destination + run;
            let furthest = inner.last_destination + vector;
            if end >= furthest {
                let most = ((end - furthest) / run) as usize + 1;
                self.whole_runs = if most < next.count - 1 { most } else { next.count - 1 };
            }
        }
    }
}
