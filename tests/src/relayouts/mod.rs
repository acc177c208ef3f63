//! Plans, what they move, and conversions.

mod bools;
mod convert;
mod parallel;
mod plan;
mod relayout;
