//! The rounds of a known move, one loop with constant bounds and strides for each.
//!
//! The compiler evaluates every constant that a function names, and every constant of the functions that it names, also
//! in branches that are never taken. So each round is a function of its own, and a constant holds the function that comes
//! next: the next round, or the step. A function with all rounds had 300 constants for each move.

use core::marker::PhantomData;

use super::known::{KnownMove, Own};
use crate::isa::OfIsa;
use crate::steps::{MAX_ROUNDS, Round};

/// A step that runs in every iteration of the rounds of a known move.
pub(super) trait InRounds {
    /// The move.
    type Move: KnownMove;

    /// The instruction set that the move is planned for.
    type Isa: OfIsa;

    /// What all iterations share.
    type Shared;

    /// Runs the step.
    ///
    /// # Safety
    /// Both pointers must be where the rounds of the plan begin the step.
    unsafe fn step(shared: &Self::Shared, from: *const u8, to: *mut u8);
}

/// A function that runs rounds, or the step in them. The safety contract is that of [`InRounds::step`].
type Run<T> = unsafe fn(&<T as InRounds>::Shared, *const u8, *mut u8);

/// Runs a step in all rounds. Inlined, since the step may need the features of an instruction set.
///
/// # Safety
/// Both pointers must be where the plan begins in buffers that are as long as the plan's sides.
#[inline(always)]
pub(super) unsafe fn in_rounds<T: InRounds>(shared: &T::Shared, from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { (const { Nested::<T, 0>::RUN })(shared, from, to) }
}

/// Round number `INDEX` and those inside it.
struct Nested<T, const INDEX: usize>(PhantomData<T>);

macro_rules! rounds {
    ($($index:literal $inner:literal)*) => {$(
        impl<T: InRounds> Nested<T, $index> {
            const RUN: Run<T> = match $index < Own::<T::Move, T::Isa>::ROUNDS {
                true => Self::run,
                false => T::step,
            };

            const ROUND: Round = Own::<T::Move, T::Isa>::round($index);

            #[inline(always)]
            unsafe fn run(shared: &T::Shared, from: *const u8, to: *mut u8) {
                for i in 0..Self::ROUND.count {
                    let (source, destination) = if Self::ROUND.is_even() {
                        let by = i as isize;
                        (by * Self::ROUND.source, by * Self::ROUND.destination)
                    } else {
                        Self::ROUND.at(i)
                    };
                    let (from, to) = (from.wrapping_offset(source), to.wrapping_offset(destination));
                    // SAFETY: the iterations of a round begin where the plan says.
                    unsafe { (const { Nested::<T, $inner>::RUN })(shared, from, to) }
                }
            }
        }
    )*};
}

rounds!(0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9 10 10 11 11 12 12 13 13 14 14 15 15 16 16 17 17 18);

impl<T: InRounds> Nested<T, MAX_ROUNDS> {
    const RUN: Run<T> = T::step;
}
