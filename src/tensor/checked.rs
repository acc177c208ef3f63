//! Where an element lies that is asked for by its coordinate, checked once.

use core::hint::assert_unchecked;

use crate::buffers::wrong_length;
use layout_types::spec::{LayoutError, Rule};
use layout_types::{Element, LayoutType, UnitOf};

/// The units that a buffer of the layout holds, where the type alone says it.
const fn static_units<L: LayoutType>() -> Option<usize> {
    match L::STATIC {
        Some(layout) => Some(layout.units()),
        None => None,
    }
}

/// Whether a buffer of `units` units is as long as the layout, where the type alone says how long that is.
/// Elsewhere each offset is compared, since the buffer may be shorter than when the tensor was made.
#[inline(always)]
fn is_long_enough<L: LayoutType>(units: usize) -> bool {
    match const { static_units::<L>() } {
        Some(needed) => units >= needed,
        None => true,
    }
}

/// Whether an element at `coordinate` lies in a buffer of `units` units.
#[inline(always)]
fn is_inside<L: LayoutType>(layout: &L, units: usize, coordinate: &L::Coordinate) -> bool {
    is_long_enough::<L>(units) & layout.contains(coordinate)
}

/// The element at `coordinate`, or `None` outside the extents, and where the buffer is too short.
#[inline(always)]
pub(super) fn read<L: LayoutType>(
    layout: &L,
    units: &[UnitOf<L>],
    coordinate: L::Coordinate,
) -> Option<L::Element> {
    if !is_inside(layout, units.len(), &coordinate) {
        return None;
    }
    let offset = layout.offset_of(coordinate);
    if L::STATIC.is_some() {
        // SAFETY: the coordinate lies inside the extents, and the buffer has at least the layout's length.
        return Some(unsafe { read_inside::<L>(units, offset) });
    }
    L::Element::read(units, offset)
}

/// Stores the element at `coordinate`; `None` where [`read`] is.
#[inline(always)]
pub(super) fn write<L: LayoutType>(
    layout: &L,
    units: &mut [UnitOf<L>],
    coordinate: L::Coordinate,
    element: L::Element,
) -> Option<()> {
    if !is_inside(layout, units.len(), &coordinate) {
        return None;
    }
    let offset = layout.offset_of(coordinate);
    if L::STATIC.is_some() {
        // SAFETY: as in `read`.
        unsafe { write_inside::<L>(units, offset, element) };
        return Some(());
    }
    L::Element::write(units, offset, element)
}

/// The index of the whole element at `coordinate`.
///
/// # Panics
/// Outside the extents, and where the buffer is too short.
#[inline(always)]
#[track_caller]
pub(super) fn unit_index<L>(layout: &L, units: usize, coordinate: L::Coordinate) -> usize
where
    L: LayoutType,
    L::Element: Element<Unit = L::Element>,
{
    // A branch for each axis: what a loop around leaves inside the extents, the optimizer removes.
    if let Some(axis) = layout.axis_outside(&coordinate) {
        // Numbers and not the coordinate, which a call would keep in memory for every element.
        refuse_axis(layout, axis, coordinate.as_ref()[axis])
    }
    if !is_long_enough::<L>(units) {
        refuse_length(layout, units)
    }
    let offset = layout.offset_of(coordinate);
    if L::STATIC.is_some() {
        // SAFETY: the offset of a coordinate inside the extents lies below the layout's length:
        // layout types are sealed. The buffer has at least that length, counted in elements.
        unsafe { assert_unchecked(offset < units) };
    } else if offset >= units {
        refuse_length(layout, units)
    }
    offset
}

/// Panics for an axis that the coordinate leaves.
#[cold]
#[inline(never)]
#[track_caller]
fn refuse_axis<L: LayoutType>(layout: &L, axis: usize, coordinate: usize) -> ! {
    let layout = layout.layout();
    let (letter, extent) = (layout.letters().at(axis), layout.extents()[axis]);
    LayoutError(Rule::Coordinate { letter, extent, coordinate }).panic()
}

/// Panics for a buffer that is no longer as long as it was.
#[cold]
#[inline(never)]
#[track_caller]
fn refuse_length<L: LayoutType>(layout: &L, units: usize) -> ! {
    wrong_length("buffer", layout.units(), units).panic()
}

/// The element at `offset`.
///
/// # Safety
/// The offset is that of a coordinate inside the extents of the layout, below its length: layout types are
/// sealed. The buffer has at least the layout's length.
#[inline(always)]
pub(super) unsafe fn read_inside<L: LayoutType>(units: &[UnitOf<L>], offset: usize) -> L::Element {
    // SAFETY: the caller promises it: the buffer has the layout's length. Said before `read` asks, so that
    // no comparison is left.
    unsafe { assert_unchecked(unit_of::<L>(offset) < units.len()) };
    let element = L::Element::read(units, offset);
    // SAFETY: `read` is `None` only past the end of the buffer: elements are sealed.
    unsafe { element.unwrap_unchecked() }
}

/// The unit in which an element lies.
#[inline(always)]
const fn unit_of<L: LayoutType>(offset: usize) -> usize {
    offset / const { <L::Element as Element>::TYPE.per_byte() }
}

/// Stores the element at `offset`.
///
/// # Safety
/// As [`read_inside`].
#[inline(always)]
pub(super) unsafe fn write_inside<L: LayoutType>(
    units: &mut [UnitOf<L>],
    offset: usize,
    element: L::Element,
) {
    // SAFETY: as in `read_inside`.
    unsafe { assert_unchecked(unit_of::<L>(offset) < units.len()) };
    let written = L::Element::write(units, offset, element);
    // SAFETY: as in `read_inside`, for `write`.
    unsafe { written.unwrap_unchecked() }
}

/// The error of a coordinate outside the extents, or of a buffer that is no longer as long as it was.
#[cold]
#[inline(never)]
pub(super) fn refusal<L: LayoutType>(
    layout: &L,
    coordinate: L::Coordinate,
    units: usize,
) -> LayoutError {
    match layout.checked_offset_of(coordinate) {
        Err(error) => error,
        Ok(_) => wrong_length("buffer", layout.units(), units),
    }
}
