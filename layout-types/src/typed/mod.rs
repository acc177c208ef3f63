//! Layouts as types: the expansion of `layout!`, and types for layouts known at run time.

/// Repeats the statement for each axis below a rank, with its position as a literal.
///
/// The optimizer proves that loop variables stay in bounds before it unrolls inner loops, so these loops are unrolled in
/// the source. A coordinate that no loop indexes can also stay in registers.
macro_rules! for_each_axis {
    ($rank:ident, $axis:ident => $statement:expr) => {
        for_each_axis!(@ $rank, $axis => $statement; 0 1 2 3 4 5 6 7 8 9 10 11)
    };
    (@ $rank:ident, $axis:ident => $statement:expr;) => { assert!($rank <= 12) };
    (@ $rank:ident, $axis:ident => $statement:expr; $i:literal $($more:literal)*) => {
        if $i < $rank {
            {
                let $axis: usize = $i;
                $statement
            }
            for_each_axis!(@ $rank, $axis => $statement; $($more)*)
        }
    };
}

/// Implements what each layout type has: copies, equality and hashes by its field, and its layout as text. A type without a
/// field knows all of its layout, and has one value. The first generics are those without bounds.
macro_rules! layout_type {
    ({$($any:tt)*} {$($known:tt)*} $type:ty $(, $field:ident)?) => {
        impl<$($any)*> Clone for $type {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($any)*> Copy for $type {}

        impl<$($any)*> PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                let _ = other;
                true $(&& self.$field == other.$field)?
            }
        }

        impl<$($any)*> Eq for $type {}

        impl<$($any)*> core::hash::Hash for $type {
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                core::hash::Hash::hash(&($(&self.$field)?), state);
            }
        }

        impl<$($known)*> super::layout_type::sealed::LayoutType for $type {}

        /// Writes the layout in the notation of `layout!`.
        impl<$($known)*> core::fmt::Display for $type {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(&super::layout_type::LayoutType::layout(self), formatter)
            }
        }

        layout_core::debug_as_display!({$($known)*} $type);
    };
}

mod digit_parts;
#[cfg(feature = "typenum")]
mod divisible;
mod dynamic;
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
