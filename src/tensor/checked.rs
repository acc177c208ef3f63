//! Checked access to an element by its coordinate.

use core::hint::assert_unchecked;

use crate::buffers::{refuse_length, wrong_length};
use layout_types::spec::{LayoutError, broken};
use layout_types::{Element, LayoutType, UnitOf, WholeElement};

/// Returns the number of units in a buffer of the layout, if the type alone determines it.
const fn static_units<L: LayoutType>() -> Option<usize> {
    match L::STATIC {
        Some(layout) => Some(layout.units()),
        None => None,
    }
}

/// Whether a buffer of `units` units is as long as a layout whose type alone determines the length. For other layouts
/// each offset is compared instead, since the buffer may have become shorter since the tensor was made.
#[inline(always)]
fn is_long_enough<L: LayoutType>(units: usize) -> bool {
    match const { static_units::<L>() } {
        Some(needed) => units >= needed,
        None => true,
    }
}

/// Returns an axis whose coordinates share elements.
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

/// Returns all units of a buffer. For a static layout, the compiler knows the length of the slice.
#[inline(always)]
#[track_caller]
pub(super) fn whole<L: LayoutType>(units: &[UnitOf<L>]) -> &[UnitOf<L>] {
    let Some(needed) = (const { static_units::<L>() }) else { return units };
    match units.get(..needed) {
        Some(whole) => whole,
        None => refuse_length("buffer", needed, units.len()),
    }
}

/// The mutable version of [`whole`].
#[inline(always)]
#[track_caller]
pub(super) fn whole_mut<L: LayoutType>(units: &mut [UnitOf<L>]) -> &mut [UnitOf<L>] {
    let Some(needed) = (const { static_units::<L>() }) else { return units };
    let given = units.len();
    match units.get_mut(..needed) {
        Some(whole) => whole,
        None => refuse_length("buffer", needed, given),
    }
}

/// Whether an element at `coordinate` lies in a buffer of `units` units.
#[inline(always)]
fn is_inside<L: LayoutType>(layout: &L, units: usize, coordinate: &L::Coordinate) -> bool {
    is_long_enough::<L>(units) & layout.contains(coordinate)
}

/// Returns the element at `coordinate`, or `None` if the coordinate lies outside the extents or the buffer is too
/// short.
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
        // SAFETY: the coordinate was checked to lie inside the extents, and the buffer to have at least the layout's
        // length.
        return Some(unsafe { read_inside::<L>(units, offset) });
    }
    L::Element::read(units, offset)
}

/// Stores the element at `coordinate`. Returns `None` in the same cases as [`read`].
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
        // SAFETY: the same checks as in `read`.
        unsafe { write_inside::<L>(units, offset, element) };
        return Some(());
    }
    L::Element::write(units, offset, element)
}

/// Returns a reference to the element at `coordinate`, which takes a whole unit.
///
/// # Panics
/// If the coordinate lies outside the extents or the buffer is too short.
#[inline(always)]
#[track_caller]
pub(super) fn element<'a, L: LayoutType<Element: WholeElement>>(
    layout: &L,
    units: &'a [L::Element],
    coordinate: L::Coordinate,
) -> &'a L::Element {
    let offset = offset_inside(layout, units.len(), coordinate);
    if L::STATIC.is_some() {
        debug_assert!(offset < units.len());
        // A pointer is faster than `get_unchecked`, whose assumption about the index keeps loops from being
        // vectorized.
        // SAFETY: layout types are sealed, so the offset of a coordinate inside the extents is less than the layout's
        // length. The buffer has at least that length, counted in elements.
        let element = unsafe { units.as_ptr().add(offset) };
        // SAFETY: the pointer points to an element of the slice, which outlives the reference.
        return unsafe { &*element };
    }
    match units.get(offset) {
        Some(element) => element,
        None => refuse_units(layout, units.len()),
    }
}

