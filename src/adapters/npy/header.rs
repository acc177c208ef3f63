//! The header of an .npy file from a reader, and to a writer.

use std::format;
use std::io::{Error, Read};
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

use layout_types::files::{NpyHeader, NpyType};

use crate::adapters::{AdapterError, error::Cause};

/// The kind of file, in errors.
pub(super) const KIND: &str = ".npy file";

/// NumPy's own limit of the number of axes.
pub(super) const MOST_AXES: usize = 64;

/// Reads all bytes before the array, or fewer if the reader ends.
pub(super) fn read(reader: &mut impl Read) -> Result<Vec<u8>, AdapterError> {
    let mut bytes = Vec::new();
    fill(reader, &mut bytes, NpyHeader::START)?;
    let length = NpyHeader::length(&bytes).map_err(broken)?;
    fill(reader, &mut bytes, length)?;
    Ok(bytes)
}

/// Reads until there are `length` bytes, or the reader ends.
fn fill(reader: &mut impl Read, bytes: &mut Vec<u8>, length: usize) -> Result<(), Error> {
    let rest = length.saturating_sub(bytes.len());
    reader.by_ref().take(rest as u64).read_to_end(bytes).map(|_| ())
}

/// The error of a file that is not an .npy file.
pub(super) fn broken(problem: impl ToString) -> AdapterError {
    AdapterError(Cause::File { kind: KIND, problem: problem.to_string() })
}

/// Returns the header of an array in C order, byte by byte as NumPy writes it.
pub(super) fn written(element: NpyType, shape: &[usize]) -> Vec<u8> {
    /// The length of the largest extent that NumPy leaves room for, so that others can change it in place.
    const LONGEST_EXTENT: usize = 21;
    /// What the position of the array is a multiple of.
    const ALIGN: usize = 64;
    /// The bytes of the magic string, the version and the length of the text.
    const BEFORE: usize = 10;
    let extents: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let last = if shape.len() == 1 { "," } else { "" };
    let mut text = format!(
        "{{'descr': '{element}', 'fortran_order': False, 'shape': ({}{last}), }}",
        extents.join(", ")
    );
    let room = extents.first().map_or(0, |extent| LONGEST_EXTENT - extent.len());
    text.push_str(&" ".repeat(room));
    // NumPy adds at least one space.
    let end = text.len() + 1 + BEFORE;
    text.push_str(&" ".repeat(ALIGN - end % ALIGN));
    text.push('\n');
    let mut bytes = vec![0; BEFORE];
    bytes[..8].copy_from_slice(b"\x93NUMPY\x01\x00");
    // At most 64 extents of 20 digits.
    bytes[8..].copy_from_slice(&(text.len() as u16).to_le_bytes());
    bytes.extend(text.into_bytes());
    bytes
}
