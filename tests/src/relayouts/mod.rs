//! Plans, what they move, and conversions.

mod convert;
mod parallel;
mod plan;
mod relayout;
