//! The loops around a step, and the driver of tiles whose rows or columns go through a scratch buffer.

use core::mem::MaybeUninit;
use core::ops::Range;

use crate::isa::LANE;
use crate::plan::{PackedCode, Packing};
use crate::sets::TileKernel;
use crate::steps::tiles::has_lane;
use crate::steps::{
    LINE, Loop, MAX_OFFSETS, MAX_OUTER_LOOPS, Matrix, OuterLoop, Runs, Starts, Tiles, each_group,
};

/// A scratch buffer for rows or columns, aligned so that no vector store crosses a cache line.
///
/// A function keeps one as `MaybeUninit`, whose own functions make no copy of it in debug builds.
#[repr(align(64))]
pub(super) struct Scratch<const BYTES: usize>([u8; BYTES]);

/// Transposes a matrix with fewer columns than a tile that reaches both ends of the source: 16 bytes of its farthest
/// row are not readable from the first column on, and those of its nearest row not up to the last column. Rows are
/// moved in groups. A group whose farthest row has too few bytes is copied first, each row to 16 bytes of a scratch
/// buffer.
///
/// # Safety
/// Every unit of the matrix must be readable inside `readable` and writable, and all of `readable` must be readable.
/// The CPU must have the instruction set of the kernel, which must be that of the matrix.
#[inline(never)]
pub(super) unsafe fn groups_of_rows(
    tiles: &Tiles,
    kernel: TileKernel,
    readable: Range<*const u8>,
    from: *const u8,
    to: *mut u8,
) {
    // A group has the rows of the highest tile, or all rows. A table has the offsets of all rows.
    let most = if tiles.is_strided { tiles.units_of(LINE) } else { MAX_OFFSETS };
    let (mut matrix, count) = (tiles.matrix(), tiles.rows.min(most));
    let mut scratch = MaybeUninit::<Scratch<{ 16 * MAX_OFFSETS }>>::uninit();
    let packed: *mut u8 = scratch.as_mut_ptr().cast();
    let offsets: [i32; MAX_OFFSETS] = core::array::from_fn(|row| 16 * row as i32);
    matrix.rows = count;
    let mut row = 0;
    while row < tiles.rows {
        // The last group may overlap the one before it.
        let top = row.min(tiles.rows - count);
        let (first, last) = (tiles.row_offset(top), tiles.row_offset(top + count - 1));
        let is_inside =
            tiles.is_strided && has_lane(&readable, from.wrapping_offset(first.max(last)));
        let to = to.wrapping_add(top * tiles.unit);
        if is_inside {
            matrix.row = tiles.row;
            // SAFETY: 16 bytes of the farthest of these rows are readable, so they are for each.
            unsafe { kernel(&matrix, from.wrapping_offset(first), to) };
        } else {
            for own in 0..count {
                let from = from.wrapping_offset(tiles.row_offset(top + own));
                let lane = packed.wrapping_add(16 * own);
                // SAFETY: the units of the row are readable, and the scratch buffer has 16 bytes for each row.
                unsafe { copy_lane(&readable, from, tiles.columns * tiles.unit, lane) };
            }
            (matrix.row, matrix.row_offsets) = (16, offsets.as_ptr());
            // SAFETY: the scratch buffer has 16 bytes of each of these rows.
            unsafe { kernel(&matrix, packed, to) };
        }
        row += count;
    }
}

/// The number of rows or columns of a block. `Range::len` has code for a panic.
#[inline(always)]
const fn count(block: &Range<usize>) -> usize {
    block.end - block.start
}

/// Copies 16 bytes, or `bytes` bytes and zeros if no 16 are readable.
///
/// # Safety
/// `bytes` bytes, at most 16, must be readable inside `readable`, all of which must be readable, and 16 bytes writable.
#[inline(always)]
unsafe fn copy_lane(readable: &Range<*const u8>, from: *const u8, bytes: usize, to: *mut u8) {
    debug_assert!(bytes <= 16, "a row of {bytes} bytes");
    if has_lane(readable, from) {
        // SAFETY: 16 bytes are readable from here on, and the caller promises that they are writable.
        return unsafe { to.copy_from_nonoverlapping(from, 16) };
    }
    // SAFETY: the caller's promise.
    unsafe { to.write_bytes(0, 16) };
    // SAFETY: the caller's promise.
    unsafe { to.copy_from_nonoverlapping(from, bytes) };
}

