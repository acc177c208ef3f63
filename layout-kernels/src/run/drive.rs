//! Drivers: the loops around micro-kernels. They are compiled once and hold no vector instruction.

use core::ops::Range;

use crate::code::{Code, NarrowCode};
use crate::isa::{CopyKernel, TileKernel};
use crate::micro::copy::Runs;
use crate::micro::tile::Matrix;
use crate::nest::Loop;
use crate::nibble;
use crate::pack;
use crate::plan::round::{MAX_ROUNDS, Round};
use crate::plan::thresholds::LINE;
use crate::plan::{BytePlan, Path, Plan, Step, Tiles};

/// Runs a plan. [`Plan::finish`] follows where it streams.
///
/// # Safety
/// `source` has `source_len` bytes, `destination_len` are writable at `destination`, and the two do not overlap;
/// the CPU has the plan's instruction set.
#[inline]
pub(crate) unsafe fn run(plan: &Plan, source: &[u8], destination: *mut u8, stream: bool) {
    match &plan.path {
        // SAFETY: the caller's promise.
        Path::Bytes(plan) => unsafe { run_bytes(plan, source, destination, stream) },
        // SAFETY: the caller's promise.
        Path::Pairs(pairs) => unsafe { pairs.run(source, destination) },
        Path::Elements(nest) if nest.bytes == 0 => {}
        Path::Elements(nest) => {
            // SAFETY: so many bytes are writable, and no other reference covers them, by the caller's promise: the
            // parts of such a move are one.
            let destination =
                unsafe { core::slice::from_raw_parts_mut(destination, plan.destination_end) };
            nibble::elements(nest, source, destination);
        }
    }
}

/// Runs a plan of bytes.
///
/// # Safety
/// As [`run`].
#[inline(never)]
pub(crate) unsafe fn run_bytes(plan: &BytePlan, source: &[u8], destination: *mut u8, stream: bool) {
    if plan.bytes == 0 {
        return;
    }
    let from = source.as_ptr().wrapping_offset(plan.source);
    let to = destination.wrapping_offset(plan.destination);
    match (&plan.step, &plan.code) {
        (Step::Copies(copies), Code::Copies(kernel)) => {
            // SAFETY: the planner keeps every run inside both sides.
            each(plan.rounds.inside(), from, to, |from, to| unsafe {
                kernel(&copies.runs, from, to)
            });
        }
        (Step::Tiles(tiles), Code::Tiles(code)) => {
            if let (true, Some(narrow)) = (cfg!(vectors), &code.narrow) {
                let (matrix, readable) = (tiles.matrix(), source.as_ptr_range());
                return each(plan.rounds.inside(), from, to, |from, to| {
                    let readable = readable.clone();
                    // SAFETY: the planner keeps every unit of every matrix inside both sides.
                    unsafe { few_columns(tiles, &matrix, code.kernel, narrow, readable, from, to) }
                });
            }
            // Words pack nothing, and boards have no room for a scratch.
            if let (true, Some(packed)) = (cfg!(vectors), &code.packed[usize::from(stream)]) {
                // SAFETY: as below.
                return each(plan.rounds.inside(), from, to, |from, to| unsafe {
                    pack::transpose(tiles, packed, from, to)
                });
            }
            let kernel = code.streamed.filter(|_| stream).unwrap_or(code.kernel);
            // SAFETY: the planner keeps every unit of every matrix inside both sides, and the kernel's tile is
            // no larger than the matrix.
            each(plan.rounds.inside(), from, to, |from, to| unsafe {
                strips(tiles, kernel, from, to)
            });
        }
        (Step::Permute(permutation), Code::Permute(kernel)) => {
            // SAFETY: the planner keeps every window inside the source, and every vector inside the destination.
            each(plan.rounds.inside(), from, to, |from, to| unsafe {
                kernel(permutation, from, to, stream)
            });
        }
        _ => debug_assert!(false, "a step and the code of another one"),
    }
}

/// Whether it is a number of lines.
const fn is_line(bytes: isize) -> bool {
    bytes % LINE as isize == 0
}

