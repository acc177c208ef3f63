//! Layouts as types: the expansion of `layout!`, and types for layouts known at run time.

#[macro_use]
mod each_axis;

mod digit_parts;
#[cfg(feature = "typenum")]
mod divisible;
mod dynamic;
mod dynamic_offset;
#[doc(hidden)]
mod from_layouts;
mod layout_type;
mod markers;
mod mixed;
mod mixed_offset;
mod nested;
mod static_views;
mod statics;

pub use digit_parts::{Panels, Parts, Rows};
#[cfg(feature = "typenum")]
pub use divisible::{MultipleOf, NoRemainder};
pub use dynamic::{Dynamic, Reduced};
pub use layout_type::{FormatType, LayoutType, StaticLayout, UnitOf, WithElement};
pub use markers::{
    Align, Axis, Block, Both, Broadcast, Extent, ExtentList, LaneArray, Lanes, Order, Overlap,
    Padded, Part, Pitch, Runtime, RuntimePitch, Shift, Start, Stride, StridedBlock, Swizzle,
    SwizzleBytes, SwizzlePhases, Weighted, WholeBuffer,
};
pub use mixed::Mixed;
pub use static_views::{At, Coordinate, Flip, Operation, Slice, Transpose, Viewed, Window};
pub use statics::Static;
