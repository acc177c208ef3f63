//! Runs a plan of two layout types.

use core::marker::PhantomData;

#[cfg(feature = "rayon")]
use layout_kernels::LEAST_PART;
use layout_kernels::{Move, StaticMove, Stores, static_pads, static_plan};
use layout_types::plain::{self, Plain};
use layout_types::spec::LayoutError;
use layout_types::{StaticLayout, UnitOf};

use super::box_moves::run_swizzled;
#[cfg(feature = "rayon")]
use super::parallel::par_move_all;
use super::plan::{FewMoves, Moves, Plan};
use super::run_plan::move_all;
use super::swizzled::SwizzledMove;
use crate::buffers::{Lengths, PaddingFill};
use crate::tensor::Tensor;

/// A relayout between two static layouts, as `#[derive(Relayout)]` generates it.
pub trait Relayout {
    /// The source layout.
    type Source: StaticLayout;

    /// The destination layout.
    type Destination: StaticLayout;

    /// How the tensor is moved, if elements keep their type. The derive relies on this plan; any other plan would
    /// move another tensor.
    #[doc(hidden)]
    const PLAN: &'static Plan = &plan::<Self::Source, Self::Destination>();

    /// Moves the tensor in `source` to `destination`. Lengths count units: elements, or bytes for elements of less
    /// than a byte. The relayout fills the padding of the destination, ignores padding of the source, and leaves gaps
    /// between explicit strides unchanged.
    ///
    /// # Errors
    /// The length of a slice differs from that of its layout. Nothing is written then.
    fn run_slices(
        source: &[UnitOf<Self::Source>],
        destination: &mut [UnitOf<Self::Destination>],
    ) -> Result<(), LayoutError> {
        const { check_units::<Self>() };
        // Computed at compile time: at run time it would take a large part of the time for a tiny tensor.
        const { Lengths::of(&Self::PLAN.pair) }.check(source.len(), destination.len())?;
        // SAFETY: the units and lengths are those of the plan, as checked above.
        unsafe { run_static_plan::<PlanOf<Self>, _, _>(source, destination) };
        Ok(())
    }

    /// Does what `run` of the derive does, on all threads of rayon's pool; see [`Plan::par_run`]. Elements keep their
    /// type: for a relayout that converts them, a call is a compile error.
    ///
    /// # Panics
    /// If a buffer has become shorter since its tensor was made. Arrays and slices never do.
    #[cfg(feature = "rayon")]
    #[track_caller]
    fn par_run<B, C>(
        source: &Tensor<Self::Source, B>,
        destination: &mut Tensor<Self::Destination, C>,
    ) where
        B: AsRef<[UnitOf<Self::Source>]>,
        C: AsRef<[UnitOf<Self::Destination>]> + AsMut<[UnitOf<Self::Destination>]>,
        UnitOf<Self::Destination>: Send + Sync,
    {
        const { check_units::<Self>() };
        let (source, destination) = (source.buffer(), destination.buffer_mut());
        const { Lengths::of(&Self::PLAN.pair) }.expect(source.len(), destination.len());
        // SAFETY: the units and lengths are those of the plan, as checked above.
        unsafe { par_move_all(Self::PLAN, LEAST_PART, plain::same(source), destination) };
    }
}

/// Checks at compile time that the plan moves units of this size, since a user may implement [`Relayout`] with any
/// plan. Only the lengths remain to be checked at run time.
pub(super) const fn check_units<R: Relayout + ?Sized>() {
    let (source, destination) =
        (size_of::<UnitOf<R::Source>>(), size_of::<UnitOf<R::Destination>>());
    if let Err(error) = R::PLAN.check_unit(source) {
        error.panic()
    }
    if let Err(error) = R::PLAN.check_unit(destination) {
        error.panic()
    }
}

/// A plan that is known at compile time.
pub(crate) trait HasStaticPlan {
    /// The plan; `None` if the layouts are not static.
    const PLAN: Option<&'static Plan>;
}

/// The plan of a relayout.
struct PlanOf<R: ?Sized>(PhantomData<R>);

impl<R: Relayout + ?Sized> HasStaticPlan for PlanOf<R> {
    const PLAN: Option<&'static Plan> = Some(R::PLAN);
}

/// What a static plan has, found once.
struct FoundBoxes<P>(PhantomData<P>);

