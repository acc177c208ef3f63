//! The index functions of a layout as source text in other languages.
//!
//! This crate is the inside of feature `source` of `tensor-layout`; depend on that one.
//!
//! A [`Source`] is a layout under a name. It gives text in a [`Language`], which is a value with
//! `Display`: nothing is allocated. `symbolic` is the layout as digits whose sizes and strides may be left
//! to run time, `language` what the languages write differently, `expression` arithmetic as text, and
//! `functions` what is written.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

mod error;
mod expression;
mod functions;
mod language;
mod limits;
mod source;
mod symbolic;

pub use error::SourceError;
pub use functions::{Functions, Header, Strides};
pub use language::Language;
pub use source::Source;
