//! Drivers: the loops around micro-kernels. They are compiled once and contain no vector instruction.

use core::ops::Range;

use super::scratch::{self, aligned, each};
use crate::isa::{Isa, LANE};
use crate::plan::{
    BytePlan, Direct, PackedCode, Pass, PlainCode, Streamed, StreamedTiles, TilePath,
};
use crate::sets::{CopyKernel, PermuteKernel, TileKernel};
use crate::steps::tiles::{MOST_JOINED, PACKED, PACKED_COLUMNS};
use crate::steps::{
    Align, COPIED, LINE, MAX_LOADS, MAX_OFFSETS, Matrix, OuterLoop, Permutation, Step, Tiles,
};

/// Runs a plan of bytes. Without loops around the step, and unless it is a transpose, this is one call of the
/// kernel.
///
/// # Safety
/// The plan must fit `source` and the bytes that are writable at `destination`. The two must not overlap. The CPU
/// must have the plan's instruction set.
#[inline(always)]
pub(crate) unsafe fn run_bytes(plan: &BytePlan, source: &[u8], destination: *mut u8, stream: bool) {
    if plan.bytes == 0 {
        return;
    }
    let BytePlan { isa, pass, .. } = plan;
    // Without vectors no store is non-temporal, and boards have no memory for what their drivers need.
    let streamed = plan.streamed.as_ref().filter(|_| cfg!(vectors) && stream);
    let stage = Stage { isa: *isa, loops: plan.loops.as_slice(), pass, streamed };
    // SAFETY: the caller's promise.
    unsafe { run_stage(&stage, source, destination) }
}

/// A step with its kernels, and the loops around it.
pub(super) struct Stage<'a> {
    pub(super) isa: Isa,
    pub(super) loops: &'a [OuterLoop],
    pub(super) pass: &'a Pass,
    /// If stores are non-temporal.
    pub(super) streamed: Option<&'a Streamed>,
}

/// Runs a step in every iteration of loops.
///
/// # Safety
/// Every unit of the loops must be readable inside `source` and writable, as far from `destination` as the pass says. The
/// two sides must not overlap. The CPU must have the instruction set.
#[inline(always)]
pub(super) unsafe fn run_stage(stage: &Stage<'_>, source: &[u8], destination: *mut u8) {
    let from = source.as_ptr().wrapping_offset(stage.pass.source);
    let to = destination.wrapping_offset(stage.pass.destination);
    let is_once = stage.loops.is_empty();
    match (&stage.pass.step, &stage.pass.code) {
        (Step::Copies(copies), PlainCode::Copies(kernel)) if is_once => {
            // SAFETY: the planner keeps every run inside both sides.
            unsafe { stage.copy(*kernel)(&copies.runs, from, to) }
        }
        (Step::Permute(permutation), PlainCode::Permute(kernel))
            if is_once && permutation.read_end == 0 =>
        {
            // SAFETY: the planner keeps every window inside the source, and every byte that is stored inside the
            // destination.
            unsafe { kernel(permutation, from, to, stage.streams_to(to)) }
        }
        (Step::Tiles(tiles), PlainCode::Tiles(plain)) => match stage.streamed {
            // SAFETY: the caller's promise.
            Some(Streamed::Tiles(streamed)) => unsafe {
                run_streamed(tiles, (plain, streamed), stage.loops, source, from, to)
            },
            // SAFETY: as above.
            _ => unsafe { run_tiles(tiles, plain, stage.loops, source, from, to) },
        },
        // SAFETY: the caller's promise.
        _ => unsafe { run_loops(stage, source, from, to) },
    }
}

impl Stage<'_> {
    /// Returns the kernel of copies.
    #[inline(always)]
    fn copy(&self, plain: CopyKernel) -> CopyKernel {
        if let Some(Streamed::Copies(own)) = self.streamed { *own } else { plain }
    }

    /// Whether vectors from an address on are stored non-temporally.
    #[inline(always)]
    fn streams_to(&self, to: *mut u8) -> bool {
        matches!(self.streamed, Some(Streamed::Permute(lines)) if lines.has(to))
    }
}

