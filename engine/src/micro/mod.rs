//! Micro-kernels: the only code that is compiled for each instruction set and width.

pub(crate) mod copy;
pub(crate) mod offsets;
pub(crate) mod permute;
pub(crate) mod tile;
pub(crate) mod words;
