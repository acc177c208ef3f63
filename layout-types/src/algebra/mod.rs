//! Layouts made from layouts, as in CuTe: composition, complement, division, products, inverses.
//!
//! CuTe nests modes; here axes have names. A mode of CuTe is an axis whose digits are the mode's parts. CuTe counts
//! coordinates with the first mode fastest, these functions with the last axis fastest. All of them are `const fn`;
//! each page states the law that the result keeps.
//!
//! The cost of each depends on the number of axes and digits, not on extents. What would need more is an error.
//!
//! | CuTe | here |
//! |---|---|
//! | `composition(a, b)` | [`compose`] |
//! | `complement(a, n)` | [`complement()`] |
//! | `logical_divide(a, tile)` | [`divide`], or [`divide_axes`] for a tiler by mode |
//! | `zipped_divide`, `tiled_divide`, `flat_divide` | [`zipped_divide`] |
//! | `logical_product(a, b)`, `zipped_product`, `tiled_product`, `flat_product` | [`product()`] |
//! | `blocked_product(a, b)` | [`blocked_product`] |
//! | `raked_product(a, b)` | [`raked_product`] |
//! | `left_inverse(a)`, `right_inverse(a)` | [`left_inverse`], [`right_inverse`] |
//! | `coalesce(a)` | [`coalesce`] |
//! | `recast<T>(a)` | [`Layout::recast`](crate::Layout::recast) |

// What follows from a layout, in this order, each folder using those before it:
//
// - `axis`: one axis, a number in mixed radix: its digits, their normal form, what they span, when two are equal, and
//   their inference from offsets.
// - `address`: from coordinates to offsets and back, and to lanes of an accelerator.
// - `properties`: what a layout is: aliasing, uniqueness, memory, strides, contiguity, formats.
// - `views`: other axes over the same buffer, one operation a file.
// - `composition`: one layout at the offsets of another, complement, division, products and inverses.
//
// Each operation has its law above it. Where coordinates must be looked at one by one, a constant says how many at
// most, and more are refused. All of these constants are here:
//
// | what is looked at | at most | where |
// |---|---|---|
// | steps along an axis whose digits are found from offsets | 1024, each in `2 * log2(1024)` passes at most | `axis/inference.rs` |
// | coordinates of a composition whose steps carry | 4096 | `composition/carry_chain.rs` |
// | steps of a search for coordinates that share an offset | 10000 | `properties/aliasing.rs` |
// | coordinates of a view that may share offsets | 2048 | `properties/aliasing.rs` |
// | pairs of coordinates of an axis that may share offsets | 32640, those of 256 coordinates | `properties/aliasing.rs` |

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
#[doc(hidden)]
pub use address::{Coordinates, Cursor, LastAxis, MemoryOrder, Run};
pub(crate) use axis::AxisDigits;
pub use composition::{
    blocked_product, coalesce, complement, compose, divide, divide_axes, left_inverse, product,
    raked_product, right_inverse, zipped_divide,
};
#[doc(hidden)]
pub use properties::Formats;
#[doc(hidden)]
pub use views::view;
