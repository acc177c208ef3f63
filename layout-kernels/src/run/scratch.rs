//! The driver of tiles whose rows, columns or both go through a scratch.

use core::mem::MaybeUninit;

use crate::sets::{CopyKernel, PackedCode, TileKernel};
use crate::steps::tiles::{JOINED, LINES, MOST, RUN};
use crate::steps::{LINE, Loop, Runs, Tiles};

/// The scratch for rows, and the one for columns: vectors that are stored cross no line.
#[repr(align(64))]
struct Scratch<const BYTES: usize>(MaybeUninit<[u8; BYTES]>);

impl<const BYTES: usize> Scratch<BYTES> {
    fn uninit() -> Self {
        Self(MaybeUninit::uninit())
    }
}

/// Transposes a matrix whose columns follow one another in the destination, some of them at once.
///
/// # Safety
/// As [`transpose`], for a matrix that is packed so.
#[inline(never)]
unsafe fn joined(
    tiles: &Tiles,
    kernel: TileKernel,
    take: CopyKernel,
    from: *const u8,
    to: *mut u8,
) {
    let mut done = Scratch::<JOINED>::uninit();
    let done = done.0.as_mut_ptr().cast::<u8>();
    let (column, least) = (tiles.rows * tiles.unit, tiles.units_of(16));
    let mut matrix = tiles.matrix();
    let mut first = 0;
    while first < tiles.columns {
        let mut columns = least;
        // Without a division, which could panic.
        while (columns + least) * column <= JOINED {
            columns += least;
        }
        // The last ones may overlap those before them.
        columns = columns.min(tiles.columns);
        first = first.min(tiles.columns - columns);
        matrix.columns = columns;
        let offset = first * column;
        let (from, to) = (from.wrapping_add(first * tiles.unit), to.wrapping_add(offset));
        // Tables hold the same offsets from the first of these columns on, for all are as far apart.
        // SAFETY: rows of the matrix, and room for so many columns.
        unsafe { kernel(&matrix, from, done) };
        let runs = Runs { bytes: columns * column, inner: Loop::ONCE, outer: Loop::ONCE };
        // SAFETY: the columns, which the kernel wrote one after the other.
        unsafe { take(&runs, done, to) };
        first += columns;
    }
}

/// Transposes an even matrix block by block.
///
/// # Safety
/// As [`transpose`](crate::micro::transpose::transpose) of every tile kernel that the rows of a block fill; the matrix
/// is one that [`packing`](Tiles::packing) packs, for which the code was picked, and the CPU has its instruction set.
#[inline(never)]
pub(crate) unsafe fn transpose(tiles: &Tiles, code: &PackedCode, from: *const u8, to: *mut u8) {
    if let (true, Some(take)) = (code.packing.joined, code.take) {
        // SAFETY: the caller's promise.
        return unsafe { joined(tiles, code.kernel, take, from, to) };
    }
    let mut near = Scratch::<{ MOST.0 * LINES.1 }>::uninit();
    let mut done = Scratch::<{ MOST.1 * RUN.1 }>::uninit();
    let (near, done) = (near.0.as_mut_ptr().cast::<u8>(), done.0.as_mut_ptr().cast::<u8>());
    let unit = tiles.unit;
    let pitch = code.packing.piece().1;
    let (rows, columns) = code.packing.block(tiles);
    let bytes = rows * unit;
    let mut matrix = tiles.matrix();
    (matrix.rows, matrix.columns) = (rows, columns);
    let mut column = 0;
    while column < tiles.columns {
        // The last blocks overlap those before them.
        let first = column.min(tiles.columns - columns);
        let mut row = 0;
        while row < tiles.rows {
            let top = row.min(tiles.rows - rows);
            let mut from = from.wrapping_offset(tiles.row.wrapping_mul(top as isize));
            from = from.wrapping_add(first * unit);
            let to = to.wrapping_offset(tiles.column.wrapping_mul(first as isize));
            let to = to.wrapping_add(top * unit);
            if let Some(bring) = code.bring {
                let inner = Loop::new(rows, tiles.row, pitch as isize);
                let runs = Runs { bytes: columns * unit, inner, outer: Loop::ONCE };
                // SAFETY: a piece of each row of the block, for which the scratch has room.
                unsafe { bring(&runs, from, near) };
                (from, matrix.row) = (near, pitch as isize);
            }
            if let Some(take) = code.take {
                matrix.column = RUN.1 as isize;
                // SAFETY: the rows of the block are readable, and the scratch has room for its columns.
                unsafe { (code.kernel)(&matrix, from, done) };
                let ends = (row == 0, top + rows == tiles.rows);
                let block =
                    Block { bytes, columns, column: tiles.column, ends, stream: code.stream };
                // SAFETY: a run of each column of the block, which the kernel wrote.
                unsafe { block.store(take, done, to) };
            } else {
                // SAFETY: the rows of the block are readable, and its columns writable.
                unsafe { (code.kernel)(&matrix, from, to) };
            }
            // Whole lines alone are stored non-temporally: the next block begins a line earlier.
            let is_again = code.take.is_some() && code.stream && top + rows < tiles.rows;
            row += if is_again { rows - tiles.units_of(LINE) } else { rows };
        }
        column += columns;
    }
}

/// Columns of a block, in a scratch.
struct Block {
    bytes: usize,
    columns: usize,
    column: isize,
    /// Whether it holds the first rows of all, and the last.
    ends: (bool, bool),
    stream: bool,
}

impl Block {
    /// Stores the columns: non-temporally all lines that no other block has, and what comes before the first line and
    /// after the last one of all.
    ///
    /// # Safety
    /// The scratch holds the columns, which are writable at `to`; the kernel is one of such runs, and the CPU has its
    /// instruction set.
    unsafe fn store(&self, kernel: CopyKernel, done: *const u8, to: *mut u8) {
        let Self { bytes, columns, column, ends, stream } = *self;
        if !stream {
            let inner = Loop::new(columns, RUN.1 as isize, column);
            let runs = Runs { bytes, inner, outer: Loop::ONCE };
            // SAFETY: the caller's promise.
            return unsafe { kernel(&runs, done, to) };
        }
        for i in 0..columns {
            let (from, to) =
                (done.wrapping_add(i * RUN.1), to.wrapping_offset(column.wrapping_mul(i as isize)));
            let head = (to as usize).wrapping_neg() % LINE;
            let start = if ends.0 { 0 } else { head };
            let end = if ends.1 { bytes } else { head + bytes - LINE };
            let runs = Runs { bytes: end - start, inner: Loop::ONCE, outer: Loop::ONCE };
            // SAFETY: a part of a column.
            unsafe { kernel(&runs, from.wrapping_add(start), to.wrapping_add(start)) };
        }
    }
}
