//! Layouts as values and types, and the code that moves data between them.
//!
//! This crate is the inside of `tensor-layout`; depend on that one.
#![doc = include_str!("glossary.md")]
#![no_std]

#[cfg(any(feature = "std", test))]
extern crate std;

mod algebra;
mod builder;
mod bytes;
pub mod chip;
mod conversion;
mod element;
mod kernel;
mod layout;
mod number;
pub mod relayout;
mod resolve;
pub mod spec;
pub mod tensor;
pub mod typed;

#[doc(hidden)]
pub use algebra::view;
pub use algebra::{Coordinates, Digit, Formats, LaneImage, LanePlace, LaneTensor};
pub use builder::LayoutBuilder;
pub use conversion::{Conversion, Rounding};
pub use element::{Element, PlainElement, f8e4m3, f8e5m2, i4, u4};
pub use half::{bf16, f16};
pub use layout::Layout;
pub use number::Number;
#[cfg(feature = "rayon")]
pub use relayout::par_relayout;
pub use relayout::{ConversionPlan, Plan, Relayout, convert, relayout, relayout_in_place};
pub use spec::{ElementType, Format, LayoutError};
pub use tensor::Tensor;
pub use typed::{Dynamic, LayoutType, Mixed, Static, StaticLayout, UnitOf};
