//! The array whose elements, in order, are the storage of a layout.

use std::string::ToString;
use std::vec::Vec;

use layout_types::Layout;
use layout_types::spec::{LayoutError, Rule};

use super::{AdapterError, error::Cause};

/// Returns the sizes of the axes and blocks of `layout`, slowest first, if the layout has no gaps.
pub(super) fn shape(layout: &Layout) -> Result<Vec<usize>, AdapterError> {
    let sizes = layout.digits().iter().map(|digit| digit.size).collect();
    if layout.len() == 0 {
        return Ok(sizes);
    }
    if layout.swizzle().is_some() {
        return Err(LayoutError(Rule::Swizzled { operation: "a file" }).into());
    }
    let mut room = 1;
    for digit in layout.digits().iter().rev() {
        if digit.size > 1 && digit.stride != room as isize {
            return Err(AdapterError(Cause::NoArray { layout: layout.to_string() }));
        }
        room *= digit.size;
    }
    // Elements of blocks that a view leaves out belong to other views; they are not padding.
    let others = layout.count() != room && !layout.has_padding();
    match room == layout.len() && !others {
        true => Ok(sizes),
        false => Err(AdapterError(Cause::NoArray { layout: layout.to_string() })),
    }
}

/// Whether the first axis is the fastest and the last the slowest.
#[cfg(feature = "npy")]
pub(super) fn is_fortran(layout: &Layout) -> bool {
    let axes = layout.digits().iter().filter(|digit| digit.size > 1).map(|digit| digit.axis);
    axes.is_sorted_by(|slower, faster| slower > faster)
}

/// Returns an error unless an array with these axes, slowest first, is the storage of `layout`.
pub(super) fn check_shape(layout: &Layout, given: &[usize]) -> Result<(), AdapterError> {
    let needed = shape(layout)?;
    match needed == given {
        true => Ok(()),
        false => Err(AdapterError(Cause::Shape {
            given: given.to_vec(),
            needed,
            layout: layout.to_string(),
        })),
    }
}
