//! Extents and pitches that are given to axes: by name, in an order, or not yet.

use super::error::LayoutError;
use super::factor::{AxisExtent, Factor, Length, Letters, MAX_RANK};
use super::rules::Rule;
use super::text::Name;

/// The letters of axes whose extents are not known.
#[doc(hidden)]
pub const fn unknown_letters(axes: &[AxisExtent]) -> Letters {
    let mut letters = Letters::EMPTY;
    each!(i, 0..axes.len(), {
        if axes[i].extent.value().is_none() {
            letters = letters.with(axes[i].letter);
        }
    });
    letters
}

/// A number that is written `_`.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Open {
    Extent,
    Pitch,
}

impl Open {
    /// The word for it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Extent => "extent",
            Self::Pitch => "pitch",
        }
    }
}

/// The axis whose pitch factor `i` is.
pub(super) const fn pitched(factors: &[Factor], i: usize) -> char {
    match factors.split_at(i).0.last() {
        Some(Factor::Axis(letter)) => *letter,
        _ => '?',
    }
}

/// The axes with a pitch and these pitches, slowest first, and their number. The entries after these are not valid.
const fn pitches(factors: &[Factor]) -> ([AxisExtent; MAX_RANK], usize) {
    let mut all = unknown_axes(Letters::EMPTY);
    let mut count = 0;
    each!(i, 0..factors.len(), {
        if let Factor::Pitch(pitch) = factors[i] {
            all[count] = AxisExtent { letter: pitched(factors, i), extent: pitch };
            count += 1;
        }
    });
    (all, count)
}

/// The axes of the pitches that are unknown, slowest first.
#[doc(hidden)]
pub const fn open_pitches(factors: &[Factor]) -> Letters {
    let (all, count) = pitches(factors);
    unknown_letters(all.split_at(count).0)
}

/// The bytes of the pitches that are unknown, slowest first, from a list of names, and their number.
///
/// # Errors
/// Those of [`complete`].
#[doc(hidden)]
pub const fn completed_pitches(
    factors: &[Factor],
    given: &[(char, usize)],
) -> Result<([usize; MAX_RANK], usize), LayoutError> {
    let (before, count) = pitches(factors);
    let mut after = before;
    ok!(complete(after.split_at_mut(count).0, Open::Pitch, given));
    let (mut numbers, mut open) = ([0; MAX_RANK], 0);
    each!(i, 0..count, {
        if let (Length::Unknown, Some(number)) = (before[i].extent, after[i].extent.value()) {
            numbers[open] = number;
            open += 1;
        }
    });
    Ok((numbers, open))
}

/// Gives each axis whose extent or pitch is unknown the one that a list of names has for it, and returns the names as
/// listed.
///
/// # Errors
/// An axis is named twice, is not there, has a number, or is missing.
#[doc(hidden)]
pub const fn complete(
    axes: &mut [AxisExtent],
    what: Open,
    given: &[(char, usize)],
) -> Result<Letters, LayoutError> {
    let unknown = unknown_letters(axes);
    let mut named = Letters::EMPTY;
    each!(i, 0..given.len(), {
        let (letter, number) = (given[i].0.to_ascii_uppercase(), given[i].1);
        let mut at = 0;
        while at < axes.len() && axes[at].letter as u32 != letter as u32 {
            at += 1;
        }
        if at == axes.len() {
            return Err(match what {
                Open::Extent => LayoutError::unknown_axis(given[i].0, unknown),
                Open::Pitch => LayoutError(Rule::NoPitch { letter, axes: unknown }),
            });
        }
        if named.position(letter).is_some() {
            return Err(LayoutError(Rule::RepeatedName { letter }));
        }
        if let Some(number) = axes[at].extent.value() {
            return Err(LayoutError(Rule::KnownNumber { what: what.name(), letter, number }));
        }
        axes[at].extent = Length::Runtime(number);
        named = named.with(letter);
    });
    let missing = unknown_letters(axes);
    if missing.count() > 0 {
        let (what, letter) = (what.name(), missing.at(0));
        return Err(LayoutError(Rule::MissingNumber { what, letter }));
    }
    Ok(named)
}

/// The axes of `b` that have the extents of `a`, in the order of `a`: none unless both lists, which are equally long,
/// have the same extents in different orders.
pub(crate) const fn permuted(a: &[AxisExtent], b: &[AxisExtent]) -> Letters {
    let (mut taken, mut letters) = ([false; MAX_RANK], Letters::EMPTY);
    each!(i, 0..a.len(), {
        let Some(extent) = a[i].extent.value() else { return Letters::EMPTY };
        let mut k = 0;
        while k < b.len()
            && (taken[k] || !matches!(b[k].extent.value(), Some(other) if other == extent))
        {
            k += 1;
        }
        if k == b.len() {
            return Letters::EMPTY;
        }
        taken[k] = true;
        letters = letters.with(b[k].letter);
    });
    letters
}

/// The axes of this order with unknown extents. Only the first entries are valid.
pub(crate) const fn unknown_axes(order: Letters) -> [AxisExtent; MAX_RANK] {
    let mut axes = [AxisExtent { letter: 'A', extent: Length::Unknown }; MAX_RANK];
    each!(i, 0..order.count(), {
        axes[i].letter = order.at(i);
    });
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
    each!(i, 0..extents.len(), {
        axes[i].extent = Length::Runtime(extents[i]);
    });
    Ok(axes)
}
