//! Moves that are known when the program is compiled: their plans are constants.

#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
use crate::isa::Compiled;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::isa::{Avx2, Avx512, Avx512Vbmi, Sse2};
use crate::isa::{Isa, OfIsa};
use crate::plan::{Move, Plan, Stores};

/// A move that is known when the program is compiled.
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
    /// The move. One that cannot be planned is a compile error where it is run.
    const MOVE: Move;

    /// Whether whole lines are stored non-temporally.
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

/// The plan of a known move for this CPU.
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
