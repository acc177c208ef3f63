//! What every layout type has in common.

use crate::layout::Layout;
use crate::numbers::Element;
use crate::spec::{AxisExtent, LayoutError, Spec};

/// A type whose values know their layout.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a layout",
    label = "not a layout",
    note = "write `layout!(NCHW<1, 3, 224, 224>, f32)`, or a type alias for one"
)]
pub trait LayoutType: sealed::LayoutType {
    /// The element type.
    type Element: Element;

    /// One index per axis.
    type Coordinate: Copy + AsRef<[usize]> + AsMut<[usize]> + for<'a> TryFrom<&'a [usize]>;

    /// Coordinate 0 on every axis.
    #[doc(hidden)]
    const ORIGIN: Self::Coordinate;

    /// The layout, where the type alone says it.
    const STATIC: Option<Layout> = None;

    /// The axes in coordinate order with the extents that the type knows; `None` where it knows no axes.
    #[doc(hidden)]
    const AXES: Option<&'static [AxisExtent]> = None;

    /// The layout as it is written down, where the type leaves extents to run time.
    #[doc(hidden)]
    const SPEC: Option<Spec<'static>> = None;

    /// The layout.
    fn layout(&self) -> Layout;

    /// [`Layout::offset`], as fast as the type allows.
    fn offset_of(&self, coordinate: Self::Coordinate) -> usize;

    /// [`Layout::checked_offset`], as fast as the type allows.
    fn checked_offset_of(&self, coordinate: Self::Coordinate) -> Result<usize, LayoutError>;

    /// The extent of the axis at this position.
    #[doc(hidden)]
    fn extent_of(&self, axis: usize) -> usize;

    /// Whether the coordinate lies inside the extents. All axes are compared, so that a loop need not
    /// branch for each.
    #[doc(hidden)]
    #[inline(always)]
    fn contains(&self, coordinate: &Self::Coordinate) -> bool {
        let mut inside = true;
        for (axis, index) in coordinate.as_ref().iter().enumerate() {
            inside &= *index < self.extent_of(axis);
        }
        inside
    }

    /// The first axis that the coordinate leaves.
    #[doc(hidden)]
    #[inline(always)]
    fn axis_outside(&self, coordinate: &Self::Coordinate) -> Option<usize> {
        // No closure, which would need the coordinate in memory.
        for (axis, index) in coordinate.as_ref().iter().enumerate() {
            if *index >= self.extent_of(axis) {
                return Some(axis);
            }
        }
        None
    }

    /// [`Layout::units`].
    fn units(&self) -> usize;

    /// [`Layout::extents`], as many as there are axes.
    #[inline]
    fn extents(&self) -> Self::Coordinate {
        let mut extents = Self::ORIGIN;
        for (axis, extent) in extents.as_mut().iter_mut().enumerate() {
            *extent = self.extent_of(axis);
        }
        extents
    }
}

/// A layout type that is there for every element type.
pub trait WithElement: LayoutType {
    /// The same axes, format and options with elements of another type.
    type Of<E: Element>: LayoutType<Element = E, Coordinate = Self::Coordinate>;

    /// The layout of the same axes, extents, format and options with elements of type `E`, as
    /// [`Layout::with_element`] has it.
    ///
    /// # Errors
    /// As [`Layout::with_element`].
    fn with_element<E: Element>(&self) -> Result<Self::Of<E>, LayoutError>;
}

/// A layout type whose format is part of the type: extents alone make a value of it.
#[diagnostic::on_unimplemented(
    message = "the format of `{Self}` is not part of the type",
    label = "expected a layout written with `layout!`",
    note = "for a format found at run time, use `Tensor::to_format`"
)]
pub trait FormatType: LayoutType {
    /// The layout of this type over the axes and extents of `layout`.
    ///
    /// # Errors
    /// Other axes, another extent than the type has, or an extent that breaks a rule.
    fn with_extents_of(layout: &Layout) -> Result<Self, LayoutError>
    where
        Self: Sized;
}

/// A layout type whose values say nothing that the type does not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a static layout",
    label = "expected a layout whose extents are all constants",
    note = "write `layout!(NCHW<1, 3, 224, 224>, f32)`, or a type alias for one",
    note = "for extents found at run time, use `Tensor::with_layout`, `relayout_into`, and `try_tensors` of a derived relayout"
)]
pub trait StaticLayout: FormatType + Default {
    /// The layout.
    const LAYOUT: Layout;

    /// The one value of the type.
    const VALUE: Self;
}

/// The unit that buffers of a layout are made of.
pub type UnitOf<L> = <<L as LayoutType>::Element as Element>::Unit;

/// Unsafe code relies on what layout types say of themselves, so there are no others.
pub(super) mod sealed {
    pub trait LayoutType {}
}
