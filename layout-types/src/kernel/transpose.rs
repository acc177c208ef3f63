//! Transposes: rows that lie together in the destination, columns that lie together in the source.
//!
//! ```text
//! for each line of 64 source bytes (columns)
//!     for each tile of rows: V::BYTES of the destination
//!         load 16 bytes of each row, one lane for each group of 16 / WIDTH rows
//!         shuffle log2(16 / WIDTH) times: now each vector is one column of the tile
//!         store each column
//! ```
//!
//! Departures: a tile at the end of the rows or columns overlaps the one before it; where there
//! are too few rows for that, a vector of half the size takes over, down to one lane; and what is
//! too small for one lane is copied unit by unit.

use core::ops::Range;

use super::copy;
use super::vector::{Vector, Vectors};

/// Where the elements of a transpose lie. Strides count bytes.
#[derive(Clone, Debug)]
pub(super) struct Matrix<'a> {
    pub(super) rows: Rows,
    pub(super) columns: usize,
    /// From one column to the next in the destination; in the source columns lie together.
    pub(super) destination_stride: isize,
    /// All that is readable.
    pub(super) readable: Range<*const u8>,
    /// Whether to store past the caches.
    pub(super) stream: bool,
    /// Where each row of a tile begins in the source, from its first row on. The same for every
    /// tile: there is more than one group only of 1, 2, 4, .. rows, which tiles do not cut.
    pub(super) table: &'a [isize; 64],
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
    const fn count(&self) -> usize {
        self.size * self.groups
    }

    /// Where a row begins in the source.
    #[inline(always)]
    pub(super) const fn offset(&self, row: usize) -> isize {
        if self.groups == 1 {
            return row as isize * self.stride;
        }
        (row / self.size) as isize * self.group_stride + (row % self.size) as isize * self.stride
    }
}

/// Transposes `matrix`, whose units are `WIDTH` bytes; `GROUPS` says whether it has more than one
/// group of rows.
///
/// # Safety
/// - every unit of the matrix is readable in the source and writable in the destination, and the
///   two do not overlap;
/// - all of `readable` is;
/// - the CPU has the features of `V`;
/// - `WIDTH` is 1, 2, 4, 8 or 16.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector, const WIDTH: usize, const GROUPS: bool>(
    matrix: &Matrix<'_>,
    source: *const u8,
    destination: *mut u8,
) {
    let rows = matrix.rows.count();
    if rows >= V::BYTES / WIDTH {
        // SAFETY: the caller's promise.
        unsafe { tiles::<V, WIDTH, GROUPS>(matrix, source, destination) }
    } else if rows >= V::BYTES / 2 / WIDTH && V::BYTES > 16 {
        // SAFETY: the caller's promise, which a CPU with `V` keeps for its half.
        unsafe { tiles::<V::Half, WIDTH, GROUPS>(matrix, source, destination) }
    } else if rows >= 16 / WIDTH && V::BYTES > 32 {
        // SAFETY: as above.
        unsafe { tiles::<V::Lane, WIDTH, GROUPS>(matrix, source, destination) }
    } else if rows > 1 && matrix.columns >= 16 / WIDTH {
        // SAFETY: the caller's promise.
        unsafe { few_rows::<V::Lane, WIDTH>(matrix, source, destination) }
    } else {
        // SAFETY: the caller's promise.
        unsafe { unit_by_unit::<WIDTH>(matrix, (0, 0), source, destination) }
    }
}

