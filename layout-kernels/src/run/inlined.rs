//! Known moves without vectors, in place: micro-kernels in loops with constant bounds and strides. The program
//! contains neither the plan nor a table of kernels.

use super::known::{KnownMove, Own, each};
use super::sub_byte;
use crate::isa::Words;
use crate::micro::words;
use crate::plan::BytePlan;
use crate::sets::{Code, CopyKernel, TileKernel, nothing};
use crate::steps::{Loop, Matrix, Permutation, Runs, Step};

/// The kind of step. It is a number, since the compiler evaluates a branch on a number before it decides what to
/// compile.
const NOTHING: u8 = 0;
const COPIES: u8 = 1;
const TILES: u8 = 2;
const PERMUTE: u8 = 3;
const OTHER: u8 = 4;

/// The parts of the plan's step that are needed.
impl<M: KnownMove> Own<M, Words> {
    const KIND: u8 = match Self::BYTES {
        None => OTHER,
        Some(plan) if plan.bytes == 0 => NOTHING,
        Some(plan) => match plan.code {
            Code::Copies(..) => COPIES,
            Code::Tiles(_) => TILES,
            Code::Permute(_) => PERMUTE,
            Code::None => NOTHING,
        },
    };

    const COPY: CopyKernel = match Self::BYTES {
        Some(BytePlan { code: Code::Copies(kernel, _), .. }) => *kernel,
        _ => nothing::<Runs>,
    };
    const RUNS: Runs = match Self::BYTES {
        Some(BytePlan { step: Step::Copies(copies), .. }) => copies.runs,
        _ => Runs { bytes: 0, inner: Loop::ONCE, outer: Loop::ONCE },
    };

    const TILE: TileKernel = match Self::BYTES {
        Some(BytePlan { code: Code::Tiles(code), .. }) => code.kernel,
        _ => nothing::<Matrix>,
    };
    const MATRIX: Matrix = match Self::BYTES {
        Some(BytePlan { step: Step::Tiles(tiles), .. }) => tiles.even_matrix(),
        _ => Matrix::NONE,
    };

    const PERMUTATION: Option<&'static Permutation> = match Self::BYTES {
        Some(BytePlan { step: Step::Permute(permutation), .. }) => Some(permutation),
        _ => None,
    };
}

/// Runs a known move without vectors. Returns false, without moving anything, if a side is too short.
#[inline(always)]
pub(crate) fn run<M: KnownMove>(source: &[u8], destination: &mut [u8]) -> bool {
    if source.len() < const { Own::<M, Words>::SOURCE_END }
        || destination.len() < const { Own::<M, Words>::DESTINATION_END }
    {
        return false;
    }
    let from = source.as_ptr().wrapping_offset(const { Own::<M, Words>::SOURCE });
    let to = destination.as_mut_ptr().wrapping_offset(const { Own::<M, Words>::DESTINATION });
    match const { Own::<M, Words>::KIND } {
        COPIES => each!(Own<M, Words>, |from, to| {
            let runs = const { &Own::<M, Words>::RUNS };
            // SAFETY: the planner keeps every run inside both sides.
            unsafe { (const { Own::<M, Words>::COPY })(runs, from, to) }
        }),
        TILES => each!(Own<M, Words>, |from, to| {
            let matrix = const { &Own::<M, Words>::MATRIX };
            // SAFETY: the planner keeps every unit of every matrix inside both sides.
            unsafe { (const { Own::<M, Words>::TILE })(matrix, from, to) }
        }),
        PERMUTE => {
            if let Some(permutation) = const { Own::<M, Words>::PERMUTATION } {
                each!(Own<M, Words>, |from, to| {
                    // SAFETY: the planner keeps every group inside both sides.
                    unsafe { words::pad(permutation, from, to) }
                });
            }
        }
        OTHER => {
            // SAFETY: both sides hold every unit, and a mutably borrowed slice overlaps no other; no vector is used.
            unsafe { sub_byte::run(Own::<M, Words>::PLAN, source, destination.as_mut_ptr(), false) }
        }
        _ => {}
    }
    true
}

#[cfg(test)]
mod tests {
    use std::prelude::rust_2024::*;
    use std::vec::Vec;

    use crate::{Isa, KnownMove, Loop, Move, Padding, Plan, Stores, SubByte};

    include!("../../tests/known/moves.rs");

    #[test]
    fn moves_in_place_are_right() {
        macro_rules! check_all {
            ($($name:ident)*) => {$({
                let plan = super::Own::<$name, super::Words>::PLAN;
                check_with::<$name>(stringify!($name), plan.pads(), |source, destination| {
                    assert!(super::run::<$name>(source, destination), "{plan}");
                });
            })*};
        }
        for_all!(check_all);
    }
}
