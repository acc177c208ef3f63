//! What two layout types alone determine about a relayout.

use core::marker::PhantomData;

use layout_types::nests::{equal_elements, matched_axes};
use layout_types::ok;
use layout_types::spec::LayoutError;
use layout_types::{Element, LayoutType};

use super::plan::Plan;

/// Returns the number of units in a buffer of a static layout, and 0 for other layouts, whose tensors are never in
/// arrays.
pub const fn units_of<L: LayoutType>() -> usize {
    match L::STATIC {
        Some(layout) => layout.units(),
        None => 0,
    }
}

/// Returns the alignment of an array that holds a tensor of a static layout.
pub const fn array_align_of<L: LayoutType>() -> usize {
    /// The largest alignment of an array. For a larger one, making a tensor of the array is an error.
    const MOST: usize = 4096;
    match L::STATIC {
        Some(layout) if layout.align() < MOST => layout.align(),
        Some(_) => MOST,
        None => 1,
    }
}

/// What the derive's `tensor` asks for where there is no feature `alloc`. Nothing has it.
#[diagnostic::on_unimplemented(
    message = "`tensor` returns a tensor on the heap, which needs feature `alloc` of tensor-layout; add the feature, or write `array`, which returns an array, or `run`, which takes the destination",
    label = "needs feature `alloc`"
)]
pub trait Allocates {}

/// Returns the plan between two layout types, or `None` if some of their extents are known only at run time. Mistakes
/// that do not depend on those extents are compile errors.
#[track_caller]
pub const fn checked_plan<Source: LayoutType, Destination: LayoutType>() -> Option<Plan> {
    match plan_of::<Source, Destination>() {
        Ok(plan) => plan,
        Err(error) => error.panic_in_type(),
    }
}

/// Returns the plan between two layout types, or `None` if some of their extents are known only at run time.
pub(super) const fn plan_of<Source: LayoutType, Destination: LayoutType>()
-> Result<Option<Plan>, LayoutError> {
    match (Source::STATIC, Destination::STATIC) {
        (Some(source), Some(destination)) => Ok(Some(ok!(Plan::of_static(&source, &destination)))),
        _ => {
            ok!(equal_elements(Source::Element::TYPE, Destination::Element::TYPE));
            ok!(check_axes::<Source, Destination>());
            Ok(None)
        }
    }
}

/// Returns an error if the types have different axes or known extents.
pub(crate) const fn check_axes<Source: LayoutType, Destination: LayoutType>()
-> Result<(), LayoutError> {
    let (Some(source), Some(destination)) = (Source::AXES, Destination::AXES) else {
        return Ok(());
    };
    ok!(matched_axes(source, destination));
    Ok(())
}

/// Returns the plan of two static layouts. [`checked_plan`] has made sure that there is one.
pub const fn expect_static<P>(plan: &'static Option<P>) -> &'static P {
    match plan {
        Some(plan) => plan,
        None => unreachable!(),
    }
}

/// Two layout types with the same axes and known extents.
pub(crate) struct Matched<L, M>(PhantomData<(L, M)>);

impl<L: LayoutType, M: LayoutType> Matched<L, M> {
    /// Makes anything else a compile error.
    pub(crate) const CHECKED: () = if let Err(error) = check_axes::<L, M>() {
        error.panic_in_type()
    };
}
