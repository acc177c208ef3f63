//! The driver of tiles whose rows, columns or both go through a scratch buffer.

use core::mem::MaybeUninit;

use crate::sets::{CopyKernel, PackedCode, TileKernel};
use crate::steps::tiles::{JOINED, LINES, MOST, RUN};
use crate::steps::{LINE, Loop, Runs, Tiles};

/// A scratch buffer for rows or columns, aligned so that no vector store crosses a cache line.
#[repr(align(64))]
struct Scratch<const BYTES: usize>(MaybeUninit<[u8; BYTES]>);

impl<const BYTES: usize> Scratch<BYTES> {
    fn uninit() -> Self {
        Self(MaybeUninit::uninit())
    }
}

/// Transposes a matrix whose columns are contiguous in the destination, several columns at a time.
///
/// # Safety
/// The same as [`transpose`], for a matrix whose columns are joined.
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
        // The last columns may overlap those before them.
        columns = columns.min(tiles.columns);
        first = first.min(tiles.columns - columns);
        matrix.columns = columns;
        let offset = first * column;
        let (from, to) = (from.wrapping_add(first * tiles.unit), to.wrapping_add(offset));
        // Tables hold the same offsets relative to the first of these columns, since all columns are equally far
        // apart.
        // SAFETY: the rows are part of the matrix, and the scratch buffer holds these columns.
        unsafe { kernel(&matrix, from, done) };
        let runs = Runs { bytes: columns * column, inner: Loop::ONCE, outer: Loop::ONCE };
        // SAFETY: these are the columns, which the kernel wrote contiguously.
        unsafe { take(&runs, done, to) };
        first += columns;
    }
}

/// Transposes an evenly spaced matrix block by block.
///
/// # Safety
/// The same as [`transpose`](crate::micro::transpose::transpose) for every tile kernel that the rows of a block fill.
/// The matrix must be one that [`packing`](Tiles::packing) packs and for which the code was chosen. The CPU must have
/// its instruction set.
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
                // SAFETY: it is a piece of each row of the block, and the scratch buffer is large enough for it.
                unsafe { bring(&runs, from, near) };
                (from, matrix.row) = (near, pitch as isize);
            }
            if let Some(take) = code.take {
                matrix.column = RUN.1 as isize;
                // SAFETY: the rows of the block are readable, and the scratch buffer is large enough for its columns.
                unsafe { (code.kernel)(&matrix, from, done) };
                let ends = (row == 0, top + rows == tiles.rows);
                let block =
                    Block { bytes, columns, column: tiles.column, ends, stream: code.stream };
                // SAFETY: it is a run of each column of the block, which the kernel wrote.
                unsafe { block.store(take, done, to) };
            } else {
                // SAFETY: the rows of the block are readable, and its columns writable.
                unsafe { (code.kernel)(&matrix, from, to) };
            }
            // Only whole cache lines are stored non-temporally, so the next block begins one line earlier.
            let is_again = code.take.is_some() && code.stream && top + rows < tiles.rows;
            row += if is_again { rows - tiles.units_of(LINE) } else { rows };
        }
        column += columns;
    }
}

/// The columns of a block in a scratch buffer.
struct Block {
    bytes: usize,
    columns: usize,
    column: isize,
    /// Whether the block has the first rows of the matrix, and the last.
    ends: (bool, bool),
    stream: bool,
}

impl Block {
    /// Stores the columns. It stores all lines that belong to no other block non-temporally. The first and the last
    /// block also store what comes before the first line and after the last one.
    ///
    /// # Safety
    /// The scratch buffer must hold the columns, which must be writable at `to`. The kernel must be one for such
    /// runs, and the CPU must have its instruction set.
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
            // SAFETY: it is a part of a column.
            unsafe { kernel(&runs, from.wrapping_add(start), to.wrapping_add(start)) };
        }
    }
}
