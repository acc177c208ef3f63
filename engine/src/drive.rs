//! Drivers: the loops around micro-kernels. They are compiled once and hold no vector instruction.

use crate::micro::tile::Matrix;
use crate::plan::round::{MAX_ROUNDS, Round, Rounds};
use crate::plan::{Plan, Step, Tiles};

/// Runs a plan.
///
/// # Safety
/// `source_len` bytes are readable at `source` and `destination_len` writable at `destination`, which do not
/// overlap; the CPU has the plan's instruction set.
pub(crate) unsafe fn run(plan: &Plan, source: *const u8, destination: *mut u8) {
    if plan.bytes == 0 {
        return;
    }
    let from = source.wrapping_offset(plan.source);
    let to = destination.wrapping_offset(plan.destination);
    let kernels = plan.isa.kernels();
    match &plan.step {
        Step::Copies(copies) => {
            let kernel = kernels.copies[copies.class];
            // SAFETY: the planner keeps every run inside both sides.
            each(&plan.rounds, from, to, |from, to| unsafe { kernel(&copies.runs, from, to) });
        }
        Step::Tiles(tiles) => {
            let kernel = kernels.tile(tiles);
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
            each(&plan.rounds, from, to, |from, to| unsafe { kernel(permutation, from, to) });
        }
    }
}

/// Calls a step for every iteration of the rounds.
#[inline(always)]
fn each(rounds: &Rounds, from: *const u8, to: *mut u8, mut step: impl FnMut(*const u8, *mut u8)) {
    let Some((inner, outer)) = rounds.all[..rounds.count].split_last() else {
        return step(from, to);
    };
    let mut at = [0usize; MAX_ROUNDS];
    let (mut source, mut destination) = (0isize, 0isize);
    loop {
        for round in 0..inner.count {
            let (s, d) = inner.at(round);
            step(from.wrapping_offset(source + s), to.wrapping_offset(destination + d));
        }
        // The next iteration of the outer rounds.
        let mut digit = outer.len();
        loop {
            if digit == 0 {
                return;
            }
            digit -= 1;
            let round: &Round = &outer[digit];
            let (s, d) = round.at(at[digit]);
            (source, destination) = (source - s, destination - d);
            at[digit] += 1;
            if at[digit] < round.count {
                let (s, d) = round.at(at[digit]);
                (source, destination) = (source + s, destination + d);
                break;
            }
            at[digit] = 0;
        }
    }
}

/// Transposes a matrix, some columns at a time.
///
/// # Safety
/// As [`transpose`](crate::micro::tile::transpose) of the kernel.
unsafe fn strips(tiles: &Tiles, kernel: crate::isa::TileKernel, from: *const u8, to: *mut u8) {
    let mut matrix = Matrix {
        rows: tiles.rows,
        columns: tiles.columns,
        row: tiles.row,
        column: tiles.column,
        row_offsets: tiles.row_offsets.as_ptr(),
        column_offsets: tiles.column_offsets.as_ptr(),
    };
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
