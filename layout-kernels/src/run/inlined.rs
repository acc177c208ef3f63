//! Known moves without vectors, in place: micro-kernels in loops with constant bounds and strides. The program
//! contains neither the plan nor a table of kernels.

use core::marker::PhantomData;

use super::known::{KnownMove, Own};
use super::rounds::{InRounds, in_rounds};
use super::sub_byte;
use crate::isa::Words;
use crate::micro::words;
use crate::plan::BytePlan;
use crate::sets::{Code, CopyKernel, TileKernel, nothing};
use crate::steps::{Loop, Matrix, Permutation, Runs, Step};

/// The parts of the plan's step that are needed.
impl<M: KnownMove> Own<M, Words> {
    /// The function that runs the plan's rounds and steps. The constants of the others are not evaluated.
    const RUN: unsafe fn(&[u8], &mut [u8], *const u8, *mut u8) = match Self::BYTES {
        None => other::<M>,
        Some(plan) if plan.bytes == 0 => nothing_to_do,
        Some(plan) => match plan.code {
            Code::Copies(..) => stepped::<Copying<M>>,
            Code::Tiles(_) => stepped::<Tiling<M>>,
            Code::Permute(_) => stepped::<Permuting<M>>,
            Code::None => nothing_to_do,
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
    // SAFETY: both sides are as long as the plan says, and the pointers are where it begins.
    unsafe { (const { Own::<M, Words>::RUN })(source, destination, from, to) }
    true
}

/// Runs a step in all rounds.
///
/// # Safety
/// The same as [`in_rounds`].
#[inline(always)]
unsafe fn stepped<T: InRounds<Shared = ()>>(_: &[u8], _: &mut [u8], from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { in_rounds::<T>(&(), from, to) }
}

/// Runs a plan of other paths than bytes.
///
/// # Safety
/// Both sides must be as long as the plan says.
#[inline(always)]
unsafe fn other<M: KnownMove>(source: &[u8], destination: &mut [u8], _: *const u8, _: *mut u8) {
    // SAFETY: both sides hold every unit, and a mutably borrowed slice overlaps no other; no vector is used.
    unsafe { sub_byte::run(Own::<M, Words>::PLAN, source, destination.as_mut_ptr(), false) }
}

/// The move of no bytes.
fn nothing_to_do(_: &[u8], _: &mut [u8], _: *const u8, _: *mut u8) {}

/// Copies of runs.
struct Copying<M>(PhantomData<M>);

impl<M: KnownMove> InRounds for Copying<M> {
    type Move = M;
    type Isa = Words;
    type Shared = ();

    #[inline(always)]
    unsafe fn step((): &(), from: *const u8, to: *mut u8) {
        let runs = const { &Own::<M, Words>::RUNS };
        // SAFETY: the planner keeps every run inside both sides.
        unsafe { (const { Own::<M, Words>::COPY })(runs, from, to) }
    }
}

/// Transposes of matrices.
struct Tiling<M>(PhantomData<M>);

impl<M: KnownMove> InRounds for Tiling<M> {
    type Move = M;
    type Isa = Words;
    type Shared = ();

    #[inline(always)]
    unsafe fn step((): &(), from: *const u8, to: *mut u8) {
        let matrix = const { &Own::<M, Words>::MATRIX };
        // SAFETY: the planner keeps every unit of every matrix inside both sides.
        unsafe { (const { Own::<M, Words>::TILE })(matrix, from, to) }
    }
}

/// Byte permutes.
struct Permuting<M>(PhantomData<M>);

impl<M: KnownMove> InRounds for Permuting<M> {
    type Move = M;
    type Isa = Words;
    type Shared = ();

    #[inline(always)]
    unsafe fn step((): &(), from: *const u8, to: *mut u8) {
        if let Some(permutation) = const { Own::<M, Words>::PERMUTATION } {
            // SAFETY: the planner keeps every group inside both sides.
            unsafe { words::pad(permutation, from, to) }
        }
    }
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
