//! What a layout is, from whether coordinates share elements to how it is written.

mod aliasing;
mod contiguity;
mod formats;
mod memory;
mod relations;
mod strides;
mod text;
mod uniqueness;

pub use formats::Formats;
