//! .npy files: one array.

use std::io::Read;

use layout_types::files::{NpyHeader, NpyType};
use tensor_layout::adapters::ByteOrder;
use tensor_layout::{ElementType, Layout};

use crate::checkpoint_header::{CheckpointFormat, CheckpointHeader, Metadata};
use crate::error::{CheckpointError, FileResult, refuse};
use crate::stored_tensor::{Content, StoredTensor, bytes_of};

/// The letters of axes that nothing names.
pub(crate) const LETTERS: &str = "ABCDEFGH";

pub(crate) fn read(reader: &mut impl Read) -> FileResult<CheckpointHeader> {
    let mut bytes = vec![0; NpyHeader::START];
    reader.read_exact(&mut bytes)?;
    // Some sentences have a remedy of their own.
    let of = |error: &dyn std::fmt::Display| match error.to_string() {
        text if text.contains(';') => CheckpointError::new(text),
        text => CheckpointError::new(text + "; save it again"),
    };
    let length = NpyHeader::length(&bytes).map_err(|error| of(&error))?;
    let before = bytes.len();
    // At most NumPy's limit, which `length` has checked.
    bytes.resize(length.max(before), 0);
    reader.read_exact(&mut bytes[before..])?;
    let (header, _) = NpyHeader::parse(&bytes).map_err(|error| of(&error))?;
    let stored = NpyType::parse(header.element).map_err(|error| of(&error))?;
    if stored.is_complex {
        return refuse("it holds complex numbers, which are not an element type; save their parts");
    }
    let mut tensor = StoredTensor {
        name: String::new(),
        content: Content::Element(stored.number),
        shape: header.shape().collect(),
        layout: None,
        at: length as u64,
        // The header's parser has multiplied the extents.
        bytes: 0,
        is_big_endian: stored.order == ByteOrder::Big && stored.number.bits() > 8,
    };
    tensor.bytes = bytes_of(stored.number, &tensor.shape).unwrap_or(u64::MAX);
    if header.is_fortran && tensor.shape.len() > 1 {
        tensor.layout = Some(fortran(stored.number, &tensor.shape)?.to_string());
        tensor.shape.reverse();
    }
    let (format, metadata) = (CheckpointFormat::Npy, Metadata::Texts(Vec::new()));
    Ok(CheckpointHeader { format, tensors: vec![tensor], metadata })
}

/// The layout of an array whose first axis is the fastest.
fn fortran(element: ElementType, shape: &[usize]) -> FileResult<Layout> {
    let Some(letters) = LETTERS.get(..shape.len()) else {
        return refuse("it is in Fortran order with more than eight axes; save it in C order");
    };
    let extents: Vec<_> = letters.chars().zip(shape.iter().copied()).collect();
    let format: String = letters.chars().rev().collect();
    let of = |error| CheckpointError::of("its shape", error);
    let builder = Layout::builder(format.as_str(), element).coordinates(letters);
    builder.named_extents(&extents).map_err(of)
}
