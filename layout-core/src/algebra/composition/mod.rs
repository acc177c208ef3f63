//! CuTe's layout algebra. Each file uses only those before it:
//!
//! - [`carry_chain`], `digits`: the two ways to find the digits of a composition.
//! - [`mod@compose`]: one layout at the offsets of another.
//! - `complement`: the complement of a layout, and division.
//! - `tilers`: several axes divided, each by its own tile.
//! - `product`: a layout repeated at the offsets of another.
//! - `inverses`: from offsets back to coordinates.

pub(in crate::algebra) mod carry_chain;
mod complement;
mod compose;
mod digits;
mod inverses;
mod product;
mod tilers;

pub use complement::{complement, divide};
pub use compose::compose;
pub use inverses::{coalesce, left_inverse, right_inverse};
pub use product::{blocked_product, product, raked_product};
pub use tilers::{divide_axes, zipped_divide};
