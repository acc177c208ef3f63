//! What a layout is, from whether coordinates share elements to the formats it is in.

mod aliasing;
mod contiguity;
mod formats;
mod memory;
mod relations;
mod strides;
mod swizzle_range;
mod uniqueness;

pub use formats::Formats;
