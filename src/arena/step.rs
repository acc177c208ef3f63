//! What the function of a step returns, and steps that move a tensor to another layout.

use super::lend::{LentAt, lend, sealed};
use crate::relayout::{Relayout, run_arrays, run_in_place};
use crate::tensor::Tensor;
use layout_types::{StaticLayout, UnitOf};

/// `()`, or a `Result` that ends the run on an error.
#[diagnostic::on_unimplemented(
    message = "the function of a step returns `{Self}`",
    label = "not `()` or a `Result`",
    note = "end the function with `;`, or return `Result<(), _>`"
)]
pub trait Outcome {
    /// What the method of the step returns in place of `T`.
    type Then<T>;

    /// Returns the value if nothing went wrong.
    #[doc(hidden)]
    fn then<T>(self, value: T) -> Self::Then<T>;
}

impl Outcome for () {
    type Then<T> = T;

    #[inline(always)]
    fn then<T>(self, value: T) -> T {
        value
    }
}

impl<E> Outcome for Result<(), E> {
    type Then<T> = Result<T, E>;

    #[inline(always)]
    fn then<T>(self, value: T) -> Result<T, E> {
        self.map(|()| value)
    }
}

/// What a step `OUTPUT = STEP(INPUT) by RELAYOUT` expands to, where the plan moves the tensor `IN_PLACE` or not.
pub struct MoveStep<const IN_PLACE: bool>;

macro_rules! run {
    (|$memories:ident| $run:expr) => {
        /// Moves a tensor of layout `S` and `FROM` units at byte `SOURCE` of a memory to one of layout `D`. What cannot
        /// be is a compile error.
        #[inline(always)]
        pub fn run<
            'a,
            R: Relayout<Source = S, Destination = D>,
            S: StaticLayout,
            D: StaticLayout,
            M: sealed::Memories<'a>,
            const FROM: usize,
            const FROM_MEMORY: usize,
            const SOURCE: usize,
            const TO: usize,
            const TO_MEMORY: usize,
            const DESTINATION: usize,
        >(
            $memories: M,
        ) {
            $run
        }
    };
}

/// A tensor of `N` units at byte `START` of a memory, to read or to write.
type Read<'a, L, const N: usize, const MEMORY: usize, const START: usize> =
    LentAt<Tensor<L, &'a [UnitOf<L>; N]>, MEMORY, START>;
type WrittenTensor<'a, L, const N: usize, const MEMORY: usize, const START: usize> =
    LentAt<Tensor<L, &'a mut [UnitOf<L>; N]>, MEMORY, START>;

impl MoveStep<false> {
    run!(|memories| {
        let (from, (to, ())) = lend::<
            (
                Read<'a, S, FROM, FROM_MEMORY, SOURCE>,
                (WrittenTensor<'a, D, TO, TO_MEMORY, DESTINATION>, ()),
            ),
            _,
        >(memories);
        run_arrays::<R, FROM, TO>(from.0.into_buffer(), to.0.into_buffer());
    });
}

impl MoveStep<true> {
    run!(|memories| {
        const {
            let is_there = FROM_MEMORY == TO_MEMORY && SOURCE == DESTINATION && FROM == TO;
            assert!(is_there, "a plan moves a tensor in place to another place");
        }
        let (to, ()) = lend::<(WrittenTensor<'a, D, TO, TO_MEMORY, DESTINATION>, ()), _>(memories);
        run_in_place::<R, TO>(to.0.into_buffer());
    });
}
