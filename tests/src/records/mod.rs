//! Records: several tensors in one buffer.

mod frames;
mod gguf;
mod library;
mod packed;
mod vectors;
mod wrong;
