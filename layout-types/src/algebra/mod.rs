//! What follows from a layout: one operation a file, its law above it.

/// The value, or the error of the function that this stands in.
macro_rules! ok {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

mod axis;
mod carry;
mod complement;
mod compose;
mod contiguity;
mod coordinates;
mod digit;
mod formats;
mod index;
mod lane_tensor;
mod lanes;
mod names;
mod narrow;
#[cfg(feature = "bytemuck")]
mod partial;
mod places;
mod relations;
mod shared;
mod span;
mod strides;
mod unique;
mod views;
mod walk;

pub(crate) use axis::AxisDigits;
pub use coordinates::{CoordinateOrder, Coordinates, Cursor, MemoryOrder};
pub use digit::Digit;
pub use formats::Formats;
pub use lane_tensor::LaneTensor;
pub use lanes::{LaneImage, LanePlace};
#[cfg(feature = "bytemuck")]
pub(crate) use partial::Partial;
pub use views::view;
