//! Layouts some of whose extents or pitches are not known yet: text with `_`.

use core::fmt;
use core::str::FromStr;

use super::error::NotationError;
use super::options::Options;
use super::read::{Mode, Reader};
use super::sentence::Sentence;
use crate::layout::Layout;
use crate::spec::{
    AxisExtent, ElementType, Format, LayoutError, Letters, MAX_RANK, Open, complete,
    completed_pitches, open_pitches, unknown_letters,
};

/// A layout whose extents and pitches are not all known yet, as `layout!` has it with `_`: what a configuration file
/// says of a tensor whose batch, size or distance of rows comes later.
///
/// ```
/// use tensor_layout::{Layout, LayoutTemplate};
///
/// let frames = LayoutTemplate::parse("NHWC<N = _, C = 3, H = _, W = 640>, u8, align(H = 64)")?;
/// assert_eq!(frames.unknown().as_str(), "NH");
///
/// let two = frames.with_extents(&[('N', 2), ('H', 480)])?;
/// assert_eq!(two, Layout::parse("NHWC<N = 2, C = 3, H = 480, W = 640>, u8, align(H = 64)")?);
/// assert_eq!(frames.to_string().parse(), Ok(frames));
///
/// let camera = LayoutTemplate::parse("HWC<H = 480, W = _, C = 3>, u8, pitch(H = _)")?;
/// assert_eq!((camera.unknown().as_str(), camera.unknown_pitches().as_str()), ("W", "H"));
/// let frame = camera.with_extents_and_pitches(&[('W', 640)], &[('H', 2048)])?;
/// assert_eq!(frame, Layout::parse("HWC<H = 480, W = 640, C = 3>, u8, pitch(H = 2048)")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LayoutTemplate {
    format: Format,
    element: ElementType,
    order: Letters,
    /// The axes in coordinate order.
    axes: [AxisExtent; MAX_RANK],
    options: Options,
}

impl LayoutTemplate {
    /// Parses the notation of [`layout!`](crate), with `_` for extents and pitches that are not known. A text without
    /// `_` is a template too.
    ///
    /// Law: `LayoutTemplate::parse(&template.to_string()) == Ok(template)`.
    ///
    /// # Errors
    /// The text is not a layout, or the layout breaks a rule whatever its unknown numbers are.
    #[inline]
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the piece of text")]
    pub const fn parse(text: &str) -> Result<Self, NotationError> {
        let mut reader = Reader::<1>::new(text, Mode::Text);
        reader.read();
        let draft = &reader.draft;
        let fault = match (reader.faults, draft.broken()) {
            ([Some(fault)], _) => Some(fault),
            ([None], Some((error, site))) => Some((error, draft.span(site))),
            ([None], None) => None,
        };
        if let Some((error, span)) = fault {
            return Err(NotationError::new(error, text, span));
        }
        let (format, element, order) = (draft.format, draft.element, draft.order);
        let mut options = draft.options;
        options.coordinates = Some(order);
        Ok(Self { format, element, order, axes: draft.axes, options })
    }

    /// The letters of the axes in coordinate order.
    pub const fn letters(&self) -> Letters {
        self.order
    }

    /// The element type.
    pub const fn element(&self) -> ElementType {
        self.element
    }

    /// The extent of an axis, or `None` if it is not known, or if there is no such axis.
    pub const fn extent(&self, axis: char) -> Option<usize> {
        match self.order.position(axis.to_ascii_uppercase()) {
            Some(at) => self.axes[at].extent.value(),
            None => None,
        }
    }

    /// The axes whose extents are not known, in coordinate order.
    pub const fn unknown(&self) -> Letters {
        unknown_letters(self.axes.split_at(self.order.count()).0)
    }

    /// The axes whose pitches are not known, slowest first.
    pub const fn unknown_pitches(&self) -> Letters {
        let axes = self.axes.split_at(self.order.count()).0;
        match self.options.assembly(&self.format, self.element, axes) {
            Ok(assembly) => open_pitches(assembly.factors()),
            // The template was checked.
            Err(_) => unreachable!(),
        }
    }

    /// Returns the layout with these extents for the axes that are not known, by their letters, in any order. They may
    /// be 0.
    ///
    /// # Errors
    /// - An axis is named twice, is not one of [`unknown`](Self::unknown), or is missing.
    /// - A pitch is not known.
    /// - The layout breaks a rule.
    pub const fn with_extents(&self, extents: &[(char, usize)]) -> Result<Layout, LayoutError> {
        self.with_extents_and_pitches(extents, &[])
    }

    /// Returns the layout with these extents, and with these pitches in bytes, for those that are not known, by the
    /// letters of their axes, in any order.
    ///
    /// # Errors
    /// - An axis is named twice, its number is known or not there, or one that is not known is missing.
    /// - The layout breaks a rule.
    pub const fn with_extents_and_pitches(
        &self,
        extents: &[(char, usize)],
        pitches: &[(char, usize)],
    ) -> Result<Layout, LayoutError> {
        let mut axes = self.axes;
        let axes = axes.split_at_mut(self.order.count()).0;
        ok!(complete(axes, Open::Extent, extents));
        let assembly = ok!(placed self.options.assembly(&self.format, self.element, axes));
        let (numbers, count) = ok!(completed_pitches(assembly.factors(), pitches));
        let spec = assembly.spec(self.element, axes);
        Layout::with_pitches(&spec, numbers.split_at(count).0)
    }
}

/// Writes text that [`LayoutTemplate::parse`] reads.
impl fmt::Display for LayoutTemplate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axes = &self.axes[..self.order.count()];
        let Self { format, element, options, .. } = self;
        Sentence { format, axes, element: *element, options }.fmt(formatter)
    }
}

debug_as_display!(LayoutTemplate);

/// See [`LayoutTemplate::parse`].
impl FromStr for LayoutTemplate {
    type Err = NotationError;

    #[inline]
    fn from_str(text: &str) -> Result<Self, NotationError> {
        Self::parse(text)
    }
}
