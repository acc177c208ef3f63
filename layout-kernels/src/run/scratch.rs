//! The driver of tiles whose rows, columns or both go through a scratch buffer.

use core::mem::MaybeUninit;
use core::ops::Range;

use super::starts::aligned;
use crate::sets::{CopyKernel, PackedCode};
use crate::steps::thresholds::FEWEST_AFTER_HEAD;
use crate::steps::tiles::{JOINED, MAX_OFFSETS, MOST_COLUMNS, NEAR, RUN};
use crate::steps::{LINE, Loop, Runs, Tiles};

/// A scratch buffer for rows or columns, aligned so that no vector store crosses a cache line.
#[repr(align(64))]
struct Scratch<const BYTES: usize>(MaybeUninit<[u8; BYTES]>);

impl<const BYTES: usize> Scratch<BYTES> {
    fn uninit() -> Self {
        Self(MaybeUninit::uninit())
    }
}

/// Transposes a matrix whose columns are joined, several columns at a time.
///
/// # Safety
/// The same as [`transpose`], for a matrix whose columns are joined.
#[inline(never)]
unsafe fn joined(
    tiles: &Tiles,
    code: &PackedCode,
    take: CopyKernel,
    scratches: &Scratches,
    from: *const u8,
    to: *mut u8,
) {
    let mut done = Scratch::<{ JOINED + 16 }>::uninit();
    let done = done.0.as_mut_ptr().cast::<u8>();
    let PackedCode { columns, pitch: column, run, .. } = *code;
    let mut matrix = tiles.matrix();
    // A tile has at least a lane of rows, of which the last may repeat the first.
    (matrix.rows, matrix.columns) = (tiles.rows.max(tiles.units_of(16)), columns);
    (matrix.column, matrix.column_offsets) = (column as isize, scratches.pitches.as_ptr());
    let mut first = 0;
    while first < tiles.columns {
        // The last columns may overlap those before them.
        first = first.min(tiles.columns - columns);
        let from = from.wrapping_add(first * tiles.unit);
        // The excess of a column of less than 16 bytes is stored over by the next one.
        // SAFETY: the rows are part of the matrix, and the scratch buffer holds these columns and 16 bytes more.
        unsafe { (code.kernel)(&matrix, from, done) };
        let bytes = run * column;
        let mut runs = Runs { bytes, inner: Loop::ONCE, outer: Loop::ONCE };
        if run == columns {
            // SAFETY: these are the columns, which the kernel wrote contiguously.
            unsafe { take(&runs, done, to.wrapping_add(first * column)) };
            first += columns;
            continue;
        }
        // Matrices whose columns are not contiguous have tables, and the scratch buffer holds all columns.
        let (all, mut done) = (tiles.column_offsets.get(..columns).unwrap_or(&[]), done);
        evenly_spaced(all, run, |start, size, stride| {
            runs.inner = Loop::new(size, bytes as isize, stride);
            // SAFETY: these are runs of columns, which the kernel wrote.
            unsafe { take(&runs, done, to.wrapping_offset(start)) };
            done = done.wrapping_add(size * bytes);
        });
        first += columns;
    }
}

/// Calls `of` for each group of evenly spaced offsets of a table: with the first, their number, and the distance from
/// one to the next. Of `step` offsets, only the first is looked at.
#[inline(always)]
fn evenly_spaced(offsets: &[i32], step: usize, mut of: impl FnMut(isize, usize, isize)) {
    let mut left = offsets;
    while let Some(start) = left.first() {
        let after = |at: usize| match (left.get(at), left.get(at + step)) {
            (Some(first), Some(second)) => Some(*second as isize - *first as isize),
            _ => None,
        };
        let (stride, mut count) = (after(0), 1);
        while stride.is_some() && after((count - 1) * step) == stride {
            count += 1;
        }
        of(*start as isize, count, stride.unwrap_or(0));
        left = left.get(count * step..).unwrap_or(&[]);
    }
}

