//! Storage that is an array of lanes.

/// The storage of a layout that is distributed over lanes: an array of lanes, one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaneImage {
    /// How many lanes.
    pub lanes: usize,
    /// The elements that the tensor takes in each of them, padding included.
    pub length: usize,
    /// The axis that is distributed over them.
    pub axis: char,
    /// How many coordinates of it stay together in a lane.
    pub together: usize,
}
