//! Tensors in .npy files, whose header and bytes are read here without the library.

use super::views::{Built, build};
use super::{Verdict, bytes, ensure};
use crate::guard::{Buffer, Position};
use crate::library;
use crate::step::Viewed;
use test_support::Random;

/// A tensor of 32-bit floats that is written and read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// The tensor.
    pub viewed: Viewed,
    /// What the bytes are made from.
    pub data: u64,
}

/// The file holds the storage, and reading gives it back.
///
/// # Errors
/// What went wrong.
pub fn check(case: &File) -> Result<Verdict, String> {
    let Some(Built { layout, length, .. }) = build(&case.viewed, |_| Ok(()))? else {
        return Ok(Verdict::Refused);
    };
    let mut random = Random::new(case.data, 4);
    let bytes = bytes(&mut random, 4 * length);
    let align = library::facts(&layout).alignment.max(4);
    let buffer = Buffer::new(&bytes, Position { align, ..Position::END });
    let Some((file, again)) = library::npy(&layout, buffer.bytes())? else {
        return Ok(Verdict::Refused);
    };
    ensure!(again == bytes, "reading gives other bytes");
    let (header, data) = split(&file).ok_or("the file has no header")?;
    ensure!(data == bytes, "the file holds other bytes than the storage");
    let order = if cfg!(target_endian = "big") { ">f4" } else { "<f4" };
    ensure!(header.contains(order), "the header is {header}");
    let shape = header.split_once("'shape': (").and_then(|text| text.1.split_once(')'));
    let shape = shape.ok_or("the header has no shape")?.0;
    let extents = shape.split(',').filter(|text| !text.trim().is_empty());
    let extents: Result<Vec<usize>, _> = extents.map(|text| text.trim().parse()).collect();
    let product: usize = extents.map_err(|_| format!("the shape is {shape}"))?.iter().product();
    ensure!(product == length, "a shape of {shape} for {length} elements");
    Ok(Verdict::Done)
}

/// The header's text and the data.
fn split(file: &[u8]) -> Option<(String, &[u8])> {
    let rest = file.strip_prefix(b"\x93NUMPY\x01\x00")?;
    let length = usize::from(u16::from_le_bytes([*rest.first()?, *rest.get(1)?]));
    let header = String::from_utf8(rest.get(2..2 + length)?.to_vec()).ok()?;
    Some((header, &rest[2 + length..]))
}
