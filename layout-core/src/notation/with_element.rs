//! The same layout with another element type.

use super::print::Printed;
use crate::layout::Layout;
use crate::spec::{ElementType, LayoutError, Rule};

impl Layout {
    /// Returns the layout with the same format, extents and options, and another element type.
    ///
    /// Alignments keep their number of bytes, and explicit strides their number of elements. A layout does not know
    /// whether its strides were written as a pitch, so they keep their number of elements then too; a pitch of a type
    /// or a text keeps its number of bytes.
    ///
    /// Law: `with_element(e).to_string()` is `to_string()` with the name of `e` instead of the element type, and with
    /// the same number of elements in a pitch.
    ///
    /// # Errors
    /// - Memory cannot hold an array of the new elements, a type of your own.
    /// - The fill of padding is not 0.
    /// - A row of elements of less than a byte ends inside a byte.
    /// - An alignment is not a whole number of elements.
    /// - The layout takes more than `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let image = Layout::parse("NHWC<N = 1, C = 3, H = 4, W = 5>, u8, align(W = 16)")?;
    /// let scaled = image.with_element(ElementType::F32)?;
    /// assert_eq!(scaled.to_string(), "NHWC<N = 1, C = 3, H = 4, W = 5>, f32, align(W = 16)");
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
        Printed::without_pitch(self).with_element(element)
    }
}
