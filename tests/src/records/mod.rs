//! Records: several tensors in one buffer.

mod vectors;
mod wrong;