/// Calls a step for every iteration of the rounds.
#[inline(always)]
pub(crate) fn each(
    rounds: &[Round],
    from: *const u8,
    to: *mut u8,
    mut step: impl FnMut(*const u8, *mut u8),
) {
    let Some((inner, outer)) = rounds.split_last() else { return step(from, to) };
    let mut at = [0usize; MAX_ROUNDS];
    let (mut from, mut to) = (from, to);
    loop {
        for round in 0..inner.count {
            let (source, destination) = inner.at(round);
            step(from.wrapping_offset(source), to.wrapping_offset(destination));
        }
        // The next iteration of the outer rounds, as an odometer counts.
        let mut is_done = true;
        for (at, round) in at.iter_mut().zip(outer).rev() {
            let (source, destination) = round.at(*at);
            (from, to) = (from.wrapping_offset(-source), to.wrapping_offset(-destination));
            *at += 1;
            if *at < round.count {
                let (source, destination) = round.at(*at);
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

/// Transposes a matrix, some columns at a time.
///
/// # Safety
/// As [`transpose`](crate::micro::tile::transpose) of the kernel.
#[inline]
unsafe fn strips(tiles: &Tiles, kernel: TileKernel, from: *const u8, to: *mut u8) {
    let mut matrix = tiles.matrix();
    let least = tiles.units_of(16);
    let mut column = 0;
    while column < tiles.columns {
        let left = tiles.columns - column;
        matrix.columns = if left < tiles.strip + least { left } else { tiles.strip };
        let from = from.wrapping_add(column * tiles.unit);
        let to = to.wrapping_offset(column as isize * tiles.column);
        // SAFETY: these columns are part of the matrix, at least those of a tile; a strip that is not all
        // columns is one of an even matrix.
        unsafe { kernel(&matrix, from, to) };
        column += matrix.columns;
    }
}

impl Tiles {
    /// Whether columns can go past the caches: they come to lines together.
    pub(crate) const fn may_stream(&self) -> bool {
        let enough = self.rows * self.unit >= LINE && self.columns * self.unit >= 16;
        self.is_even && enough && is_line(self.column)
    }

    /// The matrix where it is even, without tables.
    #[allow(dead_code, reason = "moves in place ask alone")]
    pub(crate) const fn even_matrix(&self) -> Matrix {
        debug_assert!(self.is_even, "the matrix has tables");
        let Self { rows, columns, row, column, .. } = *self;
        Matrix { rows, columns, row, column, ..Matrix::NONE }
    }

    /// The matrix with its tables.
    pub(crate) fn matrix(&self) -> Matrix {
        Matrix {
            rows: self.rows,
            columns: self.columns,
            row: self.row,
            column: self.column,
            row_offsets: self.row_offsets.as_ptr(),
            column_offsets: self.column_offsets.as_ptr(),
            skip: 0,
        }
    }
}

/// Transposes a matrix of fewer columns than a tile has: 16 bytes of each row are read, from its first column on
/// or up to its last one, as long as that is inside the source.
///
/// # Safety
/// Every unit of the matrix is readable in `readable`, all of which is readable, and writable; the CPU has the
/// instruction set of the kernels.
#[inline]
unsafe fn few_columns(
    tiles: &Tiles,
    matrix: &Matrix,
    kernel: TileKernel,
    code: &NarrowCode,
    readable: Range<*const u8>,
    from: *const u8,
    to: *mut u8,
) {
    // Differences, because a buffer may lie at either end of the address space.
    let behind = readable.end as usize - from.wrapping_offset(tiles.farthest) as usize;
    if behind >= 16 {
        // SAFETY: 16 bytes of the farthest row are readable, and so of all.
        return unsafe { kernel(matrix, from, to) };
    }
    // SAFETY: the caller's promise.
    unsafe { last_columns(tiles, kernel, code, readable, from, to) }
}

/// The same where 16 bytes from the first column on are not inside the source.
///
/// # Safety
/// As [`few_columns`].
#[inline(never)]
unsafe fn last_columns(
    tiles: &Tiles,
    kernel: TileKernel,
    code: &NarrowCode,
    readable: Range<*const u8>,
    from: *const u8,
    to: *mut u8,
) {
    let mut matrix = tiles.matrix();
    let missing = 16 - tiles.columns * tiles.unit;
    let before = from.wrapping_offset(tiles.nearest) as usize - readable.start as usize;
    if before >= missing {
        matrix.skip = tiles.units_of(missing);
        // SAFETY: 16 bytes that end with the nearest row are readable, and so of all.
        return unsafe { kernel(&matrix, from, to) };
    }
    // The last rows by themselves: 16 bytes that end with each lie behind the first row.
    if let (Some((rows, last)), Some([first_kernel, last_kernel])) = (tiles.split(), code.split) {
        let farthest = from.wrapping_offset(tiles.row.wrapping_mul(rows as isize - 1));
        if readable.end as usize - farthest as usize >= 16 {
            matrix.rows = rows;
            // SAFETY: 16 bytes of the farthest of these rows are readable, and so of all.
            unsafe { first_kernel(&matrix, from, to) };
            (matrix.rows, matrix.skip) = (last, tiles.units_of(missing));
            let from = from.wrapping_offset(tiles.row.wrapping_mul(rows as isize));
            let to = to.wrapping_add(tiles.unit * rows);
            // SAFETY: 16 bytes that end with the nearest of these rows are readable, and so of all.
            return unsafe { last_kernel(&matrix, from, to) };
        }
    }
    // SAFETY: the caller's promise.
    unsafe { units(tiles, code.units, from, to) }
}

impl Tiles {
    /// Of a matrix of few columns all rows but the last ones, and those: in both there are as many rows as a tile of
    /// 16 bytes has, and 16 bytes that end with one of the last rows lie behind the first one.
    pub(crate) const fn split(&self) -> Option<(usize, usize)> {
        let (most, least) = (self.units_of(64), self.units_of(16));
        let last = if self.rows < most { self.rows } else { most };
        let rows = self.rows - last;
        let missing = 16 - self.columns as isize * self.unit as isize;
        let is_split = self.is_even && self.row >= 0 && rows >= least && last >= least;
        if is_split && self.row.wrapping_mul(rows as isize) >= missing {
            Some((rows, last))
        } else {
            None
        }
    }
}

/// Moves a matrix unit by unit, row by row.
///
/// # Safety
/// As [`few_columns`], for the kernel of such units.
unsafe fn units(tiles: &Tiles, kernel: CopyKernel, from: *const u8, to: *mut u8) {
    let mut runs = Runs { bytes: tiles.unit, inner: Loop::ONCE, outer: Loop::ONCE };
    if tiles.is_even {
        runs.inner = Loop::new(tiles.rows, tiles.row, tiles.unit as isize);
        runs.outer = Loop::new(tiles.columns, tiles.unit as isize, tiles.column);
        // SAFETY: the units of the matrix.
        return unsafe { kernel(&runs, from, to) };
    }
    for (row, from_row) in tiles.row_offsets.iter().take(tiles.rows).enumerate() {
        for (column, to_column) in tiles.column_offsets.iter().take(tiles.columns).enumerate() {
            let source = *from_row as isize + (column * tiles.unit) as isize;
            let destination = *to_column as isize + (row * tiles.unit) as isize;
            // SAFETY: a unit of the matrix.
            unsafe { kernel(&runs, from.wrapping_offset(source), to.wrapping_offset(destination)) };
        }
    }
}
