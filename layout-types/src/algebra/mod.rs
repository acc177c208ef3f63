//! What follows from a layout: one operation a file, its law above it.

mod coordinates;
mod digit;
mod index;
mod names;
mod partial;
mod span;
mod strides;
mod unique;

pub use coordinates::Coordinates;
pub use digit::Digit;
pub(crate) use partial::Partial;
