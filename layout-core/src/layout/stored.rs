//! Layouts in a storage of a chip.

use super::Layout;
use crate::spec::storages::Chip;
use crate::spec::storages::Storage;
use crate::spec::{AsFormat, ElementType, Factor, LayoutError, Spec};

impl Storage {
    /// Returns the layout of a tensor over `extents`, in coordinate order, in this storage on `chip`. It begins in
    /// lane `start`. If the storage has pieces, `width` is their width.
    ///
    /// # Errors
    /// - The numbers of the chip describe no memory.
    /// - The storage does not take the format or the element type.
    /// - A required argument is missing, or the storage does not have a given one.
    /// - The layout breaks a rule.
    ///
    /// ```
    /// use tensor_layout::chip::{Chip, Storage};
    /// use tensor_layout::ElementType;
    ///
    /// let (chip, storage) = (Chip::named("bm1684x")?, Storage::named("aligned")?);
    /// let layout = storage.layout(chip, "NCHW", &[2, 3, 4, 5], ElementType::F16, 2, None)?;
    /// let lanes = layout.lanes().expect("channels are distributed over lanes");
    /// assert_eq!(lanes.strides().as_deref(), Some(&[32, 32, 5, 1][..]));
    /// assert_eq!(lanes.place(&[1, 2, 0, 1])?.lane, 4);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn layout(
        &self,
        chip: &Chip,
        format: impl AsFormat,
        extents: &[usize],
        element: ElementType,
        start: usize,
        width: Option<usize>,
    ) -> Result<Layout, LayoutError> {
        chip.check()?;
        let format = format.as_format()?;
        let axes = self.axes(&format)?;
        if !self.takes(element) {
            return Err(self.wrong_element(element.name()));
        }
        self.check_arguments(start > 0, width.is_some())?;
        let lengths = format.axes_of(extents)?;
        let mut factors = [Factor::Align(1); Self::MOST_STEPS];
        for (factor, step) in factors.iter_mut().zip(self.steps) {
            *factor = step.factor(chip, axes, element, start, width.unwrap_or(0));
        }
        Layout::new(&Spec {
            element,
            axes: &lengths[..extents.len()],
            factors: &factors[..self.steps.len()],
            fill: self.pads().then_some(0),
        })
    }
}
