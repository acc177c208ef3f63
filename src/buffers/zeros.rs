//! Lists whose length comes from a layout.

use alloc::vec::Vec;

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_slice_box;
use layout_types::spec::{LayoutError, Rule};

/// Returns a list of zeros, which takes memory from the system only where it is written.
///
/// # Errors
/// Memory cannot be allocated.
pub(crate) fn zeros<T: Zeroable>(count: usize) -> Result<Vec<T>, LayoutError> {
    let (bytes, align) = (count.saturating_mul(size_of::<T>()), align_of::<T>());
    match try_zeroed_slice_box(count) {
        Ok(zeros) => Ok(Vec::from(zeros)),
        Err(()) => Err(LayoutError(Rule::Allocation { bytes, align })),
    }
}
