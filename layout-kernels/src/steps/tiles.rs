//! Matrices that are transposed in tiles, and which of their rows and columns go through a scratch buffer.

use core::ops::Range;

use super::loops::{balanced, least};
use super::spacing::{MAX_OFFSETS, Spacing};
use super::thresholds::{self as t, LINE};
use crate::isa::Isa;

/// The maximal offset of a row in a table to which a unit can be added.
const MOST_OFFSET: isize = i32::MAX as isize - LINE as isize;

/// A matrix of units. The units of a row are contiguous in the source, those of a column in the destination.
#[cfg_attr(not(vectors), allow(dead_code, reason = "words have no tables"))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrix {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// The stride from one row to the next in the source, if rows are evenly spaced.
    pub(crate) row: isize,
    /// The stride from one column to the next in the destination, if columns are evenly spaced.
    pub(crate) column: isize,
    /// The offset of each row in the source, if rows are not evenly spaced.
    pub(crate) row_offsets: *const i32,
    /// The offset of each column in the destination, if columns or rows are not evenly spaced.
    pub(crate) column_offsets: *const i32,
    /// If the matrix has fewer columns than a tile, the number of columns before them that are also loaded.
    pub(crate) skip: usize,
}

impl Matrix {
    /// A matrix without rows.
    #[allow(dead_code, reason = "only inlined moves use it")]
    pub(crate) const NONE: Self = Self {
        rows: 0,
        columns: 0,
        row: 0,
        column: 0,
        row_offsets: core::ptr::null(),
        column_offsets: core::ptr::null(),
        skip: 0,
    };

    /// Returns the rows from row `first` on.
    #[cfg_attr(
        not(vectors),
        allow(dead_code, reason = "only tiles of several lanes have last rows of their own")
    )]
    #[inline(always)]
    pub(crate) const fn rows_from(&self, first: usize) -> Self {
        let row_offsets = self.row_offsets.wrapping_add(first);
        Self { rows: self.rows - first, row_offsets, ..*self }
    }
}

/// A matrix that is transposed in tiles: a [`Matrix`] without pointers.
#[derive(Clone, Copy)]
pub(crate) struct Tiles {
    pub(crate) unit: usize,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) row: isize,
    pub(crate) column: isize,
    /// Whether strides describe the matrix: rows and columns are evenly spaced, and columns have 16 bytes or more. If
    /// not, both sides have tables of offsets.
    pub(crate) is_strided: bool,
    /// Whether columns are evenly spaced. If rows are not, the table has the offsets of the first columns, and later
    /// columns continue them.
    pub(crate) are_columns_strided: bool,
    /// The largest power of two that divides all offsets of columns, at most the bytes of a cache line.
    pub(crate) alignment: usize,
    /// The lowest and the highest offset of a row in the source, relative to the first row.
    pub(crate) nearest: isize,
    pub(crate) farthest: isize,
    /// Whether rows go through a scratch buffer if they are read more than once.
    pub(crate) is_packed: bool,
    /// Whether columns of such rows are joined instead, if they are to be stored non-temporally.
    pub(crate) joins_packed: bool,
    /// The maximal height of a tile in bytes.
    pub(crate) height: usize,
    /// Whether tiles are lower than a line and would store lines in parts that do not stay in the cache, so that
    /// columns go through a scratch buffer.
    pub(crate) are_in_parts: bool,
    /// The number of columns that are moved at once.
    pub(crate) strip: usize,
    pub(crate) row_offsets: [i32; MAX_OFFSETS],
    pub(crate) column_offsets: [i32; MAX_OFFSETS],
}

/// Where tiles begin in the destination.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Starts {
    /// At multiples of that many bytes, so that no store crosses a cache line, or anywhere if 0.
    pub(crate) multiple: usize,
    /// The rows of the first tile, which overlaps the second.
    pub(crate) first: usize,
}

impl Starts {
    /// Tiles begin anywhere.
    pub(crate) const ANYWHERE: Self = Self { multiple: 0, first: 0 };
}

impl core::fmt::Debug for Tiles {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { unit, rows, columns, row, column, is_strided, .. } = self;
        let Self { nearest, farthest, alignment, .. } = self;
        write!(
            f,
            "{rows} rows, {columns} columns of {unit} bytes, {row} {column}, strided {is_strided}, "
        )?;
        write!(f, "from {nearest} to {farthest}, alignment {alignment}")?;
        if *is_strided {
            return Ok(());
        }
        let rows = self.row_offsets.iter().take(*rows);
        let columns = self.column_offsets.iter().take(*columns);
        f.debug_list().entries(rows).entries(columns).finish()
    }
}

