//! Plans, what they move, and conversions.

mod convert;
mod explained;
mod parallel;
mod plan;
mod relayout;
