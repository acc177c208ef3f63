//! Plans, what they move, and conversions.

mod bools;
mod convert;
mod explained;
mod parallel;
mod plan;
mod relayout;
