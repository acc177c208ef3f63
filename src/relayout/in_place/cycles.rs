//! Permutations of the units of a buffer, which move along their cycles.
//! Of relayouts that are constants, tables have the lowest positions of cycles.

use crate::relayout::plan::Plan;
use crate::relayout::run::Relayout;
use crate::relayout::swizzled::Xor;
use layout_types::Layout;
use layout_types::nests::{Boxes, Level, MAX_LEVELS, Nest};
use layout_types::plain::{self, Plain};
use layout_types::spec::{LayoutError, Name, Rule};

/// Loops over units. A unit is a group of bytes that are moved together; strides count bytes.
#[derive(Clone, Copy)]
pub(super) struct MovedUnits {
    /// The loops, from the slowest to the fastest in the destination.
    pub(super) loops: [Level; Self::CAPACITY],
    pub(super) count: usize,
    /// The bytes of a unit: 1, 2, 4, 8 or 16, or those of a run that moves in stages.
    pub(super) unit: usize,
}

impl MovedUnits {
    /// The maximal number of loops.
    pub(super) const CAPACITY: usize = 12;

    /// A single byte.
    pub(super) const NONE: Self = Self { loops: [Level::ONCE; Self::CAPACITY], count: 0, unit: 1 };

    /// Returns the loops of `nest` over elements of `bytes` bytes, in units as long as possible, of at most `most`
    /// bytes. Returns `None` if there are too many loops.
    const fn of(nest: &Nest, bytes: usize, most: usize) -> Option<Self> {
        let mut units = Self::NONE;
        units.unit = if bytes.trailing_zeros() > 4 { 16 } else { 1 << bytes.trailing_zeros() };
        let levels = nest.levels();
        const { assert!(Self::CAPACITY < MAX_LEVELS) };
        if levels.len() + (bytes > units.unit) as usize > Self::CAPACITY {
            return None;
        }
        while units.count < levels.len() {
            let Level { size, strides: [source, destination], .. } = levels[units.count];
            let strides = [source * bytes as isize, destination * bytes as isize];
            units.loops[units.count] = Level::new(size, strides);
            units.count += 1;
        }
        if bytes > units.unit {
            units.loops[units.count] = units.together(bytes / units.unit);
            units.count += 1;
        }
        // Merges bytes that stay contiguous on both sides into one unit.
        while units.count > 0 && units.unit < 16 && units.unit < most {
            let last = units.loops[units.count - 1];
            let step = units.unit as isize;
            if last.strides[0] != step || last.strides[1] != step || last.size % 2 != 0 {
                break;
            }
            units.unit *= 2;
            units.loops[units.count - 1] = units.together(last.size / 2);
            if last.size == 2 {
                units.count -= 1;
            }
        }
        Some(units)
    }

    /// Returns a loop over `size` units that are contiguous on both sides.
    const fn together(&self, size: usize) -> Level {
        Level::new(size, [self.unit as isize; 2])
    }
}

/// A permutation of the units of a buffer: it says which unit moves to each position.
///
/// Law: `source_of` is a bijection of `0..count`. In each part of `count` units, it maps the position of a coordinate
/// in the destination to its position in the source.
#[derive(Clone, Copy)]
pub(super) struct Cycles {
    pub(super) units: MovedUnits,
    /// The number of units in a part of the buffer that the loops permute.
    pub(super) count: usize,
    /// The swizzles of the source and of the destination, of units.
    swizzles: (Xor, Xor),
}

impl Cycles {
    /// # Errors
    /// - The relayout is not a permutation of units.
    /// - A single set of loops cannot describe the permutation.
    pub(super) const fn of(plan: &Plan) -> Result<Self, LayoutError> {
        match Self::find(plan) {
            Ok(cycles) => Ok(cycles),
            Err(rule) => Err(LayoutError(rule)),
        }
    }

