//! The driver of tiles whose rows, columns or both go through a scratch buffer.

use core::mem::MaybeUninit;
use core::ops::Range;

use super::starts::aligned;
use crate::plan::PackedCode;
use crate::sets::{CopyKernel, TileKernel};
use crate::steps::tiles::{JOINED, MOST_COLUMNS, ROWS_SCRATCH, RUN, has_lane};
use crate::steps::{LINE, Loop, MAX_OFFSETS, Runs, Spacing, Tiles, each_group};

/// A scratch buffer for rows or columns, aligned so that no vector store crosses a cache line.
///
/// A function keeps one as `MaybeUninit`, whose own functions make no copy of it in debug builds.
#[repr(align(64))]
pub(super) struct Scratch<const BYTES: usize>([u8; BYTES]);

/// Transposes a matrix whose columns are joined, several columns at a time. This has a scratch buffer of its own, so
/// that small matrices need no more of the stack.
///
/// # Safety
/// The same as [`transpose`], for a matrix whose columns are joined.
#[inline(never)]
pub(super) unsafe fn joined(
    tiles: &Tiles,
    code: &PackedCode,
    unpack: CopyKernel,
    pitches: &Pitches,
    from: *const u8,
    to: *mut u8,
) {
    let mut scratch = MaybeUninit::<Scratch<{ JOINED + 16 }>>::uninit();
    let joined = scratch.as_mut_ptr().cast();
    let PackedCode { columns, pitch: column, run, .. } = *code;
    let mut matrix = tiles.matrix();
    // A tile has at least a lane of rows, of which the last may repeat the first.
    (matrix.rows, matrix.columns) = (tiles.rows.max(tiles.units_of(16)), columns);
    (matrix.column, matrix.column_offsets) = (column as isize, pitches.offsets());
    let mut first = 0;
    while first < tiles.columns {
        // The last columns may overlap those before them.
        first = first.min(tiles.columns - columns);
        let from = from.wrapping_add(first * tiles.unit);
        // The next column overwrites the excess of one of less than 16 bytes.
        // SAFETY: the rows are part of the matrix, and the scratch buffer holds these columns and 16 bytes more.
        unsafe { (code.kernel)(&matrix, from, joined) };
        let bytes = run * column;
        if run == columns {
            let runs = Runs { bytes, inner: Loop::ONCE, outer: Loop::ONCE };
            // SAFETY: these are the columns, which the kernel wrote contiguously.
            unsafe { unpack(&runs, joined, to.wrapping_add(first * column)) };
            first += columns;
            continue;
        }
        if tiles.are_columns_strided {
            let inner = Loop::new(columns, column as isize, tiles.column);
            let to = to.wrapping_offset(tiles.column.wrapping_mul(first as isize));
            // SAFETY: these are the columns, which the kernel wrote.
            unsafe { unpack(&Runs { bytes, inner, outer: Loop::ONCE }, joined, to) };
            first += columns;
            continue;
        }
        // The scratch buffer holds all columns of a table.
        let all = 0..columns / run.max(1);
        let spacing = (code.run_spacing, run);
        // SAFETY: these are runs of columns, which the kernel wrote.
        unsafe { store(&tiles.column_offsets, spacing, all, (bytes, bytes), unpack, joined, to) };
        first += columns;
    }
}

/// The offsets of rows that are 16 bytes apart.
static LANES: [i32; MAX_OFFSETS] = multiples(16);

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
            (matrix.row, matrix.row_offsets) = (16, LANES.as_ptr());
            // SAFETY: the scratch buffer has 16 bytes of each of these rows.
            unsafe { kernel(&matrix, packed, to) };
        }
        row += count;
    }
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

/// Where the packed rows or the joined columns of a matrix with tables begin in a scratch buffer.
pub(super) struct Pitches([MaybeUninit<i32>; MAX_OFFSETS]);

impl Pitches {
    /// Computes those of a block of the matrix: computing a whole table takes longer than transposing a small matrix.
    #[inline(always)]
    pub(super) fn of(tiles: &Tiles, code: &PackedCode) -> Self {
        let mut own = Self([MaybeUninit::uninit(); MAX_OFFSETS]);
        if !tiles.is_strided {
            let (count, mut next) = (code.rows.max(code.columns), 0);
            for offset in own.0.iter_mut().take(count) {
                offset.write(next);
                next += code.pitch as i32;
            }
        }
        own
    }

    /// Only kernels of a matrix with tables read them.
    fn offsets(&self) -> *const i32 {
        self.0.as_ptr().cast()
    }
}

/// The most bytes of a scratch buffer for packed rows and columns.
pub(super) const MOST: usize = ROWS_SCRATCH + MOST_COLUMNS * RUN.1;

