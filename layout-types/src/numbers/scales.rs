//! Scales for the values of a tensor, and sums of integers.

use super::number::Number;
use layout_core::Layout;
use layout_core::nests::{Boxes, Pair};
use layout_core::spec::{ElementType, LayoutError, Rule};

/// Returns the smallest scale with which integers of type `element` hold all values up to `magnitude`. The zero point
/// is 0.
///
/// # Errors
/// The type is not a signed integer. With zero point 0, other types could hold half of the values, or none.
pub fn scale_of(magnitude: f64, element: ElementType) -> Result<f32, LayoutError> {
    let largest = match element.integer_range() {
        Some((low, high)) if low < 0 => high as f64,
        _ => return Err(LayoutError(Rule::UnsignedScale { element })),
    };
    if magnitude == 0.0 {
        // All values are 0, so any scale works.
        return Ok(1.0);
    }
    // A smaller scale would have no finite inverse.
    Ok(((magnitude / largest) as f32).max(f32::MIN_POSITIVE))
}

/// Raises `magnitudes` to the largest magnitudes of the elements: one for each coordinate of `axis`, or one for the
/// whole tensor.
///
/// # Errors
/// The offset of an element that is not finite.
pub fn raise_magnitudes<S: Number>(
    pair: &Pair,
    axis: Option<usize>,
    units: &[S::Unit],
    magnitudes: &mut [f64],
) -> Result<(), usize> {
    let mut infinite = None;
    for_each::<S>(pair, axis, units, |element, offset, coordinate| {
        let value = S::to_f64(element.hold());
        match magnitudes.get_mut(coordinate) {
            Some(magnitude) if value.is_finite() => *magnitude = magnitude.max(value.abs()),
            _ => infinite = infinite.or(Some(offset)),
        }
    });
    infinite.map_or(Ok(()), Err)
}

/// Adds the elements to `sums`: one sum for each coordinate of `axis`, or one for the whole tensor.
///
/// # Errors
/// The elements are not integers of up to 32 bits.
pub fn add_sums<S: Number>(
    pair: &Pair,
    axis: Option<usize>,
    units: &[S::Unit],
    sums: &mut [i64],
) -> Result<(), LayoutError> {
    if S::TYPE.bits() > 32 || !S::INTEGER {
        return Err(LayoutError(Rule::SumElement { element: S::TYPE }));
    }
    for_each::<S>(pair, axis, units, |element, _, coordinate| {
        if let Some(sum) = sums.get_mut(coordinate) {
            *sum += S::clamped_bits(element.hold(), S::RANGE) as i64;
        }
    });
    Ok(())
}

/// Returns how many numbers there are if each coordinate of `axis` has one: 1 without an axis.
///
/// # Errors
/// There are many, and no elements. An extent next to one of 0 takes no memory, and so it may be any number.
pub fn count_of(layout: &Layout, axis: Option<usize>) -> Result<usize, LayoutError> {
    const MOST_OF_NONE: usize = 1 << 16;

    let Some(axis) = axis else { return Ok(1) };
    let extent = layout.extents()[axis];
    if layout.numel() == 0 && extent > MOST_OF_NONE {
        return Err(LayoutError(Rule::NumberForEach { letter: layout.letters().at(axis), extent }));
    }
    Ok(extent)
}

/// Calls `visit` with each element of a pair's destination, its offset and its coordinate of `axis`.
fn for_each<S: Number>(
    pair: &Pair,
    axis: Option<usize>,
    units: &[S::Unit],
    mut visit: impl FnMut(S, usize, usize),
) {
    let mut boxes = Boxes::new(pair, axis);
    while let Some(nest) = boxes.next() {
        let mut places = nest.places();
        while let Some(place) = places.next() {
            // `None` only beyond the end, where there is no coordinate.
            if let Some(element) = S::read(units, place.destination) {
                visit(element, place.destination, place.parameter);
            }
        }
    }
}
