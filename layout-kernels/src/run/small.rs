//! Small static moves, inlined: separate code for each instruction set, with constant bounds and strides. Other static
//! moves call the micro-kernels of their plan.

use core::marker::PhantomData;
use core::ops::Range;

use super::scratch::groups_of_rows;
use super::static_moves::{InLoops, MOST_INLINED, Own, StaticMove, StaticPlan, in_loops};
use crate::isa::{Avx2, Avx512, Avx512Vbmi, Isa, OfIsa, Sse2};
use crate::plan::{BytePlan, Code, PlainCode, Stores, TilePath};
use crate::sets::TileKernel;
use crate::sets::fixed::{Set, StaticStep, step};
use crate::steps::{Step, Tiles};

impl<M: StaticMove, S: Set> Own<M, S> {
    /// Whether the move gets code of its own with several instruction sets: it is small, and one micro-kernel with
    /// plain stores does all of it.
    const IS_SMALL: bool = match (Self::BYTES, M::STORES) {
        (_, Stores::NonTemporal) | (None, _) => false,
        (Some(plan), _) => {
            plan.bytes > 0
                && plan.bytes <= MOST_INLINED
                && match &plan.code.plain {
                    PlainCode::Copies(_) => true,
                    PlainCode::Permute(_) => {
                        matches!(&plan.step, Step::Permute(own) if own.read_end == 0)
                    }
                    PlainCode::Tiles(path) => !matches!(path, TilePath::Packed(_)),
                    PlainCode::None => false,
                }
        }
    };

    /// The matrix and its micro-kernel, if it has fewer columns than a tile.
    const NARROW: Option<(&'static Tiles, TileKernel)> = match Self::BYTES {
        Some(BytePlan {
            step: Step::Tiles(tiles),
            code: Code { plain: PlainCode::Tiles(TilePath::Few(kernel)), .. },
            ..
        }) => Some((tiles, *kernel)),
        _ => None,
    };
}

impl<M: StaticMove, S: Set> StaticStep for Own<M, S> {
    const STEP: &'static Step = match Self::BYTES {
        Some(plan) => &plan.step,
        None => &Step::nothing(),
    };
}

/// Runs a small static move. Returns false, without moving anything, if a side is too short.
///
/// # Safety
/// The CPU must have the features of `S`, and so must the function into which this one is inlined.
#[inline(always)]
unsafe fn run<M: StaticMove, S: Set>(source: &[u8], destination: &mut [u8]) -> bool {
    if source.len() < const { Own::<M, S>::SOURCE_END }
        || destination.len() < const { Own::<M, S>::DESTINATION_END }
    {
        return false;
    }
    let from = source.as_ptr().wrapping_offset(const { Own::<M, S>::SOURCE });
    let to = destination.as_mut_ptr().wrapping_offset(const { Own::<M, S>::DESTINATION });
    // SAFETY: both sides are as long as the plan says.
    unsafe { in_loops::<Small<M, S>>(&source.as_ptr_range(), from, to) }
    true
}

/// A step of a small move.
struct Small<M, S>(PhantomData<(M, S)>);

impl<M: StaticMove, S: Set> InLoops for Small<M, S> {
    type Move = M;
    type Isa = S;
    /// The source, which may be read beside a matrix.
    type Shared = Range<*const u8>;

    #[inline(always)]
    unsafe fn step(readable: &Range<*const u8>, from: *const u8, to: *mut u8) {
        let Some((tiles, kernel)) = (const { Own::<M, S>::NARROW }) else {
            // SAFETY: the planner keeps the bytes of every step inside both sides.
            return unsafe { step::<S, Own<M, S>>(from, to, 0) };
        };
        match tiles.skipped(readable, from) {
            // SAFETY: 16 bytes of every row are readable from its first column on.
            Some(0) => unsafe { step::<S, Own<M, S>>(from, to, 0) },
            // SAFETY: 16 bytes of every row are readable up to its last column.
            Some(skip) => unsafe { step::<S, Own<M, S>>(from, to, skip) },
            // SAFETY: the planner keeps every unit of the matrix inside both sides and chose its kernels. The CPU has
            // the features of `S`.
            None => unsafe { groups_of_rows(tiles, kernel, readable.clone(), from, to) },
        }
    }
}

/// Runs a static move by its plan, which is a constant.
#[inline(always)]
fn run_planned<M: StaticMove, I: OfIsa>(source: &[u8], destination: &mut [u8]) -> bool {
    StaticPlan::<M, I>::PLAN.run_for_this_cpu(source, destination)
}

/// Runs a static move with the best instruction set: inlined if it is small, else by its plan, which is then a
/// constant.
#[inline]
pub(super) fn run_best<M: StaticMove>(source: &[u8], destination: &mut [u8]) -> bool {
    macro_rules! run {
        ($set:ident $features:literal) => {{
            /// # Safety
            /// The CPU must have the features.
            #[cfg_attr(not(avx512_model), target_feature(enable = $features))]
            #[cfg_attr(avx512_model, target_feature(enable = "avx2"))]
            unsafe fn small<M: StaticMove>(source: &[u8], destination: &mut [u8]) -> bool {
                // SAFETY: the caller's promise, and this function has the features.
                unsafe { run::<M, $set>(source, destination) }
            }
            // A constant, so that the constants of the other function are not evaluated.
            let run = const {
                match Own::<M, $set>::IS_SMALL {
                    true => small::<M> as unsafe fn(&[u8], &mut [u8]) -> bool,
                    false => run_planned::<M, $set>,
                }
            };
            // SAFETY: the CPU has the features.
            unsafe { run(source, destination) }
        }};
    }
    match Isa::best() {
        Isa::Portable | Isa::Sse2 => run_planned::<M, Sse2>(source, destination),
        Isa::Avx2 => run!(Avx2 "avx2"),
        Isa::Avx512 => run!(Avx512 "avx2,avx512f,avx512bw,avx512dq,avx512vl"),
        _ => run!(Avx512Vbmi "avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi"),
    }
}

#[cfg(test)]
mod tests {
    use std::prelude::rust_2024::*;
    use std::vec::Vec;

    use super::{Avx2, Avx512, Avx512Vbmi, Own};
    use crate::isa::OfIsa;
    use crate::{Isa, Loop, Move, Padding, Plan, StaticMove, Stores, SubByte};

    include!("../../tests/static_moves/moves.rs");

    /// Tiles cost less where they are not called.
    #[test]
    fn small_moves_have_plans_of_their_own() {
        let inlined = Own::<NinesOfEights, Avx512Vbmi>::PLAN.to_string();
        let called = Plan::for_isa(&NinesOfEights::MOVE, Isa::Avx512Vbmi).expect("a plan");
        assert_eq!(inlined, "transpose 8 rows by 9 columns of 8 bytes, 4 times (AVX-512 VBMI)");
        assert!(called.to_string().starts_with("permute bytes"), "{called}");
    }

    #[test]
    fn small_moves_are_right() {
        let mut count = 0;
        macro_rules! check {
            ($move:ident: $($set:ident $features:literal)*) => {$(
                if <$set as OfIsa>::ISA.is_available() && const { Own::<$move, $set>::IS_SMALL } {
                    #[cfg_attr(not(avx512_model), target_feature(enable = $features))]
                    #[cfg_attr(avx512_model, target_feature(enable = "avx2"))]
                    unsafe fn run(source: &[u8], destination: &mut [u8]) -> bool {
                        // SAFETY: this function has the features.
                        unsafe { super::run::<$move, $set>(source, destination) }
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