/// [`transpose`] for fewer rows than a tile of one lane has: the last row stands for those that
/// are not there, and a scratch takes each tile before its columns are cut short.
///
/// # Safety
/// As there, with a `V` of one lane and at least `16 / WIDTH` columns.
#[inline(always)]
unsafe fn few_rows<V: Vector, const WIDTH: usize>(
    matrix: &Matrix<'_>,
    source: *const u8,
    destination: *mut u8,
) {
    let tile_columns = 16 / WIDTH;
    let rows = matrix.rows.count();
    let mut table = [0; 64];
    for (row, offset) in table.iter_mut().enumerate().take(tile_columns) {
        *offset = matrix.rows.offset(row.min(rows - 1));
    }
    let tile = Tile { row: 0, offsets: Table(&table) };
    let mut scratch = core::mem::MaybeUninit::<[u8; 16 * 16]>::uninit();
    let scratch = scratch.as_mut_ptr().cast::<u8>();
    let whole = Matrix { columns: tile_columns, destination_stride: 16, ..matrix.clone() };
    let last = matrix.columns - tile_columns;
    let mut column = 0;
    while column < matrix.columns {
        // The last tile overlaps the one before it.
        let at = if column > last { last } else { column };
        let from = source.wrapping_add(at * WIDTH);
        // SAFETY: at + tile_columns <= columns, so 16 bytes of each row are readable, and the
        // scratch takes as many columns of 16 bytes.
        unsafe { tile.run::<V, WIDTH, false>(&whole, 0, from, scratch) };
        for i in 0..tile_columns {
            let to = destination.wrapping_offset((at + i) as isize * matrix.destination_stride);
            // SAFETY: the rows of a column of the matrix, at most 16 bytes that the tile wrote.
            unsafe { copy::copy::<V>(scratch.wrapping_add(16 * i), to, rows * WIDTH, false) };
        }
        column += tile_columns;
    }
}

/// [`transpose`] for at least as many rows as a tile has.
///
/// # Safety
/// As there.
#[inline(always)]
unsafe fn tiles<V: Vector, const WIDTH: usize, const GROUPS: bool>(
    matrix: &Matrix<'_>,
    source: *const u8,
    destination: *mut u8,
) {
    let rows = matrix.rows;
    let tile_rows = V::BYTES / WIDTH;
    let line = 64 / WIDTH;
    // Rows whole pages apart, or nearly, share one set of a first level cache, which holds fewer
    // lines than a tile has rows: then a line is gone before its second 16 bytes are read.
    let crowded = !GROUPS && WIDTH < 16 && tile_rows > 16 && (rows.stride + 64) & 4095 <= 128;
    let mut columns = 0..0;
    while columns.end < matrix.columns {
        columns = columns.end..matrix.columns.min(columns.end + line);
        let mut row = 0;
        loop {
            if crowded && columns.len() == line {
                // SAFETY: row + tile_rows <= rows, and there are `line` columns from the first.
                unsafe { staged::<V, WIDTH>(matrix, row, columns.start, source, destination) };
            } else if !GROUPS {
                let tile = Tile { row, offsets: Even(rows.stride) };
                // SAFETY: row + tile_rows <= rows, so the tiles are part of the matrix.
                unsafe { tile.line::<V, WIDTH>(matrix, columns.clone(), source, destination) };
            } else {
                let tile = Tile { row, offsets: Table(matrix.table) };
                // SAFETY: as above.
                unsafe { tile.line::<V, WIDTH>(matrix, columns.clone(), source, destination) };
            }
            if row + tile_rows >= rows.count() {
                break;
            }
            row = (row + tile_rows).min(rows.count() - tile_rows);
        }
    }
}

/// The tiles of one line of columns, through a scratch in which their rows lie side by side.
///
/// # Safety
/// As [`transpose`], and `V::BYTES / WIDTH` rows by 64 bytes of columns from the given ones on are
/// part of the matrix.
#[inline(always)]
unsafe fn staged<V: Vector, const WIDTH: usize>(
    matrix: &Matrix<'_>,
    row: usize,
    column: usize,
    source: *const u8,
    destination: *mut u8,
) {
    let tile_rows = V::BYTES / WIDTH;
    let mut scratch = core::mem::MaybeUninit::<[u8; 64 * 64]>::uninit();
    let scratch = scratch.as_mut_ptr().cast::<u8>();
    let from = source.wrapping_add(column * WIDTH);
    for i in 0..tile_rows {
        let from = from.wrapping_offset((row + i) as isize * matrix.rows.stride);
        let mut at = 0;
        while at < 64 {
            // SAFETY: 64 bytes of a row of the matrix.
            let v = unsafe { V::load(from.wrapping_add(at)) };
            // SAFETY: at most 64 rows of 64 bytes.
            unsafe { v.store(scratch.wrapping_add(64 * i + at)) };
            at += V::BYTES;
        }
    }
    let rows = Rows { size: tile_rows, stride: 64, groups: 1, group_stride: 0 };
    let staged = Matrix { rows, columns: 64 / WIDTH, ..matrix.clone() };
    let to = destination
        .wrapping_offset(column as isize * matrix.destination_stride)
        .wrapping_add(row * WIDTH);
    let tile = Tile { row: 0, offsets: Even(64) };
    // SAFETY: the scratch holds the rows of the tiles, which are part of the matrix.
    unsafe { tile.line::<V, WIDTH>(&staged, 0..staged.columns, scratch, to) };
}

