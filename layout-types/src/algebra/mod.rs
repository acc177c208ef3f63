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
//! are refused. All of these constants are here:
//!
//! | what is looked at | at most | where |
//! |---|---|---|
//! | steps along an axis whose digits are found from offsets | 1024, each in `2 * log2(1024)` passes at most | `axis/inference.rs` |
//! | coordinates of a composition whose steps carry | 4096 | `composition/carry_chain.rs` |
//! | steps of a search for coordinates that share an offset | 10000 | `properties/aliasing.rs` |
//! | coordinates of a view that may share offsets | 2048 | `properties/aliasing.rs` |
//! | pairs of coordinates of an axis that may share offsets | 32640, those of 256 coordinates | `properties/aliasing.rs` |

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
