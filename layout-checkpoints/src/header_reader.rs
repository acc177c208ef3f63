//! Reads the header of a file from any reader. Its memory has a limit, whatever the header claims.

use std::io::{Read, Seek, SeekFrom};

use layout_types::files::{MOST_NAME, unique_names};

use crate::checkpoint_header::{CheckpointFormat, CheckpointHeader};
use crate::error::{CheckpointError, FileResult, refuse};
use crate::{gguf, npy, npz, safetensors};

impl CheckpointHeader {
    /// Reads the header of a .safetensors, GGUF or .npy file. It takes at most 64 MiB of memory.
    ///
    /// # Errors
    /// - The reader fails.
    /// - The file is none of these, or its header is broken.
    /// - The header is longer than 16 MiB, or has more than 131,072 tensors, or a name has more than 4,096
    ///   bytes.
    pub fn read(reader: &mut impl Read) -> Result<Self, CheckpointError> {
        let mut start = [0; 8];
        reader.read_exact(&mut start)?;
        let mut whole = (&start[..]).chain(reader);
        let header = match start {
            [b'G', b'G', b'U', b'F', ..] => gguf::read(&mut whole),
            [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => npy::read(&mut whole),
            _ if npz::is_archive(&start) => {
                refuse("an .npz file lists its arrays at its end; name the file itself")
            }
            _ => safetensors::read(&mut whole),
        }?;
        header.checked()
    }

    /// Returns an error if a name is too long, or that of another tensor.
    fn checked(self) -> FileResult<Self> {
        if let Some(long) = self.tensors.iter().find(|own| own.name.len() > MOST_NAME) {
            return refuse(format!(
                "the name of a tensor has {} bytes, more than {MOST_NAME}; rename it",
                long.name.len()
            ));
        }
        unique_names(self.tensors.iter().map(|own| &own.name[..])).map_err(CheckpointError::new)?;
        Ok(self)
    }

    /// Returns an error unless a file of `length` bytes holds all tensors.
    ///
    /// # Errors
    /// A tensor ends after the file, or bytes follow the last tensor of a .safetensors or .npy file.
    pub fn check_length(&self, length: u64) -> Result<(), CheckpointError> {
        for tensor in &self.tensors {
            let end = tensor.at.checked_add(tensor.bytes);
            if end.is_none_or(|end| end > length) {
                // That of an .npy file has no name.
                let name = match &tensor.name[..] {
                    "" => "its tensor".into(),
                    name => format!("tensor `{name}`"),
                };
                return refuse(format!(
                    "it has {length} bytes, and {name} has {} from byte {} on; copy the whole file again",
                    tensor.bytes, tensor.at
                ));
            }
        }
        // Tensors are in the order of their bytes.
        let end = self.tensors.last().map_or(length, |tensor| tensor.at + tensor.bytes);
        match self.format {
            CheckpointFormat::Safetensors | CheckpointFormat::Npy if end < length => {
                refuse(format!(
                    "it has {} bytes after its last tensor; copy the whole file again",
                    length - end
                ))
            }
            _ => Ok(()),
        }
    }

    /// Reads the header of a file that holds all its tensors: of an .npz file too, which lists its arrays at its end. It
    /// takes at most 64 MiB of memory.
    ///
    /// # Errors
    /// Those of [`read`](Self::read) and [`check_length`](Self::check_length).
    pub fn read_file(file: &mut (impl Read + Seek)) -> Result<Self, CheckpointError> {
        file.seek(SeekFrom::Start(0))?;
        let mut start = Vec::new();
        (&mut *file).take(4).read_to_end(&mut start)?;
        file.rewind()?;
        let header = match npz::is_archive(&start) {
            true => npz::read(file)?.checked()?,
            false => Self::read(&mut std::io::BufReader::new(&mut *file))?,
        };
        header.check_length(file.seek(SeekFrom::End(0))?)?;
        Ok(header)
    }
}
