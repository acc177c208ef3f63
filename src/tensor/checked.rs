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

/// An axis whose coordinates share elements.
#[inline(always)]
pub(super) fn shared_axis<L: LayoutType>(layout: &L) -> Option<char> {
    let known = const {
        match L::STATIC {
            Some(layout) => Some(layout.shared_axis()),
            None => None,
        }
    };
    known.unwrap_or_else(|| layout.layout().shared_axis())
}

/// All units of a buffer: of a static layout a slice whose length the compiler knows.
#[inline(always)]
#[track_caller]
pub(super) fn whole<L: LayoutType>(units: &[UnitOf<L>]) -> &[UnitOf<L>] {
    let Some(needed) = (const { static_units::<L>() }) else { return units };
    match units.get(..needed) {
        Some(whole) => whole,
        None => too_short(needed, units.len()),
    }
}

/// [`whole`], to be changed.
#[inline(always)]
#[track_caller]
pub(super) fn whole_mut<L: LayoutType>(units: &mut [UnitOf<L>]) -> &mut [UnitOf<L>] {
    let Some(needed) = (const { static_units::<L>() }) else { return units };
    let given = units.len();
    match units.get_mut(..needed) {
        Some(whole) => whole,
        None => too_short(needed, given),
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

/// The whole element at `coordinate`.
///
/// # Panics
/// Outside the extents, and where the buffer is too short.
#[inline(always)]
#[track_caller]
pub(super) fn element<'a, L>(
    layout: &L,
    units: &'a [L::Element],
    coordinate: L::Coordinate,
) -> &'a L::Element
where
    L: LayoutType,
    L::Element: Element<Unit = L::Element>,
{
    let offset = offset_inside(layout, units.len(), coordinate);
    if L::STATIC.is_some() {
        debug_assert!(offset < units.len());
        // By a pointer: `get_unchecked` leaves an assumption behind, which keeps loops from being vectorized.
        // SAFETY: the offset of a coordinate inside the extents lies below the layout's length:
        // layout types are sealed. The buffer has at least that length, counted in elements.
        let element = unsafe { units.as_ptr().add(offset) };
        // SAFETY: it points to an element of the slice, which lives as long as the reference.
        return unsafe { &*element };
    }
    match units.get(offset) {
        Some(element) => element,
        None => refuse_length(layout, units.len()),
    }
}

/// [`element`], to be changed.
///
/// # Panics
/// As [`element`].
#[inline(always)]
#[track_caller]
pub(super) fn element_mut<'a, L>(
    layout: &L,
    units: &'a mut [L::Element],
    coordinate: L::Coordinate,
) -> &'a mut L::Element
where
    L: LayoutType,
    L::Element: Element<Unit = L::Element>,
{
    let given = units.len();
    let offset = offset_inside(layout, given, coordinate);
    if L::STATIC.is_some() {
        debug_assert!(offset < given);
        // SAFETY: as in `element`.
        let element = unsafe { units.as_mut_ptr().add(offset) };
        // SAFETY: as in `element`, and the slice is borrowed for as long as the reference.
        return unsafe { &mut *element };
    }
    match units.get_mut(offset) {
        Some(element) => element,
        None => refuse_length(layout, given),
    }
}

/// The offset of `coordinate`; of a static layout one that lies in the buffer.
///
/// # Panics
/// Outside the extents, and where the type says how long the buffer must be and it is shorter.
#[inline(always)]
#[track_caller]
fn offset_inside<L: LayoutType>(layout: &L, units: usize, coordinate: L::Coordinate) -> usize {
    // A branch for each axis: what a loop around leaves inside the extents, the optimizer removes.
    if let Some(axis) = layout.axis_outside(&coordinate) {
        // Numbers and not the coordinate, which a call would keep in memory for every element.
        refuse_axis(layout, axis, coordinate.as_ref()[axis])
    }
    if !is_long_enough::<L>(units) {
        refuse_length(layout, units)
    }
    layout.offset_of(coordinate)
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

/// Panics for a buffer of `given` units where a layout takes `needed`.
#[cold]
#[inline(never)]
#[track_caller]
fn too_short(needed: usize, given: usize) -> ! {
    wrong_length("buffer", needed, given).panic()
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
