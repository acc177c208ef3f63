//! Buffers of units: their lengths, their bytes, and rows of their elements.

mod lengths;
mod rows;
mod units;

pub(crate) use lengths::{Lengths, check_length, wrong_length};
pub(crate) use rows::copy_row;
pub(crate) use units::{as_bytes, as_bytes_mut, same_units, same_units_mut, unit_from_bits};
