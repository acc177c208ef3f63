//! Blocks of a matrix that goes through a scratch buffer.

use super::choose::Of;
use super::code::{PackedCode, Packing};
use super::thresholds::least_streamed_run;
use crate::steps::classes::{STREAMED_RUNS, copy_class};
use crate::steps::tiles::{JOINED, MOST_COLUMNS, MOST_ROW_BYTES, ROWS_SCRATCH, RUN};
use crate::steps::{LINE, MAX_OFFSETS, Spacing, balanced, least};

impl PackedCode {
    /// Returns the bytes of the packed rows of a block in the scratch buffer, after which its columns begin.
    pub(crate) fn bytes_of_rows(&self) -> usize {
        if self.pack.is_some() { (self.rows * self.pitch).next_multiple_of(LINE) } else { 0 }
    }

    /// Returns the bytes of a block in the scratch buffer. A short column has excess, which the next one overwrites.
    pub(crate) fn bytes(&self) -> usize {
        let excess = if matches!(self.packing, Packing::Joined) { 16 } else { 0 };
        let columns = if self.unpack.is_some() { self.columns * self.column + excess } else { 0 };
        self.bytes_of_rows() + columns
    }
}

impl Of<'_> {
    /// Returns the code of a matrix that is packed so.
    pub(super) const fn packed(self, packing: Packing, stream: bool) -> PackedCode {
        let Self { tiles, isa, .. } = self;
        let (unit, kernels) = (tiles.unit, isa.kernels());
        let (rows, columns, pitch) = self.block(packing);
        // Columns that are not joined are an odd number of lines apart.
        let column = match packing {
            Packing::Joined => self.column(),
            _ => ((rows * unit).div_ceil(LINE) | 1) * LINE,
        };
        // Joined columns are stored in runs, others one by one.
        let run = if matches!(packing, Packing::Joined) { tiles.run(columns) } else { 1 };
        let of_run = run * rows * unit;
        let is_long = !tiles.has_short_columns() || of_run >= least_streamed_run(isa);
        let stream = stream && matches!(packing, Packing::Joined) && is_long;
        let unpack = if stream { STREAMED_RUNS } else { copy_class(of_run) };
        let run_spacing = match tiles.are_columns_strided {
            true => Spacing::NONE,
            false => Spacing::of(&tiles.column_offsets, tiles.columns, run),
        };
        let height = self.height(rows);
        let pack = kernels.copy(copy_class(columns * unit));
        PackedCode {
            packing,
            rows,
            columns,
            pitch,
            column,
            run,
            row_spacing: tiles.row_spacing(),
            run_spacing,
            stream,
            kernel: kernels.tile(unit, height, tiles.is_strided),
            starts: self.starts(rows, height),
            pack: if packing.has_rows() { Some(pack) } else { None },
            unpack: if packing.has_columns() { Some(kernels.copy(unpack)) } else { None },
        }
    }

    /// Returns the numbers of rows and columns of a block, as even as they can be, and the bytes from one packed row to
    /// the next.
    const fn block(self, packing: Packing) -> (usize, usize, usize) {
        let tiles = self.tiles;
        let (lane, line) = (tiles.units_of(16), tiles.units_of(LINE));
        let few = self.columns_of_block(MOST_COLUMNS);
        // Runs of columns are whole lines.
        let of_run = balanced(tiles.rows, tiles.units_of(RUN.0)).next_multiple_of(line);
        match packing {
            Packing::Joined => {
                let most = match JOINED.checked_div(self.column() * lane) {
                    Some(groups) if groups > 0 => groups * lane,
                    _ => lane,
                };
                (tiles.rows, self.columns_of_block(most), 0)
            }
            Packing::Columns => (least(of_run, tiles.rows), few, 0),
            Packing::Rows => {
                let columns = self.columns_of_block(tiles.units_of(MOST_ROW_BYTES));
                // Rows of several lines are an odd number of lines apart.
                let pitch = ((columns * tiles.unit).div_ceil(LINE) | 1) * LINE;
                let most = ROWS_SCRATCH / pitch;
                let rows = if most < tiles.rows {
                    balanced(tiles.rows, most / line * line).next_multiple_of(line)
                } else {
                    most
                };
                (least(rows, tiles.rows), columns, pitch)
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
