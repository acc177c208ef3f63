//! Pictures of layouts, and what a layout is in words and numbers.
//!
//! This crate is the inside of feature `pictures` of `tensor-layout`; depend on that one.
//!
//! `sheet` is a picture without its form. `grid`, `by_offset` and `by_lane` make one of layouts, `bank_map` of an
//! access, `memory_map` of the local memory of a chip, with the hues of `color`; `svg`, `html` and `terminal` write it. `explain`
//! lists what follows from a layout.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod bank_map;
mod by_lane;
mod by_offset;
mod color;
mod explain;
mod grid;
mod html;
mod memory_map;
mod picture;
mod sheet;
mod style;
mod svg;
mod terminal;
mod unreached;

pub use color::Color;
pub use explain::{Address, AxisExplanation, DigitExplanation, Explanation, explain};
pub use picture::Picture;
