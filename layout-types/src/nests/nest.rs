//! Loop nests: the loops of one box, normalized, and the rows they visit.

use super::levels::{Level, MAX_LEVELS, Place, Places};
use super::swizzled::Swizzles;
use crate::spec::Swizzle;

/// Loops from the slowest to the fastest in the destination, and where they begin.
#[derive(Clone, Copy, Debug)]
pub struct Nest {
    start: Place,
    levels: [Level; MAX_LEVELS],
    count: usize,
    swizzles: Swizzles,
}

impl Nest {
    /// One element.
    pub const fn at(start: Place) -> Self {
        Self { start, levels: [Level::ONCE; MAX_LEVELS], count: 0, swizzles: Swizzles::NONE }
    }

    /// The same between layouts with these swizzles.
    pub(super) const fn with_swizzles(mut self, swizzles: Swizzles) -> Self {
        self.swizzles = swizzles;
        self
    }

    /// Whether levels and start are all there is to it: rows and places are swizzled after them elsewhere.
    pub const fn is_affine(&self) -> bool {
        self.swizzles.is_none()
    }

    /// The swizzles of the source and of the destination.
    pub const fn swizzles(&self) -> (Option<Swizzle>, Option<Swizzle>) {
        self.swizzles.both()
    }

    /// Begins so many elements farther on one side.
    pub(super) const fn shift(&mut self, of_source: bool, elements: isize) {
        let offset = if of_source { &mut self.start.source } else { &mut self.start.destination };
        *offset = offset.wrapping_add_signed(elements);
    }

    /// One element again, in place: levels that do not count stay as they are.
    pub const fn restart(&mut self, start: Place) {
        self.start = start;
        self.count = 0;
    }

    /// Adds a loop where its stride in the destination belongs. A loop of one step is none.
    pub const fn push(&mut self, level: Level) {
        if level.size == 1 {
            return;
        }
        let stride = level.destination.unsigned_abs();
        let mut at = self.count;
        while at > 0 && self.levels[at - 1].destination.unsigned_abs() < stride {
            self.levels[at] = self.levels[at - 1];
            at -= 1;
        }
        self.levels[at] = level;
        self.count += 1;
    }

    /// The loops, from the slowest to the fastest in the destination.
    pub const fn levels(&self) -> &[Level] {
        self.levels.split_at(self.count).0
    }

    /// Where it begins.
    pub const fn start(&self) -> Place {
        self.start
    }

    /// Joins loops that follow one another in both layouts, and drops loops of one step.
    pub const fn merge(&mut self) {
        let mut kept = 0;
        let mut i = 0;
        while i < self.count {
            let inner = self.levels[i];
            if inner.size == 1 {
                i += 1;
                continue;
            }
            if kept > 0 && self.levels[kept - 1].follows(&inner) {
                let size = self.levels[kept - 1].size * inner.size;
                self.levels[kept - 1] = Level { size, ..inner };
            } else {
                self.levels[kept] = inner;
                kept += 1;
            }
            i += 1;
        }
        self.count = kept;
    }

    /// How many rows there are at most.
    pub const fn row_count(&self) -> usize {
        let mut rows = 1;
        let mut i = 0;
        // With a swizzle a row may be one element.
        while i + (self.is_affine() as usize) < self.count {
            rows *= self.levels[i].size;
            i += 1;
        }
        rows
    }

    /// Every place of the nest.
    pub const fn places(&self) -> Places<'_> {
        Places::new(self.levels(), self.start).swizzled(self.swizzles)
    }

    /// The rows of the nest in the order of the destination.
    pub const fn rows(&self) -> Rows<'_> {
        let rows = self.linear_rows();
        Rows { swizzles: self.swizzles, ..rows }
    }

    /// The same with the places before swizzles.
    pub const fn linear_rows(&self) -> Rows<'_> {
        let (outer, innermost) = match self.levels().split_last() {
            Some((innermost, outer)) => (outer, *innermost),
            None => (self.levels(), Level::ONCE),
        };
        let places = Places::new(outer, self.start);
        Rows { places, innermost, swizzles: Swizzles::NONE, rest: None }
    }
}

/// Evenly spaced elements of the source to evenly spaced places of the destination: so many, from where
/// in either buffer, and how far apart; all in elements.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// How many.
    pub size: usize,
    /// The first in the source.
    pub source: usize,
    /// From one to the next in the source.
    pub source_step: isize,
    /// The first in the destination.
    pub destination: usize,
    /// From one to the next in the destination.
    pub destination_step: isize,
}

impl Row {
    /// The row from this element on.
    const fn from(&self, first: usize) -> Self {
        let steps = first as isize;
        let source = self.source_step.wrapping_mul(steps);
        let destination = self.destination_step.wrapping_mul(steps);
        Self {
            size: self.size - first,
            source: self.source.wrapping_add_signed(source),
            destination: self.destination.wrapping_add_signed(destination),
            ..*self
        }
    }
}

/// The rows of a nest, one after the other.
pub struct Rows<'a> {
    places: Places<'a>,
    innermost: Level,
    swizzles: Swizzles,
    /// What is left of a row without swizzles.
    rest: Option<Row>,
}

impl Rows<'_> {
    /// The next row.
    pub const fn next(&mut self) -> Option<Row> {
        if let Some(row) = self.rest {
            return Some(self.cut(row));
        }
        let Some(place) = self.places.next() else { return None };
        let row = Row {
            size: self.innermost.size,
            source: place.source,
            source_step: self.innermost.source,
            destination: place.destination,
            destination_step: self.innermost.destination,
        };
        Some(if self.swizzles.is_none() { row } else { self.cut(row) })
    }

    /// The first part of a row that stays together on both sides, where it lies; the rest comes next.
    const fn cut(&mut self, row: Row) -> Row {
        let together = self
            .swizzles
            .together((row.source, row.source_step), (row.destination, row.destination_step));
        let size = if together < row.size { together } else { row.size };
        self.rest = if size == row.size { None } else { Some(row.from(size)) };
        let (source, destination) = self.swizzles.apply(row.source, row.destination);
        Row { size, source, destination, ..row }
    }
}