/// Runs copies or a byte permute in every iteration of loops.
///
/// # Safety
/// The same as [`run_bytes`].
#[inline(never)]
unsafe fn run_loops(stage: &Stage<'_>, source: &[u8], from: *const u8, to: *mut u8) {
    match (&stage.pass.step, &stage.pass.code) {
        (Step::Copies(copies), PlainCode::Copies(kernel)) => {
            let kernel = stage.copy(*kernel);
            // SAFETY: the planner keeps every run inside both sides.
            each(stage.loops, from, to, |from, to| unsafe { kernel(&copies.runs, from, to) });
        }
        (Step::Permute(permutation), PlainCode::Permute(kernel)) => {
            let end = source.as_ptr_range().end;
            let mut copied;
            let from = if cfg!(vectors) && permutation.read_end == Permutation::ALL {
                copied = [0; COPIED + LINE];
                copied.iter_mut().zip(source).take(COPIED).for_each(|(own, byte)| *own = *byte);
                copied.as_ptr().wrapping_offset(stage.pass.source)
            } else {
                from
            };
            each(stage.loops, from, to, |from, to| {
                let stream = stage.streams_to(to);
                if cfg!(vectors) && permutation.ends_after(end, from) {
                    let code = (*kernel, stage.isa.permute(), stream);
                    // SAFETY: the planner keeps the windows of all iterations but the farthest inside the source, and
                    // every window begins with a unit of the source.
                    unsafe { permute_to_end(permutation, code, end, from, to) }
                } else {
                    // SAFETY: every window begins inside the source and has at most a line. Either none ends after the
                    // source, or this is a copy, which has a line more. The planner keeps every byte that is stored
                    // inside the destination.
                    unsafe { kernel(permutation, from, to, stream) }
                }
            });
        }
        // Steps of sets of other targets have none.
        _ => debug_assert!(
            matches!(stage.pass.code, PlainCode::None),
            "a step and the code of another one"
        ),
    }
}

/// Permutes bytes of a source after which some loads end: those of the iteration that reads farthest, the first or the
/// last one of each loop. It moves that iteration last, out of a scratch buffer.
///
/// # Safety
/// The same as for the kernel, whose vectors have `vector` bytes, for all other iterations. The windows of the farthest
/// one must begin before the end of the source.
#[inline(never)]
unsafe fn permute_to_end(
    permutation: &Permutation,
    (kernel, vector, stream): (PermuteKernel, usize, bool),
    end: *const u8,
    from: *const u8,
    to: *mut u8,
) {
    let mut own = *permutation;
    let Permutation { inner, next, outer, .. } = own;
    // First the other outer iterations; then, in the farthest one, the other iterations of `next` in the same way.
    // Vectors of the farthest iteration of `next` have excess only where its own later vectors overwrite it, and the
    // last call stores none. So it does not matter which iterations are stored before.
    let (mut from, mut to) = (from, to);
    macro_rules! others_of {
        ($of:ident $($whole:ident)?) => {
            if $of.count > 1 {
                let (others, first) = $of.others();
                own.$of = others;
                $(own.$whole = own.$whole.saturating_sub(usize::from($of.reads_backwards()));)?
                let (from, to) = (from.wrapping_offset(first.0), to.wrapping_offset(first.1));
                // SAFETY: these are other iterations.
                unsafe { kernel(&own, from, to, stream) };
            }
            own.$of = OuterLoop::ONCE;
            let farthest = $of.farthest();
            (from, to) = (from.wrapping_offset(farthest.0), to.wrapping_offset(farthest.1));
        };
    }
    others_of!(outer);
    others_of!(next whole_runs);
    own.whole_runs = 0;
    others_of!(inner whole_iterations);
    own.align = Align::NEVER;
    let (window, count) = if own.lanes { (16, 4 * own.loads) } else { (vector, own.loads) };
    let parts = if own.is_pair() { 2 } else { 1 };
    let mut packed = [0; LINE * MAX_LOADS];
    debug_assert!(window * count * parts <= packed.len(), "{permutation:?}");
    for (i, offset) in own.offsets.iter_mut().take(count).enumerate() {
        let mut first = from.wrapping_offset(*offset as isize);
        for part in 0..parts {
            let bytes = (end as usize - first as usize).min(window);
            let to = packed.as_mut_ptr().wrapping_add((i * parts + part) * window);
            // SAFETY: the window begins before the end of the source, and the buffer holds all windows.
            unsafe { to.copy_from_nonoverlapping(first, bytes) };
            first = first.wrapping_offset(own.apart);
        }
        *offset = (i * parts * window) as i32;
    }
    own.apart = if own.is_pair() { window as isize } else { 0 };
    // SAFETY: the windows of this iteration are in the buffer.
    unsafe { kernel(&own, packed.as_ptr(), to, stream) }
}

/// Transposes a matrix in every iteration of loops, on one path.
///
/// # Safety
/// The same as [`run_bytes`], for the source. The path must be one of the matrix.
#[inline(never)]
unsafe fn run_tiles(
    tiles: &Tiles,
    path: &TilePath,
    loops: &[OuterLoop],
    source: &[u8],
    from: *const u8,
    to: *mut u8,
) {
    match path {
        // Without vectors nothing is packed, and boards have no memory for a scratch buffer.
        TilePath::Few(kernel) if cfg!(vectors) => {
            let (mut matrix, readable) = (tiles.matrix(), source.as_ptr_range());
            each(loops, from, to, |from, to| {
                let code = (*kernel, &mut matrix);
                // SAFETY: the planner keeps every unit of every matrix inside both sides.
                unsafe { few_columns(tiles, code, readable.clone(), from, to) }
            });
        }
        TilePath::Packed(packed) if cfg!(vectors) => {
            let run = match packed.bytes() {
                ..=PACKED => scratch::run::<PACKED>,
                _ => scratch::run::<PACKED_COLUMNS>,
            };
            // SAFETY: the planner keeps every unit of every matrix inside both sides, and makes no block of more bytes.
            unsafe { run(tiles, packed, loops, from, to) }
        }
        TilePath::Direct(Direct { kernel, starts, strip }) => {
            let mut matrix = tiles.matrix();
            each(loops, from, to, |from, to| {
                each_strip(tiles, &mut matrix, *strip, from, to, |matrix, from, to| {
                    // SAFETY: the planner keeps every unit of every matrix inside both sides. These columns are part of
                    // one, at least those of a tile.
                    unsafe { aligned(tiles, (*kernel, *starts), matrix, from, to) }
                });
            });
        }
        _ => debug_assert!(false, "there are no vectors"),
    }
}

