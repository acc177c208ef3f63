//! Blocks of a matrix that goes through a scratch buffer.

use super::choose::Of;
use super::code::{PackedCode, Packing};
use super::thresholds::least_streamed_run;
use crate::steps::classes::{STREAMED_RUNS, copy_class};
use crate::steps::tiles::{JOINED, MOST_COLUMNS, MOST_ROW_BYTES, PACKED, RUN};
use crate::steps::{LINE, MAX_OFFSETS, Spacing, balanced, least};

impl PackedCode {
    /// Returns the number of rows or columns of a block in the scratch buffer.
    pub(crate) const fn packed(&self) -> usize {
        if self.packing.has_rows() { self.rows } else { self.columns }
    }

    /// Returns the bytes of a block in the scratch buffer. A short column has excess, which the next one overwrites.
    pub(crate) const fn bytes(&self) -> usize {
        let excess = if matches!(self.packing, Packing::Joined) { 16 } else { 0 };
        self.packed() * self.apart + excess
    }
}

/// Returns the bytes from one row or column of `bytes` bytes to the next: an odd number of lines, so that they do not
/// share sets.
const fn odd_lines(bytes: usize) -> usize {
    (bytes.div_ceil(LINE) | 1) * LINE
}

impl Of<'_> {
    /// Returns the code of a matrix that is packed so.
    pub(super) const fn packed(self, packing: Packing, stream: bool) -> PackedCode {
        let Self { tiles, isa, .. } = self;
        let (unit, kernels) = (tiles.unit, isa.kernels());
        let (rows, columns) = self.block(packing);
        // Joined columns are stored in runs, others one by one.
        let (apart, run) = match packing {
            Packing::Rows => (odd_lines(columns * unit), 1),
            Packing::Columns => (odd_lines(rows * unit), 1),
            Packing::Joined => (self.column(), tiles.run(columns)),
        };
        let of_run = run * rows * unit;
        let is_long = !tiles.has_short_columns() || of_run >= least_streamed_run(isa);
        let stream = stream && matches!(packing, Packing::Joined) && is_long;
        let spacing = match packing {
            Packing::Rows => tiles.row_spacing(),
            _ if tiles.are_columns_strided => Spacing::NONE,
            _ => Spacing::of(&tiles.column_offsets, tiles.columns, run),
        };
        let class = match packing {
            Packing::Rows => copy_class(columns * unit),
            _ if stream => STREAMED_RUNS,
            _ => copy_class(of_run),
        };
        let height = self.height(rows);
        PackedCode {
            packing,
            rows,
            columns,
            apart,
            run,
            spacing,
            stream,
            kernel: kernels.tile(unit, height, tiles.is_strided),
            starts: self.starts(rows, height),
            copy: kernels.copy(class),
        }
    }

    /// Returns the numbers of rows and columns of a block, as even as they can be.
    const fn block(self, packing: Packing) -> (usize, usize) {
        let tiles = self.tiles;
        let (lane, line) = (tiles.units_of(16), tiles.units_of(LINE));
        match packing {
            Packing::Joined => {
                let most = match JOINED.checked_div(self.column() * lane) {
                    Some(groups) if groups > 0 => groups * lane,
                    _ => lane,
                };
                (tiles.rows, self.columns_of_block(most))
            }
            Packing::Columns => {
                // Runs of columns are whole lines.
                let rows = balanced(tiles.rows, tiles.units_of(RUN.0)).next_multiple_of(line);
                (least(rows, tiles.rows), self.columns_of_block(MOST_COLUMNS))
            }
            Packing::Rows => {
                let columns = self.columns_of_block(tiles.units_of(MOST_ROW_BYTES));
                let most = PACKED / odd_lines(columns * tiles.unit);
                let even = balanced(tiles.rows, most / line * line).next_multiple_of(line);
                (if most < tiles.rows { even } else { tiles.rows }, columns)
            }
        }
    }

    /// Returns the columns of blocks of at most `most` columns: as even as they can be, in whole tiles, since the
    /// last block may overlap the one before it.
    const fn columns_of_block(self, most: usize) -> usize {
        let tiles = self.tiles;
        let most = if tiles.is_strided { most } else { least(most, MAX_OFFSETS) };
        let even = balanced(tiles.columns, most).next_multiple_of(tiles.units_of(16));
        least(even, tiles.columns)
    }
}
