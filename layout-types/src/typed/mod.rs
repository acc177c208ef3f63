//! Layouts as types: what `layout!` expands to, and what carries a layout found at run time.

mod checks;
#[cfg(feature = "typenum")]
mod divisible;
mod dynamic;
#[doc(hidden)]
pub mod fill;
mod from_layouts;
mod layout_type;
mod markers;
mod mixed;
mod mixed_offset;
mod nested;
mod parts;
mod statics;

#[cfg(feature = "typenum")]
pub use divisible::{MultipleOf, NoRemainder};
pub use dynamic::Dynamic;
pub use layout_type::{FormatType, LayoutType, StaticLayout, UnitOf};
pub use markers::{
    Align, Axis, Block, Broadcast, Extent, ExtentList, Lanes, Order, Padded, Runtime, Stride,
    Swizzle, SwizzleBytes, SwizzlePhases,
};
pub use mixed::Mixed;
pub use parts::{Panels, Parts, Rows};
pub use statics::Static;
