//! Assembles a layout from format, options, element and extents.

use crate::layout::Layout;
use crate::spec::{AxisExtent, ElementType, Format, Rule};

use super::listed;
use super::options::{BufferPart, Fault, Options, Site, syntax};

impl Options {
    /// The layout of this format over `axes`, which are in coordinate order.
    pub(super) const fn layout(
        &self,
        format: &Format,
        element: ElementType,
        axes: &[AxisExtent],
    ) -> Result<Layout, Fault> {
        if self.strides.is_none() && self.has_digit_options() {
            return Err((syntax(Rule::PartWithoutStrides), Site::Part));
        }
        let layout = match (self.strides, self.part) {
            (None, Some(BufferPart::View { .. })) if axes.is_empty() => {
                listed::view(self, format, element, axes)
            }
            (None, Some(_)) if !axes.is_empty() => {
                return Err((syntax(Rule::PartWithoutStrides), Site::Part));
            }
            (_, Some(BufferPart::Whole { .. })) => listed::owned(self, format, element, axes),
            (Some(_), _) if self.is_view(format) => listed::view(self, format, element, axes),
            _ => self.placed(format, element, axes),
        };
        let mut layout = ok!(layout);
        if let Some(bytes) = self.alignment {
            if !bytes.is_power_of_two() || bytes < element.align() {
                let error = Rule::BufferStart { least: element.align() };
                return Err((syntax(error), Site::Alignment));
            }
            layout.buffer.set_alignment(bytes);
        }
        Ok(layout)
    }
}
