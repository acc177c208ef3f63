//! Loads: which loads make a vector of the destination, and their tables.

use super::nests::Nest;
use crate::isa::LANE;
use crate::steps::{
    LINE, MAX_LOOPS, MAX_OUTPUTS, MAX_WINDOWS, Permutation, distance, each, extended, greater,
    least,
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
        let mut bytes = nest.unit;
        each!(i, 0..self.count, {
            bytes *= self.chunk(nest, i);
        });
        bytes
    }

    /// Returns the range of the vector's bytes in the source.
    pub(super) const fn span(&self, nest: &Nest) -> (isize, isize) {
        let mut range = (0, nest.unit as isize);
        each!(i, 0..self.count, {
            let last = nest.loops[i % MAX_LOOPS].source * (self.chunk(nest, i) as isize - 1);
            range = extended(range, last);
        });
        range
    }

    /// Divides the digits into windows, and returns their number. Inlined, since a caller may need only the number.
    #[inline(always)]
    const fn split(&self, nest: &Nest, of: Window, splits: &mut [Split; MAX_DIGITS]) -> usize {
        let Window { bytes: window, units: most_units } = of;
        let mut order = [0; MAX_DIGITS];
        nest.order_by_source(self.count, &mut order);
        let (mut span, mut units, mut windows) = (nest.unit, 1usize, 1usize);
        let mut full = false;
        each!(i, 0..self.count, {
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
        });
        windows
    }

    /// Returns the number of windows.
    #[inline(never)]
    pub(crate) const fn windows(&self, nest: &Nest, of: Window) -> usize {
        self.split(nest, of, &mut [Split::WHOLE; MAX_DIGITS])
    }

    /// Finds the units of the vector, and the windows that hold them. It adds no units if there are too many windows.
    pub(super) const fn set_units(&self, nest: &Nest, of: Window, all: &mut Units) {
        let mut splits = [Split::WHOLE; MAX_DIGITS];
        let windows = self.split(nest, of, &mut splits);
        all.windows = windows;
        if windows > MAX_WINDOWS {
            return;
        }
        // Windows are numbered like digits, with the first digit fastest.
        let mut owners = 1;
        each!(digit, 0..self.count, {
            let (own, size) = (&nest.loops[digit % MAX_LOOPS], self.chunk(nest, digit));
            let (Split { within, windows }, before) = (splits[digit % MAX_DIGITS], all.count);
            all.divide(owners, (size, within), own.source);
            // The iterations inside a window, then the windows.
            all.repeat(before * within, (own.source, 0, own.destination as usize));
            let (steps, position) = (within as isize, own.destination as usize * within);
            all.repeat(before * size, (own.source.wrapping_mul(steps), owners, position));
            owners *= windows;
        });
    }
}

/// The maximal number of units: of all that the same loads make, each has at least a byte.
pub(super) const MAX_UNITS: usize = if cfg!(vectors) { MAX_OUTPUTS * LINE } else { LINE };

/// A byte of each unit, and room after them.
type OfUnits = [u8; MAX_UNITS + LANE];

/// The units of a vector, or of all that the same loads make: their offsets on both sides, and the windows that hold
/// them. A window begins with its lowest unit and ends with its highest. Of offsets in the source, the lowest bytes are
/// known, which is enough inside a window or a block.
pub(super) struct Units {
    pub(super) count: usize,
    pub(super) windows: usize,
    pub(super) starts: [isize; MAX_WINDOWS],
    pub(super) ends: [isize; MAX_WINDOWS],
    pub(super) sources: OfUnits,
    pub(super) owners: OfUnits,
    pub(super) positions: OfUnits,
}

