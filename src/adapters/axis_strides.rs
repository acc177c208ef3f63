//! Layouts as other crates describe them: one stride for each axis.

use std::string::ToString;

use layout_types::spec::{LayoutError, Rule};
use layout_types::{Layout, PerAxis};

use super::{AdapterError, error::Cause};

/// Returns the stride of each axis, in elements.
///
/// # Errors
/// The layout has blocks or a swizzle, so an axis has no single stride.
pub(super) fn strides(layout: &Layout) -> Result<PerAxis<isize>, AdapterError> {
    if layout.swizzle().is_some() {
        return Err(LayoutError(Rule::Swizzled { operation: "another crate's tensor" }).into());
    }
    layout.strides().ok_or_else(|| AdapterError(Cause::Blocked { layout: layout.to_string() }))
}
