//! Loop nests: the loops of one box, normalized, and the rows they visit.

use super::levels::{Level, MAX_LEVELS, Place, Places};
use crate::kernel::Row;

/// Loops from the slowest to the fastest in the destination, and where they begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nest {
    start: Place,
    levels: [Level; MAX_LEVELS],
    count: usize,
}

impl Nest {
    /// One element.
    pub(super) const fn at(start: Place) -> Self {
        Self { start, levels: [Level::ONCE; MAX_LEVELS], count: 0 }
    }

    /// One element again, in place: levels that do not count stay as they are.
    pub(super) const fn restart(&mut self, start: Place) {
        self.start = start;
        self.count = 0;
    }

    /// Adds a loop where its stride in the destination belongs. A loop of one step is none.
    pub(super) const fn push(&mut self, level: Level) {
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
    pub(crate) const fn levels(&self) -> &[Level] {
        self.levels.split_at(self.count).0
    }

    /// Where it begins.
    pub(crate) const fn start(&self) -> Place {
        self.start
    }

    /// Joins loops that follow one another in both layouts, and drops loops of one step.
    pub(super) const fn merge(&mut self) {
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

    /// Cuts off the last of an odd number of 4-bit elements that lie together in the destination:
    /// what is left fills whole bytes.
    pub(super) const fn whole_bytes(&self) -> (Self, Option<Self>) {
        let (mut whole, mut last) = (*self, *self);
        let mut i = 0;
        while i < self.count {
            let level = self.levels[i];
            if level.destination == 1 && level.size % 2 == 1 {
                whole.levels[i].size -= 1;
                last.start = last.start.stepped(&level, level.size as isize - 1);
                last.levels[i] = Level::ONCE;
                last.merge();
                return (whole, Some(last));
            }
            i += 1;
        }
        (whole, None)
    }

    /// The same nest over bytes, two elements of loop `row` in each. What it steps by is even
    /// elsewhere.
    pub(super) const fn halved(&self, row: usize) -> Self {
        let mut bytes = *self;
        bytes.start.source /= 2;
        bytes.start.destination /= 2;
        let mut i = 0;
        while i < self.count {
            let level = self.levels[i];
            bytes.levels[i] = if i == row {
                Level { size: level.size / 2, ..level }
            } else {
                let (source, destination) = (level.source / 2, level.destination / 2);
                Level { source, destination, ..level }
            };
            i += 1;
        }
        bytes.merge();
        bytes
    }

    /// How many rows there are.
    pub(super) const fn row_count(&self) -> usize {
        let mut rows = 1;
        let mut i = 0;
        while i + 1 < self.count {
            rows *= self.levels[i].size;
            i += 1;
        }
        rows
    }

    /// Every place of the nest.
    pub(super) const fn places(&self) -> Places<'_> {
        Places::new(self.levels(), self.start)
    }

    /// The rows of the nest in the order of the destination.
    pub(super) const fn rows(&self) -> Rows<'_> {
        let (outer, innermost) = match self.levels().split_last() {
            Some((innermost, outer)) => (outer, *innermost),
            None => (self.levels(), Level::ONCE),
        };
        Rows { places: Places::new(outer, self.start), innermost }
    }
}

/// The rows of a nest, one after the other.
pub(super) struct Rows<'a> {
    places: Places<'a>,
    innermost: Level,
}

impl Rows<'_> {
    pub(super) const fn next(&mut self) -> Option<Row> {
        let Some(place) = self.places.next() else { return None };
        Some(Row {
            size: self.innermost.size,
            source: place.source,
            source_step: self.innermost.source,
            destination: place.destination,
            destination_step: self.innermost.destination,
        })
    }
}
