//! Pictures of layouts, and explanations of layouts in words and numbers.
//!
//! This crate implements feature `pictures` of `tensor-layout`. Depend on that crate instead.
//!
//! `sheet` is a picture independent of its output format. `grid`, `by_offset` and `by_lane` draw layouts, `by_field`
//! records, `bank_map` an access, `memory_map` the local memory of a chip, and `lifetimes` tensors that share memory.
//! They take their hues from `color`. `svg`, `html` and
//! `terminal` write a picture. `explain` lists what follows from a layout.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

extern crate alloc;

mod bank_map;
#[cfg(feature = "records")]
mod by_field;
mod by_lane;
mod by_offset;
mod color;
mod explain;
mod grid;
mod html;
mod lifetimes;
mod memory_map;
mod picture;
mod sheet;
mod style;
mod svg;
mod terminal;
mod unreached;

pub use color::Color;
pub use explain::{AddressExplanation, AxisExplanation, DigitExplanation, Explanation, explain};
pub use lifetimes::{Lifetime, SharedMemory};
pub use picture::Picture;