impl Units {
    /// One unit of `bytes` bytes in one window, which holds it in all iterations of a loop whose last one is `last`
    /// bytes after the first.
    pub(super) const fn new(bytes: usize, last: isize) -> Self {
        let (starts, ends) = ([0; MAX_WINDOWS], [0; MAX_WINDOWS]);
        let [sources, owners, positions] = [[0; MAX_UNITS + LANE]; 3];
        let mut own = Self { count: 1, windows: 0, starts, ends, sources, owners, positions };
        (own.starts[0], own.ends[0]) = extended((0, bytes as isize), last);
        own
    }

    /// Repeats all units until there are `count`, each time at these distances after the last time: in the source, in
    /// windows and in the vector.
    pub(super) const fn repeat(
        &mut self,
        count: usize,
        (source, owner, position): (isize, usize, usize),
    ) {
        debug_assert!(count <= MAX_UNITS, "no vector has more units");
        each!(i, self.count..count, {
            let (i, before) = (i % MAX_UNITS, (i - self.count) % MAX_UNITS);
            self.sources[i] = self.sources[before].wrapping_add(source as u8);
            self.owners[i] = self.owners[before].wrapping_add(owner as u8);
            self.positions[i] = self.positions[before].wrapping_add(position as u8);
        });
        self.count = greater(count, self.count);
    }

    /// Makes offsets in the source those in a load of `each` windows, of `part` bytes, and windows their loads.
    pub(super) const fn set_loads(&mut self, each: usize, part: usize) {
        let mut firsts = [0; MAX_WINDOWS];
        each!(i, 0..self.windows, {
            let first = LANE * (i & (each - 1)) + part * (i >> each.trailing_zeros());
            firsts[i % MAX_WINDOWS] =
                (first as u8).wrapping_sub(self.starts[i % MAX_WINDOWS] as u8);
        });
        each!(i, 0..self.count, {
            let owner = self.owners[i % MAX_UNITS];
            let first = firsts[owner as usize % MAX_WINDOWS];
            self.sources[i % MAX_UNITS] = self.sources[i % MAX_UNITS].wrapping_add(first);
            self.owners[i % MAX_UNITS] = owner >> each.trailing_zeros();
        });
    }

    /// Divides all windows, of which there are `count`, into those of `size` iterations of a digit, `within` in each.
    const fn divide(&mut self, count: usize, (size, within): (usize, usize), source: isize) {
        each!(rev i, 0..size.div_ceil(within), {
            let (first, iterations) = (i * within, least(within, size - i * within));
            let begin = source.wrapping_mul(first as isize);
            let (low, high) = extended((begin, begin), source * (iterations as isize - 1));
            each!(window, 0..count, {
                let own = (i * count + window) % MAX_WINDOWS;
                self.starts[own] = self.starts[window % MAX_WINDOWS] + low;
                self.ends[own] = self.ends[window % MAX_WINDOWS] + high;
            });
        });
    }

    /// Makes windows of `bytes` bytes that follow one another in the source, from the lowest unit to the end of the
    /// highest, which is that of the last window, and lets each own the units that those before it do not hold.
    pub(super) const fn set_consecutive(&mut self, (low, high): (isize, isize), bytes: usize) {
        self.windows = ((high - low) as usize).div_ceil(bytes);
        each!(i, 0..self.windows, {
            let (start, last) = (low + (i * bytes) as isize, high - bytes as isize);
            self.starts[i] = if start > last && i > 0 { last } else { start };
            self.ends[i] =
                if start + (bytes as isize) < high { start + bytes as isize } else { high };
        });
        each!(i, 0..self.count, {
            let from_low = self.sources[i % MAX_UNITS].wrapping_sub(low as u8);
            self.owners[i % MAX_UNITS] = from_low >> bytes.trailing_zeros();
        });
    }
}

impl Permutation {
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
        each!(i, 0..all.windows, {
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
        });
        self.length = (all.ends[0] - all.starts[0]) as u8;
        // Unused lanes load the same bytes as the last window.
        each!(i, all.windows..MAX_WINDOWS, {
            self.offsets[i] = self.offsets[all.windows - 1];
        });
        true
    }
}
