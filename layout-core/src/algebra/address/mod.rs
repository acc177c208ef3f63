//! From coordinates to offsets and back.

mod coordinates;
mod distribution;
mod lane_tensor;
mod lanes;
mod offset;
mod partial;
#[cfg(test)]
mod tests;

pub use coordinates::{Coordinates, Cursor, LastAxis, MemoryOrder, Run};
pub use lane_tensor::LaneTensor;
pub use lanes::{LanePlace, Lanes};
pub use partial::{Partial, Step};