impl Tiles {
    /// Returns the number of units in `bytes` bytes, without a division, which could panic.
    pub(crate) const fn units_of(&self, bytes: usize) -> usize {
        bytes >> self.unit.trailing_zeros()
    }

    /// Returns `rows`, or the rows of a tile of the maximal height if those are fewer.
    pub(crate) const fn rows_of_tile(&self, rows: usize) -> usize {
        least(rows, self.units_of(self.height))
    }

    /// Returns the rows of the highest tiles that are stored to the destination.
    pub(crate) const fn rows_of_stores(&self, rows: usize) -> usize {
        // Half a line would leave the cache before the other half is stored.
        if t::are_crowded(self.column, self.columns) { rows } else { self.rows_of_tile(rows) }
    }

    /// Returns where tiles begin whose vectors have `vector` bytes, in a plan that moves `bytes` bytes. They begin
    /// anywhere if columns have no such multiple in common, or too few rows, or fill at most one tile, or if the plan
    /// moves too few bytes to gain by it.
    pub(crate) const fn starts(&self, vector: usize, bytes: usize) -> Starts {
        let are_many = self.columns > self.units_of(16);
        let gains = are_many && t::avoids_crossing(self.rows * self.unit, vector, bytes);
        // Vectors of a line are stored in halves, so multiples of half a line are enough.
        let multiple = least(vector, self.alignment);
        let is_enough = multiple >= least(vector, LINE / 2);
        let multiple = if gains && is_enough { multiple } else { 0 };
        Starts { multiple, first: self.units_of(vector) }
    }

    /// Returns how many of the first `rows` rows, stored from `to` on, are before the first multiple where tiles
    /// begin; 0 if they begin anywhere.
    #[cfg_attr(not(vectors), allow(dead_code, reason = "words have no lines"))]
    #[inline]
    pub(crate) fn head(&self, rows: usize, starts: Starts, to: *mut u8) -> usize {
        if starts.multiple == 0 || rows < t::LEAST_ALIGNED * starts.first {
            return 0;
        }
        let before = (to as usize).wrapping_neg() & (starts.multiple - 1);
        if before & (self.unit - 1) == 0 { self.units_of(before) } else { 0 }
    }

    /// Whether evenly spaced columns can be stored non-temporally: all of them reach cache lines at the same row.
    pub(crate) const fn may_stream(&self) -> bool {
        let enough = self.rows * self.unit >= LINE && self.columns * self.unit >= 16;
        self.is_strided && enough && self.alignment == LINE
    }

    /// Whether tiles with non-temporal stores may begin at any row: columns are contiguous, and each is a whole number
    /// of cache lines. Offsets of all rows in the source must fit in a table, and the columns be more than those of a
    /// tile. Columns of less than 16 bytes are joined wherever they go, so they need not be contiguous.
    pub(crate) const fn may_rotate(&self) -> bool {
        let column = self.rows * self.unit;
        let fits =
            column <= MOST_JOINED && self.farthest <= MOST_OFFSET && self.nearest >= -MOST_OFFSET;
        let are_enough = self.columns > self.units_of(16);
        let are_joined = !self.has_short_columns() && self.packing(true).joined;
        self.alignment == LINE && fits && are_enough && are_joined
    }

    /// Returns the offset of row `row` in the source.
    #[inline(always)]
    pub(crate) fn row_offset(&self, row: usize) -> isize {
        match self.row_offsets.get(row) {
            Some(offset) if !self.is_strided => *offset as isize,
            _ => self.row.wrapping_mul(row as isize),
        }
    }

    /// Returns the offset of row `row` in the source, of a matrix that may be rotated. Rows after the last one are
    /// those of the next column.
    #[cfg_attr(not(vectors), allow(dead_code, reason = "words have no non-temporal stores"))]
    pub(crate) fn rotated_offset(&self, row: usize) -> i32 {
        let (own, next) = if row < self.rows { (row, 0) } else { (row - self.rows, self.unit) };
        self.row_offset(own).wrapping_add(next as isize) as i32
    }

    /// Whether columns that follow one another, stored from `to` on, are stored non-temporally without a scratch: a
    /// cache line begins at a row.
    #[cfg_attr(not(vectors), allow(dead_code, reason = "words have no non-temporal stores"))]
    #[inline]
    pub(crate) fn may_stream_from(&self, to: *mut u8) -> bool {
        let is_line = to as usize % LINE == 0;
        let has_row = to as usize & (self.unit - 1) == 0;
        is_line || has_row && (self.is_strided || self.unit >= t::LEAST_ROTATED)
    }

