//! Converts tensors element by element, without kernels.

use super::arithmetic::run;
use super::conversion::Conversion;
use super::number::{Exact, Number};
use super::plain;
use layout_core::nests::{Boxes, Pair};

/// Converts every element of the source and moves it to its offset in the destination. The caller has checked
/// `conversion` against both layouts.
pub fn convert_elements<S: Number, D: Number>(
    pair: &Pair,
    conversion: &Conversion<'_>,
    source: &[S::Unit],
    destination: &mut [D::Unit],
) {
    let mut boxes = Boxes::new(pair, conversion.axis_in(pair.destination()));
    while let Some(nest) = boxes.next() {
        let mut places = nest.places();
        while let Some(place) = places.next() {
            let Some(element) = S::read(source, place.source) else { continue };
            let arithmetic = conversion.arithmetic::<S, D, _>(place.parameter);
            let mut converted = [plain::zero::<D::Held>()];
            run::<S, D, D, Exact<S, D>>(&[element.hold()], &mut converted, &arithmetic);
            // `None` only beyond the end, where there is no coordinate.
            let _ = D::write(destination, place.destination, D::release(converted[0]));
        }
    }
}
