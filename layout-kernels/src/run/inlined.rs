//! Known moves without vectors, in place: loops whose bounds and strides are constants around micro-kernels that are
//! inlined, so that neither the plan nor a table of kernels is left of them.

use core::marker::PhantomData;

use super::known::{KnownMove, planned};
use super::nibbles;
use crate::isa::Isa;
use crate::micro::words;
use crate::plan::{BytePlan, Path, Plan};
use crate::sets::{Code, CopyKernel, TileKernel, nothing};
use crate::steps::{Loop, MAX_ROUNDS, Matrix, Permutation, Round, Runs, Step};

/// What of the plan of a known move is needed, each a constant of its own.
struct Own<M>(PhantomData<M>);

/// Which step there is. A number, since the compiler follows a branch by one before it looks for what to compile.
const NOTHING: u8 = 0;
const COPIES: u8 = 1;
const TILES: u8 = 2;
const PERMUTE: u8 = 3;
const OTHER: u8 = 4;

impl<M: KnownMove> Own<M> {
    const PLAN: &'static Plan = &planned(&M::MOVE, M::STORES, Isa::Portable);

    const BYTES: Option<&'static BytePlan> = match &Self::PLAN.path {
        Path::Bytes(plan) => Some(plan),
        _ => None,
    };

    const SOURCE_END: usize = Self::PLAN.source_end;
    const DESTINATION_END: usize = Self::PLAN.destination_end;

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

    const SOURCE: isize = match Self::BYTES {
        Some(plan) => plan.source,
        None => 0,
    };
    const DESTINATION: isize = match Self::BYTES {
        Some(plan) => plan.destination,
        None => 0,
    };

    const ROUNDS: usize = match Self::BYTES {
        Some(plan) => plan.rounds.count,
        None => 0,
    };

    /// A round; past the last one any.
    const fn round(index: usize) -> Round {
        match Self::BYTES {
            Some(plan) => plan.rounds.all[index],
            None => Round::ONCE,
        }
    }

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

/// Runs a known move. False, and nothing is moved, if a side is too short for it.
#[inline(always)]
pub(crate) fn run<M: KnownMove>(source: &[u8], destination: &mut [u8]) -> bool {
    if source.len() < const { Own::<M>::SOURCE_END }
        || destination.len() < const { Own::<M>::DESTINATION_END }
    {
        return false;
    }
    let from = source.as_ptr().wrapping_offset(const { Own::<M>::SOURCE });
    let to = destination.as_mut_ptr().wrapping_offset(const { Own::<M>::DESTINATION });
    match const { Own::<M>::KIND } {
        COPIES => each::<M>(from, to, |from, to| {
            let runs = const { &Own::<M>::RUNS };
            // SAFETY: the planner keeps every run inside both sides.
            unsafe { (const { Own::<M>::COPY })(runs, from, to) }
        }),
        TILES => each::<M>(from, to, |from, to| {
            let matrix = const { &Own::<M>::MATRIX };
            // SAFETY: the planner keeps every unit of every matrix inside both sides.
            unsafe { (const { Own::<M>::TILE })(matrix, from, to) }
        }),
        PERMUTE => {
            if let Some(permutation) = const { Own::<M>::PERMUTATION } {
                each::<M>(from, to, |from, to| {
                    // SAFETY: the planner keeps every group inside both sides.
                    unsafe { words::pad(permutation, from, to) }
                });
            }
        }
        OTHER => {
            // SAFETY: both sides hold every unit, and a slice borrowed mutably overlaps no other; no vector is used.
            unsafe { nibbles::run(Own::<M>::PLAN, source, destination.as_mut_ptr(), false) }
        }
        _ => {}
    }
    true
}

/// Calls a step for every iteration of the rounds: a loop each.
#[inline(always)]
fn each<M: KnownMove>(from: *const u8, to: *mut u8, step: impl Fn(*const u8, *mut u8)) {
    macro_rules! nested {
        ($from:ident $to:ident: ) => { step($from, $to) };
        ($from:ident $to:ident: $index:literal $($inner:literal)*) => {
            if const { Own::<M>::ROUNDS <= $index } {
                step($from, $to)
            } else {
                for i in 0..const { Own::<M>::round($index).count } {
                    let (source, destination) = if const { Own::<M>::round($index).is_even() } {
                        let by = i as isize;
                        (
                            by * const { Own::<M>::round($index).source },
                            by * const { Own::<M>::round($index).destination },
                        )
                    } else {
                        const { Own::<M>::round($index) }.at(i)
                    };
                    let $from = $from.wrapping_offset(source);
                    let $to = $to.wrapping_offset(destination);
                    nested!($from $to: $($inner)*)
                }
            }
        };
    }
    const _: () = assert!(MAX_ROUNDS == 18, "a loop for each round");
    nested!(from to: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17)
}

#[cfg(test)]
mod tests {
    use std::prelude::rust_2024::*;
    use std::vec::Vec;

    use crate::{Isa, KnownMove, Loop, Move, Padding, Plan, Stores};

    include!("../../tests/known/moves.rs");

    #[test]
    fn moves_in_place_are_right() {
        macro_rules! check_all {
            ($($name:ident)*) => {$({
                let plan = super::Own::<$name>::PLAN;
                check_with::<$name>(stringify!($name), plan.pads(), |source, destination| {
                    assert!(super::run::<$name>(source, destination), "{plan}");
                });
            })*};
        }
        for_all!(check_all);
    }
}
