//! Runs of an axis that is distributed over lanes: the part of it that one descriptor can move.

use layout_core::Layout;

/// Divides the axis that is distributed over lanes into runs. A run is a number of pieces in neighboring lanes with
/// one stride in global memory.
pub(crate) struct Runs<'a> {
    /// The layout of global memory.
    pub(crate) layout: &'a Layout,
    pub(crate) axis: usize,
    pub(crate) extent: usize,
    /// The number of coordinates in a piece. The last piece may have fewer.
    pub(crate) together: usize,
    /// The number of coordinates from one row of a lane to the next.
    pub(crate) row: usize,
}

/// A run: a number of pieces, each of some coordinates.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) width: usize,
    pub(crate) pieces: usize,
}

impl Runs<'_> {
    /// The run that begins at coordinate `from`.
    pub(crate) const fn at(&self, from: usize) -> Run {
        let rest = self.extent - from;
        let width = least(self.together, rest);
        let even = self.layout.even_run(self.axis, from, width) / width;
        Run { width, pieces: least(even, rest / width) }
    }

    /// The number of rows that a run of the first row covers, itself included. In each of them, the same run must
    /// begin, at even distances. Pieces of several coordinates get one row, since blocks may divide each piece
    /// differently.
    pub(crate) const fn rows(&self, from: usize) -> usize {
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

    /// Whether a run of the first row covers this one.
    pub(crate) const fn is_row_of_earlier(&self, from: usize) -> bool {
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
