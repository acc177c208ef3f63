//! The same layout of elements of another type.

use super::print::Printed;
use crate::layout::Layout;
use crate::spec::{ElementType, LayoutError, Rule};

impl Layout {
    /// The same format, extents and options with elements of another type: what the layout prints as, with
    /// the other element type in it.
    ///
    /// Alignments stay as many bytes, explicit strides as many elements.
    ///
    /// Law: `with_element(e).to_string()` is `to_string()` with the name of `e` in place of the element type.
    ///
    /// # Errors
    /// Padding that holds another value than 0, rows of elements of less than a byte that end inside a byte, alignments
    /// that are not whole elements, or more bytes than a buffer can have.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let image = Layout::parse("NHWC<1, 3, 4, 5>, u8, align(W = 16)")?;
    /// let scaled = image.with_element(ElementType::F32)?;
    /// assert_eq!(scaled.to_string(), "NHWC<1, 3, 4, 5>, f32, align(W = 16)");
    /// assert_eq!((image.len(), scaled.len()), (320, 80));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_element(&self, element: ElementType) -> Result<Self, LayoutError> {
        match self.fill() {
            Some(bits) if bits != 0 => {
                return Err(LayoutError(Rule::FillOfAnother { bits, element: self.element() }));
            }
            _ => {}
        }
        Printed::of(self).with_element(element)
    }
}
