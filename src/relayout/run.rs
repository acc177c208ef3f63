//! Runs a plan.

use core::marker::PhantomData;

use bytemuck::Pod;

use layout_kernels::{KnownMove, Move, Stores, known};
use layout_types::nests::Boxes;
use layout_types::spec::LayoutError;
use layout_types::{StaticLayout, UnitOf};

use super::box_moves::{move_box, run_swizzled};
use super::plan::{Moves, Plan};
use super::swizzled::SwizzledMove;
use crate::buffers::{Lengths, as_bytes, as_bytes_mut, fill_padding, same_units_mut};
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
        run_known::<PlanOf<Self>, _, _>(source, destination);
        Ok(())
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
pub(super) trait KnownPlan {
    /// The plan; `None` if the layouts are not static.
    const PLAN: Option<&'static Plan>;
}

/// The plan of a relayout.
struct PlanOf<R: ?Sized>(PhantomData<R>);

impl<R: Relayout + ?Sized> KnownPlan for PlanOf<R> {
    const PLAN: Option<&'static Plan> = Some(R::PLAN);
}

/// The move of box number `BOX` of a known plan.
struct BoxOf<P, const BOX: usize>(PhantomData<P>);

impl<P: KnownPlan, const BOX: usize> BoxOf<P, BOX> {
    const FOUND: Option<Move> = match P::PLAN {
        Some(plan) => plan.nth_move(BOX),
        None => None,
    };
}

impl<P: KnownPlan, const BOX: usize> KnownMove for BoxOf<P, BOX> {
    const MOVE: Move = match Self::FOUND {
        Some(of) => of,
        // This is never run, but it is evaluated.
        None => Move::new(&[], 0),
    };

    const STORES: Stores = match P::PLAN {
        Some(plan) => plan.stores,
        None => Stores::Auto,
    };
}

/// How the box of a known plan is moved if it lies between swizzles, and the move of a block.
struct SwizzledBox<P>(PhantomData<P>);

impl<P: KnownPlan> SwizzledBox<P> {
    const FOUND: Option<(SwizzledMove, Option<Move>)> = match P::PLAN {
        Some(plan) => plan.swizzled_box(),
        None => None,
    };
}

impl<P: KnownPlan> KnownMove for SwizzledBox<P> {
    const MOVE: Move = match Self::FOUND {
        Some((_, Some(of))) => of,
        // This is never run, but it is evaluated.
        _ => Move::new(&[], 0),
    };
}

/// Returns the plan between two static layouts. An error is a compile error.
#[track_caller]
const fn plan<Source: StaticLayout, Destination: StaticLayout>() -> Plan {
    match Plan::const_new(&Source::LAYOUT, &Destination::LAYOUT) {
        Ok(plan) => plan,
        Err(error) => error.panic_in_type(),
    }
}

/// Moves a tensor from `source` to `destination` as `plan` says.
///
/// Lengths count units: elements, or bytes for elements of less than a byte. The relayout fills the padding of the
/// destination, ignores padding of the source, and leaves gaps between explicit strides unchanged.
///
/// # Errors
/// - The size of a unit differs from the plan's.
/// - The length of a slice differs from that of its layout.
///
/// On an error, nothing is written.
pub fn relayout<U: Pod>(
    plan: &Plan,
    source: &[U],
    destination: &mut [U],
) -> Result<(), LayoutError> {
    check(plan, source, destination)?;
    move_all(plan, source, destination);
    Ok(())
}

/// Returns an error unless units have the size, and slices the lengths, of the plan.
pub(super) fn check<S, D>(plan: &Plan, source: &[S], destination: &[D]) -> Result<(), LayoutError> {
    plan.check_unit(size_of::<S>())?;
    plan.check_unit(size_of::<D>())?;
    plan.check_lengths(source.len(), destination.len())
}

/// [`relayout`] for arrays, whose types have the right lengths, so it cannot fail.
#[inline]
pub fn run<R: Relayout, const SOURCE: usize, const DESTINATION: usize>(
    source: &[UnitOf<R::Source>; SOURCE],
    destination: &mut [UnitOf<R::Destination>; DESTINATION],
) {
    const {
        check_units::<R>();
        if let Err(error) = R::PLAN.check_lengths(SOURCE, DESTINATION) {
            error.panic()
        }
    }
    run_known::<PlanOf<R>, _, _>(source, destination);
}

/// [`run`] for tensors over any buffers.
///
/// # Panics
/// If a buffer has become shorter since its tensor was made. Arrays and slices never do.
#[inline]
#[track_caller]
pub fn run_tensors<R, B, C>(
    source: &Tensor<R::Source, B>,
    destination: &mut Tensor<R::Destination, C>,
) where
    R: Relayout,
    B: AsRef<[UnitOf<R::Source>]>,
    C: AsRef<[UnitOf<R::Destination>]> + AsMut<[UnitOf<R::Destination>]>,
{
    if let Err(error) = R::run_slices(source.buffer(), destination.buffer_mut()) {
        error.panic()
    }
}

/// Runs a known plan, or does nothing if there is none. The lengths and the size of units must be those of the plan.
/// Only the code that the plan needs is compiled.
#[inline]
pub(super) fn run_known<P: KnownPlan, S: Pod, D: Pod>(source: &[S], destination: &mut [D]) {
    let Some(plan) = P::PLAN else { return };
    if let Some((own, of)) = const { &SwizzledBox::<P>::FOUND } {
        let kernel = of.is_some().then(known::<SwizzledBox<P>>);
        plan.fill(same_units_mut::<D, S>(destination));
        return run_swizzled(own, kernel, source, same_units_mut(destination));
    }
    if const { matches!(P::PLAN, Some(plan) if !plan.has_few_moves()) } {
        return move_all(plan, source, same_units_mut(destination));
    }
    let padding = const {
        match P::PLAN {
            Some(plan) => plan.padding,
            None => None,
        }
    };
    if let Some(padding) = padding {
        if !known::<BoxOf<P, 0>>().pads() {
            fill_padding(&padding, &plan.pair.destination, destination);
        }
    }
    macro_rules! run_boxes {
        ($($box:literal)*) => {$(
            if const { BoxOf::<P, $box>::FOUND.is_some() } {
                let (from, to) = (as_bytes(source), as_bytes_mut(destination));
                let done = layout_kernels::run_known::<BoxOf<P, $box>>(from, to);
                debug_assert!(done, "layouts keep the offsets of their elements below their lengths");
            }
        )*};
    }
    const { assert!(Moves::CAPACITY == 4) };
    run_boxes!(0 1 2 3);
}

/// The lengths and the size of a unit must be those of the plan.
pub(super) fn move_all<U: Pod>(plan: &Plan, source: &[U], destination: &mut [U]) {
    debug_assert_eq!(source.len(), plan.pair.source.units());
    debug_assert_eq!(destination.len(), plan.pair.destination.units());
    plan.fill(destination);
    if let Some(moves) = plan.moves.all() {
        for plan in moves {
            let done = plan.run(as_bytes(source), as_bytes_mut(destination));
            debug_assert!(done, "layouts keep the offsets of their elements below their lengths");
        }
        return;
    }
    if let Some((own, kernel)) = plan.moves.swizzled() {
        return run_swizzled(own, kernel, source, destination);
    }
    let mut boxes = Boxes::new(&plan.pair, None);
    while let Some(nest) = boxes.next() {
        move_box(plan, nest, source, destination);
    }
}
