//! From coordinates to offsets and back.

mod coordinates;
mod lane_tensor;
mod lanes;
mod offset;
#[cfg(feature = "bytemuck")]
mod partial;

pub use coordinates::{CoordinateOrder, Coordinates, Cursor, MemoryOrder};
pub use lane_tensor::LaneTensor;
pub use lanes::LanePlace;
#[cfg(feature = "bytemuck")]
pub(crate) use partial::Partial;
