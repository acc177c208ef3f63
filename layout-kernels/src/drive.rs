//! Drivers: the loops around micro-kernels. They are compiled once and hold no vector instruction.

use core::ops::Range;

use crate::isa::{Kernels, TileKernel};
use crate::micro::copy::Runs;
use crate::micro::tile::Matrix;
use crate::nest::Loop;
use crate::nibble;
use crate::pack;
use crate::plan::round::{MAX_ROUNDS, Rounds};
use crate::plan::thresholds::{LINE, copy_class};
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
    // SAFETY: the caller's promise.
    unsafe { run_inlined(plan, source, destination, stream) }
}

/// The same where the plan is known, so that only its own step is left.
///
/// # Safety
/// As [`run`].
#[inline(always)]
pub(crate) unsafe fn run_inlined(
    plan: &BytePlan,
    source: &[u8],
    destination: *mut u8,
    stream: bool,
) {
    if plan.bytes == 0 {
        return;
    }
    let from = source.as_ptr().wrapping_offset(plan.source);
    let to = destination.wrapping_offset(plan.destination);
    let kernels = plan.isa.kernels();
    match &plan.step {
        Step::Copies(copies) => {
            let kernel = kernels.copy(copies.class);
            // SAFETY: the planner keeps every run inside both sides.
            each(&plan.rounds, from, to, |from, to| unsafe { kernel(&copies.runs, from, to) });
        }
        Step::Tiles(tiles) => {
            let kernel = kernels.tile(tiles.unit, tiles.rows, tiles.is_even);
            if tiles.columns * tiles.unit < plan.isa.lane() {
                let (matrix, readable) = (tiles.matrix(), source.as_ptr_range());
                return each(&plan.rounds, from, to, |from, to| {
                    // SAFETY: the planner keeps every unit of every matrix inside both sides.
                    unsafe { narrow(tiles, &matrix, kernel, kernels, readable.clone(), from, to) }
                });
            }
            let packing = tiles.packing(stream);
            if packing.rows || packing.columns {
                // SAFETY: as below.
                return each(&plan.rounds, from, to, |from, to| unsafe {
                    pack::transpose(tiles, kernels, packing, stream, from, to)
                });
            }
            let streams = kernels.streams.filter(|_| stream && tiles.may_stream());
            let kernel = streams.map_or(kernel, |s| s[tiles.unit.trailing_zeros() as usize & 3]);
            // SAFETY: the planner keeps every unit of every matrix inside both sides, and the kernel's tile is
            // no larger than the matrix.
            each(&plan.rounds, from, to, |from, to| unsafe { strips(tiles, kernel, from, to) });
        }
        Step::Permute(permutation) => {
            let Some(kernel) = kernels.permute(permutation) else {
                debug_assert!(false, "no kernel for {permutation:?}");
                return;
            };
            // SAFETY: the planner keeps every window inside the source, and every vector inside the destination.
            each(&plan.rounds, from, to, |from, to| unsafe {
                kernel(permutation, from, to, stream)
            });
        }
    }
}

/// Whether it is a number of lines.
const fn is_line(bytes: isize) -> bool {
    bytes % LINE as isize == 0
}

/// Calls a step for every iteration of the rounds.
#[inline(always)]
pub(crate) fn each(
    rounds: &Rounds,
    from: *const u8,
    to: *mut u8,
    mut step: impl FnMut(*const u8, *mut u8),
) {
    // Slices that may be too short would bring a panic along.
    let all = rounds.all.get(..rounds.count).unwrap_or(&[]);
    let Some((inner, outer)) = all.split_last() else { return step(from, to) };
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
    let least = 16 / tiles.unit;
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
    fn may_stream(&self) -> bool {
        let enough = self.rows * self.unit >= LINE && self.columns * self.unit >= 16;
        self.is_even && enough && is_line(self.column)
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
unsafe fn narrow(
    tiles: &Tiles,
    matrix: &Matrix,
    kernel: TileKernel,
    kernels: &Kernels,
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
    unsafe { last_narrow(tiles, kernel, kernels, readable, from, to) }
}

/// The same where 16 bytes from the first column on are not inside the source.
///
/// # Safety
/// As [`narrow`].
#[inline(never)]
unsafe fn last_narrow(
    tiles: &Tiles,
    kernel: TileKernel,
    kernels: &Kernels,
    readable: Range<*const u8>,
    from: *const u8,
    to: *mut u8,
) {
    let mut matrix = tiles.matrix();
    let missing = 16 - tiles.columns * tiles.unit;
    let before = from.wrapping_offset(tiles.nearest) as usize - readable.start as usize;
    if before >= missing {
        matrix.skip = missing / tiles.unit;
        // SAFETY: 16 bytes that end with the nearest row are readable, and so of all.
        return unsafe { kernel(&matrix, from, to) };
    }
    // The last rows by themselves: 16 bytes that end with each lie behind the first row.
    let rows = tiles.rows - tiles.rows.min(64 / tiles.unit);
    let least = 16 / tiles.unit;
    let is_split = tiles.is_even && tiles.row >= 0 && rows >= least && rows < tiles.rows;
    let (ahead, own) = (tiles.row.wrapping_mul(rows as isize), tiles.unit * rows);
    if is_split && ahead >= missing as isize {
        let last = tiles.rows - rows;
        let farthest = from.wrapping_offset(tiles.row.wrapping_mul(rows as isize - 1));
        if readable.end as usize - farthest as usize >= 16 && last >= least {
            matrix.rows = rows;
            // SAFETY: 16 bytes of the farthest of these rows are readable, and so of all.
            unsafe { kernels.tile(tiles.unit, rows, true)(&matrix, from, to) };
            (matrix.rows, matrix.skip) = (last, missing / tiles.unit);
            let (from, to) = (from.wrapping_offset(ahead), to.wrapping_add(own));
            // SAFETY: 16 bytes that end with the nearest of these rows are readable, and so of all.
            return unsafe { kernels.tile(tiles.unit, last, true)(&matrix, from, to) };
        }
    }
    // SAFETY: the caller's promise.
    unsafe { units(tiles, kernels, from, to) }
}

/// Moves a matrix unit by unit, row by row.
///
/// # Safety
/// As [`narrow`].
unsafe fn units(tiles: &Tiles, kernels: &Kernels, from: *const u8, to: *mut u8) {
    let kernel = kernels.copy(copy_class(tiles.unit));
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
