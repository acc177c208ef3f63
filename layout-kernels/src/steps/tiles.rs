//! Matrices that are transposed in tiles, and the sizes of scratch buffers for their rows and columns.

use super::LINE;
use super::loops::{Loop, least};
use crate::isa::LANE;
use core::ops::Range;

/// The maximal offset of a row in a table to which a unit can be added.
pub(crate) const MOST_OFFSET: isize = i32::MAX as isize - LINE as isize;

/// A matrix of units. The units of a row are contiguous in the source, those of a column in the destination.
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
    /// Returns the rows from row `first` on.
    #[inline(always)]
    pub(crate) const fn rows_from(&self, first: usize) -> Self {
        let row_offsets = self.row_offsets.wrapping_add(first);
        Self { rows: self.rows - first, row_offsets, ..*self }
    }
}

/// A matrix that is transposed in tiles: a [`Matrix`] without pointers.
#[derive(Clone, Copy, Debug)]
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
    /// Whether the rows of a tile exceed the ways of the cache sets that their lines share, so that rows go through a
    /// scratch buffer if their lines are read more than once. Tiles of units of 4 and 8 bytes have few rows.
    pub(crate) share_sets: bool,
    /// Over about how many sets of a first-level cache the columns are spread in the destination.
    pub(crate) column_sets: usize,
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

impl Tiles {
    /// Returns the number of units in `bytes` bytes, without a division, which could panic.
    pub(crate) const fn units_of(&self, bytes: usize) -> usize {
        bytes >> self.unit.trailing_zeros()
    }

