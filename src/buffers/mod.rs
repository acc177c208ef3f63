//! Buffers of units: their lengths and alignments, their bytes, their padding, and rows of their elements. Aligned
//! buffers lie in their tensor or on the heap.

mod aligned;
mod alignment;
mod filling;
#[cfg(feature = "alloc")]
mod heap;
mod rows;

pub use aligned::{Aligned, Alignment, PowerOfTwo};
pub(crate) use alignment::{
    Lengths, Needs, check_length, check_promised, check_promised_alignment, refuse_length,
    wrong_length,
};
pub(crate) use filling::PaddingFill;
#[cfg(feature = "alloc")]
pub use heap::HeapBuffer;
#[cfg(feature = "alloc")]
pub(crate) use heap::fail;
pub(crate) use rows::copy_row;
