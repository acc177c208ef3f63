//! What every layout type has in common.

use crate::layout::Layout;
use crate::numbers::Element;
use crate::spec::{LayoutError, Spec};

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
    type Coordinate: Copy + AsRef<[usize]> + for<'a> TryFrom<&'a [usize]>;

    /// The layout, where the type alone says it.
    const STATIC: Option<Layout> = None;

    /// The layout as it is written down, where the type leaves extents to run time.
    #[doc(hidden)]
    const SPEC: Option<Spec<'static>> = None;

    /// The layout.
    fn layout(&self) -> Layout;

    /// [`Layout::offset`], as fast as the type allows.
    fn offset_of(&self, coordinate: Self::Coordinate) -> usize;

    /// [`Layout::checked_offset`], as fast as the type allows.
    fn checked_offset_of(&self, coordinate: Self::Coordinate) -> Result<usize, LayoutError>;

    /// [`Layout::units`].
    fn units(&self) -> usize;
}

/// A layout type whose values say nothing that the type does not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a static layout",
    label = "expected a layout whose extents are all constants",
    note = "write `layout!(NCHW<1, 3, 224, 224>, f32)`, or a type alias for one",
    note = "for extents found at run time, use `Tensor::with_layout` and `relayout_into`"
)]
pub trait StaticLayout: LayoutType + Default {
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
