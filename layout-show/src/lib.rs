//! Pictures of layouts, and what a layout is in words and numbers.
//!
//! This crate is the inside of feature `pictures` of `tensor-layout`; depend on that one.
//!
//! `sheet` is a picture without its form. `grid` and `memory` make one of layouts, with the hues of `color`; `svg`,
//! `html` and `text` write it. `explain` lists what follows from a layout.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod color;
mod explain;
mod grid;
mod html;
mod memory;
mod picture;
mod sheet;
mod storage;
mod style;
mod svg;
mod text;

pub use color::Color;
pub use explain::{Address, AxisExplanation, DigitExplanation, Explanation, explain};
pub use picture::Picture;
