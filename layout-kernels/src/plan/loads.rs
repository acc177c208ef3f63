//! Loads: which of them make a vector of the destination, and their tables.

use super::nests::Nest;
use crate::steps::thresholds::{FEWEST_ALIGNED, LINE};
use crate::steps::{Align, Loop, MAX_OUTPUTS, MAX_PARTS, MAX_WINDOWS, NONE, Permutation, Round};

/// The digits of a vector of the destination: some of the fastest, of the last one `chunk`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// The bytes that move as one.
    pub(crate) unit: usize,
    pub(crate) digits: [Loop; 8],
    pub(crate) count: usize,
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
    pub(crate) const fn chunk(&self, of: usize) -> usize {
        if of < self.count { self.digits[of].size } else { 1 }
    }

    /// How digits are divided into windows of `window` bytes, and how many windows there are.
    const fn splits(&self, window: usize) -> ([Split; 8], usize) {
        let mut splits = [Split { within: 1, windows: 1 }; 8];
        let mut done = [false; 8];
        let (mut span, mut windows, mut i, mut full) = (self.unit, 1usize, 0, false);
        while i < self.count {
            // The digit of the next smallest stride.
            let (mut best, mut j) = (usize::MAX, 0);
            while j < self.count {
                let smaller = best == usize::MAX
                    || self.digits[j].source.unsigned_abs()
                        < self.digits[best].source.unsigned_abs();
                if !done[j] && smaller {
                    best = j;
                }
                j += 1;
            }
            done[best] = true;
            let (size, stride) = (self.digits[best].size, self.digits[best].source.unsigned_abs());
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
    pub(crate) const fn windows(&self, window: usize) -> usize {
        self.splits(window).1
    }

    /// The offsets and tables for windows of 16 bytes in each lane, or of a whole vector of `bytes` bytes; none
    /// where a load would leave the source. The rest of the nest moves the vector by `low..=high` bytes.
    #[inline(never)]
    pub(crate) const fn permutation(
        &self,
        nest: &Nest,
        reach: (isize, isize),
        bytes: usize,
        lanes: bool,
    ) -> Option<Permutation> {
        let window = if lanes { 16 } else { bytes };
        let each = if lanes { bytes / 16 } else { 1 };
        let mut all = self.units(window);
        let parts = all.windows.div_ceil(each);
        if all.windows > MAX_WINDOWS || parts > MAX_PARTS || parts == 0 {
            return None;
        }
        let mut made = Permutation { parts, lanes, valid: self.valid, ..Permutation::NONE };
        made.pads = self.pads;
        if !made.place_windows(&mut all, nest, reach, window) {
            return None;
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
            let owner = all.owners[unit];
            let (part, lane) = (owner / each, owner % each);
            let first = (all.sources[unit] - all.starts[owner]) as usize + 16 * lane;
            let mut byte = 0;
            while byte < self.unit {
                made.tables[part][all.places[unit] + byte] = (first + byte) as u8;
                made.fill[all.places[unit] + byte] = 0;
                byte += 1;
            }
            unit += 1;
        }
        Some(made)
    }

    /// The units of the vector, and the windows that hold them.
    const fn units(&self, window: usize) -> Units {
        let (splits, windows) = self.splits(window);
        let mut all = Units { windows, ..Units::NONE };
        let mut digit = 0;
        while digit < self.count {
            all.count *= self.digits[digit].size;
            digit += 1;
        }
        let mut unit = 0;
        while unit < all.count && windows <= MAX_WINDOWS {
            let (mut rest, mut offset, mut owner, mut place) = (unit, 0isize, 0, 0);
            let mut digit = 0;
            while digit < self.count {
                let own = self.digits[digit];
                let (index, split) = (rest % own.size, splits[digit]);
                rest /= own.size;
                offset += index as isize * own.source;
                place += index * own.destination as usize;
                owner = owner * split.windows + index / split.within;
                digit += 1;
            }
            let end = offset + self.unit as isize;
            let is_first = all.ends[owner] == all.starts[owner];
            if is_first || offset < all.starts[owner] {
                all.starts[owner] = offset;
            }
            if is_first || end > all.ends[owner] {
                all.ends[owner] = end;
            }
            (all.sources[unit], all.owners[unit], all.places[unit]) = (offset, owner, place);
            unit += 1;
        }
        all
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
    owners: [usize; 64],
    places: [usize; 64],
}

impl Units {
    const NONE: Self = Self {
        count: 1,
        windows: 0,
        starts: [0; MAX_WINDOWS],
        ends: [0; MAX_WINDOWS],
        sources: [0; 64],
        owners: [0; 64],
        places: [0; 64],
    };
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

    /// The rows of a shape in turn, from one to the next in the source.
    pub(crate) const fn of_rows(shape: &Shape, stride: isize, bytes: usize) -> Option<Self> {
        if shape.digits[0].size == 3 {
            Self::of_three(shape.unit, stride, true, bytes)
        } else {
            Self::of_four_rows(shape.unit, stride, bytes)
        }
    }

    /// Three rows of `unit` bytes in turn, from one to the next in the source, or three planes out of them, from one to
    /// the next in the destination: three vectors of `bytes` bytes make three.
    pub(crate) const fn of_three(
        unit: usize,
        stride: isize,
        is_rows: bool,
        bytes: usize,
    ) -> Option<Self> {
        let mut own = Self { parts: 3, outputs: 3, valid: bytes, ..Self::NONE };
        if stride.unsigned_abs() > i32::MAX as usize / 4 {
            return None;
        }
        let mut byte = 0;
        while byte < 3 * bytes {
            let (vector, row) = (byte / bytes, byte / unit % 3);
            let (place, index) = (byte % bytes, byte / unit / 3 * unit + byte % unit);
            if is_rows {
                own.tables[row * MAX_OUTPUTS + vector][place] = index as u8;
            } else {
                own.tables[vector * MAX_OUTPUTS + row][index] = place as u8;
            }
            byte += 1;
        }
        let mut i = 0;
        while i < 3 {
            let (near, far) = ((bytes * i) as isize, stride * i as isize);
            own.offsets[i] = if is_rows { far } else { near } as i32;
            own.output_offsets[i] = if is_rows { near } else { far };
            i += 1;
        }
        own.valid = if is_rows { 3 * bytes } else { bytes };
        Some(own)
    }

    /// Four rows of `unit` bytes in turn, from one to the next in the source: four vectors make four. Each has a quarter
    /// of a vector of every row.
    pub(crate) const fn of_four_rows(unit: usize, stride: isize, bytes: usize) -> Option<Self> {
        let mut own = Self { parts: 4, outputs: 4, valid: 4 * bytes, ..Self::NONE };
        if stride.unsigned_abs() > i32::MAX as usize / 4 {
            return None;
        }
        let mut byte = 0;
        while byte < bytes {
            let (row, index) = (byte / unit % 4, byte / unit / 4 * unit + byte % unit);
            own.tables[0][byte] = (bytes / 4 * row + index) as u8;
            byte += 1;
        }
        let mut i = 0;
        while i < 4 {
            own.offsets[i] = (stride * i as isize) as i32;
            own.output_offsets[i] = (bytes * i) as isize;
            i += 1;
        }
        Some(own)
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
