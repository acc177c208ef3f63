//! Lists whose length comes from a layout.

use alloc::vec::Vec;

use layout_types::plain::{self, Plain};
use layout_types::spec::{LayoutError, Rule};

/// Returns a list of zeros.
///
/// # Errors
/// Memory cannot be allocated.
pub(crate) fn zeros<T: Plain>(count: usize) -> Result<Vec<T>, LayoutError> {
    let (bytes, align) = (count.saturating_mul(size_of::<T>()), align_of::<T>());
    let mut zeros = Vec::new();
    match zeros.try_reserve_exact(count) {
        Ok(()) => zeros.resize(count, plain::zero()),
        Err(_) => return Err(LayoutError(Rule::Allocation { bytes, align })),
    }
    Ok(zeros)
}
