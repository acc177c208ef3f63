//! What touches memory: the unsafe code of the crate, and nothing else.

mod nibble;
mod row;
mod unit;

pub(crate) use nibble::copy_nibbles;
pub(crate) use row::{Row, copy_row};
pub(crate) use unit::{as_bytes, as_bytes_mut, same_units, same_units_mut, unit_from_bits};
