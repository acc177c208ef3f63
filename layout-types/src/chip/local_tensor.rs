//! One tensor in the local memory of a chip, and what can be wrong with it there.

use crate::layout::Layout;
use crate::spec::LayoutError;

/// A tensor for the local memory of a chip.
#[derive(Clone, Copy, Debug)]
pub struct LocalTensor {
    /// What errors and the map call it.
    pub name: &'static str,
    /// Its layout, distributed over the chip's lanes.
    pub layout: Layout,
    /// Where it begins in each lane, in bytes; `None` for wherever there is room.
    pub address: Option<usize>,
}

/// Something wrong with one of several tensors.
#[derive(Clone, Copy, Debug)]
pub struct Misplaced {
    /// The tensor, as an index.
    pub tensor: usize,
    /// What is wrong.
    pub error: LayoutError,
}

/// Whether there is a lane in which both hold elements, for layouts over the same lanes.
pub(super) const fn share_lane(a: &Layout, b: &Layout) -> bool {
    let (first, count) = a.lanes_used();
    let (other_first, other_count) = b.lanes_used();
    let (Some(image), Some(other)) = (a.lanes(), b.lanes()) else { return true };
    if image.count() != other.count() {
        return true;
    }
    // From the first lane of each on, around the end.
    let way = (other_first + image.count() - first) % image.count();
    let back = (first + image.count() - other_first) % image.count();
    count > 0 && other_count > 0 && (way < count || back < other_count)
}
