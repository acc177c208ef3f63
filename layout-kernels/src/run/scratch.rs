//! The driver of tiles whose rows, columns or both go through a scratch.

use core::mem::MaybeUninit;
use core::ops::Range;

use crate::sets::{CopyKernel, PackedCode, TileKernel};
use crate::steps::tiles::{JOINED, MAX_OFFSETS, MOST_COLUMNS, NEAR, RUN};
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

/// The scratch of a plan.
pub(crate) struct Scratches {
    near: Scratch<NEAR>,
    done: Scratch<{ MOST_COLUMNS * RUN.1 }>,
    /// Where pieces begin, for matrices with tables.
    pitches: [i32; MAX_OFFSETS],
}

impl Scratches {
    /// For pieces so many bytes apart.
    #[inline(always)]
    pub(crate) fn new(pitch: usize) -> Self {
        let mut pitches = [0; MAX_OFFSETS];
        for (row, own) in pitches.iter_mut().enumerate() {
            *own = (row * pitch) as i32;
        }
        Self { near: Scratch::uninit(), done: Scratch::uninit(), pitches }
    }
}

/// Transposes a matrix block by block.
///
/// # Safety
/// As [`transpose`](crate::micro::transpose::transpose) of every tile kernel that the rows of a block fill; the matrix
/// is one that [`packing`](Tiles::packing) packs, for which the code was picked and the scratches made, and the CPU has
/// its instruction set.
#[inline(never)]
pub(crate) unsafe fn transpose(
    tiles: &Tiles,
    code: &PackedCode,
    scratches: &mut Scratches,
    from: *const u8,
    to: *mut u8,
) {
    if let (true, Some(take)) = (code.packing.joined, code.take) {
        // SAFETY: the caller's promise.
        return unsafe { joined(tiles, code.kernel, take, from, to) };
    }
    let near = scratches.near.0.as_mut_ptr().cast::<u8>();
    let done = scratches.done.0.as_mut_ptr().cast::<u8>();
    let (unit, PackedCode { rows, columns, pitch, .. }) = (tiles.unit, *code);
    let bytes = rows * unit;
    let mut matrix = tiles.matrix();
    let column_offsets = matrix.column_offsets;
    (matrix.rows, matrix.columns) = (rows, columns);
    let mut column = 0;
    while column < tiles.columns {
        // The last blocks overlap those before them.
        let first = column.min(tiles.columns - columns);
        let mut row = 0;
        while row < tiles.rows {
            let top = row.min(tiles.rows - rows);
            let mut from = from.wrapping_add(first * unit);
            let mut to = to.wrapping_add(top * unit);
            if tiles.is_even {
                to = to.wrapping_offset(tiles.column.wrapping_mul(first as isize));
            } else {
                matrix.column_offsets = column_offsets.wrapping_add(first);
            }
            if let Some(bring) = code.bring {
                // SAFETY: a piece of each row of the block, for which the scratch has room.
                unsafe {
                    pieces(tiles, top..top + rows, bring, (columns * unit, pitch), from, near)
                };
                (from, matrix.row, matrix.row_offsets) =
                    (near, pitch as isize, scratches.pitches.as_ptr());
            } else {
                // Matrices with tables pack their rows.
                from = from.wrapping_offset(tiles.row.wrapping_mul(top as isize));
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

/// Brings pieces of rows to the scratch, of so many bytes and so many bytes apart there.
///
/// # Safety
/// The pieces are readable, and the scratch has room for them; the kernel is one of such runs, and the CPU has its
/// instruction set.
unsafe fn pieces(
    tiles: &Tiles,
    rows: Range<usize>,
    bring: CopyKernel,
    (bytes, pitch): (usize, usize),
    from: *const u8,
    near: *mut u8,
) {
    let runs = |size, stride| {
        let inner = Loop::new(size, stride, pitch as isize);
        Runs { bytes, inner, outer: Loop::ONCE }
    };
    if tiles.is_even {
        let from = from.wrapping_offset(tiles.row.wrapping_mul(rows.start as isize));
        // SAFETY: the caller's promise.
        return unsafe { bring(&runs(rows.len(), tiles.row), from, near) };
    }
    // Rows as far apart as the first two of them at once.
    let mut left = tiles.row_offsets.get(rows).unwrap_or(&[]);
    let mut near = near;
    while let [first, rest @ ..] = left {
        let stride = rest.first().map_or(0, |next| *next as isize - *first as isize);
        let is_even = |pair: &&[i32]| pair[1] as isize - pair[0] as isize == stride;
        let size = 1 + left.windows(2).take_while(is_even).count();
        // SAFETY: the caller's promise.
        unsafe { bring(&runs(size, stride), from.wrapping_offset(*first as isize), near) };
        near = near.wrapping_add(size * pitch);
        left = left.get(size..).unwrap_or(&[]);
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
