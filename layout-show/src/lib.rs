//! Pictures of layouts, and what a layout is in words and numbers.
//!
//! This crate is the inside of feature `pictures` of `tensor-layout`; depend on that one.
//!
//! `sheet` is a picture without its form. `grid` and `by_offset` make one of layouts, with the hues of `color`; `svg`,
//! `html` and `terminal` write it. `explain` lists what follows from a layout.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod by_offset;
mod color;
mod explain;
mod grid;
mod html;

mod picture;
mod sheet;

mod style;
mod svg;
mod terminal;
mod unreached;

pub use color::Color;
pub use explain::{Address, AxisExplanation, DigitExplanation, Explanation, explain};
pub use picture::Picture;