/// The scratch buffers of a plan.
pub(crate) struct Scratches {
    near: Scratch<NEAR>,
    done: Scratch<{ MOST_COLUMNS * RUN.1 }>,
    /// Where pieces and columns begin, for matrices with tables.
    pitches: [i32; MAX_OFFSETS],
    columns: [i32; MOST_COLUMNS],
}

impl Scratches {
    /// Returns buffers for pieces that are `pitch` bytes apart.
    #[inline(always)]
    pub(crate) fn new(pitch: usize) -> Self {
        let (pitches, columns) = (multiples(pitch), multiples(RUN.1));
        Self { near: Scratch::uninit(), done: Scratch::uninit(), pitches, columns }
    }
}

/// Returns the first multiples of `step`.
#[inline(always)]
fn multiples<const COUNT: usize>(step: usize) -> [i32; COUNT] {
    core::array::from_fn(|i| (i * step) as i32)
}

/// Transposes a matrix block by block.
///
/// # Safety
/// The same as [`transpose`](crate::micro::transpose::transpose) for every tile kernel that the rows of a block fill.
/// The matrix must be one that [`packing`](Tiles::packing) packs and for which the code was chosen; if it has tables,
/// the scratch buffers must be made for the pitch of that code. The CPU must have its instruction set.
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
        return unsafe { joined(tiles, code, take, scratches, from, to) };
    }
    let PackedCode { rows, columns, .. } = *code;
    // Pieces of rows have one length.
    let least = if code.bring.is_some() { columns } else { tiles.units_of(16) };
    let mut column = 0;
    while column < tiles.columns {
        // The last blocks have the columns that are left, and overlap those before them if these are too few.
        let own = (tiles.columns - column).max(least).min(columns);
        let first = column.min(tiles.columns - own);
        let columns = first..first + own;
        // A block of all rows is aligned below.
        let is_divided = code.take.is_none() && rows * FEWEST_AFTER_HEAD <= tiles.rows;
        let head = if is_divided { tiles.head(tiles.rows, code.starts, to) } else { 0 };
        let (mut row, mut step) = (0, if head > 0 { head } else { rows });
        while row < tiles.rows {
            let top = row.min(tiles.rows - rows);
            // SAFETY: a block of the matrix.
            unsafe { block(tiles, code, scratches, (top, columns.clone()), from, to) };
            // Only whole cache lines are stored non-temporally, so the next block begins one line earlier.
            let is_again = code.take.is_some() && code.stream && top + rows < tiles.rows;
            row += if is_again { rows - tiles.units_of(LINE) } else { step };
            step = rows;
        }
        column += own;
    }
}

/// Transposes the block of these columns that begins at row `top`.
///
/// # Safety
/// The same as [`transpose`].
#[inline(always)]
unsafe fn block(
    tiles: &Tiles,
    code: &PackedCode,
    scratches: &mut Scratches,
    (top, columns): (usize, Range<usize>),
    from: *const u8,
    to: *mut u8,
) {
    let near = scratches.near.0.as_mut_ptr().cast::<u8>();
    let (unit, PackedCode { rows, pitch, .. }) = (tiles.unit, *code);
    let (mut matrix, first) = (tiles.matrix(), columns.start);
    (matrix.rows, matrix.columns) = (rows, columns.len());
    let (mut from, mut to) = (from.wrapping_add(first * unit), to.wrapping_add(top * unit));
    if tiles.is_even {
        to = to.wrapping_offset(tiles.column.wrapping_mul(first as isize));
    } else {
        matrix.column_offsets = matrix.column_offsets.wrapping_add(first);
    }
    if let Some(bring) = code.bring {
        // SAFETY: it is a piece of each row of the block, and the scratch buffer is large enough for it.
        unsafe { pieces(tiles, top..top + rows, bring, (columns.len() * unit, pitch), from, near) };
        from = near;
        (matrix.row, matrix.row_offsets) = (pitch as isize, scratches.pitches.as_ptr());
    } else {
        debug_assert!(tiles.is_even || top == 0, "a block has all rows of a table: {tiles:?}");
        from = from.wrapping_offset(tiles.row.wrapping_mul(top as isize));
    }
    let Some(take) = code.take else {
        // SAFETY: the rows of the block are readable, and its columns writable.
        return unsafe { aligned(tiles, (code.kernel, code.starts), &matrix, from, to) };
    };
    let done = scratches.done.0.as_mut_ptr().cast::<u8>();
    (matrix.column, matrix.column_offsets) = (RUN.1 as isize, scratches.columns.as_ptr());
    // SAFETY: the rows of the block are readable, and the scratch buffer is large enough for its columns.
    unsafe { (code.kernel)(&matrix, from, done) };
    let ends = (top == 0, top + rows == tiles.rows);
    let block = Block { tiles, bytes: rows * unit, columns, ends };
    if code.stream {
        // SAFETY: it is a run of each column of the block, which the kernel wrote.
        unsafe { block.stream(take, done, to) }
    } else {
        // SAFETY: as above.
        unsafe { block.store(take, done, to) }
    }
}

