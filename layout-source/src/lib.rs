//! The index functions of a layout as source text in C, CUDA, OpenCL C, Metal, WGSL and GLSL.
//!
//! This crate implements feature `source` of `tensor-layout`. Depend on that crate instead.
//!
//! A [`Source`] is a layout with a name. It prints text in a [`Language`] through `Display`, so nothing is allocated.
//!
//! - `symbolic` is the layout as digits, whose sizes and strides may depend on run-time extents.
//! - `language` has the differences between languages.
//! - `expression` prints arithmetic.
//! - `functions` prints the functions.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
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