    const fn find(plan: &Plan) -> Result<Self, Rule> {
        let (source, destination) = (plan.source(), plan.destination());
        let bits = source.element().bits();
        if let Some(rule) = refusal(source, destination) {
            return Err(rule);
        }
        let swizzles = (Xor::of(source.swizzle()), Xor::of(destination.swizzle()));
        let is_swizzled = plan.pair.is_swizzled();
        let mut boxes = Boxes::new(&plan.pair, None);
        // In an empty tensor nothing moves, whatever its axes are.
        let none = Self { units: MovedUnits::NONE, count: 1, swizzles };
        let Some(&nest) = boxes.next() else { return Ok(none) };
        let reversed = (reversed_axis(source), reversed_axis(destination));
        if let (Some(letter), _) | (None, Some(letter)) = reversed {
            return Err(Rule::InPlaceReversed { letter });
        }
        if let Some((letter, [smaller, larger])) = boxes.unlike_blocks() {
            return Err(Rule::InPlaceBlocks { letter, smaller, larger });
        }
        let (from, to) = (swizzles.0.group_bytes(bits / 8), swizzles.1.group_bytes(bits / 8));
        let units = MovedUnits::of(&nest, bits / 8, if from < to { from } else { to });
        let loops = Rule::InPlaceLoops { most: MovedUnits::CAPACITY };
        let (Some(units), None) = (units, boxes.next()) else { return Err(loops) };
        // Slow loops with equal strides on both sides leave their parts where they are, unless a swizzle reads them.
        let mut same = 0;
        while !is_swizzled
            && same < units.count
            && units.loops[same].strides[0] == units.loops[same].strides[1]
        {
            same += 1;
        }
        // Checks that each loop begins again where the next slower one steps. Then the loop counters are the digits
        // of a position.
        let (mut places, mut count) = (1, 1);
        let mut i = units.count;
        while i > 0 {
            i -= 1;
            let level = units.loops[i];
            if level.strides[1] != (places * units.unit) as isize || level.strides[0] < 0 {
                return Err(loops);
            }
            places *= level.size;
            if i >= same {
                count = places;
            }
        }
        let mut inner =
            MovedUnits { count: units.count - same, unit: units.unit, ..MovedUnits::NONE };
        while i + same < units.count {
            inner.loops[i] = units.loops[i + same];
            i += 1;
        }
        let (element, unit) = ((bits / 8).trailing_zeros(), units.unit.trailing_zeros());
        let (from, to) = swizzles;
        let swizzles = (
            from.of_units(element as usize, unit as usize),
            to.of_units(element as usize, unit as usize),
        );
        Ok(Self { units: inner, count, swizzles })
    }

    /// Returns the position of the unit that moves to `place`.
    #[inline(always)]
    pub(super) const fn source_of(&self, place: usize) -> usize {
        let MovedUnits { loops, count, unit } = &self.units;
        let (mut rest, mut source, mut i) = (self.swizzles.1.apply(place), 0, *count);
        while i > 0 && i <= MovedUnits::CAPACITY {
            i -= 1;
            let level = &loops[i];
            // A loop of no steps has no positions.
            let (Some(digit), Some(slower)) =
                (rest.checked_rem(level.size), rest.checked_div(level.size))
            else {
                return place;
            };
            source += digit * (level.strides[0] as usize / *unit);
            rest = slower;
        }
        self.swizzles.0.apply(source)
    }

    /// A permutation without swizzles, of runs that move in stages: their strides in the destination are not asked for.
    #[cfg(not(target_os = "none"))]
    pub(super) const fn plain(units: MovedUnits, count: usize) -> Self {
        Self { units, count, swizzles: (Xor::of(None), Xor::of(None)) }
    }

    /// Whether positions are swizzled on a side.
    #[cfg(not(target_os = "none"))]
    pub(super) const fn is_swizzled(&self) -> bool {
        self.swizzles.0.is_some() || self.swizzles.1.is_some()
    }

    /// Moves the units of a buffer, if they are known by the `starts` of the cycles.
    #[inline(always)]
    pub(super) fn run(&self, starts: Option<&[u16]>, bytes: &mut [u8]) {
        // Arrays of bytes have no alignment.
        match self.units.unit {
            1 => self.follow::<[u8; 1]>(starts, bytes),
            2 => self.follow::<[u8; 2]>(starts, bytes),
            4 => self.follow::<[u8; 4]>(starts, bytes),
            8 => self.follow::<[u8; 8]>(starts, bytes),
            _ => self.follow::<[u8; 16]>(starts, bytes),
        }
    }

    #[inline(always)]
    fn follow<N: Plain>(&self, starts: Option<&[u16]>, bytes: &mut [u8]) {
        let Some(units) = plain::try_cast_mut::<u8, N>(bytes) else { return };
        for part in units.chunks_exact_mut(self.count.max(1)) {
            match starts {
                Some(starts) => {
                    for &first in starts {
                        self.follow_from(first.into(), part);
                    }
                }
                None => self.follow_in(part),
            }
        }
    }

    /// Whether position `first`, whose unit comes from `next`, is the lowest of its cycle.
    #[inline(always)]
    pub(super) fn is_lowest(&self, first: usize, next: usize) -> bool {
        let mut at = next;
        while at > first {
            at = self.source_of(at);
        }
        at == first
    }

    /// Moves the units of each cycle, starting from its lowest position.
    #[inline(always)]
    fn follow_in<N: Plain>(&self, units: &mut [N]) {
        for first in 0..self.count {
            let next = self.source_of(first);
            if next != first && self.is_lowest(first, next) {
                self.follow_from(first, units);
            }
        }
    }

