//! From coordinates to offsets and back.

mod coordinates;
mod lane_tensor;
mod lanes;
mod offset;
mod partial;

pub use coordinates::Coordinates;
pub(crate) use coordinates::{CoordinateOrder, Cursor, MemoryOrder};
pub use lane_tensor::LaneTensor;
pub use lanes::{LaneImage, LanePlace};
pub(crate) use partial::Partial;
