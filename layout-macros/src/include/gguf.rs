//! .gguf files: keys with their values, what is said of each tensor, then the bytes of all.
//!
//! Source: the description of the format beside the library `ggml`.

use layout_types::files::{GGUF_ELEMENTS, GGUF_MOST_AXES, GGUF_VALUE_BYTES};
use layout_types::numbers::ByteOrder;

use super::array::Array;
use super::texts::{self, Refusal};

pub(super) const BROKEN: &str =
    "its header is incomplete, or is not one of GGUF 2 or 3; save the file again";

/// What a header says of a tensor. Its axes are the slowest first.
struct Tensor<'a> {
    name: &'a str,
    shape: Vec<usize>,
    kind: u32,
    at: u64,
}

/// What is left of a header.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, bytes: u64) -> Option<&'a [u8]> {
        let (own, rest) = self.0.split_at_checked(usize::try_from(bytes).ok()?)?;
        self.0 = rest;
        Some(own)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        let length = self.u64()?;
        self.take(length)
    }

    /// Passes over a value, and returns its last part.
    fn value(&mut self, kind: u32, depth: usize) -> Option<&'a [u8]> {
        match (kind, *GGUF_VALUE_BYTES.get(kind as usize)?) {
            (8, _) => self.text(),
            (_, bytes @ 1..) => self.take(bytes),
            _ if depth == 4 => None,
            _ => {
                let (kind, count) = (self.u32()?, self.u64()?);
                if let Some(&bytes @ 1..) = GGUF_VALUE_BYTES.get(kind as usize) {
                    return self.take(count.checked_mul(bytes)?);
                }
                (0..count).try_fold(&[][..], |_, _| self.value(kind, depth + 1))
            }
        }
    }
}

/// The tensors, and the bytes after the header. Nothing is allocated for what the file does not have.
fn tensors(file: &[u8]) -> Option<(Vec<Tensor<'_>>, &[u8])> {
    let mut rest = Rest(file);
    if rest.take(4)? != b"GGUF" || !matches!(rest.u32()?, 2 | 3) {
        return None;
    }
    let (count, keys, mut align) = (rest.u64()?, rest.u64()?, 32);
    for _ in 0..keys {
        let (key, kind) = (rest.text()?, rest.u32()?);
        let value = rest.value(kind, 0)?;
        if key == b"general.alignment" {
            align = u32::from_le_bytes(value.try_into().ok()?);
            if kind != 4 || !align.is_power_of_two() {
                return None;
            }
        }
    }
    let mut all = Vec::new();
    for _ in 0..count {
        let (name, mut shape) = (std::str::from_utf8(rest.text()?).ok()?, Vec::new());
        let rank = rest.u32().filter(|rank| *rank <= GGUF_MOST_AXES)?;
        for _ in 0..rank {
            shape.insert(0, usize::try_from(rest.u64()?).ok()?);
        }
        let (kind, at) = (rest.u32()?, rest.u64()?);
        if at % u64::from(align) != 0 {
            return None;
        }
        all.push(Tensor { name, shape, kind, at });
    }
    let start = (file.len() - rest.0.len()).checked_next_multiple_of(align as usize)?;
    Some((all, file.get(start..)?))
}

/// The names of the tensors, for error texts.
pub(super) fn names(file: &[u8]) -> Option<Vec<String>> {
    Some(tensors(file)?.0.iter().map(|own| own.name.to_string()).collect())
}

/// Returns the array of this name in a file: of elements, or bytes of blocks of a record.
pub(super) fn array<'a>(path: &'a str, file: &'a [u8], name: &str) -> Result<Array<'a>, Refusal> {
    let broken = || Refusal::File(BROKEN.into());
    let (all, data) = tensors(file).ok_or_else(broken)?;
    let Some(own) = all.into_iter().find(|own| own.name == name) else {
        let names = names(file).ok_or_else(broken)?;
        return Err(Refusal::Name(texts::unknown_tensor(name, &names)));
    };
    let count = own.shape.iter().try_fold(1usize, |all, extent| all.checked_mul(*extent));
    let of_elements = GGUF_ELEMENTS.iter().find(|element| element.0 == own.kind);
    let (element, blocks, needed) = match of_elements {
        Some((_, element)) => {
            (*element, None, count.and_then(|count| count.checked_mul(element.bits() / 8)))
        }
        None => {
            let blocks = blocks(own.kind, &own.shape);
            let (name, bytes) = blocks
                .ok_or_else(|| Refusal::File(texts::gguf_type(name, own.kind, &own.shape)))?;
            (layout_core::ElementType::U8, Some(name), Some(bytes))
        }
    };
    let bytes = usize::try_from(own.at).ok().and_then(|at| data.get(at..)?.get(..needed?));
    let bytes = bytes.ok_or_else(|| Refusal::File(texts::cut_tensor(name)))?;
    let (order, shape) = (ByteOrder::Little, Some(own.shape));
    Ok(Array { path, element, order, shape, is_fortran: false, bytes, blocks, stored: None })
}

/// The name of the record of a type, and the bytes of a tensor of this shape.
#[cfg(feature = "records")]
fn blocks(kind: u32, shape: &[usize]) -> Option<(&'static str, usize)> {
    let (columns, rows) = shape.split_last()?;
    let rows = rows.iter().try_fold(1usize, |all, extent| all.checked_mul(*extent))?;
    let known = layout_records::of_gguf_type(kind)?;
    let record = known.template().ok()?.with_extents(&[('M', rows), ('K', *columns)]).ok()?;
    Some((known.name(), record.bytes(0)))
}

#[cfg(not(feature = "records"))]
fn blocks(_: u32, _: &[usize]) -> Option<(&'static str, usize)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &[u8] = include_bytes!("../../../tests/files/tensors.gguf");

    #[test]
    fn files_that_are_cut_short_are_errors() {
        for (name, bytes) in [("conv", 48), ("blk.0.attn_norm.weight", 12)] {
            let own = array("", FILE, name).ok().unwrap().bytes;
            assert_eq!(own.len(), bytes);
            let needed = own.as_ptr_range().end as usize - FILE.as_ptr() as usize;
            for length in 0..=FILE.len() {
                assert_eq!(array("", &FILE[..length], name).is_ok(), length >= needed, "{length}");
            }
        }
    }

    /// A header that claims anything is an error, or an array within the file.
    #[test]
    fn headers_are_not_believed() {
        let header = FILE.windows(4).position(|own| own == b"conv").unwrap() + 60;
        for at in 0..header {
            for value in [0, 1, 4, 8, 9, 12, 13, 127, 255, FILE[at] ^ 1] {
                let mut file = FILE.to_vec();
                file[at] = value;
                for name in ["conv", "blk.0.attn_q.weight"] {
                    let found = array("", &file, name);
                    assert!(found.is_err() || found.is_ok_and(|own| own.bytes.len() < file.len()));
                }
            }
        }
    }
}
