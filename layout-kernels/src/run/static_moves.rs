//! Moves that are known at compile time. Their plans are constants. Of moves that are inlined, each needed part of
//! the plan is a constant too, and each loop has constant bounds and strides; without vectors the program then contains
//! neither the plan nor a table of kernels.

use core::marker::PhantomData;

use super::drive;
#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
use crate::isa::Compiled;
use crate::isa::OfIsa;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::isa::{Avx2, Avx512, Avx512Vbmi, Isa, Sse2};
use crate::plan::{BytePlan, Move, Nest, Path, PlainCode, Plan, Stores, TilePath};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::sets::on;
use crate::sets::{Set, StaticStep, TileKernel};
use crate::steps::tiles::has_lane;
use crate::steps::{MAX_OUTER_LOOPS, OuterLoop, Step, Tiles};

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

/// Whether a build has code for several instruction sets.
const HAS_SETS: bool = cfg!(all(target_arch = "x86_64", feature = "std"));

/// The maximal number of bytes of a move that gets code of its own. For larger moves literal bounds gain little, and code
/// takes space and compile time, most with several instruction sets. With one set they hold what the second-level cache
/// does, since the compiler vectorizes copies of units; without vectors all moves are inlined.
const MOST_INLINED: usize = match (HAS_SETS, cfg!(vectors)) {
    (true, _) => 16 << 10,
    (_, true) => 256 << 10,
    _ => usize::MAX,
};

/// A static move, simplified once for all instruction sets.
struct Simplified<M>(PhantomData<M>);

impl<M: StaticMove> Simplified<M> {
    const NEST: Nest = match Nest::new(&M::MOVE) {
        Ok(nest) => {
            // Builds for one instruction set plan static moves as at run time.
            let is_plain = !matches!(M::STORES, Stores::NonTemporal);
            Nest { may_be_inlined: HAS_SETS && is_plain && nest.bytes <= MOST_INLINED, ..nest }
        }
        Err(error) => panic!("{}", error.text()),
    };
}

/// Returns the plan of a static move for this CPU.
#[inline(always)]
pub fn static_plan<M: StaticMove>() -> &'static Plan {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    {
        match Isa::best() {
            Isa::Portable | Isa::Sse2 => Own::<M, Sse2>::PLAN,
            Isa::Avx2 => Own::<M, Avx2>::PLAN,
            Isa::Avx512 => Own::<M, Avx512>::PLAN,
            _ => Own::<M, Avx512Vbmi>::PLAN,
        }
    }
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    {
        Own::<M, Compiled>::PLAN
    }
}

/// The needed parts of the plan of a static move for an instruction set, each as a constant.
struct Own<M, I>(PhantomData<(M, I)>);

impl<M: StaticMove, I: OfIsa> Own<M, I> {
    const PLAN: &'static Plan = &{
        let mut plan = Plan::nothing();
        match plan.set_nest(const { &Simplified::<M>::NEST }, M::MOVE.elements, I::ISA, (0, 1)) {
            Ok(()) => plan.with_stores(M::STORES),
            Err(error) => panic!("{}", error.text()),
        }
    };

    /// The plan of bytes, or one that moves nothing.
    const OWN: &'static BytePlan = match &Self::PLAN.path {
        Path::Bytes(plan) => plan,
        _ => &BytePlan::nothing(),
    };
}

impl<M: StaticMove, S: Set> Own<M, S> {
    /// Whether the move gets code of its own: it is small, and one micro-kernel with plain stores does all of it.
    const IS_INLINED: bool = {
        let BytePlan { bytes, pass, .. } = Self::OWN;
        let has_kernel = match (&pass.code, &pass.step) {
            (PlainCode::Permute(_), Step::Permute(own)) => own.read_end == 0,
            (PlainCode::Tiles(path), _) => !matches!(path, TilePath::Packed(_)),
            (PlainCode::None, _) => false,
            _ => true,
        };
        has_kernel
            && *bytes > 0
            && *bytes <= MOST_INLINED
            && !matches!(M::STORES, Stores::NonTemporal)
    };

