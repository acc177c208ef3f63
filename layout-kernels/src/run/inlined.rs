//! Static moves without vectors, inlined: micro-kernels in loops with constant bounds and strides. The program
//! contains neither the plan nor a table of kernels.

use core::marker::PhantomData;

use super::paths;
use super::static_moves::{InLoops, Own, StaticMove, in_loops};
use crate::isa::NoVectors;
use crate::micro::words;
use crate::plan::{Direct, PlainCode, TilePath};
use crate::sets::{CopyKernel, TileKernel, nothing};
use crate::steps::{Loop, Matrix, Permutation, Runs, Step};

/// A micro-kernel, and what it is given: runs, a matrix or a permutation. Each is a constant of its own, so that the
/// program does not contain the others.
trait Calls<D: 'static> {
    const KERNEL: unsafe fn(&D, *const u8, *mut u8);
    const GIVEN: &'static D;
}

impl<M: StaticMove> Own<M, NoVectors> {
    /// The function that runs the plan's loops and steps. The constants of the others are not evaluated.
    const RUN: unsafe fn(&[u8], &mut [u8], *const u8, *mut u8) = match Self::BYTES {
        None => other::<M>,
        Some(plan) if plan.bytes == 0 => nothing_to_do,
        Some(plan) => match plan.code.plain {
            PlainCode::Copies(_) => stepped::<M, Runs>,
            PlainCode::Tiles(_) => stepped::<M, Matrix>,
            PlainCode::Permute(_) => stepped::<M, Permutation>,
            PlainCode::None => nothing_to_do,
        },
    };
}

impl<M: StaticMove> Calls<Runs> for Own<M, NoVectors> {
    const KERNEL: CopyKernel = match Self::OWN.code.plain {
        PlainCode::Copies(kernel) => kernel,
        _ => nothing::<Runs>,
    };
    const GIVEN: &'static Runs = match &Self::OWN.step {
        Step::Copies(copies) => &copies.runs,
        _ => &Runs { bytes: 0, inner: Loop::ONCE, outer: Loop::ONCE },
    };
}

impl<M: StaticMove> Calls<Matrix> for Own<M, NoVectors> {
    const KERNEL: TileKernel = match Self::OWN.code.plain {
        PlainCode::Tiles(TilePath::Direct(Direct { kernel, .. })) => kernel,
        _ => nothing::<Matrix>,
    };
    const GIVEN: &'static Matrix = &match &Self::OWN.step {
        Step::Tiles(tiles) => tiles.strided_matrix(),
        _ => Matrix::NONE,
    };
}

impl<M: StaticMove> Calls<Permutation> for Own<M, NoVectors> {
    const KERNEL: unsafe fn(&Permutation, *const u8, *mut u8) = words::pad;
    const GIVEN: &'static Permutation = match &Self::OWN.step {
        Step::Permute(permutation) => permutation,
        _ => &Permutation::NONE,
    };
}

/// Runs a static move without vectors. Returns false, without moving anything, if a side is too short.
#[inline(always)]
pub(crate) fn run<M: StaticMove>(source: &[u8], destination: &mut [u8]) -> bool {
    let Some((from, to)) = Own::<M, NoVectors>::start(source, destination) else { return false };
    // SAFETY: both sides are as long as the plan says, and the pointers are where it begins.
    unsafe { (const { Own::<M, NoVectors>::RUN })(source, destination, from, to) }
    true
}

/// Runs a step in every iteration of the loops.
///
/// # Safety
/// The same as [`in_loops`].
#[inline(always)]
unsafe fn stepped<M: StaticMove, D: 'static>(_: &[u8], _: &mut [u8], from: *const u8, to: *mut u8)
where
    Own<M, NoVectors>: Calls<D>,
{
    // SAFETY: the caller's promise.
    unsafe { in_loops::<Calling<M, D>>(from, to) }
}

/// Runs a plan of other paths than bytes.
///
/// # Safety
/// Both sides must be as long as the plan says.
#[inline(always)]
unsafe fn other<M: StaticMove>(source: &[u8], destination: &mut [u8], _: *const u8, _: *mut u8) {
    // SAFETY: both sides hold every unit, and a mutably borrowed slice overlaps no other; no vector is used.
    unsafe { paths::run(Own::<M, NoVectors>::PLAN, source, destination.as_mut_ptr(), false) }
}

/// The move of no bytes.
fn nothing_to_do(_: &[u8], _: &mut [u8], _: *const u8, _: *mut u8) {}

/// Calls of a micro-kernel.
struct Calling<M, D>(PhantomData<(M, D)>);

impl<M: StaticMove, D: 'static> InLoops for Calling<M, D>
where
    Own<M, NoVectors>: Calls<D>,
{
    type Move = M;
    type Isa = NoVectors;

    #[inline(always)]
    unsafe fn step(from: *const u8, to: *mut u8) {
        let given = const { <Own<M, NoVectors> as Calls<D>>::GIVEN };
        // SAFETY: the planner keeps the bytes of every step inside both sides.
        unsafe { (const { <Own<M, NoVectors> as Calls<D>>::KERNEL })(given, from, to) }
    }
}
