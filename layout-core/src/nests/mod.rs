//! Loop nests between two layouts of one tensor, from which relayouts and transfers are planned. They are for this
//! project's own packages, and may change in any version.
//!
//! Two layouts are a `pair`. A pair, or any number of layouts, is divided into `boxes` of coordinates in which all
//! offsets are affine, and each box is a `nest` of loops, its levels. `padding` is what no loop writes, and `moves` runs
//! nests element by element. `conformance` checks a layout against the layout of a type.

mod boxes;
mod conformance;
mod moves;
mod nest;
mod padding;
mod pair;

pub use boxes::Boxes;
pub use conformance::{check_axes, check_extents, check_fill_for_any, check_order, check_same};
pub use moves::{move_bits, move_elements};
pub use nest::{Level, MAX_LEVELS, Nest, Place, Places, Row, Rows};
pub use padding::Padding;
pub use pair::{Pair, equal_elements, matched_axes};
