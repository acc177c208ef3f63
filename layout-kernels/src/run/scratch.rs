//! The driver of tiles whose rows, columns or both go through a scratch buffer.

use core::mem::MaybeUninit;
use core::ops::Range;

use super::starts::aligned;
use crate::sets::{CopyKernel, PackedCode};
use crate::steps::thresholds::FEWEST_AFTER_HEAD;
use crate::steps::tiles::{JOINED, MAX_OFFSETS, MOST_COLUMNS, NEAR, RUN};
use crate::steps::{LINE, Loop, Runs, Spacing, Tiles};

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
        let (all, spacing) = (0..columns / run.max(1), code.run_spacing);
        each_group(&tiles.column_offsets, spacing, run, all, |index, start, inner, outer| {
            runs.inner = Loop::new(inner.0, bytes as isize, inner.1);
            runs.outer = Loop::new(outer.0, (inner.0 * bytes) as isize, outer.1);
            // SAFETY: these are runs of columns, which the kernel wrote.
            unsafe { take(&runs, done.wrapping_add(index * bytes), to.wrapping_offset(start)) };
        });
        first += columns;
    }
}

/// Calls `of` for offsets of a table that one call of a kernel moves: with the index of the first, its offset, and the
/// numbers and strides of the offsets of a group and of groups. Of `step` offsets, only the first is looked at.
#[inline(always)]
fn each_group(
    offsets: &[i32],
    spacing: Spacing,
    step: usize,
    indices: Range<usize>,
    mut of: impl FnMut(usize, isize, (usize, isize), (usize, isize)),
) {
    let offset = |index: usize| offsets.get(index * step).map_or(0, |own| *own as isize);
    // Not 0, so that no division can panic.
    let (inner, outer) = (spacing.inner.max(1), spacing.outer.max(1));
    let strides = [1, inner].map(|index| offset(index).wrapping_sub(offset(0)));
    let mut index = indices.start;
    while index < indices.end {
        let (left, before) = (indices.end - index, index % inner);
        // What begins or ends inside a group is a group of its own.
        let (count, groups) = if before > 0 || left < inner {
            (left.min(inner - before), 1)
        } else {
            (inner, (left / inner).min(outer - index / inner % outer))
        };
        of(index, offset(index), (count, strides[0]), (groups, strides[1]));
        index += count * groups;
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
        unsafe { pieces(tiles, code, bring, (top..top + rows, columns.len() * unit), from, near) };
        from = near;
        (matrix.row, matrix.row_offsets) = (pitch as isize, scratches.pitches.as_ptr());
    } else {
        debug_assert!(tiles.is_even || top == 0, "a block has all rows of a table: {tiles:?}");
        from = from.wrapping_offset(tiles.row.wrapping_mul(top as isize));
    }
    let Some(take) = code.take else {
        // SAFETY: the rows of the block are readable, and its columns writable.
        return unsafe { aligned(tiles, (code.kernel, code.starts), &mut matrix, from, to) };
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
        unsafe { block.store(take, code.run_spacing, done, to) }
    }
}

/// Copies pieces of rows to the scratch buffer: `bytes` bytes of each.
///
/// # Safety
/// The pieces must be readable, and the scratch buffer large enough for them. The kernel must be one for runs of this
/// length, and the CPU must have its instruction set.
unsafe fn pieces(
    tiles: &Tiles,
    code: &PackedCode,
    bring: CopyKernel,
    (rows, bytes): (Range<usize>, usize),
    from: *const u8,
    near: *mut u8,
) {
    let pitch = code.pitch;
    if tiles.is_even {
        let from = from.wrapping_offset(tiles.row.wrapping_mul(rows.start as isize));
        let inner = Loop::new(rows.len(), tiles.row, pitch as isize);
        // SAFETY: the caller's promise.
        return unsafe { bring(&Runs { bytes, inner, outer: Loop::ONCE }, from, near) };
    }
    let (spacing, first) = (code.row_spacing, rows.start);
    each_group(&tiles.row_offsets, spacing, 1, rows, |index, start, inner, outer| {
        let near = near.wrapping_add((index - first) * pitch);
        let runs = Runs {
            bytes,
            inner: Loop::new(inner.0, inner.1, pitch as isize),
            outer: Loop::new(outer.0, outer.1, (inner.0 * pitch) as isize),
        };
        // SAFETY: the caller's promise.
        unsafe { bring(&runs, from.wrapping_offset(start), near) };
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
    unsafe fn store(&self, kernel: CopyKernel, spacing: Spacing, done: *const u8, to: *mut u8) {
        let Self { tiles, bytes, columns, .. } = self;
        let bytes = *bytes;
        if tiles.is_even {
            let inner = Loop::new(columns.len(), RUN.1 as isize, tiles.column);
            // SAFETY: the caller's promise.
            return unsafe { kernel(&Runs { bytes, inner, outer: Loop::ONCE }, done, to) };
        }
        let (all, first) = (columns.clone(), columns.start);
        each_group(&tiles.column_offsets, spacing, 1, all, |index, start, inner, outer| {
            let done = done.wrapping_add((index - first) * RUN.1);
            let runs = Runs {
                bytes,
                inner: Loop::new(inner.0, RUN.1 as isize, inner.1),
                outer: Loop::new(outer.0, (inner.0 * RUN.1) as isize, outer.1),
            };
            // SAFETY: the caller's promise.
            unsafe { kernel(&runs, done, to.wrapping_offset(start)) };
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

// Without vectors, tables have one offset.
#[cfg(all(test, vectors))]
mod tests {
    use super::{MAX_OFFSETS, Spacing, each_group};

    /// The groups of any part of a table are its offsets in order, and each one has all that are evenly spaced.
    #[test]
    fn groups_are_the_offsets_of_a_table() {
        let tables: [&[(usize, i32)]; 7] = [
            &[(12, 5)],
            &[(2, 100), (9, 3)],
            &[(2, 1), (3, 10), (2, 50)],
            &[(2, 1), (2, 2), (4, 10), (3, -7)],
            &[(7, 65536), (8, 8192)],
            &[(3, 0), (5, 1 << 30)],
            &[(1, 4)],
        ];
        for digits in tables {
            let (mut offsets, mut count) = ([0i32; MAX_OFFSETS], 1);
            for (size, stride) in digits {
                for i in count..count * size {
                    offsets[i] = offsets[i - count].wrapping_add(*stride);
                }
                count *= size;
            }
            for step in [1, digits[0].0] {
                let (all, spacing) = (count / step, Spacing::of(&offsets, count, step));
                for (start, end) in
                    (0..all).flat_map(|start| (start..=all).map(move |end| (start, end)))
                {
                    let (mut index, mut calls) = (start, 0);
                    each_group(
                        &offsets,
                        spacing,
                        step,
                        start..end,
                        |first, offset, inner, outer| {
                            assert_eq!(first, index, "{digits:?}, {start} to {end}");
                            for (group, own) in
                                (0..outer.0).flat_map(|i| (0..inner.0).map(move |j| (i, j)))
                            {
                                let own =
                                    offset + inner.1 * own as isize + outer.1 * group as isize;
                                assert_eq!(
                                    own,
                                    offsets[index * step] as isize,
                                    "{digits:?}, {index}"
                                );
                                index += 1;
                            }
                            calls += 1;
                        },
                    );
                    assert_eq!(index, end, "{digits:?}");
                    let most = all.div_ceil(spacing.inner * spacing.outer);
                    assert!((start, end) != (0, all) || calls == most, "{digits:?}: {calls} calls");
                }
            }
        }
    }
}
