//! Loop nests: the loops of one box in normal form, and the rows that they visit.

use super::levels::{Level, MAX_LEVELS, Place, Places};
use super::swizzled::Swizzles;
use crate::spec::{Swizzle, least};

/// Loops from the slowest to the fastest in the destination, and their start.
#[derive(Clone, Copy, Debug)]
pub struct Nest {
    start: Place,
    levels: [Level; MAX_LEVELS],
    count: usize,
    swizzles: Swizzles,
}

/// `stride.unsigned_abs()` in one call instead of three, for which const evaluation pays.
const fn distance(stride: isize) -> usize {
    if stride < 0 { (stride as usize).wrapping_neg() } else { stride as usize }
}

impl Nest {
    /// A nest of one element.
    pub const fn at(start: Place) -> Self {
        Self::between(start, Swizzles::NONE)
    }

    /// A nest of one element of layouts with these swizzles.
    #[inline(always)]
    pub(super) const fn between(start: Place, swizzles: Swizzles) -> Self {
        Self { start, levels: [Level::ONCE; MAX_LEVELS], count: 0, swizzles }
    }

    /// Whether levels and start determine the offsets. Otherwise swizzles are applied to them.
    pub const fn is_affine(&self) -> bool {
        self.swizzles.is_none()
    }

    /// The swizzles of the source and of the destination.
    pub const fn swizzles(&self) -> (Option<Swizzle>, Option<Swizzle>) {
        self.swizzles.both()
    }

    /// Resets the nest to one element in place. Levels beyond the count keep their values.
    pub const fn restart(&mut self, start: Place) {
        self.start = start;
        self.count = 0;
    }

    /// Inserts a loop in the order of strides in the destination. A loop of one step is left out.
    pub const fn push(&mut self, level: Level) {
        if level.size == 1 {
            return;
        }
        let stride = distance(level.destination);
        let mut at = self.count;
        while at > 0 && distance(self.levels[at - 1].destination) < stride {
            self.levels[at] = self.levels[at - 1];
            at -= 1;
        }
        self.levels[at] = level;
        self.count += 1;
    }

    /// Adds a loop inside all others.
    pub(super) const fn append(&mut self, level: Level) {
        self.levels[self.count] = level;
        self.count += 1;
    }

    /// The loops, from the slowest to the fastest in the destination.
    pub const fn levels(&self) -> &[Level] {
        self.levels.split_at(self.count).0
    }

    /// The start.
    pub const fn start(&self) -> Place {
        self.start
    }

    /// Joins loops that are contiguous in both layouts.
    pub const fn merge(&mut self) {
        let mut kept = 0;
        let mut i = 0;
        while i < self.count {
            let inner = self.levels[i];
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

    /// The largest number of rows.
    pub const fn row_count(&self) -> usize {
        let mut rows = 1;
        let mut i = 0;
        // With a swizzle, a row may be one element.
        while i + (self.is_affine() as usize) < self.count {
            rows *= self.levels[i].size;
            i += 1;
        }
        rows
    }

    /// The same loops with the longest one last, so that there are fewer [`rows`](Self::rows). The result is for these
    /// alone: its loops are no longer in the order of the destination.
    #[must_use]
    pub const fn with_longest_rows(mut self) -> Self {
        let (mut longest, mut i) = (0, 0);
        while i < self.count {
            if self.levels[i].size >= self.levels[longest].size {
                longest = i;
            }
            i += 1;
        }
        if self.count > 0 {
            (self.levels[longest], self.levels[self.count - 1]) =
                (self.levels[self.count - 1], self.levels[longest]);
        }
        self
    }

    /// Every element of the nest.
    pub const fn places(&self) -> Places<'_> {
        Places::new(self.levels(), self.start).swizzled(self.swizzles)
    }

    /// The rows of the nest in the order of the destination.
    pub const fn rows(&self) -> Rows<'_> {
        let rows = self.linear_rows();
        Rows { swizzles: self.swizzles, ..rows }
    }

    /// The rows with offsets before swizzles.
    pub const fn linear_rows(&self) -> Rows<'_> {
        let (outer, innermost) = match self.levels().split_last() {
            Some((innermost, outer)) => (outer, *innermost),
            None => (self.levels(), Level::ONCE),
        };
        let places = Places::new(outer, self.start);
        Rows { places, innermost, swizzles: Swizzles::NONE, rest: None }
    }
}

/// A row: evenly spaced elements of the source that move to evenly spaced offsets of the destination. All fields count
/// elements.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The number of elements.
    pub size: usize,
    /// The offset of the first element in the source.
    pub source: usize,
    /// The distance between elements in the source.
    pub source_step: isize,
    /// The offset of the first element in the destination.
    pub destination: usize,
    /// The distance between elements in the destination.
    pub destination_step: isize,
}

impl Row {
    /// The rest of the row from this element.
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

/// Iterates over the rows of a nest.
pub struct Rows<'a> {
    places: Places<'a>,
    innermost: Level,
    swizzles: Swizzles,
    /// The rest of a row before swizzles.
    rest: Option<Row>,
}

impl Rows<'_> {
    /// Returns the next row.
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

    /// The first part of a row that stays evenly spaced on both sides, with swizzled offsets. The rest comes next.
    const fn cut(&mut self, row: Row) -> Row {
        let together = self
            .swizzles
            .together((row.source, row.source_step), (row.destination, row.destination_step));
        let size = least(together, row.size);
        self.rest = if size == row.size { None } else { Some(row.from(size)) };
        let (source, destination) = self.swizzles.apply(row.source, row.destination);
        Row { size, source, destination, ..row }
    }
}
