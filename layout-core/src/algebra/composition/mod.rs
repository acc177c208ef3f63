//! CuTe's layout algebra. Each file uses only those before it:
//!
//! - [`carry_chain`], `digits`: the two ways to find the digits of a composition.
//! - [`mod@compose`]: one layout at the offsets of another.
//! - `complement`: the complement of a layout, and division.
//! - `product`: a layout repeated at the offsets of another.
//! - `inverses`: from offsets back to coordinates.

pub(in crate::algebra) mod carry_chain;
mod complement;
mod compose;
mod digits;
mod inverses;
mod product;

pub use complement::{complement, divide, divide_axes, zipped_divide};
pub use compose::compose;
pub use inverses::{coalesce, left_inverse, right_inverse};
pub use product::{blocked_product, product, raked_product};
