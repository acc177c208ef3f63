//! Matrices that are transposed in tiles, and what of them goes through a scratch.

use super::loops::balanced;
use super::thresholds::{self as t, LINE};

/// The most offsets of a table. Words have none, and boards no room for them.
pub(crate) const MAX_OFFSETS: usize = if cfg!(vectors) { 128 } else { 1 };

/// A matrix of units: rows are contiguous in the destination, columns in the source.
#[cfg_attr(not(vectors), allow(dead_code, reason = "words have no tables"))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrix {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// From one row to the next in the source, where rows are even.
    pub(crate) row: isize,
    /// From one column to the next in the destination, where columns are even.
    pub(crate) column: isize,
    /// Where each row begins in the source, where they are not even.
    pub(crate) row_offsets: *const i32,
    /// Where each column begins in the destination, where they are not even.
    pub(crate) column_offsets: *const i32,
    /// Of fewer columns than a tile has, how many columns before them are loaded.
    pub(crate) skip: usize,
}

impl Matrix {
    /// No rows.
    #[allow(dead_code, reason = "moves in place ask alone")]
    pub(crate) const NONE: Self = Self {
        rows: 0,
        columns: 0,
        row: 0,
        column: 0,
        row_offsets: core::ptr::null(),
        column_offsets: core::ptr::null(),
        skip: 0,
    };
}

/// A matrix that is transposed in tiles, as [`Matrix`] without pointers.
#[derive(Clone, Copy)]
pub(crate) struct Tiles {
    pub(crate) unit: usize,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) row: isize,
    pub(crate) column: isize,
    /// Whether rows and columns are even, else both have tables.
    pub(crate) is_even: bool,
    /// From the first row to the nearest and the farthest one in the source.
    pub(crate) nearest: isize,
    pub(crate) farthest: isize,
    /// Whether rows go through a scratch, where they are read more than once.
    pub(crate) is_packed: bool,
    /// The most bytes of rows that a tile has.
    pub(crate) height: usize,
    /// How many columns are moved at once.
    pub(crate) strip: usize,
    pub(crate) row_offsets: [i32; MAX_OFFSETS],
    pub(crate) column_offsets: [i32; MAX_OFFSETS],
}

impl core::fmt::Debug for Tiles {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { unit, rows, columns, row, column, is_even, strip, .. } = self;
        write!(
            f,
            "{rows} rows, {columns} columns of {unit} bytes, {row} {column}, even {is_even}, strip {strip}"
        )
    }
}

impl Tiles {
    /// How many units so many bytes are: without a division, which could panic.
    pub(crate) const fn units_of(&self, bytes: usize) -> usize {
        bytes >> self.unit.trailing_zeros()
    }

    /// The most of so many rows that a tile may have.
    pub(crate) const fn rows_of_tile(&self, rows: usize) -> usize {
        least(rows, self.units_of(self.height))
    }

    /// Whether columns can be stored non-temporally: they come to lines together.
    pub(crate) const fn may_stream(&self) -> bool {
        let enough = self.rows * self.unit >= LINE && self.columns * self.unit >= 16;
        self.is_even && enough && self.column % LINE as isize == 0
    }

    /// The matrix where it is even, without tables.
    #[allow(dead_code, reason = "moves in place ask alone")]
    pub(crate) const fn even_matrix(&self) -> Matrix {
        debug_assert!(self.is_even, "the matrix has tables");
        let Self { rows, columns, row, column, .. } = *self;
        Matrix { rows, columns, row, column, ..Matrix::NONE }
    }

    /// The matrix with its tables.
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

    /// Of a matrix of few columns all rows but the last ones, and those: in both there are as many rows as a tile of
    /// 16 bytes has, and 16 bytes that end with one of the last rows lie behind the first one.
    pub(crate) const fn split(&self) -> Option<(usize, usize)> {
        let (most, least) = (self.units_of(64), self.units_of(16));
        let last = if self.rows < most { self.rows } else { most };
        let rows = self.rows - last;
        let missing = 16 - self.columns as isize * self.unit as isize;
        let is_split = self.is_even && self.row >= 0 && rows >= least && last >= least;
        if is_split && self.row.wrapping_mul(rows as isize) >= missing {
            Some((rows, last))
        } else {
            None
        }
    }
}

