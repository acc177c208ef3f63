//! Writes a file whose tensors are named first, and whose bytes then come in any order.

use std::collections::BTreeMap;
use std::io::{self, Seek, SeekFrom, Write};

use layout_types::files::GGUF_ALIGN;
use tensor_layout::adapters;

use crate::checkpoint_header::{CheckpointFormat, CheckpointHeader, Metadata};
use crate::error::{CheckpointError, FileResult, refuse};
use crate::safetensors::METADATA;
use crate::stored_tensor::{
    CACHE_KEY, Content, LAYOUT_KEY, StoredTensor, bytes_of, layout_value, record_of,
};
use crate::{gguf, safetensors};

/// The bytes before the tensors of a file, and where the tensors lie.
#[derive(Clone, Debug)]
pub struct WrittenHeader {
    /// The bytes before the tensors.
    pub start: Vec<u8>,
    /// The tensors in the order of the call, with their positions.
    pub tensors: Vec<StoredTensor>,
    /// The length of the file.
    pub length: u64,
}

impl WrittenHeader {
    /// Makes the header of a file of these tensors, whose positions are ignored, with this metadata. Each tensor with a
    /// layout gets a key with its text.
    ///
    /// # Errors
    /// - Two tensors have the same name, or one has a name that the format reserves.
    /// - The format does not have what a tensor holds, or its bytes are not those of its shape.
    /// - An .npy file would have several tensors.
    /// - [`CheckpointHeader::read`] would refuse the file: a name is empty or too long, or the header is.
    pub fn new(
        format: CheckpointFormat,
        tensors: &[StoredTensor],
        metadata: &Metadata,
    ) -> Result<Self, CheckpointError> {
        Self::with_key(format, tensors, metadata, None)
    }

    /// The same of a file that is a cache.
    pub(crate) fn with_key(
        format: CheckpointFormat,
        tensors: &[StoredTensor],
        metadata: &Metadata,
        key: Option<&str>,
    ) -> FileResult<Self> {
        let mut tensors = tensors.to_vec();
        let mut texts = BTreeMap::new();
        texts.extend(key.map(|key| (CACHE_KEY.to_string(), key.to_string())));
        let mut names = BTreeMap::new();
        for tensor in &mut tensors {
            check_bytes(tensor)?;
            if format == CheckpointFormat::Safetensors {
                safetensors::store(tensor)?;
            }
            let name = &tensor.name;
            if name.is_empty() && format != CheckpointFormat::Npy {
                return refuse("the name of a tensor is empty; rename it");
            }
            if names.insert(name.clone(), ()).is_some() || name == METADATA {
                return refuse(format!(
                    "two outputs are named `{name}`, or the file format reserves the name; give each another name"
                ));
            }
            if let Some(text) = &tensor.layout {
                texts.insert(format!("{LAYOUT_KEY}{name}"), layout_value(text));
            }
        }
        let (start, align) = match format {
            CheckpointFormat::Safetensors => {
                if let Metadata::Texts(own) = metadata {
                    // Layouts of tensors that the file does not have are not its own.
                    let others = own.iter().filter(|(key, _)| !key.starts_with(LAYOUT_KEY));
                    texts.extend(others.cloned());
                }
                (safetensors::written(&tensors, &texts), 1)
            }
            CheckpointFormat::Gguf => {
                check_gguf(&tensors)?;
                let (keys, count, align) = match metadata {
                    Metadata::Gguf { stored, count, align } => (&stored[..], *count, *align),
                    Metadata::Texts(_) => (&[][..], 0, GGUF_ALIGN.into()),
                };
                (gguf::written(&tensors, &texts, (keys, count, align)), align)
            }
            CheckpointFormat::Npy => (npy_start(&tensors)?, 1),
            CheckpointFormat::Npz => {
                return refuse(".npz files are read alone; write .npy or .safetensors");
            }
        };
        // What is written can be read: all limits are those of the reader.
        CheckpointHeader::read(&mut &start[..])
            .map_err(|error| CheckpointError::of("the output could not be read", error))?;
        let mut end = start.len() as u64;
        for tensor in &mut tensors {
            tensor.at = end.next_multiple_of(align);
            end = tensor.at + tensor.bytes;
        }
        Ok(Self { start, tensors, length: end.next_multiple_of(align) })
    }
}

/// Returns an error unless GGUF has the types and the axes.
fn check_gguf(tensors: &[StoredTensor]) -> FileResult<()> {
    for tensor in tensors {
        let (name, axes) = (&tensor.name, tensor.shape.len());
        if gguf::type_of(&tensor.content).is_none() {
            return refuse(format!(
                "GGUF has no type of {}, which tensor `{name}` holds; convert it, or write .safetensors",
                tensor.content
            ));
        }
        if axes > 4 {
            return refuse(format!(
                "GGUF has at most 4 axes, and tensor `{name}` has {axes}; write .safetensors"
            ));
        }
    }
    Ok(())
}

