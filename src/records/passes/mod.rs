//! Passes of moves between records: what moves the fields of a tile, their padding and constants. Each writes to one buffer.

mod bit_passes;
pub(super) mod field_change;
mod tile_move;
pub(super) mod tile_passes;

pub use field_change::FieldChange;
