//! Layouts of tensors as values: their rules, their algebra, and their text.
//!
//! This crate is the inside of `tensor-layout`; depend on that one.
//!
//! - `spec` has the parts of a layout, and every rule with its error text.
//! - `layout` is the checked value.
//! - `algebra` has the operations on one layout, and `nests` the loops over two.
//! - `access` counts the cost of memory accesses.
//! - `chip` describes the memory of accelerators.
//! - `notation` reads and prints layouts as text, and `names` as other systems call them.
//!
//! None of these has a dependency, so the macros are built with this crate alone.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

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
pub mod spec;

pub use algebra::address::Coordinates;
#[doc(hidden)]
pub use algebra::address::{Cursor, LastAxis, MemoryOrder, Partial, Run, Step};
pub use algebra::properties::Formats;
#[doc(hidden)]
pub use algebra::views::view;
#[doc(hidden)]
pub use layout::Written;
pub use layout::{Digit, Layout, LayoutBuilder};
pub use notation::NotationError;
#[doc(hidden)]
pub use notation::{LAYOUT_OPTIONS, LayoutOption, pad};
pub use spec::{AsFormat, ElementType, Format, LayoutError, PerAxis, Swizzle};
