//! Layouts as other crates know them: a stride for each axis.

use std::string::ToString;

use layout_types::spec::{LayoutError, Rule};
use layout_types::{Layout, PerAxis};

use super::{AdapterError, error::Cause};

/// The stride of each axis, in elements, in coordinate order: for what knows strides and nothing of layouts.
///
/// # Errors
/// Blocks, and a swizzle: their axes have no single stride. [`Layout::strides`] is the same without an error.
pub fn strides(layout: &Layout) -> Result<PerAxis<isize>, AdapterError> {
    if layout.swizzle().is_some() {
        return Err(LayoutError(Rule::Swizzled { operation: "another crate's tensor" }).into());
    }
    layout.strides().ok_or_else(|| AdapterError(Cause::Blocked { layout: layout.to_string() }))
}
