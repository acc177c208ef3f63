//! Layouts from formats and extents: the last step of a builder.

use super::builder::LayoutBuilder;
use super::layout_template::LayoutTemplate;
use crate::layout::Layout;
use crate::spec::{
    AsFormat, AxisExtent, ElementType, Format, LayoutError, Length, MAX_RANK, Open, Spec,
    axes_in_order, complete, least, unknown_axes,
};

impl Layout {
    /// Returns the layout of `format` over `extents`. Extents are in coordinate order and may be 0.
    ///
    /// [`builder`](Self::builder) takes options such as padding. [`LayoutBuilder::new`] works in constants.
    ///
    /// # Errors
    /// - The text is not a format.
    /// - The number of extents is not the number of axes.
    /// - An extent is not a multiple of its block.
    /// - The storage is larger than `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let layout = Layout::of("nChw16c", &[2, 64, 3, 3], ElementType::F16)?;
    /// assert_eq!(layout.offset(&[1, 17, 0, 2]), 576 + 144 + 2 * 16 + 1);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn of(
        format: impl AsFormat,
        extents: &[usize],
        element: ElementType,
    ) -> Result<Self, LayoutError> {
        let format = format.as_format()?;
        let axes = &format.axes_of(extents)?[..extents.len()];
        Self::new(&Spec { element, axes, factors: format.factors(), fill: None })
    }

    /// Returns a builder of layouts with options.
    ///
    /// If the text is not a format, [`LayoutBuilder::extents`] returns the error.
    pub fn builder(format: impl AsFormat, element: ElementType) -> LayoutBuilder {
        match format.as_format() {
            Ok(format) => LayoutBuilder::new(&format, element),
            Err(error) => LayoutBuilder::new(&Format::SCALAR, element).with_error(error),
        }
    }
}

impl LayoutBuilder {
    /// Returns the layout over `extents`, which are in coordinate order and may be 0.
    ///
    /// # Errors
    /// - An option names an axis that the format does not have, or names an axis twice.
    /// - The number of extents or strides is not the number of axes.
    /// - A broadcast axis has a stride.
    /// - The layout breaks a rule: an extent is not a multiple of its block, for example.
    pub const fn extents(&self, extents: &[usize]) -> Result<Layout, LayoutError> {
        let order = self.template.letters();
        match axes_in_order(self.template.format.name(), order, extents) {
            Ok(axes) => self.finished(axes.split_at(order.count()).0),
            Err(error) => Err(if let Some(first) = self.error { first } else { error }),
        }
    }

    /// Returns the layout over named axes. `axes` lists each axis with its extent, in any order. Coordinates are in the
    /// [coordinate order](Format::coordinate_order) of the format, or in that of [`coordinates`](Self::coordinates).
    ///
    /// # Errors
    /// - The errors of [`extents`](Self::extents).
    /// - `axes` has an axis that the format does not have, or lacks one that it has.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let of = |format, axes: &[_]| Layout::builder(format, ElementType::U8).named_extents(axes);
    /// let image = of("NHWC", &[('N', 1), ('H', 4), ('W', 6), ('C', 3)])?;
    /// assert_eq!(image.extents(), [1, 3, 4, 6]); // n, c, h, w
    /// let heads = of("BSHD", &[('B', 1), ('H', 4), ('S', 5), ('D', 8)])?;
    /// assert_eq!(heads.extents(), [1, 5, 4, 8]); // b, s, h, d
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn named_extents(&self, axes: &[(char, usize)]) -> Result<Layout, LayoutError> {
        let order = self.template.letters();
        let mut all = unknown_axes(order);
        let all = all.split_at_mut(order.count()).0;
        match (self.error, complete(all, Open::Extent, axes)) {
            (None, Err(error)) => Err(error),
            _ => self.finished(all),
        }
    }

    /// Returns the layout over named axes, with coordinates in the order of the list.
    ///
    /// # Errors
    /// Those of [`named_extents`](Self::named_extents).
    #[doc(hidden)]
    pub const fn extents_as_listed(&self, axes: &[(char, usize)]) -> Result<Layout, LayoutError> {
        let mut new = *self;
        let letters = self.template.format.axes();
        let mut all = unknown_axes(letters);
        match complete(all.split_at_mut(letters.count()).0, Open::Extent, axes) {
            Ok(named) => new.template.options.coordinates = Some(named),
            Err(error) => new = new.with_error(error),
        }
        new.named_extents(axes)
    }

    /// Returns the layout over the axes and extents of `layout`, in its coordinate order.
    ///
    /// # Errors
    /// - The errors of [`extents`](Self::extents).
    /// - The axes of `layout` are not those of the format.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let image = Layout::parse("NHWC<N = 1, C = 3, H = 8, W = 8>, u8")?;
    /// let packed = Layout::builder("NCHW4", ElementType::U8).pad(128).extents_of(&image)?;
    /// assert_eq!(packed.to_string(), "NCHW4c<1, 3, 8, 8>, u8, pad = 128");
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn extents_of(&self, layout: &Layout) -> Result<Layout, LayoutError> {
        self.finished(layout.axes_and_extents().split_at(layout.rank()).0)
    }

    /// Returns the template over named axes: the layout before all of its numbers are known, as a text with `_` is.
    /// `axes` lists each axis with its extent, in any order, or with `None` for an extent that is not known.
    ///
    /// # Errors
    /// Those of [`named_extents`](Self::named_extents) that do not depend on numbers that are not known.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout, LayoutTemplate};
    ///
    /// let camera = Layout::builder("HWC", ElementType::U8).unknown_pitch('H');
    /// let camera = camera.template(&[('H', Some(480)), ('W', None), ('C', Some(3))])?;
    /// assert_eq!(camera.to_string(), "HWC<C = 3, H = 480, W = _>, u8, pitch(H = _)");
    /// assert_eq!(camera.to_string().parse(), Ok(camera));
    /// let frame = camera.with_extents_and_pitches(&[('W', 640)], &[('H', 2048)])?;
    /// assert_eq!(frame.len(), 479 * 2048 + 640 * 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn template(
        &self,
        axes: &[(char, Option<usize>)],
    ) -> Result<LayoutTemplate, LayoutError> {
        // One axis more than there are is one of them again, or unknown.
        let mut names = [('A', 0); MAX_RANK + 1];
        each!(i, 0..least(axes.len(), MAX_RANK + 1), {
            names[i].0 = axes[i].0;
        });
        let order = self.template.letters();
        let mut all = unknown_axes(order);
        let all = all.split_at_mut(order.count()).0;
        let names = names.split_at(least(axes.len(), MAX_RANK + 1)).0;
        match (self.error, complete(all, Open::Extent, names)) {
            (Some(error), _) | (None, Err(error)) => return Err(error),
            (None, Ok(_)) => {}
        }
        each!(i, 0..axes.len(), {
            if let Some(at) = order.position(axes[i].0.to_ascii_uppercase()) {
                all[at].extent = match axes[i].1 {
                    Some(extent) => Length::Runtime(extent),
                    None => Length::Unknown,
                };
            }
        });
        Ok(ok!(placed self.template.over(all).checked()))
    }

    const fn finished(&self, axes: &[AxisExtent]) -> Result<Layout, LayoutError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        Ok(ok!(placed self.template.over(axes).layout()))
    }
}
