//! Extents that are given to axes: by name, in an order, or not yet.

use super::error::LayoutError;
use super::factor::{AxisExtent, Length, Letters, MAX_RANK};
use super::rules::Rule;
use super::text::Name;

/// The letters of axes whose extents are not known.
#[doc(hidden)]
pub const fn unknown_letters(axes: &[AxisExtent]) -> Letters {
    let mut letters = Letters::EMPTY;
    let mut i = 0;
    while i < axes.len() {
        if axes[i].extent.value().is_none() {
            letters = letters.with(axes[i].letter);
        }
        i += 1;
    }
    letters
}

/// Gives each axis of unknown extent the one that a list of names has for it, and returns the names as listed.
///
/// # Errors
/// An axis is named twice, is not there, has an extent, or is missing.
#[doc(hidden)]
pub const fn complete(
    axes: &mut [AxisExtent],
    extents: &[(char, usize)],
) -> Result<Letters, LayoutError> {
    let unknown = unknown_letters(axes);
    let mut named = Letters::EMPTY;
    let mut i = 0;
    while i < extents.len() {
        let (letter, extent) = (extents[i].0.to_ascii_uppercase(), extents[i].1);
        let mut at = 0;
        while at < axes.len() && axes[at].letter as u32 != letter as u32 {
            at += 1;
        }
        if at == axes.len() {
            return Err(LayoutError::unknown_axis(extents[i].0, unknown));
        }
        if named.position(letter).is_some() {
            return Err(LayoutError(Rule::RepeatedName { letter }));
        }
        if let Some(extent) = axes[at].extent.value() {
            return Err(LayoutError(Rule::KnownExtent { letter, extent }));
        }
        axes[at].extent = Length::Runtime(extent);
        named = named.with(letter);
        i += 1;
    }
    let missing = unknown_letters(axes);
    if missing.count() > 0 {
        return Err(LayoutError(Rule::MissingExtent { letter: missing.at(0) }));
    }
    Ok(named)
}

/// Whether both lists, which are equally long, have the same extents in different orders.
pub(crate) const fn are_permuted(a: &[AxisExtent], b: &[AxisExtent]) -> bool {
    let mut taken = [false; MAX_RANK];
    let mut i = 0;
    while i < a.len() {
        let Some(extent) = a[i].extent.value() else { return false };
        let mut k = 0;
        while k < b.len()
            && (taken[k] || !matches!(b[k].extent.value(), Some(other) if other == extent))
        {
            k += 1;
        }
        if k == b.len() {
            return false;
        }
        taken[k] = true;
        i += 1;
    }
    true
}

/// The axes of this order with unknown extents. Only the first entries are valid.
pub(crate) const fn unknown_axes(order: Letters) -> [AxisExtent; MAX_RANK] {
    let mut axes = [AxisExtent { letter: 'A', extent: Length::Unknown }; MAX_RANK];
    let mut i = 0;
    while i < order.count() {
        axes[i].letter = order.at(i);
        i += 1;
    }
    axes
}

/// The axes of a format in this order with these extents. Only the first entries are valid.
///
/// # Errors
/// The number of extents is not the number of axes.
pub(crate) const fn axes_in_order(
    format: Name,
    order: Letters,
    extents: &[usize],
) -> Result<[AxisExtent; MAX_RANK], LayoutError> {
    if extents.len() != order.count() {
        return Err(LayoutError(Rule::ExtentCount { format, axes: order, given: extents.len() }));
    }
    let mut axes = unknown_axes(order);
    let mut i = 0;
    while i < extents.len() {
        axes[i].extent = Length::Runtime(extents[i]);
        i += 1;
    }
    Ok(axes)
}
