//! What follows from a layout: one operation a file, its law above it.

mod axis;
mod contiguity;
mod coordinates;
mod digit;
mod index;
mod lanes;
mod names;
mod partial;
mod span;
mod strides;
mod unique;
mod views;

pub(crate) use axis::AxisDigits;
pub use coordinates::Coordinates;
pub use digit::Digit;
pub use lanes::{LaneImage, LanePlace};
pub(crate) use partial::Partial;
