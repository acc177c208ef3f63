//! Micro-kernels: the only code that is compiled for each instruction set and width.
//!
//! [`copy`]: runs. [`tile`]: transposes in register tiles, whose rows and columns [`offsets`] gives. [`permute`]: byte
//! permutes. [`words`]: transposes without vectors.
#![cfg_attr(not(vectors), allow(dead_code, reason = "there are no vectors"))]

pub(crate) mod copy;
pub(crate) mod offsets;
#[cfg(vectors)]
pub(crate) mod permute;
pub(crate) mod tile;
pub(crate) mod words;
