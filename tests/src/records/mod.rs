//! Records: several tensors in one buffer.

mod added_digits;
mod all_records;
mod builder;
mod computed;
mod derived;
mod edges;
mod frames;
mod ggml;
mod gguf;
mod included;
mod inverse;
mod library;
mod moves;
mod packed;
mod padded;
mod pictures;
mod quantized;
mod shared_scales;
mod slices;
mod types;
mod value_groups;
mod value_limits;
mod values;
mod vectors;
mod words;
mod wrong;
