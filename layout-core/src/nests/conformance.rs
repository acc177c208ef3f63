//! Checks of a layout against a layout type: elements, axes, extents, order and options.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{AxisExtent, ElementType, LayoutError, Letters, MAX_RANK, Name, Rule, permuted};

/// Returns an error unless `given` has the element type, the axes and the known extents of a type.
pub const fn check_axes(
    element: ElementType,
    axes: &[AxisExtent],
    given: &Layout,
) -> Result<(), LayoutError> {
    if !given.element().same(element) {
        return Err(LayoutError(Rule::TypeElement { needed: element, given: given.element() }));
    }
    let positions = ok!(check_extents(axes, given));
    if is_in_order(&positions, axes.len()) { Ok(()) } else { Err(error_of_axes(axes, given)) }
}

/// Returns the position in `given` of each axis of a type, or an error if axes or known extents differ.
pub const fn check_extents(
    axes: &[AxisExtent],
    given: &Layout,
) -> Result<[usize; MAX_RANK], LayoutError> {
    let mut positions = [0; MAX_RANK];
    each!(i, 0..axes.len(), {
        positions[i] = match given.letters().position(axes[i].letter) {
            Some(position) if given.rank() == axes.len() => position,
            _ => return Err(error_of_axes(axes, given)),
        };
    });
    if given.rank() != axes.len() {
        return Err(error_of_axes(axes, given));
    }
    each!(i, 0..axes.len(), {
        let AxisExtent { letter, extent } = axes[i];
        let found = given.extent(positions[i]);
        match extent.value() {
            Some(needed) if needed != found => {
                let all = given.axes_and_extents();
                let permuted = permuted(axes, all.split_at(axes.len()).0).count() > 0;
                let rule = Rule::TypeExtent { letter, needed, given: found, permuted };
                return Err(LayoutError(rule));
            }
            _ => {}
        }
    });
    Ok(positions)
}

const fn is_in_order(positions: &[usize; MAX_RANK], count: usize) -> bool {
    let mut i = 0;
    while i < count && positions[i] == i {
        i += 1;
    }
    i == count
}

const fn error_of_axes(axes: &[AxisExtent], given: &Layout) -> LayoutError {
    LayoutError(Rule::TypeAxes { needed: Letters::of(axes), given: given.letters() })
}

/// Returns an error if padding has an explicit value, whose bits would be different in another element type.
pub const fn check_fill_for_any(layout: &Layout) -> Result<(), LayoutError> {
    match layout.fill() {
        Some(bits) if bits != 0 => {
            Err(LayoutError(Rule::FillOfAnother { bits, element: layout.element() }))
        }
        _ => Ok(()),
    }
}

/// Returns an error unless a tensor of layout `given` is also a tensor of layout `needed`, without a copy. Both must
/// have the same elements, extents, offsets, buffer length and padding, and the same axes in the same order.
pub const fn check_same(needed: &Layout, given: &Layout) -> Result<(), LayoutError> {
    let axes = needed.axes_and_extents();
    ok!(check_axes(needed.element(), axes.split_at(needed.rank()).0, given));
    check_order(needed, given)
}

/// Returns an error unless two layouts of the same elements, axes and extents have the same offsets, buffer length and
/// padding.
pub const fn check_order(needed: &Layout, given: &Layout) -> Result<(), LayoutError> {
    let mut same_place =
        needed.base() == given.base() && needed.buffer.after.same(given.buffer.after);
    each!(axis, 0..needed.rank(), {
        let (digits, other) = (AxisDigits::of(needed, axis), AxisDigits::of(given, axis));
        same_place = same_place && digits.runs_like(&other);
    });
    let same_length = needed.len() == given.len();
    if same_place && !same_length {
        let (needed, given) = (needed.len(), given.len());
        return Err(LayoutError(Rule::TypeLength { needed, given }));
    }
    if same_place && same_padding(needed, given) {
        return Ok(());
    }
    Err(LayoutError(Rule::TypeOrder { needed: format_name(needed), given: format_name(given) }))
}

/// The format of the axes and blocks in memory order.
const fn format_name(layout: &Layout) -> Name {
    layout.factors(layout.buffer.explicit).name()
}

/// Whether neither layout has padding, or both have padding with the same fill.
const fn same_padding(a: &Layout, b: &Layout) -> bool {
    match (a.has_padding(), b.has_padding()) {
        (false, false) => true,
        (true, true) => match (a.fill(), b.fill()) {
            (Some(a), Some(b)) => a == b,
            (None, None) => true,
            _ => false,
        },
        _ => false,
    }
}
