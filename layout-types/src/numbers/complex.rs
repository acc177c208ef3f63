//! Complex numbers as elements.

use layout_core::spec::ElementType;

use super::elements::Element;
#[cfg(feature = "num-complex")]
use super::elements::PlainElement;
#[cfg(feature = "num-complex")]
use super::plain::Plain;

/// Pairs of numbers, real part first.
#[cfg(feature = "num-complex")]
impl<T> PlainElement for num_complex::Complex<T> where num_complex::Complex<T>: Plain {}

/// Returns the type of both parts of complex numbers of 32-bit or 64-bit floats. `None` for all other elements.
pub fn complex_part<E: Element>() -> Option<ElementType> {
    #[cfg(feature = "num-complex")]
    {
        use core::any::TypeId;
        use num_complex::Complex;

        let element = TypeId::of::<E>();
        if element == TypeId::of::<Complex<f32>>() {
            return Some(ElementType::F32);
        }
        if element == TypeId::of::<Complex<f64>>() {
            return Some(ElementType::F64);
        }
    }
    None
}