/// Transposes a matrix in every iteration of loops, block by block, with a scratch buffer of `BYTES` bytes
/// on the stack.
///
/// # Safety
/// Every unit of every matrix must be readable and writable. The code must have been chosen for the matrix, a block
/// must have no more bytes than the scratch buffer, and the CPU must have the instruction set of the code.
#[inline(never)]
pub(super) unsafe fn run<const BYTES: usize>(
    tiles: &Tiles,
    code: &PackedCode,
    loops: &[OuterLoop],
    from: *const u8,
    to: *mut u8,
) {
    debug_assert!(code.bytes() <= BYTES, "{tiles:?}");
    let mut scratch = MaybeUninit::<Scratch<BYTES>>::uninit();
    // The offsets of packed rows or columns, which kernels of a matrix with tables read.
    let mut offsets = [0; MAX_OFFSETS];
    let count = if tiles.is_strided { 0 } else { code.packed() };
    for (i, own) in offsets.iter_mut().enumerate().take(count) {
        *own = (i * code.apart) as i32;
    }
    let packed = Packed { tiles, code, scratch: scratch.as_mut_ptr().cast(), offsets: &offsets };
    each(loops, from, to, |from, to| {
        // SAFETY: the caller's promise.
        unsafe { packed.transpose(from, to) }
    });
}

/// A matrix whose blocks go through a scratch buffer, and the offsets of packed rows or columns in it.
struct Packed<'a> {
    tiles: &'a Tiles,
    code: &'a PackedCode,
    scratch: *mut u8,
    offsets: &'a [i32; MAX_OFFSETS],
}

impl Packed<'_> {
    /// Transposes the matrix block by block.
    ///
    /// # Safety
    /// The same as [`run`], for this matrix.
    #[inline(never)]
    unsafe fn transpose(&self, from: *const u8, to: *mut u8) {
        let Self { tiles, code, .. } = self;
        let PackedCode { rows, columns, .. } = **code;
        // Packed rows have one length, and so have runs of joined columns.
        let is_even = !matches!(code.packing, Packing::Columns);
        let least = if is_even { columns } else { tiles.units_of(LANE) };
        let mut column = 0;
        while column < tiles.columns {
            // The last block has the columns that are left; if they are too few for a kernel, it overlaps the block
            // before.
            let own = (tiles.columns - column).max(least).min(columns);
            let first = column.min(tiles.columns - own);
            let mut row = 0;
            while row < tiles.rows {
                let top = row.min(tiles.rows - rows);
                // SAFETY: a block of the matrix.
                unsafe { self.block(top..top + rows, first..first + own, from, to) };
                row += rows;
            }
            column += own;
        }
    }

    /// Transposes a block.
    ///
    /// # Safety
    /// The same as [`run`].
    #[inline(always)]
    unsafe fn block(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        from: *const u8,
        to: *mut u8,
    ) {
        let Self { tiles, code, .. } = self;
        let (mut matrix, unit) = (tiles.matrix(), tiles.unit);
        // A tile has at least a lane of rows, of which the last may repeat the first.
        (matrix.rows, matrix.columns) = (count(&rows).max(tiles.units_of(LANE)), count(&columns));
        let (from, mut to) =
            (from.wrapping_add(columns.start * unit), to.wrapping_add(rows.start * unit));
        if !code.packing.has_rows() {
            debug_assert!(tiles.is_strided || rows.start == 0, "a block has all rows of a table");
            let from = from.wrapping_offset(tiles.row.wrapping_mul(rows.start as isize));
            (matrix.column, matrix.column_offsets) = (code.apart as isize, self.offsets.as_ptr());
            // The next column overwrites the excess of one of less than 16 bytes.
            // SAFETY: the rows of the block are readable, and the scratch buffer holds its columns and 16 bytes more.
            unsafe { (code.kernel)(&matrix, from, self.scratch) };
            // SAFETY: the kernel wrote these columns.
            return unsafe { self.unpack(count(&rows) * unit, columns, to) };
        }
        let (stride, bytes) = (tiles.is_strided.then_some(tiles.row), count(&columns) * unit);
        let lines = Lines { stride, table: &tiles.row_offsets, even: (code.even, 1) };
        lines.each(rows, code.apart, |position, start, inner| {
            let runs = Runs { bytes, inner, outer: Loop::ONCE };
            let to = self.scratch.wrapping_add(position);
            // SAFETY: it is a part of rows of the block, and the scratch buffer is large enough for it.
            unsafe { (code.copy)(&runs, from.wrapping_offset(start), to) };
        });
        (matrix.row, matrix.row_offsets) = (code.apart as isize, self.offsets.as_ptr());
        if tiles.are_columns_strided {
            to = to.wrapping_offset(tiles.column.wrapping_mul(columns.start as isize));
        } else {
            matrix.column_offsets = matrix.column_offsets.wrapping_add(columns.start);
        }
        let kernel = (code.kernel, code.starts);
        // SAFETY: the rows of the block are in the scratch buffer, and its columns are writable.
        unsafe { aligned(tiles, kernel, &mut matrix, self.scratch, to) }
    }

    /// Stores `bytes` bytes of each column, of runs of columns at once.
    ///
    /// # Safety
    /// The scratch buffer must hold the columns, which must be writable at `to`. The CPU must have the instruction set
    /// of the code.
    unsafe fn unpack(&self, bytes: usize, columns: Range<usize>, to: *mut u8) {
        let Self { tiles, code: PackedCode { run, apart, even, copy, .. }, .. } = self;
        // A run is a column, or all columns of a block, or else the block has all columns of a table.
        let (indices, stride) = match *run {
            1 => (columns, tiles.are_columns_strided.then_some(tiles.column)),
            run if run == count(&columns) => {
                (columns.start..columns.start + 1, Some(bytes as isize))
            }
            run => (0..count(&columns) / run.max(1), None),
        };
        let lines = Lines { stride, table: &tiles.column_offsets, even: (*even, *run) };
        lines.each(indices, run * apart, |position, start, inner| {
            let runs = Runs { bytes: run * bytes, inner: inner.reversed(), outer: Loop::ONCE };
            let from = self.scratch.wrapping_add(position);
            // SAFETY: these are runs of columns.
            unsafe { copy(&runs, from, to.wrapping_offset(start)) };
        });
    }
}

