//! The array that the storage of a layout is.

use std::string::ToString;
use std::vec::Vec;

use layout_types::Layout;

use super::AdapterError;

/// The sizes of the axes and blocks of `layout`, slowest first, if nothing lies between them.
pub(super) fn shape(layout: &Layout) -> Result<Vec<usize>, AdapterError> {
    let sizes = layout.digits().iter().map(|digit| digit.size).collect();
    if layout.length() == 0 {
        return Ok(sizes);
    }
    let mut room = 1;
    for digit in layout.digits().iter().rev() {
        if digit.size > 1 && digit.stride != room as isize {
            return Err(AdapterError::NoArray { layout: layout.to_string() });
        }
        room *= digit.size;
    }
    match room == layout.length() {
        true => Ok(sizes),
        false => Err(AdapterError::NoArray { layout: layout.to_string() }),
    }
}

/// Errors unless an array of these axes, slowest first, is the storage of `layout`.
pub(super) fn check_shape(layout: &Layout, given: &[usize]) -> Result<(), AdapterError> {
    let needed = shape(layout)?;
    match needed == given {
        true => Ok(()),
        false => {
            Err(AdapterError::Shape { given: given.to_vec(), needed, layout: layout.to_string() })
        }
    }
}
