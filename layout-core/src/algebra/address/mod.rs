//! From coordinates to offsets and back.

mod coordinates;
mod lanes;
mod offset;
mod partial;
#[cfg(test)]
mod tests;

pub use coordinates::{Coordinates, Cursor, LastAxis, MemoryOrder, Run};
pub use lanes::{LanePlace, LaneTensor, Lanes};
pub use partial::{Partial, Step};