/// Copies pieces of rows to the scratch buffer: `bytes` bytes of each, `pitch` bytes apart.
///
/// # Safety
/// The pieces must be readable, and the scratch buffer large enough for them. The kernel must be one for runs of this
/// length, and the CPU must have its instruction set.
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
    let mut near = near;
    evenly_spaced(tiles.row_offsets.get(rows).unwrap_or(&[]), 1, |start, size, stride| {
        // SAFETY: the caller's promise.
        unsafe { bring(&runs(size, stride), from.wrapping_offset(start), near) };
        near = near.wrapping_add(size * pitch);
    });
}

/// The columns of a block in a scratch buffer.
struct Block<'a> {
    tiles: &'a Tiles,
    /// The bytes of the block in each column.
    bytes: usize,
    columns: Range<usize>,
    /// Whether the block has the first rows of the matrix, and the last.
    ends: (bool, bool),
}

impl Block<'_> {
    /// Stores the columns.
    ///
    /// # Safety
    /// The scratch buffer must hold the columns, which must be writable at `to`. The kernel must be one for such
    /// runs, and the CPU must have its instruction set.
    unsafe fn store(&self, kernel: CopyKernel, done: *const u8, to: *mut u8) {
        let Self { tiles, bytes, columns, .. } = self;
        let runs = |size, stride| {
            let inner = Loop::new(size, RUN.1 as isize, stride);
            Runs { bytes: *bytes, inner, outer: Loop::ONCE }
        };
        if tiles.is_even {
            // SAFETY: the caller's promise.
            return unsafe { kernel(&runs(columns.len(), tiles.column), done, to) };
        }
        let (all, mut done) = (tiles.column_offsets.get(columns.clone()).unwrap_or(&[]), done);
        evenly_spaced(all, 1, |start, size, stride| {
            // SAFETY: the caller's promise.
            unsafe { kernel(&runs(size, stride), done, to.wrapping_offset(start)) };
            done = done.wrapping_add(size * RUN.1);
        });
    }

    /// Stores all lines of evenly spaced columns that belong to no other block non-temporally. The first and the last
    /// block also store what comes before the first line and after the last one.
    ///
    /// # Safety
    /// The same as [`store`](Self::store).
    unsafe fn stream(&self, kernel: CopyKernel, done: *const u8, to: *mut u8) {
        let Self { tiles, bytes, columns, ends } = self;
        for i in 0..columns.len() {
            let column = tiles.column.wrapping_mul(i as isize);
            let (from, to) = (done.wrapping_add(i * RUN.1), to.wrapping_offset(column));
            let head = (to as usize).wrapping_neg() % LINE;
            let start = if ends.0 { 0 } else { head };
            let end = if ends.1 { *bytes } else { head + bytes - LINE };
            let runs = Runs { bytes: end - start, inner: Loop::ONCE, outer: Loop::ONCE };
            // SAFETY: it is a part of a column.
            unsafe { kernel(&runs, from.wrapping_add(start), to.wrapping_add(start)) };
        }
    }
}
