//! The common interface of all layout types.

use crate::numbers::Element;
use layout_core::Layout;
use layout_core::spec::{AxisExtent, LayoutError, Spec};

/// A type whose values have a layout.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a layout type",
    label = "not a layout type",
    note = "write `layout!(NCHW<1, 3, 224, 224>, f32)`, or a type alias for one",
    note = "a `Layout`, a value known at run time, becomes one by `Dynamic::<f32, 4>::try_from(layout)?`"
)]
pub trait LayoutType: sealed::LayoutType {
    /// The element type.
    type Element: Element;

    /// An array with one index for each axis.
    type Coordinate: Copy + AsRef<[usize]> + AsMut<[usize]> + for<'a> TryFrom<&'a [usize]>;

    /// The coordinate with index 0 on every axis.
    #[doc(hidden)]
    const ORIGIN: Self::Coordinate;

    /// The layout, if the type alone determines it.
    const STATIC: Option<Layout> = None;

    /// The axes in coordinate order with the extents that the type knows, or `None` if it knows no axes.
    #[doc(hidden)]
    const AXES: Option<&'static [AxisExtent]> = None;

    /// The spec of the layout, if the type leaves extents to run time.
    #[doc(hidden)]
    const SPEC: Option<Spec<'static>> = None;

    /// Returns the layout.
    fn layout(&self) -> Layout;

    /// [`Layout::offset`], as fast as the type allows.
    fn offset_of(&self, coordinate: Self::Coordinate) -> usize;

    /// [`Layout::checked_offset`], as fast as the type allows.
    fn checked_offset_of(&self, coordinate: Self::Coordinate) -> Result<usize, LayoutError>;

    /// The extent of the axis at this position.
    #[doc(hidden)]
    fn extent_of(&self, axis: usize) -> usize;

    /// The letter of the axis at this position.
    #[doc(hidden)]
    fn letter_of(&self, axis: usize) -> char;

    /// Whether the coordinate is inside the extents. It compares all axes, so that a loop need not branch for each of
    /// them.
    #[doc(hidden)]
    #[inline(always)]
    fn contains(&self, coordinate: &Self::Coordinate) -> bool {
        let mut inside = true;
        for (axis, index) in coordinate.as_ref().iter().enumerate() {
            inside &= *index < self.extent_of(axis);
        }
        inside
    }

    /// The first axis on which the coordinate is out of bounds.
    #[doc(hidden)]
    #[inline(always)]
    fn axis_outside(&self, coordinate: &Self::Coordinate) -> Option<usize> {
        // A closure would need the coordinate in memory.
        for (axis, index) in coordinate.as_ref().iter().enumerate() {
            if *index >= self.extent_of(axis) {
                return Some(axis);
            }
        }
        None
    }

    /// [`Layout::units`].
    fn units(&self) -> usize;

    /// [`Layout::extents`], as an array of `RANK` extents.
    #[inline]
    fn extents(&self) -> Self::Coordinate {
        let mut extents = Self::ORIGIN;
        for (axis, extent) in extents.as_mut().iter_mut().enumerate() {
            *extent = self.extent_of(axis);
        }
        extents
    }
}

/// A layout type that exists for every element type.
pub trait WithElement: LayoutType {
    /// The same axes, format and options with elements of another type.
    type Of<E: Element>: LayoutType<Element = E, Coordinate = Self::Coordinate>;

    /// Returns the layout of the same axes, extents, format and options with elements of type `E`. See
    /// [`Layout::with_element`]. A pitch of a type keeps its number of bytes; a [`Layout`] does not know whether its
    /// strides were written as a pitch, so they keep their number of elements.
    ///
    /// # Errors
    /// The errors of [`Layout::with_element`].
    ///
    /// ```
    /// use tensor_layout::{ElementType, WithElement, layout};
    ///
    /// type Rows = layout!(HW<3, 100>, u8, pitch(H = 512));
    ///
    /// let floats = Rows::default().with_element::<f32>()?;
    /// assert_eq!(floats.to_string(), "HW<3, 100>, f32, pitch(H = 512)");
    /// let value = Rows::LAYOUT.with_element(ElementType::F32)?;
    /// assert_eq!(value.to_string(), "HW<3, 100>, f32, pitch(H = 2048)");
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    fn with_element<E: Element>(&self) -> Result<Self::Of<E>, LayoutError>;
}

/// A layout type whose format is part of the type, so that extents alone make a value of it.
#[diagnostic::on_unimplemented(
    message = "the format of `{Self}` is not part of the type",
    label = "expected a layout written with `layout!`",
    note = "for a format found at run time, use `Tensor::to_format`"
)]
pub trait FormatType: LayoutType {
    /// Returns the layout of this type over the axes and extents of `layout`.
    ///
    /// # Errors
    /// - The axes differ from those of the type.
    /// - An extent differs from that of the type, or breaks a rule.
    fn with_extents_of(layout: &Layout) -> Result<Self, LayoutError>
    where
        Self: Sized;
}

/// A layout type whose values hold nothing that the type does not determine.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a static layout",
    label = "expected a layout whose extents are all constants",
    note = "write `layout!(NCHW<1, 3, 224, 224>, f32)`, or a type alias for one",
    note = "for extents found at run time, use `Tensor::with_layout`, `zeroed_in`, `from_fn_in`, `relayout_into`, and `try_run` of a derived relayout"
)]
pub trait StaticLayout: FormatType + Default {
    /// The layout.
    const LAYOUT: Layout;

    /// The one value of the type.
    const VALUE: Self;
}

/// The unit of the buffers of a layout.
pub type UnitOf<L> = <<L as LayoutType>::Element as Element>::Unit;

/// Unsafe code relies on the implementations of these traits, so they are sealed.
pub(super) mod sealed {
    pub trait LayoutType {}
    pub trait Operation {}
    pub trait Coordinate {}
    pub trait ExtentList {}
    pub trait Order {}

    /// Nested arrays of the axes at `Positions`, which are types of this crate.
    pub trait Rows<Positions> {}
    pub trait Positions {}
    impl Positions for () {}
    impl<First, Others: Positions> Positions for (First, Others) {}
}
