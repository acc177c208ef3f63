//! Where an element lies that is asked for by its coordinate, checked once.

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

/// Whether an element at `coordinate` lies in a buffer of so many units.
#[inline(always)]
fn is_inside<L: LayoutType>(layout: &L, units: usize, coordinate: &L::Coordinate) -> bool {
    let long_enough = match const { static_units::<L>() } {
        Some(needed) => units >= needed,
        // The offset is compared, as long as the buffer may be another than when the tensor was made.
        None => true,
    };
    long_enough & layout.contains(coordinate)
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
    let element = L::Element::read(units, layout.offset_of(coordinate));
    if L::STATIC.is_some() {
        // SAFETY: `read` is `None` only past the end of the buffer: elements are sealed. The offset
        // of a coordinate inside the extents lies below the layout's length: so are layout types.
        // The buffer has at least that length.
        return Some(unsafe { element.unwrap_unchecked() });
    }
    element
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
    let written = L::Element::write(units, layout.offset_of(coordinate), element);
    if L::STATIC.is_some() {
        // SAFETY: as in `read`, for `write`.
        return Some(unsafe { written.unwrap_unchecked() });
    }
    written
}

/// The index in a buffer of so many units of the whole element at `coordinate`.
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
    if is_inside(layout, units, &coordinate) {
        let offset = layout.offset_of(coordinate);
        if L::STATIC.is_some() {
            // SAFETY: the offset of a coordinate inside the extents lies below the layout's length:
            // layout types are sealed. The buffer has at least that length, counted in elements.
            unsafe { core::hint::assert_unchecked(offset < units) };
        }
        if offset < units {
            return offset;
        }
    }
    // Numbers and not the coordinate, which a call would keep in memory for every element.
    match layout.axis_outside(&coordinate) {
        Some(axis) => refuse_axis(layout, axis, coordinate.as_ref()[axis]),
        None => refuse_length(layout, units),
    }
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
/// The offset is that of a coordinate inside the extents of the layout, and the buffer has the layout's
/// length.
#[inline(always)]
pub(super) unsafe fn read_inside<L: LayoutType>(units: &[UnitOf<L>], offset: usize) -> L::Element {
    let element = L::Element::read(units, offset);
    debug_assert!(element.is_some());
    // SAFETY: `read` is `None` only past the end of the buffer: elements are sealed. The caller promises
    // that the offset is not there.
    unsafe { element.unwrap_unchecked() }
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
    let written = L::Element::write(units, offset, element);
    debug_assert!(written.is_some());
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