/// The most bytes of a piece of a row.
pub(crate) const PIECE: usize = 256;

/// The bytes of a line of each of many rows, and from one to the next in the scratch: loads of one cycle must not be of the
/// same 16 bytes of two lines.
const LINES: (usize, usize) = (LINE, LINE + 16);

/// The bytes of a run of a column, and from one to the next in the scratch.
pub(crate) const RUN: (usize, usize) = (512, 576);

/// The bytes of the scratch for rows.
pub(crate) const NEAR: usize = 20 << 10;

/// The most columns in the scratch.
pub(crate) const MOST_COLUMNS: usize = 64;

/// The most bytes of evenly spaced columns that go to the destination together: of more, too few fit the scratch.
const MOST_JOINED: usize = 512;

/// The bytes of the scratch for columns that go to the destination together.
pub(crate) const JOINED: usize = 16 << 10;

/// What goes through a scratch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packing {
    pub(crate) rows: bool,
    pub(crate) columns: bool,
    /// Columns that follow one another in the destination are stored there together, non-temporally.
    pub(crate) joined: bool,
}

impl Tiles {
    /// What of a matrix is packed.
    pub(crate) const fn packing(&self, stream: bool) -> Packing {
        let lane = self.units_of(16);
        let is_large = self.is_even && self.rows * self.unit >= RUN.0 && self.columns >= lane;
        let is_aligned = self.column % LINE as isize == 0;
        // The lines of rows that are read once stay where they are.
        let is_again = self.columns * self.unit > 16 && self.rows >= lane;
        let rows = is_again && self.is_packed;
        let sets = t::sets(self.column);
        let is_one_set = sets == 1 && t::are_long(self.rows * self.unit) && !stream;
        let is_between = !is_aligned && (stream || sets <= t::FEW_SETS);
        // Lines of packed rows are read once, and their columns stored as they are.
        let columns = is_large && (is_between || is_one_set) && (stream || !rows);
        let joined = stream && !columns && self.are_columns_joined();
        Packing { rows: rows && !joined, columns, joined }
    }

    /// Whether columns follow one another in the destination, and some of them fit the scratch.
    const fn are_columns_joined(&self) -> bool {
        let (column, mut i) = (self.rows * self.unit, 0);
        let least = self.units_of(16);
        if column * least > JOINED || self.columns < least || self.columns * column < LINE {
            return false;
        }
        if self.is_even {
            return self.column == column as isize && column <= MOST_JOINED;
        }
        while i < self.columns {
            if self.column_offsets[i] as isize != (i * column) as isize {
                return false;
            }
            i += 1;
        }
        true
    }
}

impl Packing {
    /// The bytes of a piece of a row.
    const fn piece(self) -> usize {
        if self.columns { LINES.0 } else { PIECE }
    }

    /// The bytes from a piece of so many bytes to the next one in the scratch: from line to line, not twice to the same set.
    pub(crate) const fn pitch(self, bytes: usize) -> usize {
        if self.columns { LINES.1 } else { (bytes.div_ceil(LINE) | 1) * LINE }
    }

    /// The rows and columns of a block.
    pub(crate) const fn block(self, tiles: &Tiles) -> (usize, usize) {
        let (run, line) = (tiles.units_of(RUN.0), tiles.units_of(LINE));
        let columns = least(tiles.columns, tiles.units_of(self.piece()));
        let mut near = NEAR / self.pitch(columns * tiles.unit);
        if near < tiles.rows {
            // As even as they can be, and whole lines.
            near = balanced(tiles.rows, near / line * line).next_multiple_of(line);
        }
        let (rows, columns) = match self {
            Self { columns: false, .. } => (near, columns),
            Self { rows: true, .. } => (least(near, run), least(MOST_COLUMNS, columns)),
            _ => (run, least(MOST_COLUMNS, tiles.columns)),
        };
        (least(rows, tiles.rows), columns)
    }
}

const fn least(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}
