//! What two layout types say of a relayout before there are values of them.

use layout_types::nests::{equal_elements, matched_axes};
use layout_types::spec::LayoutError;
use layout_types::{Element, LayoutType};

use super::plan::Plan;

/// The units of a buffer of a static layout, and 0 for others: no function takes arrays of those.
pub const fn units_of<L: LayoutType>() -> usize {
    match L::STATIC {
        Some(layout) => layout.units(),
        None => 0,
    }
}

/// The alignment of an array that holds a tensor of a static layout.
pub const fn array_align_of<L: LayoutType>() -> usize {
    /// The largest that arrays can have; past it, an array is refused where it becomes a tensor.
    const MOST: usize = 4096;
    match L::STATIC {
        Some(layout) if layout.align() < MOST => layout.align(),
        Some(_) => MOST,
        None => 1,
    }
}

/// The plan between two layout types; `None` where run time knows some of their extents. What is wrong
/// whatever these are is a compile error.
#[track_caller]
pub const fn checked_plan<Source: LayoutType, Destination: LayoutType>() -> Option<Plan> {
    let plan = match (Source::STATIC, Destination::STATIC) {
        (Some(source), Some(destination)) => match Plan::const_new(&source, &destination) {
            Ok(plan) => Ok(Some(plan)),
            Err(error) => Err(error),
        },
        _ => match equal_elements(Source::Element::TYPE, Destination::Element::TYPE) {
            Ok(()) => match check_axes::<Source, Destination>() {
                Ok(()) => Ok(None),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        },
    };
    match plan {
        Ok(plan) => plan,
        Err(error) => error.panic_in_type(),
    }
}

/// Errors where the types know of axes or extents that differ.
pub(crate) const fn check_axes<Source: LayoutType, Destination: LayoutType>()
-> Result<(), LayoutError> {
    let (Some(source), Some(destination)) = (Source::AXES, Destination::AXES) else {
        return Ok(());
    };
    match matched_axes(source, destination) {
        Ok(_) => Ok(()),
        Err(error) => Err(error),
    }
}

/// The plan of a pair, which functions of static layouts have.
pub const fn known<P: Copy>(plan: &'static Option<P>) -> &'static P {
    match plan {
        Some(plan) => plan,
        None => unreachable!(),
    }
}
