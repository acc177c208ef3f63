//! Checkpoints that know their layouts: files of tensors that are larger than memory.
//!
//! A header is read from any reader, a piece of a tensor from a reader that seeks, and a file is written tensor by tensor
//! in any order. Memory has a limit, whatever a header says. [`Repack`] makes one checkpoint of others by rules.
//!
//! - `checkpoint_header` is the header of a file, which `header_reader` reads, and `stored_tensor` one tensor of it.
//!   `safetensors`, `gguf` and `npy` read and write one format each, `npz` reads one, and `checkpoint_writer` writes files.
//! - `checkpoint` has several files as one, which an `index_text` may list. `name_pattern` finds tensors by name, and
//!   `repack_rules` reads rules.
//! - `tensor_values` has a tensor as an array, and `rows_of_blocks` the rows of its blocks. `pieced_array` has an output as
//!   pieces of inputs, `plan` makes outputs by rules, `repacked_tensor` is one of them, `output_files` has their files,
//!   `bands` cuts them, `gather` reads a band, `element_moves` moves it to its layout, `quantized` to a record, `run` does
//!   all, and `journal` remembers what is done. `digest` knows bytes again.
//! - `read_tensor` has a tensor in place, or in a layout.
//! - `differences` finds differences of values, and `found_layouts` the layout of bytes whose elements are known.
//! - `error` has what can be wrong.

#[cfg(feature = "rules")]
mod bands;
mod checkpoint;
mod checkpoint_header;
mod checkpoint_writer;
#[cfg(feature = "rules")]
mod differences;
mod digest;
#[cfg(feature = "rules")]
mod element_moves;
mod error;
mod found_layouts;
#[cfg(feature = "rules")]
mod gather;
mod gguf;
mod header_reader;
mod index_text;
#[cfg(feature = "rules")]
mod journal;
mod json_object;
#[cfg(feature = "rules")]
mod name_pattern;
mod npy;
mod npz;
#[cfg(feature = "rules")]
mod output_files;
#[cfg(feature = "rules")]
mod pieced_array;
#[cfg(feature = "rules")]
mod plan;
#[cfg(feature = "rules")]
mod quantized;
#[cfg(feature = "rules")]
mod read_tensor;
#[cfg(feature = "rules")]
mod repack_rules;
#[cfg(feature = "rules")]
mod repacked_tensor;
#[cfg(feature = "rules")]
mod rows_of_blocks;
#[cfg(feature = "rules")]
mod run;
mod safetensors;
mod stored_tensor;
#[cfg(feature = "rules")]
mod tensor_values;

pub use checkpoint::Checkpoint;
pub use checkpoint_header::{CheckpointFormat, CheckpointHeader, Metadata};
pub use checkpoint_writer::{CheckpointWriter, WrittenHeader};
#[cfg(feature = "rules")]
pub use differences::{TensorDifference, compare};
pub use error::CheckpointError;
pub use found_layouts::find_layouts;
#[cfg(feature = "rules")]
pub use output_files::RepackOptions;
#[cfg(feature = "rules")]
pub use repack_rules::RepackRules;
#[cfg(feature = "rules")]
pub use run::Repack;
pub use stored_tensor::{Content, StoredTensor};
