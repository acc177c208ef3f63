//! Layouts and elements of tensors as Rust types.
//!
//! This crate is the inside of `tensor-layout`; depend on that one.
//!
//! - `numbers` has the element types, and conversions between them.
//! - `typed` has the types that carry a layout: what `layout!` expands to.
//! - `files` has headers of files and their element types.
//!
//! A layout as a value is in `layout-core`, whose items this crate exports too. Feature `half` adds the 16-bit floats,
//! `typenum` divisibility as a bound, `num-complex` complex numbers, and `files` headers of files.
//!
#![doc = include_str!("glossary.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(test)]
extern crate std;

#[cfg(feature = "files")]
#[doc(hidden)]
pub mod files;
#[doc(hidden)]
pub mod numbers;
pub mod typed;

#[cfg(feature = "half")]
pub use half::{bf16, f16};
#[doc(inline)]
pub use layout_core::*;
pub use numbers::named::*;
pub use numbers::{
    Conversion, Element, Epilogue, FixedPoint, HighFirst, Number, PlainElement, Rounding,
    SubByteElement, WholeElement,
};
#[doc(inline)]
pub use numbers::{named, plain};
pub use typed::{
    Dynamic, FormatType, LayoutType, Mixed, Static, StaticLayout, UnitOf, WithElement,
};
