//! Random layouts with the source text of their functions, and what a test of any language needs.

#[allow(dead_code, unused_imports, reason = "the tests of the whole use the rest")]
#[path = "../../src/support/mod.rs"]
mod support;

pub mod kernels;
pub mod programs;
pub mod tools;
