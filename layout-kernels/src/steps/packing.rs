//! Packing: which rows, columns or both go through a scratch, and in which blocks.

use super::thresholds::{self as t, LINE};
use super::tiles::Tiles;

/// What goes through a scratch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packing {
    pub(crate) rows: bool,
    pub(crate) columns: bool,
}

/// The bytes of a piece of a row, and from one to the next in the scratch.
pub(crate) const PIECE: (usize, usize) = (256, 320);

/// The same of a line of each of many rows: loads of one cycle must not be of the same 16 bytes of two lines.
pub(crate) const LINES: (usize, usize) = (LINE, LINE + 16);

/// The bytes of a run of a column, and from one to the next in the scratch.
pub(crate) const RUN: (usize, usize) = (512, 576);

/// The most rows in the scratch, and the most columns.
pub(crate) const MOST: (usize, usize) = (256, 64);

impl Tiles {
    /// What of a matrix is packed.
    pub(crate) const fn packing(&self, stream: bool) -> Packing {
        let lane = self.units_of(16);
        let is_large = self.is_even && self.rows * self.unit >= RUN.0 && self.columns >= lane;
        let is_aligned = self.column % LINE as isize == 0;
        let rows = self.is_even
            && self.columns * self.unit >= PIECE.0
            && self.rows * self.unit >= LINE
            && self.units_of(LINE) > t::WAYS * t::sets(self.row)
            && t::sets(self.column) > t::FEW_SETS;
        let columns = is_large && !is_aligned && (stream || t::sets(self.column) <= t::FEW_SETS);
        Packing { rows, columns }
    }
}

impl Packing {
    /// The bytes of a piece of a row, and from one to the next in the scratch.
    pub(crate) const fn piece(self) -> (usize, usize) {
        if self.columns { LINES } else { PIECE }
    }

    /// The rows and columns of a block.
    pub(crate) const fn block(self, tiles: &Tiles) -> (usize, usize) {
        let piece = tiles.units_of(self.piece().0);
        let run = tiles.units_of(RUN.0);
        let (rows, columns) = match self {
            Self { columns: false, .. } => (MOST.0 * LINES.1 / PIECE.1, piece),
            Self { rows: true, .. } => (least(MOST.0, run), least(MOST.1, piece)),
            _ => (run, MOST.1),
        };
        (least(rows, tiles.rows), least(columns, tiles.columns))
    }
}

const fn least(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}
