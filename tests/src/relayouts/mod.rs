//! Plans, what they move, and conversions.

mod bools;
mod convert;
mod cost;
mod explained;
mod in_place;
mod megengine;
mod parallel;
mod plan;
mod relayout;
mod requantize;
mod swizzled;
