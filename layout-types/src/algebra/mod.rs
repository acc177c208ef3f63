//! What follows from a layout, in this order, each folder using those before it:
//!
//! - [`axis`]: one axis, a number in mixed radix: its digits, their normal form, what they span, when two
//!   are equal, and their inference from offsets.
//! - [`address`]: from coordinates to offsets and back, and to lanes of an accelerator.
//! - [`properties`]: what a layout is: aliasing, uniqueness, memory, strides, contiguity, formats.
//! - [`views`]: other axes over the same buffer, one operation a file.
//! - [`composition`]: one layout at the offsets of another, complement, division, products and inverses.
//!
//! Each operation has its law above it. What it takes depends on the number of axes and digits, not on
//! extents: where coordinates must be looked at one by one, a constant says how many at most, and more
//! are refused.

/// The value, or the error of the function that this stands in.
macro_rules! ok {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

mod address;
mod axis;
mod composition;
mod properties;
mod views;

pub(crate) use address::Distributed;
#[cfg(feature = "bytemuck")]
pub(crate) use address::Partial;
pub use address::{Coordinates, Cursor, LastAxis, MemoryOrder, Run};
pub(crate) use axis::AxisDigits;
pub use properties::Formats;
pub use views::view;
