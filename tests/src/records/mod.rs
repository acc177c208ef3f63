//! Records: several tensors in one buffer.

mod library;
mod vectors;
mod wrong;