impl<P: HasStaticPlan> FoundBoxes<P> {
    /// How the box is moved if it lies between swizzles, and the move of a block.
    const SWIZZLED: Option<(SwizzledMove, Option<Move>)> = match P::PLAN {
        Some(plan) => plan.swizzled_box(),
        None => None,
    };

    /// The moves of all boxes, if there are few.
    const MOVES: Option<FewMoves> = match P::PLAN {
        Some(plan) => plan.few_moves(),
        None => None,
    };

    /// The function that fills padding before boxes are moved, if there is padding.
    const fn fill<D: Plain>() -> Option<fn(&mut [D])> {
        match (&Self::SWIZZLED, &Self::MOVES, P::PLAN) {
            (None, Some(_), Some(Plan { padding: Some(_), .. })) => Some(fill_before_boxes::<P, D>),
            _ => None,
        }
    }

    /// The function that moves the tensor. The constants of a function that is not chosen are not evaluated, which
    /// takes longer than all else.
    const fn run<S: Plain, D: Plain>() -> unsafe fn(&[S], &mut [D]) {
        match (&Self::SWIZZLED, &Self::MOVES, P::PLAN) {
            (Some(_), ..) => run_between_swizzles::<P, S, D>,
            (None, Some(_), _) => run_boxes::<P, S, D>,
            (None, None, Some(_)) => run_any_boxes::<P, S, D>,
            (None, None, None) => |_, _| {},
        }
    }
}

/// A function that moves the bytes of a box. Returns false, without moving anything, if a side is too short.
type MoveBytes = fn(&[u8], &mut [u8]) -> bool;

/// Box number `BOX` of a static plan.
struct BoxOf<P, const BOX: usize>(PhantomData<P>);

impl<P: HasStaticPlan, const BOX: usize> BoxOf<P, BOX> {
    /// The function that moves the box, if there is one.
    const RUN: Option<MoveBytes> = match FoundBoxes::<P>::MOVES {
        Some(moves) if moves[BOX].is_some() => Some(layout_kernels::run_static::<Self>),
        _ => None,
    };
}

impl<P: HasStaticPlan, const BOX: usize> StaticMove for BoxOf<P, BOX> {
    const MOVE: Move = match FoundBoxes::<P>::MOVES {
        Some(moves) => match moves[BOX] {
            Some(of) => of,
            None => NOTHING,
        },
        None => NOTHING,
    };

    const STORES: Stores = match P::PLAN {
        Some(plan) => plan.stores,
        None => Stores::Auto,
    };
}

/// The move of a box that does not exist, which is never run.
const NOTHING: Move = Move::new(&[], 0);

/// The block of a box that lies between swizzles.
struct SwizzledBlock<P>(PhantomData<P>);

impl<P: HasStaticPlan> StaticMove for SwizzledBlock<P> {
    const MOVE: Move = match FoundBoxes::<P>::SWIZZLED {
        Some((_, Some(of))) => of,
        _ => NOTHING,
    };
}

/// Returns the plan between two static layouts. An error is a compile error.
#[track_caller]
const fn plan<Source: StaticLayout, Destination: StaticLayout>() -> Plan {
    match Plan::of_static(&Source::LAYOUT, &Destination::LAYOUT) {
        Ok(plan) => plan,
        Err(error) => error.panic_in_type(),
    }
}

/// Moves a tensor between arrays, whose types have the right lengths, so it cannot fail.
#[inline]
pub fn run_arrays<R: Relayout, const SOURCE: usize, const DESTINATION: usize>(
    source: &[UnitOf<R::Source>; SOURCE],
    destination: &mut [UnitOf<R::Destination>; DESTINATION],
) {
    const {
        check_units::<R>();
        if let Err(error) = R::PLAN.check_lengths(SOURCE, DESTINATION) {
            error.panic()
        }
    }
    // SAFETY: the units and lengths are those of the plan, as checked above.
    unsafe { run_static_plan::<PlanOf<R>, _, _>(source, destination) };
}