/// Returns an error unless a tensor has the bytes of its shape.
fn check_bytes(tensor: &StoredTensor) -> FileResult<()> {
    let bytes = match &tensor.content {
        Content::Element(element) => bytes_of(*element, &tensor.shape),
        Content::Record(record) => Some(record_of(record, &tensor.shape)?.bytes(0) as u64),
        Content::Other(_) => return Ok(()),
    };
    match bytes == Some(tensor.bytes) {
        true => Ok(()),
        false => refuse(format!(
            "tensor `{}` has {} bytes, which are not those of the shape {:?} of {}; correct one of them",
            tensor.name, tensor.bytes, tensor.shape, tensor.content
        )),
    }
}

/// The header of an .npy file, whose one tensor has a type of NumPy.
fn npy_start(tensors: &[StoredTensor]) -> FileResult<Vec<u8>> {
    match tensors {
        [tensor] => match tensor.content {
            Content::Element(element) => adapters::npy::header(element, &tensor.shape)
                .map_err(|error| CheckpointError::of(format!("tensor `{}`", tensor.name), error)),
            _ => refuse(format!("NumPy has no type of {}; write .safetensors", tensor.content)),
        },
        _ => refuse(format!(
            "an .npy file holds one tensor, and these are {}; write .safetensors",
            tensors.len()
        )),
    }
}

/// Writes the tensors of a file in any order, whole or in pieces.
///
/// ```
/// use std::io::Cursor;
///
/// use layout_checkpoints::{
///     CheckpointFormat, CheckpointHeader, CheckpointWriter, Content, Metadata, StoredTensor,
/// };
/// use tensor_layout::ElementType;
///
/// let tensor = |name: &str, extent: usize| StoredTensor {
///     name: name.into(),
///     content: Content::Element(ElementType::U8),
///     shape: vec![extent],
///     layout: None,
///     at: 0,
///     bytes: extent as u64,
///     is_big_endian: false,
/// };
/// let tensors = [tensor("a", 3), tensor("b", 2)];
/// let texts = Metadata::Texts(Vec::new());
/// let mut file = Cursor::new(Vec::new());
/// let mut writer =
///     CheckpointWriter::new(&mut file, CheckpointFormat::Safetensors, &tensors, &texts)?;
/// writer.write(1, 0, &[4, 5])?;
/// writer.write(0, 1, &[2, 3])?;
/// assert!(writer.finish().is_err()); // a piece is missing
/// writer.write(0, 0, &[1])?;
/// writer.finish()?;
///
/// file.set_position(0);
/// let header = CheckpointHeader::read(&mut file)?;
/// let mut piece = [0; 2];
/// header.tensors[0].read_piece(&mut file, 1, &mut piece)?;
/// assert_eq!(piece, [2, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CheckpointWriter<W> {
    writer: W,
    header: WrittenHeader,
    /// The bytes that are missing.
    missing: u64,
}

impl<W: Write + Seek> CheckpointWriter<W> {
    /// Writes the header of a file of these tensors.
    ///
    /// # Errors
    /// - [`WrittenHeader::new`] returns an error. Nothing is written then.
    /// - The writer fails.
    pub fn new(
        mut writer: W,
        format: CheckpointFormat,
        tensors: &[StoredTensor],
        metadata: &Metadata,
    ) -> Result<Self, CheckpointError> {
        let header = WrittenHeader::new(format, tensors, metadata)?;
        writer.seek(SeekFrom::Start(0))?;
        writer.write_all(&header.start)?;
        let missing = header.tensors.iter().map(|tensor| tensor.bytes).sum();
        Ok(Self { writer, header, missing })
    }

    /// Writes a piece of a tensor, by its number, from byte `start` of the tensor on. Each byte is written once.
    ///
    /// # Errors
    /// The piece ends after the tensor, or the writer fails.
    pub fn write(&mut self, tensor: usize, start: u64, piece: &[u8]) -> io::Result<()> {
        let own = &self.header.tensors[tensor];
        let end = start.checked_add(piece.len() as u64);
        if end.is_none_or(|end| end > own.bytes) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        self.writer.seek(SeekFrom::Start(own.at + start))?;
        self.writer.write_all(piece)?;
        self.missing = self.missing.saturating_sub(piece.len() as u64);
        Ok(())
    }

    /// Ends the file. More bytes may follow after an error.
    ///
    /// # Errors
    /// Bytes are missing, or the writer fails.
    pub fn finish(&mut self) -> Result<(), CheckpointError> {
        if self.missing > 0 {
            return refuse(format!("{} bytes of the tensors are missing", self.missing));
        }
        // What aligns the end, if nothing lies there.
        let end = self.writer.seek(SeekFrom::End(0))?;
        if end < self.header.length {
            let zeros = vec![0; (self.header.length - end) as usize];
            self.writer.write_all(&zeros)?;
        }
        Ok(self.writer.flush()?)
    }
}
