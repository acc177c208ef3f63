//! Properties of a layout, from aliasing to the formats that it matches.

mod aliasing;
mod formats;
mod memory;
mod strides;
mod swizzle_range;
mod uniqueness;

pub use formats::Formats;
