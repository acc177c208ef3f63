//! Headers of files, which the program and `include_tensor!` read alike. Nothing in a header is believed.

#[cfg(feature = "alloc")]
mod gguf;
mod npy;
mod npy_type;

#[cfg(feature = "alloc")]
pub use gguf::{GGUF_ALIGN, GGUF_ELEMENTS, GGUF_SHORT, GgufPart, HeaderBytes, read_gguf};
pub use npy::{NpyError, NpyHeader};
pub use npy_type::{NpyType, NpyTypeError};

/// Returns an error if two tensors have one name.
///
/// # Errors
/// The sentence about the name.
#[cfg(feature = "alloc")]
pub fn unique_names<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), alloc::string::String> {
    let mut names: alloc::vec::Vec<&str> = names.collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => {
            Err(alloc::format!("two tensors are named `{}`; give each another name", pair[0]))
        }
        None => Ok(()),
    }
}

/// The most tensors of a file.
pub const MOST_TENSORS: usize = 1 << 17;

/// The most bytes of a name.
pub const MOST_NAME: usize = 4096;

/// The most bytes of a header's text, and of the keys of a .gguf file.
pub const MOST_HEADER: usize = 16 << 20;
