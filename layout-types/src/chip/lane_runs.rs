//! Runs of an axis that is distributed over lanes: what one descriptor can go on over.

use crate::layout::Layout;

/// How the axis that is distributed over lanes is cut into runs, each a number of pieces in neighbouring
/// lanes that global memory holds in one stride.
pub(super) struct Runs<'a> {
    /// Global memory.
    pub(super) layout: &'a Layout,
    pub(super) axis: usize,
    pub(super) extent: usize,
    /// How many coordinates a piece has; the last one may have fewer.
    pub(super) together: usize,
    /// From a coordinate to the one in the next row of the same lane.
    pub(super) row: usize,
}

/// So many pieces of so many coordinates.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) width: usize,
    pub(super) pieces: usize,
}

impl Runs<'_> {
    /// The run that begins at a coordinate.
    pub(super) const fn at(&self, from: usize) -> Run {
        let rest = self.extent - from;
        let width = least(self.together, rest);
        let even = self.layout.even_run(self.axis, from, width) / width;
        Run { width, pieces: least(even, rest / width) }
    }

    /// How many rows a run of the first row goes on over, itself included: where the same run
    /// begins in each, and they are evenly far apart. Pieces of several coordinates go alone, since
    /// blocks may cut each otherwise.
    pub(super) const fn rows(&self, from: usize) -> usize {
        let run = self.at(from);
        if self.together > 1 || from + run.pieces > self.row {
            return 1;
        }
        let mut rows = 1;
        loop {
            let next = from + rows * self.row;
            if next + run.pieces > self.extent || self.at(next).pieces != run.pieces {
                return rows;
            }
            let step = self.layout.step_of(self.axis, next - self.row, self.row);
            if step != self.layout.step_of(self.axis, from, self.row) {
                return rows;
            }
            rows += 1;
        }
    }

    /// Whether a run of the first row goes on over this one.
    pub(super) const fn is_row_of_earlier(&self, from: usize) -> bool {
        if from < self.row {
            return false;
        }
        let mut first = 0;
        while first < from % self.row {
            let Run { width, pieces } = self.at(first);
            first += pieces * width;
        }
        first == from % self.row && from / self.row < self.rows(first)
    }
}

const fn least(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}
