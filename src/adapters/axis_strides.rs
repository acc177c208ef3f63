//! Layouts as other crates describe them: one stride for each axis.

use std::string::ToString;

#[cfg(any(feature = "arrow", feature = "dlpack", feature = "nalgebra", feature = "ndarray"))]
use layout_types::ElementType;
use layout_types::spec::{LayoutError, Rule};
use layout_types::{Layout, PerAxis};

use super::{AdapterError, error::Cause};

/// Returns the stride of each axis, in elements and in coordinate order, for libraries that describe memory by strides.
///
/// # Errors
/// The layout has blocks or a swizzle, so an axis has no single stride. [`Layout::strides`] returns the same as an
/// option.
pub fn strides(layout: &Layout) -> Result<PerAxis<isize>, AdapterError> {
    if layout.swizzle().is_some() {
        return Err(LayoutError(Rule::Swizzled { operation: "another crate's tensor" }).into());
    }
    layout.strides().ok_or_else(|| AdapterError(Cause::Blocked { layout: layout.to_string() }))
}

/// Returns the layout of an array whose axes have these letters.
#[cfg(any(feature = "arrow", feature = "dlpack", feature = "nalgebra", feature = "ndarray"))]
pub(super) fn strided(
    axes: &str,
    shape: &[usize],
    strides: &[isize],
    element: ElementType,
) -> Result<Layout, AdapterError> {
    if axes.chars().count() != shape.len() {
        let (shape, axes) = (shape.to_vec(), axes.to_string());
        return Err(AdapterError(Cause::Axes { shape, axes }));
    }
    Ok(Layout::from_strides(axes, shape, strides, element)?)
}
