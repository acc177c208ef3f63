//! Stacks: tiles one below the other, for columns whose lines share few sets of a cache.
//!
//! Some CPUs fetch the lines of one set one after the other, each as long as the second level cache takes. Columns
//! that are whole pages apart, or large powers of two, have the lines of one row of tiles in one set or a few. So
//! each column is stored several lines at a time. Where a tile has many columns, or they go past the caches, a
//! scratch takes the stack before its columns are copied, each once; elsewhere the last tiles overlap those before
//! them.

use core::mem::MaybeUninit;
use core::ops::Range;

use super::LINE;
use super::copy;
use super::matrix::Matrix;
use super::offsets::Offsets;
use super::tile::tile;
use super::transpose::rows_before_lines;
use super::vector::Vector;
use super::vendor;

/// The most tiles in a stack; the last one of all takes the rows that are less than a tile with it.
const TILES: usize = 8;

/// From one column to the next in the scratch.
const PITCH: usize = (TILES + 1) * LINE;

/// Room for a stack, which has at most 16 columns.
#[repr(align(64))]
#[expect(dead_code, reason = "only its bytes are used")]
struct Scratch([u8; 16 * PITCH]);

/// Over how many of 64 sets of a first level cache lines are spread that are so many bytes apart, a few more or
/// less.
#[inline(always)]
pub(super) fn sets(stride: isize) -> usize {
    const PAGE: isize = 64 * LINE as isize;
    let apart = stride.wrapping_add(8) & !15 & (PAGE - 1);
    match apart {
        _ if stride.unsigned_abs() < LINE => 64,
        0 => 1,
        _ => (PAGE >> apart.trailing_zeros()).min(64) as usize,
    }
}

/// How many tiles of so many rows a stack has: as many as lines of the source stay in a first level cache, of 8 to
/// 12 lines in each set, until all of a line is read. Rows that begin anywhere have pieces in two lines.
#[inline(always)]
fn tiles_in_a_stack(matrix: &Matrix, tile_rows: usize) -> usize {
    let stride = matrix.rows.stride;
    let most = if stride % LINE as isize == 0 { 512 } else { 256 };
    // A shift, for a division would bring its panic along.
    most.min(8 * sets(stride)) >> tile_rows.trailing_zeros()
}

/// Whether a matrix of such units is moved stack by stack on this CPU.
#[inline(always)]
pub(super) fn are_wanted(matrix: &Matrix, unit: usize) -> bool {
    columns_share_sets(matrix, unit) && !rows_share_sets(matrix, unit)
}

/// Whether so few lines of the rows stay in a first level cache that stacks would be no higher than two tiles.
#[inline(always)]
pub(super) fn rows_share_sets(matrix: &Matrix, unit: usize) -> bool {
    tiles_in_a_stack(matrix, LINE >> unit.trailing_zeros()) <= 2
}

/// Whether a matrix of such units has columns for stacks, on this CPU.
#[inline(always)]
pub(super) fn columns_share_sets(matrix: &Matrix, unit: usize) -> bool {
    let sets = sets(matrix.destination_stride);
    let few = sets <= if matrix.stream { 8 } else { 4 };
    let lines = matrix.columns >= 8 * sets && matrix.rows.count() * unit >= 4 * LINE;
    // What goes past the caches is read as memory wants it, but for elements so small that shuffles take longer.
    let order = !matrix.stream || unit <= 2 || matrix.rows_are_far();
    unit <= 8 && few && lines && order && !vendor::is_intels()
}

/// Transposes a matrix of which stacks [are wanted](are_wanted).
///
/// # Safety
/// As [`transpose`](super::transpose::transpose), for at least as many rows and columns as a tile has.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector, const WIDTH: usize, O: Offsets>(
    matrix: &Matrix,
    offsets: O,
    source: *const u8,
    destination: *mut u8,
) {
    let (tile_rows, tile_columns) = (V::BYTES / WIDTH, 16 / WIDTH);
    let count = matrix.rows.count();
    debug_assert!(count >= tile_rows && matrix.columns >= tile_columns, "{matrix:?}");
    debug_assert!(tiles_in_a_stack(matrix, tile_rows) > 2, "{matrix:?}");
    let height = tiles_in_a_stack(matrix, tile_rows).min(TILES) * tile_rows;
    // So many columns of a tile store too many lines of one set before the next one comes.
    let staged = matrix.stream || WIDTH == 1 && sets(matrix.destination_stride) == 1;
    let head = if staged { 0 } else { rows_before_lines::<V, WIDTH, O>(matrix, 4, destination) };
    let stack = Stack { matrix, offsets, source, destination };
    let mut strip = 0;
    while strip < matrix.columns {
        let end = matrix.columns.min(strip + LINE / WIDTH);
        let mut row = 0;
        while row < count {
            let left = count - row;
            let rows = match left {
                _ if row < head => 0..tile_rows,
                _ if left < height + tile_rows => row..count,
                _ => row..row + height,
            };
            let mut column = strip;
            while column < end {
                let columns = column..end.min(column + tile_columns);
                if staged {
                    // SAFETY: the rows and columns are part of the matrix, and not more than a stack has.
                    unsafe { stack.through_scratch::<V, WIDTH>(rows.clone(), columns) };
                } else {
                    // SAFETY: the rows and columns are part of the matrix.
                    unsafe { stack.directly::<V, WIDTH>(rows.clone(), columns) };
                }
                column += tile_columns;
            }
            row = if row < head { head } else { rows.end };
        }
        strip = end;
    }
}

