//! From coordinates to offsets and back.

mod coordinates;
mod distribution;
mod offset;
mod partial;
#[cfg(test)]
mod tests;

pub use coordinates::{Coordinates, Cursor, LastAxis, MemoryOrder, Run};
pub(crate) use distribution::Distributed;
pub(crate) use offset::Inverse;
pub use partial::{Partial, Step};
