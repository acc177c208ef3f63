//! Copies between strided arrays.

mod copies;
mod errors;