    /// Returns how many of the rows that are stored from `to` on are before the first multiple where tiles begin; 0 if
    /// they begin anywhere.
    #[inline]
    pub(crate) fn head(&self, starts: Starts, to: *mut u8) -> usize {
        if starts.multiple == 0 {
            return 0;
        }
        let before = (to as usize).wrapping_neg() & (starts.multiple - 1);
        if before & (self.unit - 1) == 0 { self.units_of(before) } else { 0 }
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
    pub(crate) fn rotated_offset(&self, row: usize) -> i32 {
        let (own, next) = if row < self.rows { (row, 0) } else { (row - self.rows, self.unit) };
        self.row_offset(own).wrapping_add(next as isize) as i32
    }

    /// Returns the matrix with its tables.
    #[inline]
    pub(crate) const fn matrix(&self) -> Matrix {
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
    pub(crate) fn skipped(&self, readable: &Range<*const u8>, from: *const u8) -> Option<usize> {
        let missing = 16 - self.columns * self.unit;
        let before = from.wrapping_offset(self.nearest) as usize - readable.start as usize;
        match has_lane(readable, from.wrapping_offset(self.farthest)) {
            true => Some(0),
            false if before >= missing => Some(self.units_of(missing)),
            false => None,
        }
    }

    /// Whether columns have less than 16 bytes. Without vectors there are no tables.
    pub(crate) const fn has_short_columns(&self) -> bool {
        self.rows < self.units_of(LANE) && !self.is_strided
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
}

/// Whether 16 bytes are readable from an address inside the source on.
#[inline(always)]
pub(crate) fn has_lane(readable: &Range<*const u8>, from: *const u8) -> bool {
    // Subtracts addresses, since a buffer may lie at either end of the address space.
    readable.end as usize - from as usize >= 16
}

/// The bytes of each row that are read before those of the next rows, if memory is read in order.
pub(crate) const BYTES_IN_ORDER: usize = 4096;

/// The maximal bytes of a row in the scratch buffer.
pub(crate) const MOST_ROW_BYTES: usize = 256;

/// The bytes of a run of a column, and the largest stride of runs in the scratch buffer.
pub(crate) const RUN: (usize, usize) = (512, 576);

/// The maximal number of columns in the scratch buffer that are not joined.
pub(crate) const MOST_COLUMNS: usize = 64;

/// The maximal bytes of evenly spaced columns that are joined. The scratch buffer holds too few columns of more
/// bytes.
pub(crate) const MOST_JOINED: usize = 512;

/// The bytes of the scratch buffer that joined columns take.
pub(crate) const JOINED: usize = 16 << 10;

/// The bytes of the scratch buffer for the packed rows or joined columns of a block, and for its other columns.
pub(crate) const PACKED: usize = 20 << 10;
pub(crate) const PACKED_COLUMNS: usize = MOST_COLUMNS * RUN.1;

// It holds whole lines of rows, each in an odd number of lines.
const _: () = assert!(PACKED / ((MOST_ROW_BYTES.div_ceil(LINE) | 1) * LINE) >= LINE);
const _: () = assert!(PACKED >= JOINED + 16 && PACKED <= PACKED_COLUMNS);

/// The maximal number of offsets of a table. Moves without vectors use no tables, and boards have no memory for them.
pub(crate) const MAX_OFFSETS: usize = if cfg!(vectors) { 128 } else { 1 };

/// Returns how many of the first `count` offsets are evenly spaced, of which every `step`th is looked at. Each digit of a
/// table repeats the offsets of those before it, so all groups of this number are.
pub(crate) const fn evenly_spaced(
    offsets: &[i32; MAX_OFFSETS],
    count: usize,
    step: usize,
) -> usize {
    let mut found = 1;
    while (found + 1) * step <= count
        && (found < 2
            || offsets[found * step] as i64 - offsets[(found - 1) * step] as i64
                == offsets[step] as i64 - offsets[0] as i64)
    {
        found += 1;
    }
    found
}

/// Calls `of` for the offsets of a table that one call of a kernel moves, every `step`th of the table: groups of `even`,
/// which are [evenly spaced](evenly_spaced). In a scratch buffer, what belongs to them is `apart` bytes apart. `of` takes
/// where the first is in the scratch buffer, its offset, and the loop over the offsets of a group: the table's stride is
/// that of the source, and the scratch buffer's that of the destination.
#[inline(always)]
pub(crate) fn each_group(
    offsets: &[i32],
    (even, step): (usize, usize),
    indices: Range<usize>,
    apart: usize,
    mut of: impl FnMut(usize, isize, Loop),
) {
    debug_assert!(indices.end * step <= offsets.len(), "{indices:?} of {step}");
    let offset = |index: usize| offsets.get(index * step).map_or(0, |own| *own as isize);
    // Not 0, so that no division can panic.
    let (even, stride) = (even.max(1), offset(1).wrapping_sub(offset(0)));
    let mut index = indices.start;
    while index < indices.end {
        // What begins or ends inside a group is a group of its own.
        let count = (even - index % even).min(indices.end - index);
        let own = Loop::new(count, stride, apart as isize);
        of((index - indices.start) * apart, offset(index), own);
        index += count;
    }
}

// Without vectors, tables have one offset.
#[cfg(all(test, vectors))]
mod tests {
    use super::{MAX_OFFSETS, each_group, evenly_spaced};

    /// The groups of any part of a table are its offsets in order, and each one has all that are evenly spaced.
    #[test]
    fn groups_are_the_offsets_of_a_table() {
        let tables: [&[(usize, i32)]; 7] = [
            &[(12, 5)],
            &[(2, 100), (9, 3)],
            &[(2, 1), (3, 10), (2, 50)],
            &[(2, 1), (2, 2), (4, 10), (3, -7)],
            &[(7, 65536), (8, 8192)],
            &[(3, 0), (5, 1 << 30)],
            &[(1, 4)],
        ];
        for digits in tables {
            let (mut offsets, mut count) = ([0i32; MAX_OFFSETS], 1);
            for (size, stride) in digits {
                for i in count..count * size {
                    offsets[i] = offsets[i - count].wrapping_add(*stride);
                }
                count *= size;
            }
            for step in [1, digits[0].0] {
                let (all, even) = (count / step, evenly_spaced(&offsets, count, step));
                for (start, end) in
                    (0..all).flat_map(|start| (start..=all).map(move |end| (start, end)))
                {
                    let (mut index, mut calls) = (start, 0);
                    each_group(&offsets, (even, step), start..end, 3, |position, offset, own| {
                        assert_eq!(position, 3 * (index - start), "{digits:?}, {start} to {end}");
                        for i in 0..own.size as isize {
                            let expected = offsets[index * step] as isize;
                            assert_eq!(offset + own.source * i, expected, "{digits:?}, {index}");
                            let far = position as isize + own.destination * i;
                            assert_eq!(far, 3 * (index - start) as isize);
                            index += 1;
                        }
                        calls += 1;
                    });
                    assert_eq!(index, end, "{digits:?}");
                    let most = all.div_ceil(even);
                    assert!((start, end) != (0, all) || calls == most, "{digits:?}: {calls} calls");
                }
            }
        }
    }
}