/// Transposes a matrix in every iteration of loops with non-temporal stores, on the path of its address.
///
/// # Safety
/// The same as [`run_tiles`].
#[inline(never)]
unsafe fn run_streamed(
    tiles: &Tiles,
    (plain, streamed): (&TilePath, &StreamedTiles),
    loops: &[OuterLoop],
    source: &[u8],
    from: *const u8,
    to: *mut u8,
) {
    let mut matrix = tiles.matrix();
    let mut row_offsets = [0; MOST_JOINED + LINE];
    if streamed.rotated.is_some() {
        let count = tiles.rows + tiles.units_of(LINE);
        for (row, own) in row_offsets.iter_mut().enumerate().take(count) {
            *own = tiles.rotated_offset(row);
        }
        matrix.row_offsets = row_offsets.as_ptr();
    }
    // Kernels for lines begin at them by themselves.
    let at_lines = streamed.at_lines.map(|lines| match *plain {
        TilePath::Packed(own) if own.packing.has_rows() => {
            TilePath::Packed(PackedCode { kernel: lines.kernel, starts: lines.starts, ..own })
        }
        _ => TilePath::Direct(lines),
    });
    each(loops, from, to, |from, to| match (streamed, &at_lines) {
        // SAFETY: as below.
        (_, Some(path)) if to as usize % LINE == 0 => unsafe {
            run_tiles(tiles, path, &[], source, from, to)
        },
        // The kernel divides columns into strips itself.
        // SAFETY: as below.
        (StreamedTiles { rotated: Some((kernel, rows)), .. }, _) if rows.has(to) => unsafe {
            kernel(&matrix, from, to)
        },
        // SAFETY: the planner keeps every unit of every matrix inside both sides.
        _ => unsafe { run_tiles(tiles, &streamed.otherwise, &[], source, from, to) },
    });
}

/// Calls `step` for `strip` columns of `matrix` at a time, whose number it changes. The last ones may be a tile more.
///
/// The matrix is made once for all iterations. Drivers are compiled without AVX, and their copies of 16 bytes keep the
/// upper part of a vector register. So a copy waits for the kernel before it, and the next kernel for the copy.
#[inline(always)]
fn each_strip(
    tiles: &Tiles,
    matrix: &mut Matrix,
    strip: usize,
    from: *const u8,
    to: *mut u8,
    mut step: impl FnMut(&mut Matrix, *const u8, *mut u8),
) {
    let (least, column_offsets) = (tiles.units_of(LANE), matrix.column_offsets);
    let mut column = 0;
    while column < tiles.columns {
        let left = tiles.columns - column;
        matrix.columns = if left < strip + least { left } else { strip };
        let from = from.wrapping_add(column * tiles.unit);
        // Either the destination moves on, or the table of columns.
        let mut to = to;
        if tiles.are_columns_strided {
            to = to.wrapping_offset(column as isize * tiles.column);
        } else {
            matrix.column_offsets = column_offsets.wrapping_add(column);
        }
        debug_assert!(tiles.is_strided || matrix.columns <= MAX_OFFSETS, "{tiles:?}");
        step(matrix, from, to);
        column += matrix.columns;
    }
    matrix.column_offsets = column_offsets;
}

/// Transposes a matrix with fewer columns than a tile. It reads 16 bytes of each row, from its first column on or up
/// to its last one, if these bytes are inside the source.
///
/// # Safety
/// Every unit of the matrix must be readable inside `readable` and writable, and all of `readable` must be readable.
/// The CPU must have the instruction set of the kernel, which must be that of the matrix.
#[inline]
pub(super) unsafe fn few_columns(
    tiles: &Tiles,
    (kernel, matrix): (TileKernel, &mut Matrix),
    readable: Range<*const u8>,
    from: *const u8,
    to: *mut u8,
) {
    match tiles.skipped(&readable, from) {
        Some(skip) => {
            matrix.skip = skip;
            // SAFETY: 16 bytes of every row are readable from its first column on, or up to its last one.
            unsafe { kernel(matrix, from, to) }
        }
        // SAFETY: the caller's promise.
        None => unsafe { scratch::groups_of_rows(tiles, kernel, readable, from, to) },
    }
}
