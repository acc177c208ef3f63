//! Memory layouts of tensors as types.
#![no_std]

pub use layout_macros::Relayout;
pub use layout_types::{
    Coordinates, Digit, Element, ElementType, Format, Layout, LayoutError, LayoutType,
    PlainElement, Plan, Relayout, Static, StaticLayout, Tensor, UnitOf, bf16, f8e4m3, f8e5m2, f16,
    i4, relayout, spec, typed, u4,
};

/// x
#[macro_export]
macro_rules! layout {
    ($($tokens:tt)*) => { $crate::__private::layout! { [$crate] $($tokens)* } };
}

/// x
#[macro_export]
macro_rules! named_format {
    ($($tokens:tt)*) => { $crate::__private::named_format! { [$crate] $($tokens)* } };
}

/// What the macros refer to: not for use by hand, and free to change.
#[doc(hidden)]
pub mod __private {
    pub use layout_macros::{layout, named_format};
    pub use layout_types::relayout::{constant, plan, run};

    /// Element types by the names that `layout!` knows.
    pub mod elements {
        pub use core::primitive::{f32, f64, i8, i16, i32, i64, u8, u16, u32, u64};
        pub use layout_types::{bf16, f8e4m3, f8e5m2, f16, i4, u4};
    }
}
