//! Storage that is an array of lanes.

/// The storage of a layout that is distributed over lanes: an array of lanes, one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LaneImage {
    /// How many lanes.
    pub(crate) lanes: usize,
    /// The elements that the tensor takes in each of them, padding included.
    pub(crate) len: usize,
    /// The axis that is distributed over them.
    pub(crate) axis: char,
    /// How many coordinates of it stay together in a lane.
    pub(crate) together: usize,
}