/// What the packed rows or columns of a tile in the first-level cache take, for which [`MOST`] bytes are much of a
/// stack.
pub(super) const FEW: usize = 20 << 10;

/// Returns where packed columns begin in the scratch buffer, after packed rows, and the bytes from one to the next: an
/// odd number of lines.
#[inline(always)]
fn columns_of(tiles: &Tiles, code: &PackedCode) -> (usize, usize) {
    let rows = if code.pack.is_some() { code.rows * code.pitch } else { 0 };
    let column = ((code.rows * tiles.unit).div_ceil(LINE) | 1) * LINE;
    (rows.next_multiple_of(LINE), if tiles.is_strided { column } else { RUN.1 })
}

/// Returns the bytes of the packed rows and columns of a block.
pub(super) fn bytes_of_block(tiles: &Tiles, code: &PackedCode) -> usize {
    let (rows, column) = columns_of(tiles, code);
    rows + if code.unpack.is_some() { code.columns * column } else { 0 }
}

/// Where columns begin that a table says.
static COLUMNS: [i32; MOST_COLUMNS] = multiples(RUN.1);

/// Returns the first multiples of `step`.
const fn multiples<const COUNT: usize>(step: usize) -> [i32; COUNT] {
    let (mut all, mut i) = ([0; COUNT], 0);
    while i < COUNT {
        all[i] = (i * step) as i32;
        i += 1;
    }
    all
}

