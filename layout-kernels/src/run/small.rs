//! Small static moves, inlined: separate code for each instruction set, with constant bounds and strides. Other static
//! moves call the micro-kernels of their plan.

use core::marker::PhantomData;

use super::static_moves::{InLoops, MOST_INLINED, Own, StaticMove, StaticPlan, in_loops};
use crate::isa::{Avx2, Avx512, Avx512Vbmi, Isa, OfIsa, Sse2};
use crate::plan::{BytePlan, PlainCode, Stores, TilePath};
use crate::sets::fixed::{Set, StaticStep, step};
use crate::steps::Step;

impl<M: StaticMove, S: Set> Own<M, S> {
    /// Whether the move gets code of its own with several instruction sets: it is small, and one micro-kernel with
    /// plain stores does all of it.
    pub(super) const IS_SMALL: bool = {
        let BytePlan { bytes, code, step, .. } = Self::OWN;
        let has_kernel = match (&code.plain, step) {
            (PlainCode::Permute(_), Step::Permute(own)) => own.read_end == 0,
            (PlainCode::Tiles(path), _) => matches!(path, TilePath::Direct(_)),
            (own, _) => own.is_some(),
        };
        has_kernel
            && *bytes > 0
            && *bytes <= MOST_INLINED
            && !matches!(M::STORES, Stores::NonTemporal)
    };
}

impl<M: StaticMove, S: Set> StaticStep for Own<M, S> {
    const STEP: &'static Step = &Self::OWN.step;
}

/// Runs a small static move. Returns false, without moving anything, if a side is too short.
///
/// # Safety
/// The CPU must have the features of `S`, and so must the function into which this one is inlined.
#[inline(always)]
pub(super) unsafe fn run<M: StaticMove, S: Set>(source: &[u8], destination: &mut [u8]) -> bool {
    let Some((from, to)) = Own::<M, S>::start(source, destination) else { return false };
    // SAFETY: both sides are as long as the plan says.
    unsafe { in_loops::<Small<M, S>>(from, to) }
    true
}

/// A step of a small move.
struct Small<M, S>(PhantomData<(M, S)>);

impl<M: StaticMove, S: Set> InLoops for Small<M, S> {
    type Move = M;
    type Isa = S;

    #[inline(always)]
    unsafe fn step(from: *const u8, to: *mut u8) {
        // SAFETY: the planner keeps the bytes of every step inside both sides. The CPU has the features of `S`.
        unsafe { step::<S, Own<M, S>>(from, to) }
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