/// The mutable version of [`element`].
///
/// # Panics
/// The same as [`element`].
#[inline(always)]
#[track_caller]
pub(super) fn element_mut<'a, L: LayoutType<Element: WholeElement>>(
    layout: &L,
    units: &'a mut [L::Element],
    coordinate: L::Coordinate,
) -> &'a mut L::Element {
    let given = units.len();
    let offset = offset_inside(layout, given, coordinate);
    if L::STATIC.is_some() {
        debug_assert!(offset < given);
        // SAFETY: the same proof as in `element`.
        let element = unsafe { units.as_mut_ptr().add(offset) };
        // SAFETY: the same proof as in `element`; the slice stays mutably borrowed as long as the reference.
        return unsafe { &mut *element };
    }
    match units.get_mut(offset) {
        Some(element) => element,
        None => refuse_units(layout, given),
    }
}

/// Returns the offset of `coordinate`. For a static layout, the offset lies in the buffer.
///
/// # Panics
/// - If the coordinate lies outside the extents.
/// - If the layout is static and the buffer is shorter than the layout.
#[inline(always)]
#[track_caller]
fn offset_inside<L: LayoutType>(layout: &L, units: usize, coordinate: L::Coordinate) -> usize {
    // One branch for each axis, so that the optimizer can remove those that the surrounding loops decide.
    if let Some(axis) = layout.axis_outside(&coordinate) {
        // Passes numbers, since passing the coordinate to a call would keep it in memory for every element.
        refuse_axis(layout, axis, coordinate.as_ref()[axis])
    }
    if !is_long_enough::<L>(units) {
        refuse_units(layout, units)
    }
    layout.offset_of(coordinate)
}

/// Panics because the coordinate leaves this axis.
#[cold]
#[inline(never)]
#[track_caller]
fn refuse_axis<L: LayoutType>(layout: &L, axis: usize, coordinate: usize) -> ! {
    let (letter, extent) = (layout.letter_of(axis), layout.extent_of(axis));
    // A list of letters would be most of what the check takes in firmware.
    panic!("{}", broken::OutOfBounds { letter, extent, coordinate })
}

/// Panics because the buffer has become shorter than the layout.
#[cold]
#[inline(never)]
#[track_caller]
fn refuse_units<L: LayoutType>(layout: &L, units: usize) -> ! {
    refuse_length("buffer", layout.units(), units)
}

/// Returns the element at `offset`.
///
/// # Safety
/// - The offset belongs to a coordinate inside the extents of the layout. Layout types are sealed, so it is less than
///   the layout's length.
/// - The buffer has at least the layout's length.
#[inline(always)]
pub(super) unsafe fn read_inside<L: LayoutType>(units: &[UnitOf<L>], offset: usize) -> L::Element {
    // SAFETY: the caller promises that the buffer has the layout's length and that the offset is less than it. The
    // assumption stands before `read`, so that the compiler removes the comparison in `read`.
    unsafe { assert_unchecked(unit_of::<L>(offset) < units.len()) };
    let element = L::Element::read(units, offset);
    // SAFETY: `read` returns `None` only past the end of the buffer, since element types are sealed.
    unsafe { element.unwrap_unchecked() }
}

/// Returns the unit that holds an element.
#[inline(always)]
const fn unit_of<L: LayoutType>(offset: usize) -> usize {
    offset / const { <L::Element as Element>::TYPE.per_byte() }
}

/// Stores the element at `offset`.
///
/// # Safety
/// The same as [`read_inside`].
#[inline(always)]
pub(super) unsafe fn write_inside<L: LayoutType>(
    units: &mut [UnitOf<L>],
    offset: usize,
    element: L::Element,
) {
    // SAFETY: the same promises as for `read_inside`.
    unsafe { assert_unchecked(unit_of::<L>(offset) < units.len()) };
    let written = L::Element::write(units, offset, element);
    // SAFETY: the same proof as in `read_inside`, for `write`.
    unsafe { written.unwrap_unchecked() }
}

/// Returns the error of a coordinate outside the extents, or of a buffer that has become too short.
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
