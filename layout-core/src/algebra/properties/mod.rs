//! Properties of a layout, from aliasing to the formats that it matches.

mod aliasing;
mod contiguity;
mod formats;
mod memory;
mod relations;
mod strides;
mod swizzle_range;
mod uniqueness;

pub use formats::Formats;
