//! Moves that are known when the program is compiled: their plans are constants.

use crate::drive;
use crate::isa::Isa;
use crate::nest::Move;
use crate::plan::Plan;

/// A move that is known when the program is compiled.
///
/// ```
/// use layout_engine::{KnownMove, Loop, Move, run_known};
///
/// /// 2 rows of 3 bytes to 3 of 2.
/// struct Transpose;
///
/// impl KnownMove for Transpose {
///     const MOVE: Move<'static> = Move::new(&[Loop::new(2, 3, 1), Loop::new(3, 1, 2)], 1);
/// }
///
/// let mut moved = [0; 6];
/// assert!(run_known::<Transpose>(&[1, 2, 3, 4, 5, 6], &mut moved));
/// assert_eq!(moved, [1, 4, 2, 5, 3, 6]);
/// ```
pub trait KnownMove {
    /// The move. One that cannot be planned is a compile error where it is run.
    const MOVE: Move<'static>;
}

/// The plans of a known move.
struct Known<M>(core::marker::PhantomData<M>);

macro_rules! plans {
    ($($name:ident: $isa:expr;)*) => {
        impl<M: KnownMove> Known<M> {
            $(const $name: Plan = planned(&M::MOVE, $isa);)*
        }
    };
}

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

const fn planned(of: &Move<'_>, isa: Isa) -> Plan {
    match Plan::for_isa(of, isa) {
        Ok(plan) => plan,
        Err(_) => {
            panic!("a known move lies outside of its buffers, overlaps, or has too many loops")
        }
    }
}

/// Runs a known move. False, and nothing is moved, if a side is too short for it.
///
/// Where the instruction set is known too, only what the move needs is compiled.
#[inline]
#[must_use]
pub fn run_known<M: KnownMove>(source: &[u8], destination: &mut [u8]) -> bool {
    let any = const { &Known::<M>::COMPILED };
    if source.len() < any.source_end || destination.len() < any.destination_end {
        return false;
    }
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    {
        let plan = match Isa::best() {
            Isa::Portable | Isa::Sse2 => const { &Known::<M>::SSE2 },
            Isa::Avx2 => const { &Known::<M>::AVX2 },
            Isa::Avx512 => const { &Known::<M>::AVX512 },
            _ => const { &Known::<M>::AVX512_VBMI },
        };
        // SAFETY: both sides hold every unit, and a slice borrowed mutably overlaps no other; the CPU has the
        // instruction set.
        unsafe { drive::run(plan, source, destination.as_mut_ptr()) };
    }
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    // SAFETY: both sides hold every unit, and a slice borrowed mutably overlaps no other; the program is compiled for
    // the instruction set.
    unsafe {
        drive::run_inlined(any, source, destination.as_mut_ptr())
    };
    true
}
