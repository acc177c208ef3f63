//! Headers of files, which the program and `include_tensor!` read alike. Nothing in a header is believed.

#[cfg(feature = "alloc")]
mod gguf;
mod npy;
mod npy_type;

#[cfg(feature = "alloc")]
pub use gguf::{GGUF_ALIGN, GGUF_ELEMENTS, GGUF_SHORT, GgufPart, HeaderBytes, read_gguf};
pub use npy::{NpyError, NpyHeader};
pub use npy_type::{NpyType, NpyTypeError};

/// The most tensors of a file.
pub const MOST_TENSORS: usize = 1 << 17;

/// The most bytes of a name.
pub const MOST_NAME: usize = 4096;

/// The most bytes of a header's text, and of the keys of a .gguf file.
pub const MOST_HEADER: usize = 16 << 20;
