//! Packing: rows, columns or both go through a scratch where their lines share sets of a cache, or where columns go past
//! the caches without beginning at lines.

use core::mem::MaybeUninit;

use crate::code::PackedCode;
use crate::isa::CopyKernel;
use crate::micro::copy::Runs;
use crate::nest::Loop;
use crate::plan::Tiles;
use crate::plan::thresholds::{self as t, LINE};

/// What goes through a scratch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packing {
    pub(crate) rows: bool,
    pub(crate) columns: bool,
}

/// The bytes of a piece of a row, and from one to the next in the scratch.
const PIECE: (usize, usize) = (256, 320);

/// The same of a line of each of many rows: loads of one cycle must not be of the same 16 bytes of two lines.
const LINES: (usize, usize) = (LINE, LINE + 16);

/// The bytes of a run of a column, and from one to the next in the scratch.
const RUN: (usize, usize) = (512, 576);

/// The most rows in the scratch, and the most columns.
const MOST: (usize, usize) = (256, 64);

/// The scratch for rows, and the one for columns: vectors that are stored cross no line.
#[repr(align(64))]
struct Scratch<const BYTES: usize>(MaybeUninit<[u8; BYTES]>);

impl<const BYTES: usize> Scratch<BYTES> {
    fn uninit() -> Self {
        Self(MaybeUninit::uninit())
    }
}

impl Tiles {
    /// What of a matrix is packed.
    pub(crate) const fn packing(&self, stream: bool) -> Packing {
        let lane = self.units_of(16);
        let is_large = self.is_even && self.rows * self.unit >= RUN.0 && self.columns >= lane;
        let is_aligned = self.column % LINE as isize == 0;
        let rows = self.is_even
            && self.columns * self.unit >= PIECE.0
            && self.rows * self.unit >= LINE
            && self.units_of(LINE) > t::WAYS * t::sets(self.row)
            && t::sets(self.column) > t::FEW_SETS;
        let columns = is_large && !is_aligned && (stream || t::sets(self.column) <= t::FEW_SETS);
        Packing { rows, columns }
    }
}

impl Packing {
    /// The bytes of a piece of a row, and from one to the next in the scratch.
    const fn piece(self) -> (usize, usize) {
        if self.columns { LINES } else { PIECE }
    }

    /// The rows and columns of a block.
    pub(crate) const fn block(self, tiles: &Tiles) -> (usize, usize) {
        let piece = tiles.units_of(self.piece().0);
        let run = tiles.units_of(RUN.0);
        let (rows, columns) = match self {
            Self { columns: false, .. } => (MOST.0 * LINES.1 / PIECE.1, piece),
            Self { rows: true, .. } => (least(MOST.0, run), least(MOST.1, piece)),
            _ => (run, MOST.1),
        };
        (least(rows, tiles.rows), least(columns, tiles.columns))
    }
}

const fn least(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

/// Transposes an even matrix block by block.
///
/// # Safety
/// As [`transpose`](crate::micro::tile::transpose) of every tile kernel that the rows of a block fill; the matrix is
/// one that [`packing`](Tiles::packing) packs, for which the code was picked, and the CPU has its instruction set.
#[inline(never)]
pub(crate) unsafe fn transpose(tiles: &Tiles, code: &PackedCode, from: *const u8, to: *mut u8) {
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
            // Whole lines alone go past the caches: the next block begins a line earlier.
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
    /// Stores the columns: past the caches all lines that no other block has, and what comes before the first line and
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
