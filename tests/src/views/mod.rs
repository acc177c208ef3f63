//! Views of layouts and tensors.

mod errors;
mod random;
