//! Loop nests: the loops of one box, normalised, and the rows they visit.

use crate::kernel::{Loop, Row};
use crate::spec::MAX_FACTORS;

/// Loops from the slowest to the fastest in the destination, and where they begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nest {
    source: usize,
    destination: usize,
    loops: [Loop; Self::CAPACITY],
    count: usize,
}

impl Nest {
    /// The digits of two layouts, and one more for each axis that they cut differently.
    const CAPACITY: usize = 2 * MAX_FACTORS;

    /// One element.
    pub(super) const fn at(source: usize, destination: usize) -> Self {
        Self { source, destination, loops: [Loop::ONCE; Self::CAPACITY], count: 0 }
    }

    /// Adds a loop where its stride in the destination belongs. A loop of one step is none.
    pub(super) const fn push(&mut self, size: usize, source: isize, destination: isize) {
        if size == 1 {
            return;
        }
        let mut at = self.count;
        while at > 0 && self.loops[at - 1].destination.unsigned_abs() < destination.unsigned_abs() {
            self.loops[at] = self.loops[at - 1];
            at -= 1;
        }
        self.loops[at] = Loop { size, source, destination };
        self.count += 1;
    }

    /// The loops, from the slowest to the fastest in the destination.
    pub(super) const fn loops(&self) -> &[Loop] {
        self.loops.split_at(self.count).0
    }

    /// Where it begins in the source and in the destination.
    pub(super) const fn start(&self) -> (usize, usize) {
        (self.source, self.destination)
    }

    /// Joins loops that follow one another in both layouts, and drops loops of one step.
    pub(super) const fn merged(mut self) -> Self {
        let mut kept = 0;
        let mut i = 0;
        while i < self.count {
            let inner = self.loops[i];
            if inner.size == 1 {
                i += 1;
                continue;
            }
            if kept > 0
                && follows(self.loops[kept - 1].source, inner.source, inner.size)
                && follows(self.loops[kept - 1].destination, inner.destination, inner.size)
            {
                let size = self.loops[kept - 1].size * inner.size;
                self.loops[kept - 1] = Loop { size, ..inner };
            } else {
                self.loops[kept] = inner;
                kept += 1;
            }
            i += 1;
        }
        self.count = kept;
        self
    }

    /// Cuts off the last of an odd number of 4-bit elements that lie together in the destination:
    /// what is left fills whole bytes.
    pub(super) const fn whole_bytes(&self) -> (Self, Option<Self>) {
        let (mut whole, mut last) = (*self, *self);
        let mut i = 0;
        while i < self.count {
            let Loop { size, source, destination } = self.loops[i];
            if destination == 1 && size % 2 == 1 {
                whole.loops[i].size -= 1;
                let steps = (size - 1) as isize;
                last.source = last.source.wrapping_add_signed(source.wrapping_mul(steps));
                last.destination = last.destination.wrapping_add_signed(steps);
                last.loops[i] = Loop::ONCE;
                return (whole, Some(last.merged()));
            }
            i += 1;
        }
        (whole, None)
    }

    /// The same nest over bytes, two elements of loop `row` in each. What it steps by is even
    /// elsewhere.
    pub(super) const fn halved(&self, row: usize) -> Self {
        let mut bytes = *self;
        bytes.source /= 2;
        bytes.destination /= 2;
        let mut i = 0;
        while i < self.count {
            let Loop { size, source, destination } = self.loops[i];
            bytes.loops[i] = if i == row {
                Loop { size: size / 2, ..self.loops[i] }
            } else {
                Loop { size, source: source / 2, destination: destination / 2 }
            };
            i += 1;
        }
        bytes.merged()
    }

    /// How many rows there are.
    pub(super) const fn row_count(&self) -> usize {
        let mut rows = 1;
        let mut i = 0;
        while i + 1 < self.count {
            rows *= self.loops[i].size;
            i += 1;
        }
        rows
    }

    /// The rows of the nest in the order of the destination.
    pub(super) const fn rows(&self) -> Rows<'_> {
        Rows {
            nest: self,
            index: [0; Self::CAPACITY],
            source: self.source as isize,
            destination: self.destination as isize,
            done: false,
        }
    }
}

/// Whether one step of an outer loop is as far as all those of an inner one.
const fn follows(outer: isize, inner: isize, size: usize) -> bool {
    match inner.checked_mul(size as isize) {
        Some(way) => outer == way,
        None => false,
    }
}

/// The rows of a nest, one after the other.
pub(super) struct Rows<'a> {
    nest: &'a Nest,
    index: [usize; Nest::CAPACITY],
    source: isize,
    destination: isize,
    done: bool,
}

impl Rows<'_> {
    pub(super) const fn next(&mut self) -> Option<Row> {
        if self.done {
            return None;
        }
        let innermost =
            if self.nest.count == 0 { Loop::ONCE } else { self.nest.loops[self.nest.count - 1] };
        let row = Row {
            size: innermost.size,
            source: self.source as usize,
            source_step: innermost.source,
            destination: self.destination as usize,
            destination_step: innermost.destination,
        };
        self.done = true;
        let mut i = self.nest.count.saturating_sub(1);
        while i > 0 && self.done {
            i -= 1;
            let Loop { size, source, destination } = self.nest.loops[i];
            self.index[i] += 1;
            if self.index[i] < size {
                self.source += source;
                self.destination += destination;
                self.done = false;
            } else {
                self.index[i] = 0;
                self.source -= source * (size - 1) as isize;
                self.destination -= destination * (size - 1) as isize;
            }
        }
        Some(row)
    }
}
