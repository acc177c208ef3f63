//! One tensor in the local memory of a chip, and its errors there.

use layout_core::Layout;
use layout_core::spec::LayoutError;

/// A tensor for the local memory of a chip.
#[derive(Clone, Copy, Debug)]
pub struct LocalTensor {
    /// The name in errors and in the map.
    pub name: &'static str,
    /// Its layout, distributed over the chip's lanes.
    pub layout: Layout,
    /// The start in each lane, in bytes. `None` lets the placement choose.
    pub address: Option<usize>,
}

/// The error of one of several tensors.
#[derive(Clone, Copy, Debug)]
pub struct Misplaced {
    /// The index of the tensor.
    pub tensor: usize,
    /// The error.
    pub error: LayoutError,
}

/// The bytes of a tensor in each lane, or all bytes if there are no lanes.
pub(crate) const fn lane_bytes(layout: &Layout) -> usize {
    match layout.lanes() {
        Some(lanes) => lanes.bytes(),
        None => layout.bytes(),
    }
}

/// [`Lanes::used`](layout_core::chip::Lanes::used), or one lane if there are no lanes.
pub(crate) const fn lanes_used(layout: &Layout) -> (usize, usize) {
    match layout.lanes() {
        Some(lanes) => lanes.used(),
        None => (0, (layout.len() > 0) as usize),
    }
}

/// Whether a lane has elements of both, for layouts over the same lanes.
pub(crate) const fn share_lane(a: &Layout, b: &Layout) -> bool {
    let (first, count) = lanes_used(a);
    let (other_first, other_count) = lanes_used(b);
    let (Some(image), Some(other)) = (a.lanes(), b.lanes()) else { return true };
    if image.count() != other.count() {
        return true;
    }
    // Count from the first lane of each, continuing at lane 0.
    let way = (other_first + image.count() - first) % image.count();
    let back = (first + image.count() - other_first) % image.count();
    count > 0 && other_count > 0 && (way < count || back < other_count)
}
