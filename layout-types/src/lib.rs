//! Layouts of tensors: their rules, their algebra, and the types that carry them.
//!
//! This crate is the inside of `tensor-layout`; depend on that one.
//!
//! - `spec` has the parts of a layout, and every rule with its error text.
//! - `layout` is the checked value.
//! - `algebra` has the operations on one layout, and `nests` the loops over two.
//! - `access` counts the cost of memory accesses.
//! - `chip` describes the memory of accelerators.
//!
//! None of these has a dependency, so the macros are built with them alone. Feature `bytemuck` adds the Rust types
//! that are elements and the types that carry a layout, `half` the 16-bit floats, and `typenum` divisibility as a
//! bound.
//!
#![doc = include_str!("glossary.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "bytemuck"), forbid(unsafe_code))]
#![deny(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod access;
#[macro_use]
pub mod algebra;
pub mod chip;
mod layout;
#[cfg(feature = "names")]
pub mod names;
#[doc(hidden)]
pub mod nests;
mod notation;
#[cfg(feature = "bytemuck")]
#[doc(hidden)]
pub mod numbers;
pub mod spec;
#[cfg(feature = "bytemuck")]
pub mod typed;

pub use algebra::address::Coordinates;
#[doc(hidden)]
pub use algebra::address::{Cursor, LastAxis, MemoryOrder, Run};
pub use algebra::properties::Formats;
#[doc(hidden)]
pub use algebra::views::view;
#[cfg(feature = "half")]
pub use half::{bf16, f16};
pub use layout::{Digit, Layout, LayoutBuilder};
pub use notation::NotationError;
#[doc(hidden)]
pub use notation::{LAYOUT_OPTIONS, LayoutOption, pad};
#[cfg(feature = "bytemuck")]
pub use numbers::{
    Conversion, Element, HighFirst, Number, PlainElement, Rounding, SubByteElement, f8e4m3, f8e5m2,
    i2, i4, u1, u2, u4,
};
pub use spec::{AsFormat, ElementType, Format, LayoutError, PerAxis, Swizzle};
#[cfg(feature = "bytemuck")]
pub use typed::{
    Dynamic, FormatType, LayoutType, Mixed, Static, StaticLayout, UnitOf, WithElement,
};