/// Transposes a matrix block by block.
///
/// # Safety
/// The same as [`transpose`](crate::micro::transpose::transpose) for every tile kernel that the rows of a block fill.
/// The code must have been chosen for the matrix, the pitches must be those of that code, and the scratch buffer must
/// have [`bytes_of_block`] bytes. The CPU must have its instruction set.
#[inline(never)]
pub(super) unsafe fn transpose(
    tiles: &Tiles,
    code: &PackedCode,
    (scratch, pitches): (*mut u8, &Pitches),
    from: *const u8,
    to: *mut u8,
) {
    let PackedCode { rows, columns, .. } = *code;
    // Packed rows have one length.
    let least = if code.pack.is_some() { columns } else { tiles.units_of(16) };
    let mut column = 0;
    while column < tiles.columns {
        // The last block has the columns that are left; if they are too few for a kernel, it overlaps the block before.
        let own = (tiles.columns - column).max(least).min(columns);
        let first = column.min(tiles.columns - own);
        let columns = first..first + own;
        let mut row = 0;
        while row < tiles.rows {
            let top = row.min(tiles.rows - rows);
            // SAFETY: a block of the matrix.
            unsafe { block(tiles, code, (scratch, pitches), (top, columns.clone()), from, to) };
            // Only whole cache lines are stored non-temporally, so the next block begins one line earlier.
            let is_again = code.stream && top + rows < tiles.rows;
            row += if is_again { rows - tiles.units_of(LINE) } else { rows };
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
    (scratch, pitches): (*mut u8, &Pitches),
    (top, columns): (usize, Range<usize>),
    from: *const u8,
    to: *mut u8,
) {
    let (unit, PackedCode { rows, pitch, .. }) = (tiles.unit, *code);
    let (mut matrix, first) = (tiles.matrix(), columns.start);
    (matrix.rows, matrix.columns) = (rows, columns.len());
    let (mut from, mut to) = (from.wrapping_add(first * unit), to.wrapping_add(top * unit));
    if tiles.are_columns_strided {
        to = to.wrapping_offset(tiles.column.wrapping_mul(first as isize));
    } else {
        matrix.column_offsets = matrix.column_offsets.wrapping_add(first);
    }
    if let Some(pack) = code.pack {
        let (rows, bytes) = (top..top + rows, columns.len() * unit);
        // SAFETY: it is a part of each row of the block, and the scratch buffer is large enough for it.
        unsafe { pack_rows(tiles, (pack, code.row_spacing), (rows, bytes, pitch), from, scratch) };
        from = scratch;
        (matrix.row, matrix.row_offsets) = (pitch as isize, pitches.offsets());
    } else {
        debug_assert!(tiles.is_strided || top == 0, "a block has all rows of a table: {tiles:?}");
        from = from.wrapping_offset(tiles.row.wrapping_mul(top as isize));
    }
    let Some(unpack) = code.unpack else {
        // SAFETY: the rows of the block are readable, and its columns writable.
        return unsafe { aligned(tiles, (code.kernel, code.starts), &mut matrix, from, to) };
    };
    let (start, apart) = columns_of(tiles, code);
    let packed_columns = scratch.wrapping_add(start);
    (matrix.column, matrix.column_offsets) = (apart as isize, COLUMNS.as_ptr());
    // SAFETY: the rows of the block are readable, and the scratch buffer is large enough for its columns.
    unsafe { (code.kernel)(&matrix, from, packed_columns) };
    let ends = (top == 0, top + rows == tiles.rows);
    let block = Block { tiles, bytes: rows * unit, apart, columns, ends };
    if code.stream {
        // SAFETY: it is a run of each column of the block, which the kernel wrote.
        unsafe { block.stream(unpack, packed_columns, to) }
    } else {
        // SAFETY: as above.
        unsafe { block.store(unpack, code.run_spacing, packed_columns, to) }
    }
}

/// Copies rows to the scratch buffer: `bytes` bytes of each, `pitch` bytes from one to the next.
///
/// # Safety
/// These bytes must be readable, and the scratch buffer large enough for them. The kernel must be one for runs of this
/// length, and the CPU must have its instruction set.
unsafe fn pack_rows(
    tiles: &Tiles,
    (pack, spacing): (CopyKernel, Spacing),
    (rows, bytes, pitch): (Range<usize>, usize, usize),
    from: *const u8,
    packed: *mut u8,
) {
    if tiles.is_strided {
        let from = from.wrapping_offset(tiles.row.wrapping_mul(rows.start as isize));
        let inner = Loop::new(rows.len(), tiles.row, pitch as isize);
        // SAFETY: the caller's promise.
        return unsafe { pack(&Runs { bytes, inner, outer: Loop::ONCE }, from, packed) };
    }
    each_group(&tiles.row_offsets, (spacing, 1), rows, pitch, |position, start, inner, outer| {
        let runs = Runs { bytes, inner, outer };
        // SAFETY: the caller's promise.
        unsafe { pack(&runs, from.wrapping_offset(start), packed.wrapping_add(position)) };
    });
}

/// Stores runs of columns, each of which begins at an offset of a table.
///
/// # Safety
/// The scratch buffer must hold runs of these bytes, so far apart, which must be writable at `to`. The kernel must be
/// one for such runs, and the CPU must have its instruction set.
#[inline(never)]
unsafe fn store(
    offsets: &[i32],
    spacing: (Spacing, usize),
    indices: Range<usize>,
    (bytes, apart): (usize, usize),
    kernel: CopyKernel,
    packed: *const u8,
    to: *mut u8,
) {
    each_group(offsets, spacing, indices, apart, |position, start, inner, outer| {
        let runs = Runs { bytes, inner: inner.reversed(), outer: outer.reversed() };
        // SAFETY: the caller's promise.
        unsafe { kernel(&runs, packed.wrapping_add(position), to.wrapping_offset(start)) };
    });
}

/// The columns of a block in a scratch buffer.
struct Block<'a> {
    tiles: &'a Tiles,
    /// The bytes of the block in each column.
    bytes: usize,
    /// The bytes from one column to the next in the scratch buffer.
    apart: usize,
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
    unsafe fn store(&self, kernel: CopyKernel, spacing: Spacing, packed: *const u8, to: *mut u8) {
        let Self { tiles, columns, .. } = self;
        let (bytes, apart) = (self.bytes, self.apart);
        if tiles.are_columns_strided {
            let inner = Loop::new(columns.len(), apart as isize, tiles.column);
            // SAFETY: the caller's promise.
            return unsafe { kernel(&Runs { bytes, inner, outer: Loop::ONCE }, packed, to) };
        }
        let (spacing, all) = ((spacing, 1), columns.clone());
        // SAFETY: the caller's promise.
        unsafe { store(&tiles.column_offsets, spacing, all, (bytes, apart), kernel, packed, to) };
    }

    /// Stores all lines of evenly spaced columns that belong to no other block non-temporally. The first and the last
    /// block also store what comes before the first line and after the last one.
    ///
    /// # Safety
    /// The same as [`store`](Self::store).
    unsafe fn stream(&self, kernel: CopyKernel, packed: *const u8, to: *mut u8) {
        let Self { tiles, bytes, apart, columns, ends } = self;
        for i in 0..columns.len() {
            let column = tiles.column.wrapping_mul(i as isize);
            let (from, to) = (packed.wrapping_add(i * apart), to.wrapping_offset(column));
            let head = (to as usize).wrapping_neg() % LINE;
            let start = if ends.0 { 0 } else { head };
            let end = if ends.1 { *bytes } else { head + bytes - LINE };
            let runs = Runs { bytes: end - start, inner: Loop::ONCE, outer: Loop::ONCE };
            // SAFETY: it is a part of a column.
            unsafe { kernel(&runs, from.wrapping_add(start), to.wrapping_add(start)) };
        }
    }
}