    /// The matrix and its micro-kernel, if it has fewer columns than a tile.
    const FEW: Option<(&'static Tiles, TileKernel)> =
        match (&Self::OWN.pass.step, &Self::OWN.pass.code) {
            (Step::Tiles(tiles), PlainCode::Tiles(TilePath::Few(kernel))) => Some((tiles, *kernel)),
            _ => None,
        };

    /// Runs the move. Returns false, without moving anything, if a side is too short.
    ///
    /// # Safety
    /// The CPU must have the features of `S`, and so must the function into which this one is inlined.
    #[inline(always)]
    unsafe fn run(source: &[u8], destination: &mut [u8]) -> bool {
        if source.len() < const { Self::PLAN.source_end }
            || destination.len() < const { Self::PLAN.destination_end }
        {
            return false;
        }
        let from = source.as_ptr().wrapping_offset(const { Self::OWN.pass.source });
        let to = destination.as_mut_ptr().wrapping_offset(const { Self::OWN.pass.destination });
        // SAFETY: both sides are as long as the plan says, and the pointers are where it begins.
        unsafe { (const { Nested::<M, S, 0>::RUN })(source, from, to) }
        true
    }

    /// Runs the step of one iteration of the loops. Only the farthest rows of few columns are moved by a call.
    ///
    /// # Safety
    /// Both pointers must be where an iteration of the plan's loops begins, in the source and in as many bytes as the plan
    /// says. The CPU must have the features of `S`, and so must the function into which this one is inlined.
    #[inline(always)]
    unsafe fn step(source: &[u8], from: *const u8, to: *mut u8) {
        if let Some((tiles, kernel)) = const { Self::FEW } {
            let readable = source.as_ptr_range();
            if !has_lane(&readable, from.wrapping_offset(tiles.farthest)) {
                let code = (kernel, &mut tiles.matrix());
                // SAFETY: the planner keeps every unit of the matrix inside both sides and chose its kernel.
                return unsafe { drive::few_columns(tiles, code, readable, from, to) };
            }
        }
        // SAFETY: the planner keeps the bytes of every step inside both sides.
        unsafe { S::step::<Self>(from, to) }
    }
}

impl<M: StaticMove, S: Set> StaticStep for Own<M, S> {
    const STEP: &'static Step = &Self::OWN.pass.step;
}

/// A function that runs loops, or the step in them. The safety contract is that of [`Own::step`].
type Run = unsafe fn(&[u8], *const u8, *mut u8);

/// Loop number `INDEX` and those inside it.
///
/// The compiler evaluates every constant that a function names, and every constant of the functions that it names, also
/// in branches that are never taken. So each loop is a function of its own, and a constant holds the function that
/// comes next: the next loop, or the step. A function with all loops had 300 constants for each move.
struct Nested<M, S, const INDEX: usize>(PhantomData<(M, S)>);

macro_rules! outer_loops {
    ($($index:literal $inner:literal)*) => {$(
        impl<M: StaticMove, S: Set> Nested<M, S, $index> {
            const RUN: Run = match $index < Own::<M, S>::OWN.loops.count {
                true => Self::run,
                false => Own::<M, S>::step,
            };

            const LOOP: OuterLoop = Own::<M, S>::OWN.loops.all[$index];

            #[inline(always)]
            unsafe fn run(source: &[u8], from: *const u8, to: *mut u8) {
                for i in 0..Self::LOOP.count {
                    let (far, along) = if Self::LOOP.is_regular() {
                        let by = i as isize;
                        (by * Self::LOOP.source, by * Self::LOOP.destination)
                    } else {
                        Self::LOOP.at(i)
                    };
                    let (from, to) = (from.wrapping_offset(far), to.wrapping_offset(along));
                    // SAFETY: the iterations of a loop begin where the plan says.
                    unsafe { (const { Nested::<M, S, $inner>::RUN })(source, from, to) }
                }
            }
        }
    )*};
}

outer_loops!(0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9 10 10 11 11 12 12 13 13 14 14 15 15 16 16 17 17 18);

impl<M: StaticMove, S: Set> Nested<M, S, MAX_OUTER_LOOPS> {
    const RUN: Run = Own::<M, S>::step;
}

/// Runs a static move. Returns false, without moving anything, if a side is too short.
///
/// On targets without vectors all moves are inlined. So are moves that one kernel can move, in builds without debug
/// assertions: in x86-64 builds with `std` those of up to 16 KiB for AVX2 and AVX-512, in others those of up to 256 KiB.
/// Other moves call the kernels of a constant plan.
#[inline]
#[must_use]
pub fn run_static<M: StaticMove>(source: &[u8], destination: &mut [u8]) -> bool {
    // A constant, so that the constants of the other function are not evaluated. Builds with debug assertions rarely
    // optimize. Inlined code would gain nothing there, and the compiler takes a tenth of a second for that of a small move.
    (const {
        match cfg!(vectors) && cfg!(debug_assertions) {
            true => run_planned::<M> as fn(&[u8], &mut [u8]) -> bool,
            false => run_inlined::<M>,
        }
    })(source, destination)
}

/// Runs the plan of a static move, which is a constant.
#[inline]
fn run_planned<M: StaticMove>(source: &[u8], destination: &mut [u8]) -> bool {
    static_plan::<M>().run_for_this_cpu(source, destination)
}

/// Runs a static move with the best instruction set: inlined if it may be, else by its plan, which is then a constant.
#[inline]
fn run_inlined<M: StaticMove>(source: &[u8], destination: &mut [u8]) -> bool {
    #[inline(always)]
    fn planned<M: StaticMove, I: OfIsa>(source: &[u8], destination: &mut [u8]) -> bool {
        Own::<M, I>::PLAN.run_for_this_cpu(source, destination)
    }
    macro_rules! run {
        ($($features:literal)?, $set:ident) => {{
            /// # Safety
            /// The CPU must have the features.
            #[cfg_attr(not(all(target_arch = "x86_64", feature = "std")), inline(always))]
            $(#[target_feature(enable = $features)])?
            unsafe fn inlined<M: StaticMove>(source: &[u8], destination: &mut [u8]) -> bool {
                // SAFETY: the caller's promise, and this function has the features.
                unsafe { Own::<M, $set>::run(source, destination) }
            }
            let run = const {
                match Own::<M, $set>::IS_INLINED {
                    true => inlined::<M> as unsafe fn(&[u8], &mut [u8]) -> bool,
                    false => planned::<M, $set>,
                }
            };
            // SAFETY: the CPU has the features.
            unsafe { run(source, destination) }
        }};
    }
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    match Isa::best() {
        Isa::Portable | Isa::Sse2 => planned::<M, Sse2>(source, destination),
        Isa::Avx2 => on!(Avx2 run!, Avx2),
        Isa::Avx512 => on!(Avx512 run!, Avx512),
        _ => on!(Avx512Vbmi run!, Avx512Vbmi),
    }
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    run!(, Compiled)
}

/// Whether a static move fills its padding on this CPU. If not, the caller does.
#[inline]
pub fn static_pads<M: StaticMove>() -> bool {
    static_plan::<M>().pads()
}

#[cfg(test)]
mod tests {
    use std::prelude::rust_2024::*;
    use std::vec::Vec;

    use super::*;
    use crate::isa::Portable;
    use crate::{Isa, Loop, Padding, SubByte};

    include!("../../tests/static_moves/moves.rs");

    /// Tiles cost less where they are not called.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    #[test]
    fn small_moves_have_plans_of_their_own() {
        let inlined = Own::<NinesOfEights, Avx512Vbmi>::PLAN.to_string();
        let called = Plan::for_isa(&NinesOfEights::MOVE, Isa::Avx512Vbmi).expect("a plan");
        assert_eq!(inlined, "transpose 8 rows by 9 columns of 8 bytes, 4 times (AVX-512 VBMI)");
        assert!(called.to_string().starts_with("permute bytes"), "{called}");
    }

    #[test]
    fn inlined_moves_are_right() {
        let mut count = 0;
        macro_rules! check {
            ($($features:literal)?, $set:ident, $move:ident) => {
                if <$set as OfIsa>::ISA.is_available() && const { Own::<$move, $set>::IS_INLINED } {
                    $(#[target_feature(enable = $features)])?
                    unsafe fn run(source: &[u8], destination: &mut [u8]) -> bool {
                        // SAFETY: this function has the features.
                        unsafe { Own::<$move, $set>::run(source, destination) }
                    }
                    let plan = Own::<$move, $set>::PLAN;
                    let name = std::format!("{}: {plan}", stringify!($move));
                    check_with::<$move>(&name, plan.pads(), |source, destination| {
                        // SAFETY: the CPU has the features.
                        assert!(unsafe { run(source, destination) }, "{name}");
                    });
                    count += 1;
                }
            };
        }
        macro_rules! check_all {
            ($($name:ident)*) => {$(
                check!(, Portable, $name);
                #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
                check!(, Compiled, $name);
                #[cfg(all(target_arch = "x86_64", feature = "std"))]
                {
                    on!(Avx2 check!, Avx2, $name);
                    on!(Avx512 check!, Avx512, $name);
                    on!(Avx512Vbmi check!, Avx512Vbmi, $name);
                }
            )*};
        }
        for_all!(check_all);
        assert!(count > 60, "{count} moves are inlined");
    }
}