/// Where the rows of a tile begin in the source, from its first row on.
trait Offsets: Copy {
    fn at(&self, row: usize) -> isize;

    /// Row `row` and the three rows that lie one, two and three times `group` behind it.
    fn lanes(&self, from: *const u8, row: usize, group: usize) -> [*const u8; 4];
}

/// Evenly spaced rows: from one to the next.
#[derive(Clone, Copy)]
struct Even(isize);

impl Offsets for Even {
    #[inline(always)]
    fn at(&self, row: usize) -> isize {
        row as isize * self.0
    }

    #[inline(always)]
    fn lanes(&self, from: *const u8, row: usize, group: usize) -> [*const u8; 4] {
        // In steps from the first, so that few sums are worth keeping in registers.
        let first = from.wrapping_offset(row as isize * self.0);
        let step = group as isize * self.0;
        [
            first,
            first.wrapping_offset(step),
            first.wrapping_offset(2 * step),
            first.wrapping_offset(3 * step),
        ]
    }
}

/// The rows of several groups.
#[derive(Clone, Copy)]
struct Table<'a>(&'a [isize; 64]);

impl Offsets for Table<'_> {
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
struct Tile<O> {
    row: usize,
    offsets: O,
}

impl<O: Offsets> Tile<O> {
    /// The tiles of some columns, each `16 / WIDTH` of them.
    ///
    /// # Safety
    /// As [`transpose`], and the rows are part of the matrix.
    #[inline(always)]
    unsafe fn line<V: Vector, const WIDTH: usize>(
        &self,
        matrix: &Matrix<'_>,
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
        let stream = matrix.stream && V::BYTES == 64 && aligned;
        let last = matrix.columns - tile_columns;
        let mut column = columns.start;
        while column < columns.end {
            // The last tile overlaps the one before it.
            let at = if column > last { last } else { column };
            if stream {
                // SAFETY: the caller's promise; columns of the tile are at multiples of 64 bytes.
                unsafe { self.run::<V, WIDTH, true>(matrix, at, source, destination) };
            } else {
                // SAFETY: the caller's promise.
                unsafe { self.run::<V, WIDTH, false>(matrix, at, source, destination) };
            }
            column += tile_columns;
        }
    }

    /// The one tile of a matrix of fewer columns than a tile has. Each row is read past its end, or
    /// from before its start, as long as that is inside the source.
    ///
    /// # Safety
    /// As [`transpose`], and the rows are part of the matrix.
    #[inline(always)]
    unsafe fn partial<V: Vector, const WIDTH: usize>(
        &self,
        matrix: &Matrix<'_>,
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
            // SAFETY: 16 bytes of each row are readable, and a whole tile fits the scratch.
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
    /// As [`transpose`], and the tile is part of the matrix.
    #[inline(always)]
    unsafe fn run<V: Vector, const WIDTH: usize, const STREAM: bool>(
        &self,
        matrix: &Matrix<'_>,
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

/// Copies one unit.
///
/// # Safety
/// A readable and a writable unit.
#[inline(always)]
unsafe fn unit<const WIDTH: usize>(from: *const u8, to: *mut u8) {
    // SAFETY: readable by the caller's promise; an array of bytes needs no alignment.
    let unit = unsafe { *from.cast::<[u8; WIDTH]>() };
    // SAFETY: writable by the caller's promise.
    unsafe { *to.cast::<[u8; WIDTH]>() = unit };
}

/// Copies what is left of a matrix of which so many rows or columns are done.
///
/// # Safety
/// As [`transpose`].
#[inline(always)]
pub(super) unsafe fn unit_by_unit<const WIDTH: usize>(
    matrix: &Matrix<'_>,
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