/// The rows of a matrix in the source, or its runs of columns in the destination: evenly spaced, or where a table says.
struct Lines<'a> {
    stride: Option<isize>,
    table: &'a [i32],
    /// How many of each `n`-th offset of the table are evenly spaced, and `n`.
    even: (usize, usize),
}

impl Lines<'_> {
    /// Calls `of` as [`each_group`] does, for lines that are `apart` bytes apart in a scratch buffer.
    #[inline(always)]
    fn each(&self, indices: Range<usize>, apart: usize, mut of: impl FnMut(usize, isize, Loop)) {
        let Some(stride) = self.stride else {
            return each_group(self.table, self.even, indices, apart, of);
        };
        let all = Loop::new(indices.len(), stride, apart as isize);
        of(0, stride.wrapping_mul(indices.start as isize), all);
    }
}

/// Calls `step` for every iteration of the loops.
#[inline(always)]
pub(super) fn each(
    loops: &[OuterLoop],
    from: *const u8,
    to: *mut u8,
    mut step: impl FnMut(*const u8, *mut u8),
) {
    let Some((inner, outer)) = loops.split_last() else { return step(from, to) };
    let mut all_of_inner = |from: *const u8, to: *mut u8| {
        for i in 0..inner.count {
            let (source, destination) = inner.at(i);
            step(from.wrapping_offset(source), to.wrapping_offset(destination));
        }
    };
    if outer.is_empty() {
        return all_of_inner(from, to);
    }
    let mut at = [0usize; MAX_OUTER_LOOPS];
    let (mut from, mut to) = (from, to);
    loop {
        all_of_inner(from, to);
        // Moves on to the next iteration of the outer loops, as an odometer does.
        let mut is_done = true;
        for (at, own) in at.iter_mut().zip(outer).rev() {
            let (source, destination) = own.at(*at);
            (from, to) = (from.wrapping_offset(-source), to.wrapping_offset(-destination));
            *at += 1;
            if *at < own.count {
                let (source, destination) = own.at(*at);
                (from, to) = (from.wrapping_offset(source), to.wrapping_offset(destination));
                is_done = false;
                break;
            }
            *at = 0;
        }
        if is_done {
            return;
        }
    }
}

/// Transposes a matrix. All tiles but those of the first rows begin where `starts` says: a store that crosses a cache line
/// takes two to three times as long. It changes the matrix and restores it.
///
/// # Safety
/// The same as [`transpose`](crate::micro::transpose::transpose) with this kernel, whose longest tile has
/// `starts.first` rows.
#[inline]
pub(super) unsafe fn aligned(
    tiles: &Tiles,
    (kernel, starts): (TileKernel, Starts),
    matrix: &mut Matrix,
    from: *const u8,
    to: *mut u8,
) {
    let head = tiles.head(starts, to);
    if !cfg!(vectors) || head == 0 {
        // SAFETY: the caller's promise.
        return unsafe { kernel(matrix, from, to) };
    }
    // Changed in place, as `each_strip` says.
    let (rows, row_offsets) = (matrix.rows, matrix.row_offsets);
    matrix.rows = starts.first;
    // SAFETY: these are the first rows of the matrix, those of the longest tile.
    unsafe { kernel(matrix, from, to) };
    let row = if tiles.is_strided { matrix.row.wrapping_mul(head as isize) } else { 0 };
    let (from, to) = (from.wrapping_offset(row), to.wrapping_add(head * tiles.unit));
    (matrix.rows, matrix.row_offsets) = (rows - head, row_offsets.wrapping_add(head));
    // SAFETY: `head` is less than a vector, and a matrix whose tiles begin at multiples has several vectors of rows, so
    // that more are left than those of a tile.
    unsafe { kernel(matrix, from, to) };
    (matrix.rows, matrix.row_offsets) = (rows, row_offsets);
}
