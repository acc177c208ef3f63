//! Layouts as types: what `layout!` expands to.

mod divisible;
pub mod fill;
mod markers;
mod statics;

pub use divisible::{MultipleOf, NoRemainder};
pub use markers::{Align, Axis, Block, Broadcast, Extent, ExtentList, Order, Padded, Stride};
pub use statics::{LayoutType, Static, StaticLayout, UnitOf};