    /// Returns the matrix if its rows and columns are evenly spaced.
    #[allow(dead_code, reason = "only inlined moves use it")]
    pub(crate) const fn strided_matrix(&self) -> Matrix {
        debug_assert!(self.is_strided, "the matrix has tables");
        let Self { rows, columns, row, column, .. } = *self;
        Matrix { rows, columns, row, column, ..Matrix::NONE }
    }

    /// Returns the matrix with its tables.
    pub(crate) fn matrix(&self) -> Matrix {
        Matrix {
            rows: self.rows,
            columns: self.columns,
            row: self.row,
            column: self.column,
            row_offsets: self.row_offsets.as_ptr(),
            column_offsets: self.column_offsets.as_ptr(),
            skip: 0,
        }
    }

    /// Returns how many columns before those of a matrix with fewer columns than a tile are also loaded, so that 16
    /// bytes of each row are readable: those from its first column on, or those up to its last one. Returns `None` if
    /// neither are.
    #[inline(always)]
    pub(crate) fn skipped(&self, readable: &Range<*const u8>, from: *const u8) -> Option<usize> {
        let missing = 16 - self.columns * self.unit;
        let before = from.wrapping_offset(self.nearest) as usize - readable.start as usize;
        if has_lane(readable, from.wrapping_offset(self.farthest)) {
            Some(0)
        } else if before >= missing {
            Some(self.units_of(missing))
        } else {
            None
        }
    }

    /// Returns how rows are spaced in the source if a table says where they are.
    pub(crate) const fn row_spacing(&self) -> Spacing {
        if self.is_strided { Spacing::NONE } else { Spacing::of(&self.row_offsets, self.rows, 1) }
    }
}

/// Whether a matrix has fewer columns, of `bytes` bytes in all, than a tile loads. Without vectors, only what there is
/// is loaded.
pub(crate) const fn has_few_columns(bytes: usize, isa: Isa) -> bool {
    isa.lane() == 16 && bytes < 16
}

/// Whether 16 bytes are readable from an address inside the source on.
#[inline(always)]
pub(crate) fn has_lane(readable: &Range<*const u8>, from: *const u8) -> bool {
    // Subtracts addresses, since a buffer may lie at either end of the address space.
    readable.end as usize - from as usize >= 16
}

/// The maximal bytes of a row in the scratch buffer.
pub(crate) const MOST_ROW_BYTES: usize = 256;

/// The bytes of one line of each of many rows, and the stride of lines in the scratch buffer. Loads of one cycle must
/// not access the same 16 bytes of two lines.
const LINES: (usize, usize) = (LINE, LINE + 16);

/// The bytes of a run of a column, and the stride of runs in the scratch buffer.
pub(crate) const RUN: (usize, usize) = (512, 576);

/// The bytes of the scratch buffer for rows.
pub(crate) const ROWS_SCRATCH: usize = 20 << 10;

// It holds whole lines of rows, each in an odd number of lines.
const _: () = assert!(ROWS_SCRATCH / ((MOST_ROW_BYTES.div_ceil(LINE) | 1) * LINE) >= LINE);

/// The maximal number of columns in the scratch buffer.
pub(crate) const MOST_COLUMNS: usize = 64;

/// The maximal bytes of evenly spaced columns that are joined. The scratch buffer holds too few columns of more
/// bytes.
pub(crate) const MOST_JOINED: usize = 512;

/// The bytes of the scratch buffer for joined columns.
pub(crate) const JOINED: usize = 16 << 10;

/// Which sides of a matrix go through a scratch buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packing {
    pub(crate) rows: bool,
    pub(crate) columns: bool,
    /// Whether columns are joined in the scratch buffer: those of less than 16 bytes, and contiguous ones to be stored
    /// non-temporally.
    pub(crate) joined: bool,
}

impl Packing {
    /// Neither side is.
    pub(crate) const NONE: Self = Self { rows: false, columns: false, joined: false };
}

impl Tiles {
    /// Returns which sides of a matrix are packed.
    pub(crate) const fn packing(&self, stream: bool) -> Packing {
        let lane = self.units_of(16);
        if self.has_short_columns() {
            return Packing { rows: false, columns: false, joined: true };
        }
        let bytes = self.rows * self.unit;
        let is_large = self.is_strided && bytes >= RUN.0 && self.columns >= lane;
        let is_aligned = self.column % LINE as isize == 0;
        // The lines of rows that are read once stay where they are.
        let is_again = self.columns * self.unit > 16 && self.rows >= lane;
        let rows = is_again && self.is_packed;
        let sets = t::sets(self.column);
        let is_one_set = sets == 1 && t::are_long(bytes) && !stream;
        let streams = stream && self.streams_columns();
        let is_between = !is_aligned && (streams || t::are_crowded(self.column, self.columns));
        // A block of the scratch buffer has all rows of a table.
        let is_block = self.is_strided || bytes <= RUN.0;
        let are_in_parts = self.are_in_parts && is_block && bytes >= t::LONG_COLUMN;
        // Lines of packed rows are read once, and their columns stored as they are.
        let columns = is_large && (is_between || is_one_set) && (streams || !rows)
            || !stream && are_in_parts && self.columns >= lane;
        let joins = self.joins_packed || !rows;
        let joined = stream && !columns && joins && self.are_columns_joined();
        Packing { rows: rows && !joined, columns, joined }
    }

