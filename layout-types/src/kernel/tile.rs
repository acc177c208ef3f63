//! Tiles: as many rows as a vector holds by 16 bytes of columns, transposed in registers.

use core::ops::Range;

use super::job::Kernel;
use super::matrix::{Matrix, Rows, unit};
use super::vector::{Vector, Vectors};

/// Where the rows of a tile begin in the source, from its first row on.
pub(super) trait Offsets: Copy {
    /// Whether rows are in groups, of 2, 4, 8, .. rows each.
    const GROUPS: bool;

    fn at(&self, row: usize) -> isize;

    /// Row `row` and the three rows that lie one, two and three times `group` behind it.
    fn lanes(&self, from: *const u8, row: usize, group: usize) -> [*const u8; 4];
}

/// Evenly spaced rows: from one to the next.
#[derive(Clone, Copy)]
pub(super) struct Even(pub(super) isize);

impl Offsets for Even {
    const GROUPS: bool = false;

    #[inline(always)]
    fn at(&self, row: usize) -> isize {
        (row as isize).wrapping_mul(self.0)
    }

    #[inline(always)]
    fn lanes(&self, from: *const u8, row: usize, group: usize) -> [*const u8; 4] {
        // In steps from the first, so that few sums are worth keeping in registers.
        // Pointers for lanes that the vector does not have may lie anywhere.
        let first = from.wrapping_offset(self.at(row));
        let step = self.at(group);
        [
            first,
            first.wrapping_offset(step),
            first.wrapping_offset(step.wrapping_mul(2)),
            first.wrapping_offset(step.wrapping_mul(3)),
        ]
    }
}

/// The rows of several groups. The same for every tile: groups are of 2, 4, 8, .. rows, so a tile
/// begins with a group or lies in one.
pub(super) struct Table([isize; 64]);

impl Table {
    /// Where the first `rows` rows of a job's groups begin.
    #[inline(always)]
    pub(super) const fn of(kernel: &Kernel, rows: usize) -> Self {
        let mut table = Self([0; 64]);
        let Kernel::Groups { rows: own, groups, .. } = kernel else { return table };
        debug_assert!(own.size.is_power_of_two(), "tiles cut groups");
        let mut row = 0;
        while row < rows && row < 64 {
            let (group, rest) = ((row / own.size) as isize, (row % own.size) as isize);
            let place = group.wrapping_mul(groups.source);
            table.0[row] = place.wrapping_add(rest.wrapping_mul(own.source));
            row += 1;
        }
        table
    }

    /// Where 16 rows begin, of which those past the end are the last.
    #[inline(always)]
    pub(super) fn ending_early(rows: &Rows) -> Self {
        let mut table = Self([0; 64]);
        for (row, offset) in table.0.iter_mut().enumerate().take(16) {
            *offset = rows.offset(row.min(rows.count() - 1));
        }
        table
    }
}

impl Offsets for &Table {
    const GROUPS: bool = true;

    #[inline(always)]
    fn at(&self, row: usize) -> isize {
        self.0[row % 64]
    }

    #[inline(always)]
    fn lanes(&self, from: *const u8, row: usize, group: usize) -> [*const u8; 4] {
        [
            from.wrapping_offset(self.at(row)),
            from.wrapping_offset(self.at(row + group)),
            from.wrapping_offset(self.at(row + 2 * group)),
            from.wrapping_offset(self.at(row + 3 * group)),
        ]
    }
}

/// Tiles of `V::BYTES / WIDTH` rows, side by side.
#[derive(Clone, Copy)]
pub(super) struct Tile<O> {
    /// The first row.
    pub(super) row: usize,
    /// Whether another tile overlaps this one, so that it must not be stored past the caches.
    pub(super) plain: bool,
    pub(super) offsets: O,
}

impl<O: Offsets> Tile<O> {
    /// The tiles of some columns, a multiple of `16 / WIDTH`, or all of a matrix that has fewer.
    ///
    /// # Safety
    /// As [`transpose`](super::transpose::transpose), and the rows and columns are part of the matrix.
    #[inline(always)]
    pub(super) unsafe fn line<V: Vector, const WIDTH: usize>(
        &self,
        matrix: &Matrix,
        columns: Range<usize>,
        source: *const u8,
        destination: *mut u8,
    ) {
        let tile_columns = 16 / WIDTH;
        if matrix.columns < tile_columns {
            // SAFETY: the caller's promise.
            return unsafe { self.partial::<V, WIDTH>(matrix, source, destination) };
        }
        let place = destination as usize + self.row * WIDTH;
        let aligned = (place | matrix.destination_stride as usize) % 64 == 0;
        let stream = matrix.stream && !self.plain && V::BYTES == 64 && aligned;
        let mut column = columns.start;
        while column < columns.end {
            if stream {
                // SAFETY: the caller's promise; columns of the tile are at multiples of 64 bytes,
                // nothing touches them again, and the job ends with a fence.
                unsafe { self.run::<V, WIDTH, true>(matrix, column, source, destination) };
            } else {
                // SAFETY: the caller's promise.
                unsafe { self.run::<V, WIDTH, false>(matrix, column, source, destination) };
            }
            column += tile_columns;
        }
    }

