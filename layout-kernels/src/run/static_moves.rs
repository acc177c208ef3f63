//! Moves that are known at compile time. Their plans are constants. For moves that are inlined, each needed part of
//! the plan is a constant too, and each loop has constant bounds and strides.

use core::marker::PhantomData;

#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
use crate::isa::Compiled;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::isa::{Avx2, Avx512, Avx512Vbmi, Sse2};
use crate::isa::{Isa, OfIsa};
use crate::plan::{BytePlan, Move, Nest, Path, Plan, Stores};
use crate::steps::{MAX_OUTER_LOOPS, OuterLoop, SubByte};

/// A move that is known at compile time.
///
/// ```
/// use layout_kernels::{Loop, Move, StaticMove, run_static};
///
/// /// 2 rows of 3 bytes to 3 of 2.
/// struct Transpose;
///
/// impl StaticMove for Transpose {
///     const MOVE: Move = Move::new(&[Loop::new(2, 3, 1), Loop::new(3, 1, 2)], 1);
/// }
///
/// let mut moved = [0; 6];
/// assert!(run_static::<Transpose>(&[1, 2, 3, 4, 5, 6], &mut moved));
/// assert_eq!(moved, [1, 4, 2, 5, 3, 6]);
/// ```
pub trait StaticMove {
    /// The move. If it cannot be planned, running it is a compile error.
    const MOVE: Move;

    /// Whether stores are non-temporal.
    const STORES: Stores = Stores::Auto;
}

/// The maximal number of bytes of a move that gets code of its own with several instruction sets. For larger moves
/// literal bounds gain little, and code takes space and compile time.
pub(super) const MOST_INLINED: usize = 16 << 10;

/// The plan of a static move for an instruction set.
pub(crate) struct StaticPlan<M, I>(PhantomData<(M, I)>);

impl<M: StaticMove, I: OfIsa> StaticPlan<M, I> {
    pub(crate) const PLAN: &'static Plan =
        &plan_of(const { &Simplified::<M>::NEST }, M::MOVE.elements, M::STORES, I::ISA);
}

/// A static move, simplified once for all instruction sets.
pub(super) struct Simplified<M>(PhantomData<M>);

impl<M: StaticMove> Simplified<M> {
    pub(super) const NEST: Nest = match Nest::new(&M::MOVE) {
        Ok(nest) => {
            // Builds for one instruction set plan static moves as at run time.
            let has_sets = cfg!(all(target_arch = "x86_64", feature = "std"));
            let is_plain = !matches!(M::STORES, Stores::NonTemporal);
            Nest { may_be_inlined: has_sets && is_plain && nest.bytes <= MOST_INLINED, ..nest }
        }
        Err(error) => panic!("{}", error.text()),
    };
}

const fn plan_of(nest: &Nest, elements: Option<SubByte>, stores: Stores, isa: Isa) -> Plan {
    let mut plan = Plan::nothing();
    match plan.set_nest(nest, elements, isa, (0, 1)) {
        Ok(()) => plan.with_stores(stores),
        Err(error) => panic!("{}", error.text()),
    }
}

/// Returns the plan of a static move for this CPU.
#[inline(always)]
pub fn static_plan<M: StaticMove>() -> &'static Plan {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    {
        match Isa::best() {
            Isa::Portable | Isa::Sse2 => StaticPlan::<M, Sse2>::PLAN,
            Isa::Avx2 => StaticPlan::<M, Avx2>::PLAN,
            Isa::Avx512 => StaticPlan::<M, Avx512>::PLAN,
            _ => StaticPlan::<M, Avx512Vbmi>::PLAN,
        }
    }
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    {
        StaticPlan::<M, Compiled>::PLAN
    }
}

/// The needed parts of the plan of a static move for an instruction set, each as a constant.
pub(super) struct Own<M, I>(PhantomData<(M, I)>);

impl<M: StaticMove, I: OfIsa> Own<M, I> {
    pub(super) const PLAN: &'static Plan = StaticPlan::<M, I>::PLAN;

    pub(super) const BYTES: Option<&'static BytePlan> = match &Self::PLAN.path {
        Path::Bytes(plan) => Some(plan),
        _ => None,
    };

    /// The same, or a plan that moves nothing.
    pub(super) const OWN: &'static BytePlan = match Self::BYTES {
        Some(plan) => plan,
        None => &BytePlan::nothing(),
    };

    /// Returns where the plan begins on both sides, or `None` if a side is too short.
    #[inline(always)]
    pub(super) fn start(source: &[u8], destination: &mut [u8]) -> Option<(*const u8, *mut u8)> {
        if source.len() < const { Self::PLAN.source_end }
            || destination.len() < const { Self::PLAN.destination_end }
        {
            return None;
        }
        let from = source.as_ptr().wrapping_offset(const { Self::OWN.source });
        Some((from, destination.as_mut_ptr().wrapping_offset(const { Self::OWN.destination })))
    }
}

/// A step that runs in every iteration of the loops of a static move.
pub(super) trait InLoops {
    /// The move.
    type Move: StaticMove;

    /// The instruction set that the move is planned for.
    type Isa: OfIsa;

    /// Runs the step.
    ///
    /// # Safety
    /// Both pointers must be where an iteration of the plan's loops begins.
    unsafe fn step(from: *const u8, to: *mut u8);
}

/// A function that runs loops, or the step in them. The safety contract is that of [`InLoops::step`].
type Run = unsafe fn(*const u8, *mut u8);

