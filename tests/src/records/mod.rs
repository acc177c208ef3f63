//! Records: several tensors in one buffer.

mod edges;
mod frames;
mod ggml;
mod gguf;
mod library;
mod moves;
mod packed;
mod quantized;
mod types;
mod values;
mod vectors;
mod wrong;
