//! Matrices: rows that lie together in the destination by columns that lie together in the source.

use core::ops::Range;

/// Where the elements of a transpose lie. Strides count bytes.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    pub(super) rows: Rows,
    pub(super) columns: usize,
    /// From one column to the next in the destination; in the source columns lie together.
    pub(super) destination_stride: isize,
    /// All that is readable.
    pub(super) readable: Range<*const u8>,
    /// Whether to store past the caches.
    pub(super) stream: bool,
}

/// Rows: `groups` times `size` of them, which lie together in the destination.
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
        let (group, row) = ((row / self.size) as isize, (row % self.size) as isize);
        group.wrapping_mul(self.group_stride).wrapping_add(row.wrapping_mul(self.stride))
    }
}

/// Copies one unit.
///
/// # Safety
/// A readable and a writable unit.
#[inline(always)]
pub(super) unsafe fn unit<const WIDTH: usize>(from: *const u8, to: *mut u8) {
    // SAFETY: readable by the caller's promise; an array of bytes needs no alignment.
    let unit = unsafe { *from.cast::<[u8; WIDTH]>() };
    // SAFETY: writable by the caller's promise.
    unsafe { *to.cast::<[u8; WIDTH]>() = unit };
}

/// Copies what is left of a matrix of which so many rows or columns are done.
///
/// # Safety
/// As [`transpose`](super::transpose::transpose).
#[inline(always)]
pub(super) unsafe fn unit_by_unit<const WIDTH: usize>(
    matrix: &Matrix,
    done: (usize, usize),
    source: *const u8,
    destination: *mut u8,
) {
    for column in done.1..matrix.columns {
        let from = source.wrapping_add(column * WIDTH);
        let to = destination.wrapping_offset(column as isize * matrix.destination_stride);
        for row in done.0..matrix.rows.count() {
            let from = from.wrapping_offset(matrix.rows.offset(row));
            // SAFETY: a unit of the matrix.
            unsafe { unit::<WIDTH>(from, to.wrapping_add(row * WIDTH)) };
        }
    }
}
