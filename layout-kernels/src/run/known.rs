//! Moves that are known when the program is compiled: their plans are constants.

use crate::isa::Isa;
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

/// The plans of a known move.
pub(crate) struct Known<M>(core::marker::PhantomData<M>);

macro_rules! plans {
    ($($name:ident: $isa:expr;)*) => {
        impl<M: KnownMove> Known<M> {
            $(pub(crate) const $name: &'static Plan = &planned(&M::MOVE, M::STORES, $isa);)*
        }
    };
}

#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
plans! {
    PLAN: Isa::compiled();
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
plans! {
    SSE2: Isa::Sse2;
    AVX2: Isa::Avx2;
    AVX512: Isa::Avx512;
    AVX512_VBMI: Isa::Avx512Vbmi;
}

pub(crate) const fn planned(of: &Move, stores: Stores, isa: Isa) -> Plan {
    match Plan::for_isa(of, isa) {
        Ok(plan) if matches!(stores, Stores::Auto) => plan,
        Ok(plan) => plan.with_stores(stores),
        Err(_) => {
            panic!("a known move lies outside of its buffers, overlaps, or has too many loops")
        }
    }
}

/// Runs a known move with the best instruction set: each plan is a constant where it is run.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[inline]
pub(super) fn run_best<M: KnownMove>(source: &[u8], destination: &mut [u8]) -> bool {
    match Isa::best() {
        Isa::Portable | Isa::Sse2 => Known::<M>::SSE2.run_for_this_cpu(source, destination),
        Isa::Avx2 => Known::<M>::AVX2.run_for_this_cpu(source, destination),
        Isa::Avx512 => Known::<M>::AVX512.run_for_this_cpu(source, destination),
        _ => Known::<M>::AVX512_VBMI.run_for_this_cpu(source, destination),
    }
}

/// The plan of a known move for this CPU.
#[inline(always)]
pub fn known<M: KnownMove>() -> &'static Plan {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    {
        match Isa::best() {
            Isa::Portable | Isa::Sse2 => Known::<M>::SSE2,
            Isa::Avx2 => Known::<M>::AVX2,
            Isa::Avx512 => Known::<M>::AVX512,
            _ => Known::<M>::AVX512_VBMI,
        }
    }
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    {
        Known::<M>::PLAN
    }
}
