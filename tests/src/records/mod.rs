//! Records: several tensors in one buffer.

mod gguf;
mod library;
mod vectors;
mod wrong;
