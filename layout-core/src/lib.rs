//! Layouts of tensors as values: their rules, their algebra, and their text.
//!
//! This crate is the inside of `tensor-layout`; depend on that one.
//!
//! - `spec` has the parts of a layout, and every rule with its error text.
//! - `layout` is the checked value.
//! - `algebra` has the operations on one layout, and `nests` the loops over two.
//! - `notation` reads and prints layouts as text.
//!
//! None of these has a dependency, so the macros are built with this crate alone.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

#[macro_use]
mod control;

#[macro_use]
pub mod algebra;
mod layout;
#[doc(hidden)]
pub mod nests;
mod notation;
pub mod spec;

/// Accelerators whose memory consists of lanes and banks, their storages of tensors, and layouts seen from lanes.
pub mod chip {
    pub use crate::algebra::address::{LanePlace, LaneTensor, Lanes};
    pub use crate::spec::storages::{CHIPS, Chip};
    pub use crate::spec::storages::{STORAGES, Step, Storage};
}

/// The pieces of the notation from which another package reads a text of its own.
#[doc(hidden)]
pub mod reading {
    #[cfg(feature = "serde")]
    pub use crate::notation::from_text;
    pub use crate::notation::{
        Cursor, Versioned, WrittenExtents, element, fill, is_literal, unsigned,
    };
    pub use crate::spec::{ElementCode, Template, Value, same_text};
}

pub use algebra::address::Coordinates;
#[doc(hidden)]
pub use algebra::address::{Cursor, LastAxis, MemoryOrder, Partial, Run, Step};
pub use algebra::properties::Formats;
#[doc(hidden)]
pub use algebra::views::view;
#[doc(hidden)]
pub use layout::Written;
pub use layout::{Digit, Digits, Layout};
#[doc(hidden)]
pub use notation::{Assembly, AxisBytes, Draft, Place, Site, Span, Writing, draft, format_faults};
pub use notation::{LayoutBuilder, LayoutTemplate, NotationError};
pub use spec::{AsFormat, ElementType, Format, LayoutError, PerAxis, Swizzle};
