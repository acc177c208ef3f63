//! Records over buffers: as types, with their fields, their blocks, and moves from one record to another.

mod access;
mod bits;
mod blocks;
mod buffer;
#[cfg(feature = "alloc")]
mod passes;
#[cfg(feature = "alloc")]
mod plan;
mod record_type;

#[doc(inline)]
pub use layout_records::*;

pub use access::{Field, FieldMut, FieldName, FieldOf, FieldOfMut, FieldPlaces};
pub use blocks::{BlockOf, Blocks, BlocksMut};
pub use buffer::RecordBuffer;
#[cfg(feature = "alloc")]
pub use plan::{FieldChange, RecordPlan};
pub use record_type::{MixedRecord, RecordType, RecordWords, StaticRecord, Words};
