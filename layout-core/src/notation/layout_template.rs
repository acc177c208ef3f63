//! Layouts some of whose extents or pitches are not known yet: text with `_`.

use super::options::Options;
use crate::layout::Layout;
use crate::spec::{
    AxisExtent, ElementType, Format, LayoutError, Letters, MAX_RANK, Open, complete,
    completed_pitches, open_pitches, unknown_axes, unknown_letters,
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
    pub(super) format: Format,
    pub(super) element: ElementType,
    /// The axes in coordinate order. Before the extents are there, no number is known.
    pub(super) axes: [AxisExtent; MAX_RANK],
    pub(super) options: Options,
}

impl LayoutTemplate {
    /// The template of a format without options and extents.
    pub(super) const fn new(format: &Format, element: ElementType) -> Self {
        let axes = unknown_axes(Letters::EMPTY);
        Self { format: *format, element, axes, options: Options::NONE }
    }

    /// The template over these axes, in this coordinate order.
    pub(super) const fn over(&self, axes: &[AxisExtent]) -> Self {
        let mut new = *self;
        new.options.coordinates = Some(Letters::of(axes));
        each!(axis, 0..axes.len(), {
            new.axes[axis] = axes[axis];
        });
        new
    }

    /// The letters of the axes in coordinate order.
    pub const fn letters(&self) -> Letters {
        match self.options.coordinates {
            Some(order) => order,
            None => self.format.coordinate_order(),
        }
    }

    /// The axes in coordinate order.
    #[doc(hidden)]
    pub const fn axes(&self) -> &[AxisExtent] {
        self.axes.split_at(self.letters().count()).0
    }

    /// The position of an axis in memory order.
    pub(super) const fn memory(&self, letter: char) -> usize {
        match self.format.axes().position(letter) {
            Some(axis) => axis,
            None => 0,
        }
    }

    /// Whether an axis is broadcast.
    pub(super) const fn is_broadcast(&self, letter: char) -> bool {
        match self.format.axes().position(letter) {
            Some(axis) => self.options.broadcast[axis],
            None => false,
        }
    }

    /// The element type.
    pub const fn element(&self) -> ElementType {
        self.element
    }

    /// The extent of an axis, or `None` if it is not known, or if there is no such axis.
    pub const fn extent(&self, axis: char) -> Option<usize> {
        match self.letters().position(axis.to_ascii_uppercase()) {
            Some(at) => self.axes[at].extent.value(),
            None => None,
        }
    }

    /// The axes whose extents are not known, in coordinate order.
    pub const fn unknown(&self) -> Letters {
        unknown_letters(self.axes())
    }

    /// The axes whose pitches are not known, slowest first.
    pub const fn unknown_pitches(&self) -> Letters {
        match self.assembly() {
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
        let mut all = *self;
        ok!(complete(all.axes.split_at_mut(self.letters().count()).0, Open::Extent, extents));
        let assembly = ok!(placed all.assembly());
        let (numbers, count) = ok!(completed_pitches(assembly.factors(), pitches));
        Layout::with_pitches(&assembly.spec(&all), numbers.split_at(count).0)
    }
}

debug_as_display!(LayoutTemplate);
