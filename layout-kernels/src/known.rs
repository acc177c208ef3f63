//! Moves that are known when the program is compiled: their plans are constants.

use crate::drive;
use crate::isa::Isa;
use crate::nest::Move;
#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
use crate::plan::Path;
use crate::plan::{Plan, Stores};

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

    /// Whether whole lines are stored past the caches.
    const STORES: Stores = Stores::Auto;
}

/// The plans of a known move.
struct Known<M>(core::marker::PhantomData<M>);

macro_rules! plans {
    ($($name:ident: $isa:expr;)*) => {
        impl<M: KnownMove> Known<M> {
            $(const $name: Plan = planned(&M::MOVE, M::STORES, $isa);)*
        }
    };
}

#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
plans! {
    COMPILED: Isa::compiled();
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
plans! {
    SSE2: Isa::Sse2;
    AVX2: Isa::Avx2;
    AVX512: Isa::Avx512;
    AVX512_VBMI: Isa::Avx512Vbmi;
}

const fn planned(of: &Move, stores: Stores, isa: Isa) -> Plan {
    match Plan::for_isa(of, isa) {
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
            Isa::Portable | Isa::Sse2 => const { &Known::<M>::SSE2 },
            Isa::Avx2 => const { &Known::<M>::AVX2 },
            Isa::Avx512 => const { &Known::<M>::AVX512 },
            _ => const { &Known::<M>::AVX512_VBMI },
        }
    }
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    {
        const { &Known::<M>::COMPILED }
    }
}

/// Runs a known move. False, and nothing is moved, if a side is too short for it.
///
/// Where the instruction set is known too, only what the move needs is compiled.
#[inline]
#[must_use]
pub fn run_known<M: KnownMove>(source: &[u8], destination: &mut [u8]) -> bool {
    let plan = known::<M>();
    if source.len() < plan.source_end || destination.len() < plan.destination_end {
        return false;
    }
    let (to, stream) = (destination.as_mut_ptr(), plan.is_streamed());
    match &plan.path {
        #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
        // SAFETY: both sides hold every unit, and a slice borrowed mutably overlaps no other; the program is
        // compiled for the instruction set.
        Path::Bytes(plan) => unsafe { drive::run_inlined(plan, source, to, stream) },
        // SAFETY: as above; the CPU has the instruction set.
        _ => unsafe { drive::run(plan, source, to, stream) },
    }
    plan.finish();
    true
}
