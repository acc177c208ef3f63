//! The array that the storage of a layout is.

use std::string::ToString;
use std::vec::Vec;

use layout_types::Layout;
use layout_types::spec::{LayoutError, Rule};

use super::{AdapterError, error::Cause};

/// The sizes of the axes and blocks of `layout`, slowest first, if nothing lies between them.
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
    // What a view of blocks leaves out of them is no padding, but another's.
    let others = layout.count() != room && !layout.has_padding();
    match room == layout.len() && !others {
        true => Ok(sizes),
        false => Err(AdapterError(Cause::NoArray { layout: layout.to_string() })),
    }
}

/// Whether coordinates are counted with the first axis fastest and the last slowest.
#[cfg(feature = "npy")]
pub(super) fn is_fortran(layout: &Layout) -> bool {
    let axes = layout.digits().iter().filter(|digit| digit.size > 1).map(|digit| digit.axis);
    axes.is_sorted_by(|slower, faster| slower > faster)
}

/// Errors unless an array of these axes, slowest first, is the storage of `layout`.
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
