//! Matrices: rows that lie together in the destination by columns that lie together in the source.

use core::ops::Range;

/// Where the elements of a transpose lie. Strides count bytes.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    pub(super) rows: Rows,
    pub(super) columns: usize,
    /// From one column to the next in the destination; in the source columns lie together.
    pub(super) destination_stride: isize,
    /// Where columns are in groups.
    pub(super) column_groups: Option<ColumnGroups>,
    /// All that is readable.
    pub(super) readable: Range<*const u8>,
    /// Whether to store past the caches.
    pub(super) stream: bool,
}

impl Matrix {
    /// Whether rows are farther apart in the source than columns are in the destination.
    #[inline(always)]
    pub(super) const fn rows_are_far(&self) -> bool {
        self.rows.stride.unsigned_abs() > self.destination_stride.unsigned_abs()
    }
}

/// Rows: `groups` times `size` of them, which lie together in the destination. Several groups are
/// of 2, 4, 8, .. rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub(super) size: usize,
    pub(super) stride: isize,
    pub(super) groups: usize,
    pub(super) group_stride: isize,
}

impl Rows {
    pub(super) const fn count(&self) -> usize {
        self.size * self.groups
    }

    /// Where a row begins in the source.
    #[inline(always)]
    pub(super) const fn offset(&self, row: usize) -> isize {
        if self.groups == 1 {
            return (row as isize).wrapping_mul(self.stride);
        }
        in_groups(row, self.size, self.stride, self.group_stride)
    }
}

/// Groups of `size` columns, 2, 4, 8, .. of them, which begin `stride` bytes apart in the destination.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnGroups {
    pub(super) size: usize,
    pub(super) stride: isize,
}

impl ColumnGroups {
    /// Where a column begins in the destination, `column_stride` bytes after the one before it in its group.
    #[inline(always)]
    pub(super) const fn offset(&self, column: usize, column_stride: isize) -> isize {
        in_groups(column, self.size, column_stride, self.stride)
    }
}

/// Where row or column `i` begins of groups of so many, a power of two.
#[inline(always)]
const fn in_groups(i: usize, size: usize, stride: isize, group_stride: isize) -> isize {
    debug_assert!(size.is_power_of_two(), "tiles cut groups");
    let group = (i >> size.trailing_zeros()) as isize;
    let i = (i & (size - 1)) as isize;
    group.wrapping_mul(group_stride).wrapping_add(i.wrapping_mul(stride))
}

/// Copies some rows and columns of a matrix unit by unit.
///
/// # Safety
/// The rows and columns are part of the matrix, whose units are readable in the source and writable
/// in the destination.
#[inline(always)]
pub(super) unsafe fn units<const WIDTH: usize>(
    matrix: &Matrix,
    rows: Range<usize>,
    columns: Range<usize>,
    source: *const u8,
    destination: *mut u8,
) {
    for column in columns {
        let from = source.wrapping_add(column * WIDTH);
        let to = destination.wrapping_offset(column as isize * matrix.destination_stride);
        for row in rows.clone() {
            let from = from.wrapping_offset(matrix.rows.offset(row)).cast::<[u8; WIDTH]>();
            // SAFETY: a unit of the matrix; an array of bytes needs no alignment.
            let unit = unsafe { *from };
            // SAFETY: as above.
            unsafe { *to.wrapping_add(row * WIDTH).cast::<[u8; WIDTH]>() = unit };
        }
    }
}
