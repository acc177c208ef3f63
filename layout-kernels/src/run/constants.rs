//! What of the plan of a known move is needed where it runs in place, as constants: loops with literal bounds and strides
//! are left of them.

use core::marker::PhantomData;

use super::known::{Known, KnownMove};
use crate::isa::OfIsa;
use crate::plan::{BytePlan, Path, Plan};
use crate::steps::Round;

/// What of the plan of a known move for an instruction set is needed, each a constant of its own.
pub(super) struct Own<M, I>(PhantomData<(M, I)>);

impl<M: KnownMove, I: OfIsa> Own<M, I> {
    pub(super) const PLAN: &'static Plan = Known::<M, I>::PLAN;

    pub(super) const BYTES: Option<&'static BytePlan> = match &Self::PLAN.path {
        Path::Bytes(plan) => Some(plan),
        _ => None,
    };

    pub(super) const SOURCE_END: usize = Self::PLAN.source_end;
    pub(super) const DESTINATION_END: usize = Self::PLAN.destination_end;

    pub(super) const SOURCE: isize = match Self::BYTES {
        Some(plan) => plan.source,
        None => 0,
    };
    pub(super) const DESTINATION: isize = match Self::BYTES {
        Some(plan) => plan.destination,
        None => 0,
    };

    pub(super) const ROUNDS: usize = match Self::BYTES {
        Some(plan) => plan.rounds.count,
        None => 0,
    };

    /// A round; past the last one any.
    pub(super) const fn round(index: usize) -> Round {
        match Self::BYTES {
            Some(plan) => plan.rounds.all[index],
            None => Round::ONCE,
        }
    }
}

/// Calls a step for every iteration of the rounds: a loop each. No function that takes a closure: one would not have the
/// features of an instruction set.
macro_rules! each {
    ($own:ty, |$from:ident, $to:ident| $step:expr) => {{
        const _: () = assert!(crate::steps::MAX_ROUNDS == 18, "a loop for each round");
        each!(@ $own, $from $to, $step, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17)
    }};
    (@ $own:ty, $from:ident $to:ident, $step:expr, ) => { $step };
    (@ $own:ty, $from:ident $to:ident, $step:expr, $index:literal $($inner:literal)*) => {
        if const { <$own>::ROUNDS <= $index } {
            $step
        } else {
            for i in 0..const { <$own>::round($index).count } {
                let (source, destination) = if const { <$own>::round($index).is_even() } {
                    let by = i as isize;
                    (
                        by * const { <$own>::round($index).source },
                        by * const { <$own>::round($index).destination },
                    )
                } else {
                    const { <$own>::round($index) }.at(i)
                };
                let $from = $from.wrapping_offset(source);
                let $to = $to.wrapping_offset(destination);
                each!(@ $own, $from $to, $step, $($inner)*)
            }
        }
    };
}

pub(super) use each;
