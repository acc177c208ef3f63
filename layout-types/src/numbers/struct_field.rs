//! Elements as fields of structs.

use super::elements::{Element, SubByteElement};

/// A type of a field of a struct that holds elements of type `E`: `E`, an array of them, or bytes with elements of less
/// than a byte.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` does not hold elements of type `{E}`",
    label = "the record has elements of type `{E}`",
    note = "write `{E}`, an array of it, or bytes for elements of less than a byte"
)]
pub trait StructField<E> {}

impl<E: Element> StructField<E> for E {}

impl<E: Element, const N: usize> StructField<E> for [E; N] {}

impl<E: SubByteElement, const N: usize> StructField<E> for [u8; N] {}
