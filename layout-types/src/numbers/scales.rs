//! Scales of quantized elements, as their values ask for, and sums of integers.

use super::number::Number;
use crate::layout::Layout;
use crate::nests::{Boxes, Pair};
use crate::spec::{ElementType, LayoutError, Rule};

/// The smallest scale with which no value up to a magnitude is past what integers of type `element` hold, 0 being 0.
///
/// # Errors
/// Elements that are not signed integers: with 0 as 0 they hold half of the values, or none.
pub fn scale_of(magnitude: f64, element: ElementType) -> Result<f32, LayoutError> {
    let largest = match element.integer_range() {
        Some((low, high)) if low < 0 => high as f64,
        _ => return Err(LayoutError(Rule::UnsignedScale { element })),
    };
    if magnitude == 0.0 {
        // Nothing but zeros: any scale will do.
        return Ok(1.0);
    }
    // No smaller than what has an inverse.
    Ok(((magnitude / largest) as f32).max(f32::MIN_POSITIVE))
}

/// Raises `magnitudes`, of which each coordinate of `axis` has one, or the whole tensor, to those of its elements.
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

/// Adds to `sums`, of which each coordinate of `axis` has one, or the whole tensor, those of its elements.
///
/// # Errors
/// Elements that are not integers of up to 32 bits.
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

/// How many numbers the coordinates of `axis` have, one each, or the whole tensor.
pub fn count_of(layout: &Layout, axis: Option<usize>) -> usize {
    axis.map_or(1, |axis| layout.extents()[axis])
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
            // `None` only past the end, where no coordinate lies.
            if let Some(element) = S::read(units, place.destination) {
                visit(element, place.destination, place.parameter);
            }
        }
    }
}