/// A matrix that is moved in stacks.
struct Stack<'a, O> {
    matrix: &'a Matrix,
    offsets: O,
    source: *const u8,
    destination: *mut u8,
}

impl<O: Offsets> Stack<'_, O> {
    /// Moves a tile of columns of some rows.
    ///
    /// # Safety
    /// As [`transpose`]; the rows are part of the matrix, at least as many as a tile has, and so are the columns, at
    /// most as many as a tile has.
    #[inline(always)]
    unsafe fn directly<V: Vector, const WIDTH: usize>(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
    ) {
        let stride = self.matrix.destination_stride;
        let first = columns.start.min(self.matrix.columns - 16 / WIDTH);
        let to = self.destination.wrapping_offset(first as isize * stride);
        // SAFETY: the caller's promise; the last columns of the matrix are overlapped, where they are less than a
        // tile.
        unsafe {
            self.tiles::<V, WIDTH>(rows.clone(), first, to.wrapping_add(rows.start * WIDTH), stride)
        };
    }

    /// Moves a tile of columns of some rows through a scratch, past the caches if the matrix is to go there.
    ///
    /// # Safety
    /// As [`directly`](Self::directly), with at most [`TILES`] tiles of rows and what is less than one.
    #[inline(always)]
    unsafe fn through_scratch<V: Vector, const WIDTH: usize>(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
    ) {
        let mut scratch = MaybeUninit::<Scratch>::uninit();
        let scratch = scratch.as_mut_ptr().cast::<u8>();
        debug_assert!(rows.len() * WIDTH <= PITCH, "{} rows", rows.len());
        let first = columns.start.min(self.matrix.columns - 16 / WIDTH);
        // SAFETY: the caller's promise; the scratch has room for the rows of each column of a tile.
        unsafe { self.tiles::<V, WIDTH>(rows.clone(), first, scratch, PITCH as isize) };
        let destination = self.destination.wrapping_add(rows.start * WIDTH);
        for column in columns {
            let from = scratch.wrapping_add((column - first) * PITCH);
            let to = destination.wrapping_offset(column as isize * self.matrix.destination_stride);
            // SAFETY: the rows of a column of the matrix, which the tiles wrote; nothing else touches their places
            // before they are finished.
            unsafe { copy::copy::<V>(from, to, rows.len() * WIDTH, self.matrix.stream) };
        }
    }

    /// Transposes the tiles of some rows from column `first` on, the last of which overlaps the one before it, to
    /// columns that are `stride` bytes apart.
    ///
    /// # Safety
    /// As [`directly`](Self::directly), and the rows of the columns are writable from `to` on.
    #[inline(always)]
    unsafe fn tiles<V: Vector, const WIDTH: usize>(
        &self,
        rows: Range<usize>,
        first: usize,
        to: *mut u8,
        stride: isize,
    ) {
        let last = rows.end - V::BYTES / WIDTH;
        let mut row = rows.start;
        while row < rows.end {
            let own = row.min(last);
            let from = self.source.wrapping_offset(self.matrix.rows.offset(own));
            let from = from.wrapping_add(first * WIDTH);
            let to = to.wrapping_add((own - rows.start) * WIDTH);
            // SAFETY: a tile of the matrix, by the caller's promise.
            unsafe { tile::<V, WIDTH, false, O>(self.offsets, from, to, stride) };
            row += V::BYTES / WIDTH;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::matrix::{Matrix, Rows};
    use super::super::vendor::pretending;
    use super::{are_wanted, sets};

    #[test]
    fn lines_that_share_sets() {
        for (stride, expected) in [
            (4096, 1),
            (-4096, 1),
            (12288, 1),
            (4088, 1),
            (4103, 1),
            (4087, 64),
            (4104, 64),
            (2048, 2),
            (6144, 2),
            (3072, 4),
            (-1024, 4),
            (512, 8),
            (3136, 64),
            (64, 64),
            (63, 64),
            (0, 64),
        ] {
            assert_eq!(sets(stride), expected, "lines {stride} bytes apart");
        }
    }

    #[test]
    fn stacks_are_for_columns_that_share_sets() {
        let wanted = |unit: usize, channels: usize, pixels: usize, stream: bool| {
            let (size, stride) = (pixels, (channels * unit) as isize);
            let matrix = Matrix {
                rows: Rows { size, stride, groups: 1, group_stride: 0 },
                columns: channels,
                destination_stride: (pixels * unit) as isize,
                column_groups: None,
                readable: core::ptr::null()..core::ptr::null(),
                stream,
            };
            pretending(false, || are_wanted(&matrix, unit))
        };
        // NHWC to NCHW.
        assert!(wanted(1, 64, 64 * 64, false));
        assert!(wanted(1, 64, 63 * 65, false));
        assert!(wanted(4, 64, 16 * 16, false));
        assert!(!wanted(1, 64, 56 * 56, false), "columns of 49 lines");
        assert!(!wanted(1, 7, 64 * 64, false), "few columns");
        assert!(!wanted(16, 64, 16 * 16, false), "nothing to shuffle");
        assert!(!wanted(1, 4096, 64 * 64, false), "rows share a set too: a square");
        assert!(wanted(2, 64, 112 * 112, true));
        assert!(!wanted(4, 64, 64 * 64, true), "in the order of memory");
        // NCHW to NHWC.
        assert!(wanted(4, 3136, 256, true));
    }
}
