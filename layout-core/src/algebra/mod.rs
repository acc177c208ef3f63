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

// The folders, in this order. Each uses only those before it:
//
// - `axis`: one axis as a number in mixed radix: its digits, their normal form, span and equality, and inference of
//   digits from offsets.
// - `address`: from coordinates to offsets and back, and to lanes of an accelerator.
// - `properties`: aliasing, uniqueness, memory, strides, contiguity, formats.
// - `views`: other axes over the same buffer.
// - `composition`: composition, complement, division, products and inverses.
//
// Each operation states its law. If an operation must check coordinates one by one, a constant limits their number,
// and exceeding it is an error. These are all such constants:
//
// | what is checked | limit | where |
// |---|---|---|
// | steps along an axis whose digits are inferred from offsets | 1024, each in at most `2 * log2(1024)` passes | `axis/inference.rs` |
// | coordinates of a composition whose steps carry | 4096 | `composition/carry_chain.rs` |
// | steps of a search for coordinates that share an offset | 10000, of a layout of text 40000 | `properties/aliasing.rs` |
// | coordinates of a view that may share offsets | 2048 | `properties/aliasing.rs` |
// | pairs of coordinates of an axis that may share offsets | 32640, those of 256 coordinates | `properties/aliasing.rs` |

/// The result of an operation that changes a copy of `$layout`. The copy is made in the place of the result: a value that
/// was just written takes several times as long to move as one that was not.
macro_rules! changed {
    ($layout:expr, $copy:ident => $change:expr) => {{
        let mut result = Ok(*$layout);
        if let Ok($copy) = &mut result {
            if let Err(error) = $change {
                result = Err(error);
            }
        }
        result
    }};
}

pub(crate) mod address;
mod axis;
mod composition;
pub(crate) mod properties;
pub(crate) mod views;

pub(crate) use axis::AxisDigits;
pub use composition::{
    blocked_product, coalesce, complement, compose, divide, divide_axes, left_inverse, product,
    raked_product, right_inverse, zipped_divide,
};
