//! Micro-kernels: the only code that is compiled for each instruction set and width.
//!
//! [`vector`]: the operations that they need, which the vectors of each set implement. [`copy`]: runs. [`transpose`]:
//! transposes in register tiles, whose rows and columns [`offsets`] gives. [`shuffle`]: byte permutes. [`planes`]:
//! 4-bit elements. [`words`]: transposes without vectors.
#![cfg_attr(not(vectors), allow(dead_code, reason = "there are no vectors"))]

pub(crate) mod copy;
pub(crate) mod offsets;
pub(crate) mod planes;
#[cfg(vectors)]
pub(crate) mod shuffle;
pub(crate) mod transpose;
pub(crate) mod vector;
pub(crate) mod words;