/// Moves one tensor to another, over any buffers.
///
/// # Panics
/// If a buffer has become shorter since its tensor was made. Arrays and slices never do.
#[inline]
#[track_caller]
pub fn run<R, B, C>(source: &Tensor<R::Source, B>, destination: &mut Tensor<R::Destination, C>)
where
    R: Relayout,
    B: AsRef<[UnitOf<R::Source>]>,
    C: AsRef<[UnitOf<R::Destination>]> + AsMut<[UnitOf<R::Destination>]>,
{
    const { check_units::<R>() };
    let (source, destination) = (source.buffer(), destination.buffer_mut());
    const { Lengths::of(&R::PLAN.pair) }.expect(source.len(), destination.len());
    // SAFETY: the units and lengths are those of the plan, as checked above.
    unsafe { run_static_plan::<PlanOf<R>, _, _>(source, destination) };
}

/// Runs a static plan whose units are bytes. Returns `None`, and moves nothing, if there is none or a side has another length.
#[cfg(feature = "records")]
#[inline]
pub(crate) fn run_static_bytes<P: HasStaticPlan>(
    source: &[u8],
    destination: &mut [u8],
) -> Option<()> {
    let plan = P::PLAN?;
    plan.check_unit(1).and(plan.check_lengths(source.len(), destination.len())).ok()?;
    // SAFETY: the units and lengths are those of the plan, as checked above.
    unsafe { run_static_plan::<P, u8, u8>(source, destination) };
    Some(())
}

/// Runs a static plan, or does nothing if there is none. Only the code that the plan needs is compiled.
///
/// Two calls are more than the compiler inlines into the derive's functions before it generates code. There it would
/// evaluate the constants once more, as those of functions with bounds.
///
/// # Safety
/// The lengths and the size of units must be those of the plan.
#[inline]
pub(super) unsafe fn run_static_plan<P: HasStaticPlan, S: Plain, D: Plain>(
    source: &[S],
    destination: &mut [D],
) {
    if let Some(fill) = const { FoundBoxes::<P>::fill::<D>() } {
        fill(destination);
    }
    // SAFETY: the caller's promise.
    unsafe { (const { FoundBoxes::<P>::run::<S, D>() })(source, destination) };
}

/// Runs a static plan whose only box lies between swizzles.
///
/// # Safety
/// The same as [`run_static_plan`].
#[inline]
unsafe fn run_between_swizzles<P: HasStaticPlan, S: Plain, D: Plain>(
    source: &[S],
    destination: &mut [D],
) {
    if let (Some(plan), Some((swizzled, of))) = (P::PLAN, const { &FoundBoxes::<P>::SWIZZLED }) {
        let kernel = of.is_some().then(static_plan::<SwizzledBlock<P>>);
        plan.fill(plain::same_mut::<D, S>(destination));
        // SAFETY: lengths and units are those of the plan, by the caller's promise. This is its box, with its kernel.
        unsafe { run_swizzled(swizzled, kernel, source, plain::same_mut(destination)) };
    }
}

/// Runs a static plan with few boxes.
#[inline]
fn run_boxes<P: HasStaticPlan, S: Plain, D: Plain>(source: &[S], destination: &mut [D]) {
    macro_rules! run {
        ($($box:literal)*) => {$(
            if let Some(run) = const { BoxOf::<P, $box>::RUN } {
                let done = run(plain::as_bytes(source), plain::as_bytes_mut(destination));
                debug_assert!(done, "layouts keep the offsets of their elements below their lengths");
            }
        )*};
    }
    const { assert!(Moves::CAPACITY == 4) };
    run!(0 1 2 3);
}

/// Fills the padding of a static plan with few boxes, unless the move of the first one does.
#[inline]
fn fill_before_boxes<P: HasStaticPlan, D: Plain>(destination: &mut [D]) {
    let of_plan = const {
        match P::PLAN {
            Some(Plan { padding: Some(padding), pair, .. }) => {
                Some((padding, PaddingFill::of(pair.destination())))
            }
            _ => None,
        }
    };
    if let Some((padding, fill)) = of_plan {
        if !static_pads::<BoxOf<P, 0>>() {
            fill.pad(padding, destination);
        }
    }
}

/// Runs a static plan with many boxes, which are found when it runs.
///
/// # Safety
/// The same as [`run_static_plan`].
#[inline]
unsafe fn run_any_boxes<P: HasStaticPlan, S: Plain, D: Plain>(source: &[S], destination: &mut [D]) {
    if let Some(plan) = P::PLAN {
        // SAFETY: the caller's promise.
        unsafe { move_all(plan, source, plain::same_mut(destination)) };
    }
}