    /// Moves the units of the cycle of a position.
    #[inline(always)]
    fn follow_from<N: Plain>(&self, first: usize, units: &mut [N]) {
        let Some(&held) = units.get(first) else { return };
        let (mut to, mut from) = (first, self.source_of(first));
        while from != first {
            let Some(&unit) = units.get(from) else { return };
            if let Some(place) = units.get_mut(to) {
                *place = unit;
            }
            (to, from) = (from, self.source_of(from));
        }
        if let Some(place) = units.get_mut(to) {
            *place = held;
        }
    }
}

/// Returns why elements of these layouts cannot change places; `find` itself checks reversed axes and blocks.
const fn refusal(source: &Layout, destination: &Layout) -> Option<Rule> {
    let (element, bits) = (source.element(), source.element().bits());
    let is_swizzled = source.swizzle().is_some() || destination.swizzle().is_some();
    if is_swizzled && !bits.is_power_of_two() {
        return Some(Rule::InPlaceSwizzle { element });
    }
    if bits < 8 {
        return Some(Rule::InPlaceSubByte { element });
    }
    if let Some(letter) = source.shared_axis() {
        return Some(Rule::InPlaceShared { letter });
    }
    match gaps("source", source) {
        Some(error) => Some(error),
        None => gaps("destination", destination),
    }
}

/// Returns the error of a layout whose storage holds more than its elements.
const fn gaps(side: &str, layout: &Layout) -> Option<Rule> {
    if layout.is_exhaustive() {
        return None;
    }
    let (bytes, elements) = (layout.bytes(), layout.bytes_of(layout.numel()));
    Some(Rule::InPlaceGaps { side: Name::new(side), bytes, elements })
}

/// Returns an axis with a negative stride.
const fn reversed_axis(layout: &Layout) -> Option<char> {
    let digits = layout.digits();
    let digits = digits.as_slice();
    layout_types::each!(i, 0..digits.len(), {
        if digits[i].stride < 0 && digits[i].size > 1 {
            return Some(layout.letters().at(digits[i].axis));
        }
    });
    None
}

/// The most positions whose cycles are followed in a constant: with an operating system, more of them move in stages.
const POSITIONS: usize = if cfg!(target_os = "none") { 1 << 14 } else { 192 };

/// The most starts of a table. Where there are more, cycles are short, so that to follow one for its lowest position
/// is cheap.
const MOST: usize = 1024;

/// The cycles of a relayout between static layouts.
pub(super) trait StaticCycles: Relayout {
    /// The lowest position of each cycle of at least two, if they are few.
    const STARTS: Option<&'static [u16]> = match Self::FOUND.1 {
        count @ 0..=16 => Some(Self::FEW.split_at(count).0),
        count @ 17..=64 => Some(Self::MORE.split_at(count).0),
        count @ 65..=256 => Some(Self::MANY.split_at(count).0),
        count @ 257..=MOST => Some(Self::FOUND.0.split_at(count).0),
        _ => None,
    };
    /// The starts, and their number. A relayout that is not a permutation is an error elsewhere.
    const FOUND: &'static ([u16; MOST], usize) = &match Cycles::of(Self::PLAN) {
        Ok(cycles) => starts(&cycles),
        Err(_) => ([0; MOST], usize::MAX),
    };
    /// The first starts, so that a program has a table of about the length that it needs.
    const FEW: &'static [u16; 16] = &first(&Self::FOUND.0);
    /// The same.
    const MORE: &'static [u16; 64] = &first(&Self::FOUND.0);
    /// The same.
    const MANY: &'static [u16; 256] = &first(&Self::FOUND.0);
}

impl<R: Relayout> StaticCycles for R {}

/// Returns the lowest position of each cycle, and their number, which is larger than a table if they are not followed.
const fn starts(cycles: &Cycles) -> ([u16; MOST], usize) {
    let (mut starts, mut count, mut first) = ([0; MOST], 0, 0);
    if cycles.count > POSITIONS {
        return (starts, usize::MAX);
    }
    let mut is_seen = [false; POSITIONS];
    while first < cycles.count {
        let mut at = cycles.source_of(first);
        if !is_seen[first] && at != first {
            if count < MOST {
                starts[count] = first as u16;
            }
            count += 1;
            while at != first {
                is_seen[at] = true;
                at = cycles.source_of(at);
            }
        }
        first += 1;
    }
    (starts, count)
}

const fn first<const LENGTH: usize>(all: &[u16; MOST]) -> [u16; LENGTH] {
    let mut first = [0; LENGTH];
    layout_types::each!(i, 0..LENGTH, {
        first[i] = all[i];
    });
    first
}
