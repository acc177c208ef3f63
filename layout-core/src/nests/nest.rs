//! Loop nests: the loops of one box in normal form, and the rows that they visit.

use super::levels::{Level, MAX_LEVELS, Place, Places};
use super::swizzled::{Swizzles, are_none, swizzled, together};
use crate::spec::{Swizzle, least};

/// A loop of fewer steps is not worth being the innermost.
const SHORT: usize = 16;

/// Loops over a box of coordinates of some layouts, slowest first, and their start. Of a pair, the order is that of the
/// destination.
#[derive(Clone, Copy, Debug)]
pub struct Nest<const N: usize = 2> {
    /// The offsets of the first element, before swizzles.
    pub(super) start: [usize; N],
    /// The index of the first parameter.
    pub(super) parameter: usize,
    levels: [Level<N>; MAX_LEVELS],
    pub(super) count: usize,
    pub(super) swizzles: Swizzles<N>,
}

impl<const N: usize> Nest<N> {
    /// One element of each layout, at the start of its buffer.
    pub const EMPTY: Self = Self {
        start: [0; N],
        parameter: 0,
        levels: [Level::ONCE; MAX_LEVELS],
        count: 0,
        swizzles: [None; N],
    };

    /// The offsets of the start, before swizzles.
    pub const fn offsets(&self) -> [usize; N] {
        self.start
    }

    /// Whether levels and start determine the offsets. Otherwise swizzles are applied to them.
    pub const fn is_affine(&self) -> bool {
        are_none(&self.swizzles)
    }

    /// The swizzles of the layouts.
    pub const fn swizzles(&self) -> [Option<Swizzle>; N] {
        self.swizzles
    }

    /// The loops, slowest first.
    pub const fn levels(&self) -> &[Level<N>] {
        self.levels.split_at(self.count).0
    }

    /// The loop that has `inside` loops inside it, or a loop of one step.
    pub const fn loop_around(&self, inside: usize) -> Level<N> {
        if inside < self.count { self.levels[self.count - 1 - inside] } else { Level::ONCE }
    }

    /// Whether one loop visits a whole buffer of layout `i`, of `length` elements, from its start.
    pub(super) const fn is_all_of(&self, i: usize, length: usize) -> bool {
        let row = &self.levels[0];
        self.count == 1 && self.start[i] == 0 && row.strides[i] == 1 && row.size == length
    }

    /// The same loops with a long innermost loop, for rows with strides known at run time. Starting a loop of few
    /// steps costs more than running it, and the rest of its cache lines is used soon.
    pub fn with_long_rows(mut self) -> Self {
        if let Some([.., outer, inner]) = self.levels.get_mut(..self.count) {
            if inner.size < SHORT && outer.size > inner.size {
                core::mem::swap(outer, inner);
            }
        }
        self
    }

    /// Inserts a loop in order. A loop of one step is left out.
    pub const fn push(&mut self, level: Level<N>) {
        if level.size == 1 {
            return;
        }
        let mut at = self.count;
        while at > 0 && level.is_slower(&self.levels[at - 1]) {
            self.levels[at] = self.levels[at - 1];
            at -= 1;
        }
        self.levels[at] = level;
        self.count += 1;
    }

    /// Joins loops that are contiguous in all layouts, if a number can count their steps together.
    pub const fn merge(&mut self) {
        let mut kept = 0;
        each!(i, 0..self.count, {
            let inner = self.levels[i];
            let mut joined = None;
            if kept > 0 && self.levels[kept - 1].follows(&inner) {
                joined = self.levels[kept - 1].size.checked_mul(inner.size);
            }
            match joined {
                Some(size) => self.levels[kept - 1] = Level { size, ..inner },
                None => {
                    self.levels[kept] = inner;
                    kept += 1;
                }
            }
        });
        self.count = kept;
    }
}

impl Nest {
    /// A nest of one element.
    pub const fn at(Place { source, destination, parameter }: Place) -> Self {
        Self { start: [source, destination], parameter, ..Self::EMPTY }
    }

    /// The start, before swizzles.
    pub const fn start(&self) -> Place {
        let [source, destination] = self.start;
        Place { source, destination, parameter: self.parameter }
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
        let mut longest = 0;
        each!(i, 0..self.count, {
            if self.levels[i].size >= self.levels[longest].size {
                longest = i;
            }
        });
        if self.count > 0 {
            (self.levels[longest], self.levels[self.count - 1]) =
                (self.levels[self.count - 1], self.levels[longest]);
        }
        self
    }

    /// Every element of the nest.
    pub const fn places(&self) -> Places<'_> {
        Places::new(self.levels(), self.start()).swizzled(self.swizzles)
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
        let places = Places::new(outer, self.start());
        Rows { places, innermost, swizzles: [None; 2], rest: None }
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
    swizzles: Swizzles<2>,
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
            source_step: self.innermost.strides[0],
            destination: place.destination,
            destination_step: self.innermost.strides[1],
        };
        Some(if are_none(&self.swizzles) { row } else { self.cut(row) })
    }

    /// The first part of a row that stays evenly spaced on both sides, with swizzled offsets. The rest comes next.
    const fn cut(&mut self, row: Row) -> Row {
        let (from, to) = ((row.source, row.source_step), (row.destination, row.destination_step));
        let size = least(together(&self.swizzles, from, to), row.size);
        self.rest = if size == row.size { None } else { Some(row.from(size)) };
        let source = swizzled(self.swizzles[0], row.source);
        let destination = swizzled(self.swizzles[1], row.destination);
        Row { size, source, destination, ..row }
    }
}
