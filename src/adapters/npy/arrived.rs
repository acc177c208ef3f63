//! Memory for the array of a file that may hold fewer bytes than its header claims.

use std::io::{self, ErrorKind, Read};

use super::super::{AdapterError, error::Cause};
use crate::tensor::HeapBuffer;

/// The bytes that get memory before any has arrived.
const FIRST: usize = 1 << 20;

/// How much larger a buffer is than what has arrived. A part that has arrived is copied once, so larger factors copy
/// less, and take more memory for a file that ends too early.
const GROWTH: usize = 16;

/// Reads a buffer of this size and alignment. `refused` is the error if memory cannot be allocated.
///
/// # Errors
/// - The reader fails, or ends too early.
/// - Memory cannot be allocated.
pub(super) fn read(
    reader: &mut impl Read,
    needed: usize,
    align: usize,
    refused: impl Fn() -> AdapterError,
) -> Result<HeapBuffer, AdapterError> {
    match filled(reader, needed, align, &refused)? {
        (buffer, given) if given == needed => Ok(buffer),
        (_, given) => Err(AdapterError(Cause::Short { needed, given })),
    }
}

/// Returns a buffer of `bytes` bytes and the number of those that have arrived. If the reader ends too early, the
/// buffer is smaller.
fn filled(
    reader: &mut impl Read,
    bytes: usize,
    align: usize,
    refused: &impl Fn() -> AdapterError,
) -> Result<(HeapBuffer, usize), AdapterError> {
    let allocated = |bytes| HeapBuffer::zeros(bytes, align).map_err(|_| refused());
    let (mut buffer, mut given) = if bytes <= FIRST {
        (allocated(bytes)?, 0)
    } else {
        let first = bytes / GROWTH;
        let (part, given) = filled(reader, first, align, refused)?;
        if given < first {
            return Ok((part, given));
        }
        let mut buffer = allocated(bytes)?;
        bytes_of(&mut buffer)[..first].copy_from_slice(part.as_ref());
        (buffer, given)
    };
    given += read_all(reader, &mut bytes_of(&mut buffer)[given..])?;
    Ok((buffer, given))
}

fn bytes_of(buffer: &mut HeapBuffer) -> &mut [u8] {
    buffer.as_mut()
}

/// Reads until `bytes` is full or the reader ends. Returns the number of bytes read.
fn read_all(reader: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match reader.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
