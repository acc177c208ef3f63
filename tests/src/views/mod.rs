//! Views of layouts and tensors.

mod cases;
mod errors;
mod model;
mod random;
mod recast;
mod windows;
