//! One tensor of a file: its name, what its elements are, and where its bytes lie.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};

use tensor_layout::records::{KnownRecord, Record};
use tensor_layout::{ElementType, Layout};

use crate::error::{CheckpointError, FileResult, refuse};

/// What the bytes of a tensor are.
#[derive(Clone, PartialEq, Debug)]
pub enum Content {
    /// Elements of a type that layouts have, little endian.
    Element(ElementType),
    /// Blocks of a record, such as GGUF's Q4_0.
    Record(&'static KnownRecord),
    /// Another type, by its name in the file.
    Other(String),
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Element(element) => write!(f, "{element}"),
            Self::Record(record) => f.write_str(record.name()),
            Self::Other(name) => f.write_str(name),
        }
    }
}

/// A tensor of a file.
#[derive(Clone, Debug)]
pub struct StoredTensor {
    /// Its name. The array of an .npy file has the name of the file.
    pub name: String,
    /// What its bytes are.
    pub content: Content,
    /// The extents of the file, slowest first.
    pub shape: Vec<usize>,
    /// The text of its layout, or of its record, if the file has one.
    pub layout: Option<String>,
    /// Where its bytes begin in the file.
    pub at: u64,
    /// The number of its bytes.
    pub bytes: u64,
    /// Whether its elements are big endian, as .npy files may be.
    pub is_big_endian: bool,
}

/// The version of the notation before layouts in files, as [`Layout::versioned`] writes it.
const VERSION: &str = "v1:";

/// What precedes the name of a tensor in the key of its layout.
pub(crate) const LAYOUT_KEY: &str = "tensor_layout.";

/// The key of a file that is a cache: it tells what the file was made of.
pub(crate) const CACHE_KEY: &str = "tensor_layout_key";

/// Returns the value of a layout's key: the version of the notation, and the text.
pub(crate) fn layout_value(text: &str) -> String {
    format!("{VERSION}{text}")
}

/// Returns the text of a layout's value.
pub(crate) fn layout_text(name: &str, value: &str) -> FileResult<String> {
    match value.strip_prefix(VERSION) {
        Some(text) => Ok(text.trim_start().into()),
        _ => refuse(format!(
            "the layout of tensor `{name}` is `{}`, and this program reads those that begin with `{VERSION}`; \
             write that in front, or use a newer version",
            value.chars().take(60).collect::<String>()
        )),
    }
}

impl StoredTensor {
    /// Returns the layout of the bytes, if the file says one and it is not a record.
    ///
    /// # Errors
    /// The text is not a layout, or it is that of other bytes.
    pub fn layout(&self) -> Result<Option<Layout>, CheckpointError> {
        let Some(text) = self.layout.as_deref().filter(|text| !text.contains('{')) else {
            return Ok(None);
        };
        let subject = format!("the layout of tensor `{}`", self.name);
        let layout: Layout = text.parse().map_err(|error| CheckpointError::of(&subject, error))?;
        let is_same = match self.content {
            Content::Element(element) => element == layout.element() || element == ElementType::U8,
            _ => false,
        };
        if !is_same || layout.bytes() as u64 != self.bytes {
            return refuse(format!(
                "{subject} is `{layout}`, {} bytes, and the file has {} bytes of {}; remove the key \
                 `{LAYOUT_KEY}{}`",
                layout.bytes(),
                self.bytes,
                self.content,
                self.name
            ));
        }
        Ok(Some(layout))
    }

    /// Returns the record of the bytes, if they are blocks of one.
    ///
    /// # Errors
    /// The text is not a record, or it is that of other bytes.
    pub fn record(&self) -> Result<Option<Record>, CheckpointError> {
        let subject = format!("the layout of tensor `{}`", self.name);
        let text = self.layout.as_deref().filter(|text| text.contains('{'));
        let record = match (text, &self.content) {
            (_, Content::Record(known)) => record_of(known, &self.shape)?,
            (Some(text), _) => {
                Record::parse(text).map_err(|error| CheckpointError::of(&subject, error))?
            }
            (None, _) => return Ok(None),
        };
        let bytes: usize = (0..record.buffers()).map(|buffer| record.bytes(buffer)).sum();
        match bytes as u64 == self.bytes {
            true => Ok(Some(record)),
            false => refuse(format!(
                "{subject} is `{record}`, {bytes} bytes, and the file has {} bytes; remove the key `{LAYOUT_KEY}{}`",
                self.bytes, self.name
            )),
        }
    }

    /// Reads a piece of the tensor: the bytes from `start` on.
    ///
    /// # Errors
    /// The piece ends after the tensor, or the reader fails.
    pub fn read_piece(
        &self,
        reader: &mut (impl Read + Seek),
        start: u64,
        piece: &mut [u8],
    ) -> io::Result<()> {
        let end = start.checked_add(piece.len() as u64);
        if end.is_none_or(|end| end > self.bytes) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        reader.seek(SeekFrom::Start(self.at + start))?;
        reader.read_exact(piece)
    }
}

/// Returns an error unless there is one letter for each axis.
pub(crate) fn check_letters(given: &str, extents: &[usize]) -> FileResult<()> {
    let is_new =
        |(i, letter): (usize, char)| letter.is_ascii_uppercase() && !given[..i].contains(letter);
    match given.len() == extents.len() && given.char_indices().all(is_new) {
        true => Ok(()),
        false => refuse(format!(
            "its shape is {extents:?}, and `axes` is `{given}`; write a capital letter of its own for each axis"
        )),
    }
}

/// Returns the bytes of elements of this shape. `None` if they are more than a file can have.
pub(crate) fn bytes_of(element: ElementType, shape: &[usize]) -> Option<u64> {
    let mut count = 1u64;
    for &extent in shape {
        // Those of extent 0 count too, so that no order of the extents is too large.
        count = count.checked_mul(extent.max(1) as u64)?;
    }
    let bits = count.checked_mul(element.bits() as u64)?;
    Some(if shape.contains(&0) { 0 } else { bits.div_ceil(8) })
}

/// Returns the record of a matrix of this shape, whose last axis has the blocks.
pub(crate) fn record_of(known: &KnownRecord, shape: &[usize]) -> FileResult<Record> {
    let columns = shape.last().copied().unwrap_or(1);
    let rows =
        shape.iter().rev().skip(1).try_fold(1usize, |rows, &extent| rows.checked_mul(extent));
    let of = |error| CheckpointError::of(known.name(), error);
    let template = known.template().map_err(of)?;
    let extents = [('M', rows.unwrap_or(usize::MAX)), ('K', columns)];
    template.with_extents(&extents).map_err(of)
}