/// Runs a step in every iteration of the loops. Inlined, since the step may need the features of an instruction set.
///
/// # Safety
/// Both pointers must be where the plan begins in buffers that are as long as the plan's sides.
#[inline(always)]
pub(super) unsafe fn in_loops<T: InLoops>(from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { (const { Nested::<T, 0>::RUN })(from, to) }
}

/// Loop number `INDEX` and those inside it.
///
/// The compiler evaluates every constant that a function names, and every constant of the functions that it names, also
/// in branches that are never taken. So each loop is a function of its own, and a constant holds the function that
/// comes next: the next loop, or the step. A function with all loops had 300 constants for each move.
struct Nested<T, const INDEX: usize>(PhantomData<T>);

macro_rules! outer_loops {
    ($($index:literal $inner:literal)*) => {$(
        impl<T: InLoops> Nested<T, $index> {
            const RUN: Run = match $index < Own::<T::Move, T::Isa>::OWN.loops.count {
                true => Self::run,
                false => T::step,
            };

            const LOOP: OuterLoop = Own::<T::Move, T::Isa>::OWN.loops.all[$index];

            #[inline(always)]
            unsafe fn run(from: *const u8, to: *mut u8) {
                for i in 0..Self::LOOP.count {
                    let (source, destination) = if Self::LOOP.is_regular() {
                        let by = i as isize;
                        (by * Self::LOOP.source, by * Self::LOOP.destination)
                    } else {
                        Self::LOOP.at(i)
                    };
                    let (from, to) = (from.wrapping_offset(source), to.wrapping_offset(destination));
                    // SAFETY: the iterations of a loop begin where the plan says.
                    unsafe { (const { Nested::<T, $inner>::RUN })(from, to) }
                }
            }
        }
    )*};
}

outer_loops!(0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9 10 10 11 11 12 12 13 13 14 14 15 15 16 16 17 17 18);

impl<T: InLoops> Nested<T, MAX_OUTER_LOOPS> {
    const RUN: Run = T::step;
}

#[cfg(test)]
mod tests {
    use std::prelude::rust_2024::*;
    use std::vec::Vec;

    use super::super::{inlined, static_loops::PlainMove};
    use super::Own;
    use crate::isa::NoVectors;
    use crate::{Isa, Loop, Move, Padding, Plan, StaticMove, Stores, SubByte};

    include!("../../tests/static_moves/moves.rs");

    #[test]
    fn inlined_moves_are_right() {
        macro_rules! check_all {
            ($($name:ident)*) => {$({
                let plan = Own::<$name, NoVectors>::PLAN;
                check_with::<$name>(stringify!($name), plan.pads(), |source, destination| {
                    assert!(inlined::run::<$name>(source, destination), "{plan}");
                });
            })*};
        }
        for_all!(check_all);
    }

    #[test]
    fn plain_moves_are_right() {
        let (mut count, mut padded) = (0, 0);
        macro_rules! check_all {
            ($($name:ident)*) => {$(
                if const { PlainMove::<$name>::FITS } {
                    let pads = const { PlainMove::<$name>::PADDING.is_some() };
                    check_with::<$name>(stringify!($name), pads, |source, destination| {
                        assert!(PlainMove::<$name>::run(source, destination));
                    });
                    count += 1;
                    padded += usize::from(pads);
                }
            )*};
        }
        for_all!(check_all);
        assert!(count > 10, "{count} moves");
        // Better instruction sets permute the bytes of these moves.
        if Isa::compiled() == Isa::Sse2 {
            assert!(padded > 2, "{padded} moves with padding");
        }
    }

    /// Tiles cost less where they are not called.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    #[test]
    fn small_moves_have_plans_of_their_own() {
        let inlined = Own::<NinesOfEights, super::Avx512Vbmi>::PLAN.to_string();
        let called = Plan::for_isa(&NinesOfEights::MOVE, Isa::Avx512Vbmi).expect("a plan");
        assert_eq!(inlined, "transpose 8 rows by 9 columns of 8 bytes, 4 times (AVX-512 VBMI)");
        assert!(called.to_string().starts_with("permute bytes"), "{called}");
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    #[test]
    fn small_moves_are_right() {
        use super::super::small;
        use super::{Avx2, Avx512, Avx512Vbmi, OfIsa};
        let mut count = 0;
        macro_rules! check {
            ($move:ident: $($set:ident $features:literal)*) => {$(
                if <$set as OfIsa>::ISA.is_available() && const { Own::<$move, $set>::IS_SMALL } {
                    #[cfg_attr(not(avx512_model), target_feature(enable = $features))]
                    #[cfg_attr(avx512_model, target_feature(enable = "avx2"))]
                    unsafe fn run(source: &[u8], destination: &mut [u8]) -> bool {
                        // SAFETY: this function has the features.
                        unsafe { small::run::<$move, $set>(source, destination) }
                    }
                    let plan = Own::<$move, $set>::PLAN;
                    let name = std::format!("{}: {plan}", stringify!($move));
                    check_with::<$move>(&name, plan.pads(), |source, destination| {
                        // SAFETY: the CPU has the features.
                        assert!(unsafe { run(source, destination) }, "{name}");
                    });
                    count += 1;
                }
            )*};
        }
        macro_rules! check_all {
            ($($name:ident)*) => {$(
                check!($name:
                    Avx2 "avx2"
                    Avx512 "avx2,avx512f,avx512bw,avx512dq,avx512vl"
                    Avx512Vbmi "avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi");
            )*};
        }
        for_all!(check_all);
        assert!(count > 0 || Isa::best() < Isa::Avx2, "no move is small");
    }
}