    /// The one tile of a matrix of fewer columns than a tile has. Each row is read past its end, or
    /// from before its start, as long as that is inside the source.
    ///
    /// # Safety
    /// As [`transpose`](super::transpose::transpose), and the rows are part of the matrix.
    #[inline(always)]
    unsafe fn partial<V: Vector, const WIDTH: usize>(
        &self,
        matrix: &Matrix,
        source: *const u8,
        destination: *mut u8,
    ) {
        let rows = V::BYTES / WIDTH;
        let from = source.wrapping_offset(matrix.rows.offset(self.row));
        let to = destination.wrapping_add(self.row * WIDTH);
        let stride = matrix.destination_stride;
        let (nearest, farthest) = (0..rows).fold((0, 0), |(nearest, farthest), row| {
            (self.offsets.at(row).min(nearest), self.offsets.at(row).max(farthest))
        });
        let missing = 16 - matrix.columns * WIDTH;
        let (start, end) = (from.wrapping_offset(nearest), from.wrapping_offset(farthest + 16));
        let first = if end <= matrix.readable.end {
            Some(from)
        } else if start.wrapping_sub(missing) >= matrix.readable.start {
            Some(from.wrapping_sub(missing))
        } else {
            None
        };
        if let Some(first) = first {
            let mut tile = core::mem::MaybeUninit::<[u8; 16 * 64]>::uninit();
            let tile = tile.as_mut_ptr().cast::<u8>();
            let skipped = if first == from { 0 } else { missing / WIDTH };
            let whole = Matrix {
                columns: 16 / WIDTH,
                destination_stride: V::BYTES as isize,
                ..matrix.clone()
            };
            let own = Self { row: 0, ..*self };
            // SAFETY: no row of the tile begins before `nearest` or after `farthest`, and one of
            // the two ends was found to be readable, so 16 bytes of each row are; and a whole tile
            // fits the scratch.
            unsafe { own.run::<V, WIDTH, false>(&whole, 0, first, tile) };
            for column in 0..matrix.columns {
                let to = to.wrapping_offset(column as isize * stride);
                let own = tile.wrapping_add((skipped + column) * V::BYTES);
                // SAFETY: a column of the scratch, which the tile has written.
                let v = unsafe { V::load(own) };
                // SAFETY: a column of the tile, which is part of the matrix.
                unsafe { v.store(to) };
            }
            return;
        }
        for row in 0..rows {
            for column in 0..matrix.columns {
                let from = from.wrapping_offset(self.offsets.at(row)).wrapping_add(column * WIDTH);
                let to = to.wrapping_offset(column as isize * stride).wrapping_add(row * WIDTH);
                // SAFETY: a unit of the tile, which is part of the matrix.
                unsafe { unit::<WIDTH>(from, to) };
            }
        }
    }

    /// One tile.
    ///
    /// # Safety
    /// As [`transpose`](super::transpose::transpose), and the tile is part of the matrix.
    #[inline(always)]
    pub(super) unsafe fn run<V: Vector, const WIDTH: usize, const STREAM: bool>(
        &self,
        matrix: &Matrix,
        column: usize,
        source: *const u8,
        destination: *mut u8,
    ) {
        let from =
            source.wrapping_offset(matrix.rows.offset(self.row)).wrapping_add(column * WIDTH);
        let to = destination
            .wrapping_offset(column as isize * matrix.destination_stride)
            .wrapping_add(self.row * WIDTH);
        let group = 16 / WIDTH;
        let stride = matrix.destination_stride;
        macro_rules! vectors {
            ($rounds:literal: $($i:literal)*) => {{
                let mut v = [$({
                    let pointers = self.offsets.lanes(from, $i, group);
                    // SAFETY: 16 bytes of rows of the tile, readable up to the end of the source.
                    unsafe { V::load_lanes(pointers) }
                }),*];
                for _ in 0..$rounds {
                    // SAFETY: the CPU has the features of `V`, by the caller's promise.
                    v = unsafe { v.shuffled::<WIDTH>() };
                }
                $(
                    // SAFETY: a column of the tile, which is part of the matrix, and with `STREAM`
                    // at a multiple of 64 bytes.
                    unsafe { put::<V, STREAM>(v[$i], to.wrapping_offset($i * stride)) };
                )*
            }};
        }
        match WIDTH {
            1 => vectors!(4: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
            2 => vectors!(3: 0 1 2 3 4 5 6 7),
            4 => vectors!(2: 0 1 2 3),
            8 => vectors!(1: 0 1),
            _ => {
                let pointers = self.offsets.lanes(from, 0, 1);
                // SAFETY: a row of the tile is 16 bytes, and the tile is part of the matrix.
                let v = unsafe { V::load_lanes(pointers) };
                // SAFETY: the tile is one column, part of the matrix.
                unsafe { put::<V, STREAM>(v, to) };
            }
        }
    }
}

/// Stores a vector, past the caches with `STREAM`.
///
/// # Safety
/// As [`Vector::store`] and [`Vector::stream`].
#[inline(always)]
unsafe fn put<V: Vector, const STREAM: bool>(v: V, to: *mut u8) {
    if STREAM {
        // SAFETY: the caller's promise.
        unsafe { v.stream(to) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { v.store(to) };
    }
}