    /// Whether columns that begin inside cache lines and go through a scratch buffer may be stored non-temporally:
    /// they are so long that their ends cost little.
    pub(crate) const fn streams_columns(&self) -> bool {
        self.rows * self.unit >= t::LEAST_STREAMED_COLUMN
    }

    /// Whether columns have less than 16 bytes. Without vectors there are no tables.
    pub(crate) const fn has_short_columns(&self) -> bool {
        self.rows < self.units_of(16) && !self.is_strided
    }

    /// Whether columns are contiguous in the destination, and the scratch buffer holds several of them.
    const fn are_columns_joined(&self) -> bool {
        let (column, least) = (self.rows * self.unit, self.units_of(16));
        // The destination may be as long as memory.
        let (group, all) = (column.saturating_mul(least), column.saturating_mul(self.columns));
        if group > JOINED || self.columns < least || all < LINE {
            return false;
        }
        self.run(self.columns) == self.columns && (column <= MOST_JOINED || !self.is_strided)
    }

    /// Returns how many of the first columns are contiguous in the destination, and `most` if those are fewer.
    pub(crate) const fn run(&self, most: usize) -> usize {
        let (column, mut run) = ((self.rows * self.unit) as isize, 1);
        let most = least(self.columns, most);
        if self.are_columns_strided {
            return if self.column == column { most } else { 1 };
        }
        while run < most && self.column_offsets[run] as isize == run as isize * column {
            run += 1;
        }
        run
    }

    /// Returns the number of columns that are moved at once by a kernel that takes their offsets from a table. The last
    /// ones may be a tile more.
    pub(crate) const fn strip_of_table(&self) -> usize {
        if self.columns <= MAX_OFFSETS {
            return self.strip;
        }
        let line = self.units_of(LINE);
        least(self.strip, (MAX_OFFSETS - self.units_of(16)) / line * line)
    }

    /// Returns how many columns are joined in the scratch buffer.
    pub(crate) const fn joined(&self) -> usize {
        let (column, each) = (self.rows * self.unit, self.units_of(16));
        let columns = match JOINED.checked_div(column * each) {
            Some(groups) if groups > 0 => groups * each,
            _ => each,
        };
        self.columns_of_block(columns)
    }

    /// Returns the columns of blocks of at most `most` columns: as even as they can be, in whole tiles, since the
    /// last block may overlap the one before it.
    const fn columns_of_block(&self, most: usize) -> usize {
        let most = if self.is_strided { most } else { least(most, MAX_OFFSETS) };
        let even = balanced(self.columns, most).next_multiple_of(self.units_of(16));
        least(even, self.columns)
    }
}

impl Packing {
    /// Returns the maximal bytes of a row in the scratch buffer.
    const fn row_bytes(self) -> usize {
        if self.columns { LINES.0 } else { MOST_ROW_BYTES }
    }

    /// Returns the stride of rows of `bytes` bytes in the scratch buffer: an odd number of lines.
    pub(crate) const fn pitch(self, bytes: usize) -> usize {
        if self.columns { LINES.1 } else { (bytes.div_ceil(LINE) | 1) * LINE }
    }

    /// Returns the numbers of rows and columns of a block.
    pub(crate) const fn block(self, tiles: &Tiles) -> (usize, usize) {
        let (run, line) = (tiles.units_of(RUN.0), tiles.units_of(LINE));
        let columns = tiles.columns_of_block(tiles.units_of(self.row_bytes()));
        let few = tiles.columns_of_block(MOST_COLUMNS);
        let mut packed = ROWS_SCRATCH / self.pitch(columns * tiles.unit);
        // As even as they can be, and whole lines.
        let run = balanced(tiles.rows, run).next_multiple_of(line);
        if packed < tiles.rows {
            packed = balanced(tiles.rows, packed / line * line).next_multiple_of(line);
        }
        let (rows, columns) = match self {
            Self { columns: false, .. } => (packed, columns),
            Self { rows: true, .. } => (least(packed, run), least(few, columns)),
            _ => (run, few),
        };
        (least(rows, tiles.rows), columns)
    }
}
