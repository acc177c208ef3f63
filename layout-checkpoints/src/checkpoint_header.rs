//! What the header of a file says.

use crate::stored_tensor::StoredTensor;

/// A kind of file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckpointFormat {
    /// .safetensors
    Safetensors,
    /// .gguf
    Gguf,
    /// .npy: one tensor
    Npy,
    /// .npz: several of these, which is read alone
    Npz,
}

/// What a file says besides its tensors.
#[derive(Clone, PartialEq, Debug)]
pub enum Metadata {
    /// Names and texts: `__metadata__` of .safetensors files.
    Texts(Vec<(String, String)>),
    /// The keys and values of a GGUF file as they are stored, and their number.
    Gguf {
        /// The bytes of all keys and values.
        stored: Vec<u8>,
        /// The number of keys.
        count: u64,
        /// What the positions of tensors are multiples of.
        align: u64,
    },
}

impl Metadata {
    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Texts(texts) => texts.is_empty(),
            Self::Gguf { count, .. } => *count == 0,
        }
    }
}

/// The header of a file.
#[derive(Clone, Debug)]
pub struct CheckpointHeader {
    /// The kind of file.
    pub format: CheckpointFormat,
    /// The tensors, in the order of their bytes.
    pub tensors: Vec<StoredTensor>,
    /// All else.
    pub metadata: Metadata,
}

impl CheckpointFormat {
    /// The format of files that are written, by the extension of the path.
    ///
    /// # Errors
    /// The extension is not that of a format.
    pub fn of_path(path: &std::path::Path) -> Result<Self, crate::CheckpointError> {
        match path.extension().and_then(|own| own.to_str()) {
            Some("safetensors") => Ok(Self::Safetensors),
            Some("gguf") => Ok(Self::Gguf),
            Some("npy") => Ok(Self::Npy),
            _ => crate::error::refuse(format!(
                "the format of {} is not known; name a file that ends in .safetensors, .gguf or .npy",
                path.display()
            )),
        }
    }
}
