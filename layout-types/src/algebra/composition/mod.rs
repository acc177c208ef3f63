//! CuTe's layout algebra, in this order, each file using those before it:
//!
//! - [`carry_chain`], `digits`: the two ways to find the digits of a composition.
//! - [`mod@compose`]: one layout at the offsets of another.
//! - `complement`: what a layout leaves out, and a layout divided by another.
//! - `tilers`: several axes divided, each by a tile of its own.
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
