//! From coordinates to offsets and back.

mod coordinates;
mod distribution;
mod offset;
#[cfg(feature = "bytemuck")]
mod partial;

pub use coordinates::{Coordinates, Cursor, LastAxis, MemoryOrder, Run};
pub(crate) use distribution::Distributed;
#[cfg(feature = "bytemuck")]
pub(crate) use partial::Partial;
