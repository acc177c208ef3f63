//! Headers of files, which the program and `include_tensor!` read alike. Nothing in a header is believed.

mod gguf;
mod npy;
mod npy_type;

pub use gguf::{GGUF_ELEMENTS, GGUF_MOST_AXES, GGUF_VALUE_BYTES};
pub use npy::{NpyError, NpyHeader};
pub use npy_type::{NpyType, NpyTypeError};
