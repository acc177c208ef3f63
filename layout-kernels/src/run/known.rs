//! Moves that are known at compile time. Their plans are constants. For moves that run in place, each needed part of
//! the plan is a constant too.

#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
use crate::isa::Compiled;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::isa::{Avx2, Avx512, Avx512Vbmi, Sse2};
use crate::isa::{Isa, OfIsa};
use crate::plan::{BytePlan, Move, Path, Plan, Stores};
use crate::steps::Round;

/// A move that is known at compile time.
///
/// ```
/// use layout_kernels::{KnownMove, Loop, Move, run_known};
///
/// /// 2 rows of 3 bytes to 3 of 2.
/// struct Transpose;
///
/// impl KnownMove for Transpose {
///     const MOVE: Move = Move::new(&[Loop::new(2, 3, 1), Loop::new(3, 1, 2)], 1);
/// }
///
/// let mut moved = [0; 6];
/// assert!(run_known::<Transpose>(&[1, 2, 3, 4, 5, 6], &mut moved));
/// assert_eq!(moved, [1, 4, 2, 5, 3, 6]);
/// ```
pub trait KnownMove {
    /// The move. If it cannot be planned, running it is a compile error.
    const MOVE: Move;

    /// Whether whole cache lines are stored non-temporally.
    const STORES: Stores = Stores::Auto;
}

/// The plan of a known move for an instruction set.
pub(crate) struct Known<M, I>(core::marker::PhantomData<(M, I)>);

impl<M: KnownMove, I: OfIsa> Known<M, I> {
    pub(crate) const PLAN: &'static Plan = &planned(&M::MOVE, M::STORES, I::ISA);
}

const fn planned(of: &Move, stores: Stores, isa: Isa) -> Plan {
    match Plan::for_isa(of, isa) {
        Ok(plan) if matches!(stores, Stores::Auto) => plan,
        Ok(plan) => plan.with_stores(stores),
        Err(_) => {
            panic!("a known move lies outside of its buffers, overlaps, or has too many loops")
        }
    }
}

/// Returns the plan of a known move for this CPU.
#[inline(always)]
pub fn known<M: KnownMove>() -> &'static Plan {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    {
        match Isa::best() {
            Isa::Portable | Isa::Sse2 => Known::<M, Sse2>::PLAN,
            Isa::Avx2 => Known::<M, Avx2>::PLAN,
            Isa::Avx512 => Known::<M, Avx512>::PLAN,
            _ => Known::<M, Avx512Vbmi>::PLAN,
        }
    }
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    {
        Known::<M, Compiled>::PLAN
    }
}

/// The needed parts of the plan of a known move for an instruction set, each as a constant.
pub(super) struct Own<M, I>(core::marker::PhantomData<(M, I)>);

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

    /// Returns a round, or any value after the last one.
    pub(super) const fn round(index: usize) -> Round {
        match Self::BYTES {
            Some(plan) => plan.rounds.all[index],
            None => Round::ONCE,
        }
    }
}
