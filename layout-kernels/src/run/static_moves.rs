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

    pub(super) const LOOPS: usize = match Self::BYTES {
        Some(plan) => plan.loops.count,
        None => 0,
    };

    /// Returns a loop, or any value after the last one.
    pub(super) const fn outer_loop(index: usize) -> OuterLoop {
        match Self::BYTES {
            Some(plan) => plan.loops.all[index],
            None => OuterLoop::ONCE,
        }
    }
}

/// A step that runs in every iteration of the loops of a static move.
pub(super) trait InLoops {
    /// The move.
    type Move: StaticMove;

    /// The instruction set that the move is planned for.
    type Isa: OfIsa;

    /// What all iterations share.
    type Shared;

    /// Runs the step.
    ///
    /// # Safety
    /// Both pointers must be where an iteration of the plan's loops begins.
    unsafe fn step(shared: &Self::Shared, from: *const u8, to: *mut u8);
}

/// A function that runs loops, or the step in them. The safety contract is that of [`InLoops::step`].
type Run<T> = unsafe fn(&<T as InLoops>::Shared, *const u8, *mut u8);

/// Runs a step in every iteration of the loops. Inlined, since the step may need the features of an instruction set.
///
/// # Safety
/// Both pointers must be where the plan begins in buffers that are as long as the plan's sides.
#[inline(always)]
pub(super) unsafe fn in_loops<T: InLoops>(shared: &T::Shared, from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { (const { Nested::<T, 0>::RUN })(shared, from, to) }
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
            const RUN: Run<T> = match $index < Own::<T::Move, T::Isa>::LOOPS {
                true => Self::run,
                false => T::step,
            };

            const LOOP: OuterLoop = Own::<T::Move, T::Isa>::outer_loop($index);

            #[inline(always)]
            unsafe fn run(shared: &T::Shared, from: *const u8, to: *mut u8) {
                for i in 0..Self::LOOP.count {
                    let (source, destination) = if Self::LOOP.is_regular() {
                        let by = i as isize;
                        (by * Self::LOOP.source, by * Self::LOOP.destination)
                    } else {
                        Self::LOOP.at(i)
                    };
                    let (from, to) = (from.wrapping_offset(source), to.wrapping_offset(destination));
                    // SAFETY: the iterations of a loop begin where the plan says.
                    unsafe { (const { Nested::<T, $inner>::RUN })(shared, from, to) }
                }
            }
        }
    )*};
}

outer_loops!(0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9 10 10 11 11 12 12 13 13 14 14 15 15 16 16 17 17 18);

impl<T: InLoops> Nested<T, MAX_OUTER_LOOPS> {
    const RUN: Run<T> = T::step;
}
