//! .gguf files: keys with their values, what is said of each tensor, then the bytes of all.
//!
//! Source: the description of the format beside the library `ggml`.

use layout_core::ElementType;
use layout_types::files::{GGUF_ELEMENTS, GgufPart, read_gguf, unique_names};
use layout_types::numbers::ByteOrder;

use super::array::FileArray;
use super::texts::{self, Refusal};

/// The name, the extents, the type and the position of a tensor.
type GgufTensor = (String, Vec<usize>, u32, u64);

/// The tensors, and what their positions are multiples of, and where they begin.
fn tensors(mut file: &[u8]) -> Result<(Vec<GgufTensor>, (u32, usize)), String> {
    let mut all = Vec::new();
    let read = read_gguf(&mut file, |part| {
        if let GgufPart::Tensor(name, shape, kind, at) = part {
            all.push((name.to_string(), shape.to_vec(), kind, at));
        }
        Ok(())
    });
    let places = read?;
    unique_names(all.iter().map(|tensor| &tensor.0[..]))?;
    Ok((all, places))
}

/// The names of the tensors, for error texts.
pub(super) fn names(file: &[u8]) -> Result<Vec<String>, String> {
    Ok(tensors(file)?.0.into_iter().map(|tensor| tensor.0).collect())
}

/// Returns the array of this name in a file: of elements, or bytes of blocks of a record.
pub(super) fn array<'a>(
    path: &'a str,
    file: &'a [u8],
    name: &str,
) -> Result<FileArray<'a>, Refusal> {
    let (all, (align, data)) = tensors(file).map_err(Refusal::File)?;
    let Some((_, shape, kind, at)) = all.into_iter().find(|tensor| tensor.0 == name) else {
        let names = names(file).map_err(Refusal::File)?;
        return Err(Refusal::Name(texts::unknown_tensor(name, &names)));
    };
    if at % u64::from(align) != 0 {
        return Err(Refusal::File(texts::tensor_start(name, at, align)));
    }
    let of_elements = GGUF_ELEMENTS.iter().find(|element| element.0 == kind);
    let (element, blocks, needed) = match of_elements {
        Some((_, element)) => {
            let bytes = element.bits() / 8;
            (*element, None, shape.iter().try_fold(bytes, |all, extent| all.checked_mul(*extent)))
        }
        None => {
            let blocks = blocks(kind, &shape);
            let (name, bytes) =
                blocks.ok_or_else(|| Refusal::File(texts::gguf_type(name, kind, &shape)))?;
            (ElementType::U8, Some(name), Some(bytes))
        }
    };
    let start = usize::try_from(at).ok().and_then(|at| at.checked_add(data));
    let bytes = start.and_then(|start| file.get(start..)?.get(..needed?));
    let bytes = bytes.ok_or_else(|| Refusal::File(texts::cut_tensor(name)))?;
    let (order, shape) = (ByteOrder::Little, Some(shape));
    Ok(FileArray { path, element, order, shape, is_fortran: false, bytes, blocks, stored: None })
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
            let tensor = array("", FILE, name).ok().unwrap().bytes;
            assert_eq!(tensor.len(), bytes);
            let needed = tensor.as_ptr_range().end as usize - FILE.as_ptr() as usize;
            for length in 0..=FILE.len() {
                assert_eq!(array("", &FILE[..length], name).is_ok(), length >= needed, "{length}");
            }
        }
    }

    #[test]
    fn two_tensors_of_one_name_are_an_error() {
        let tensor = [&[1, 0, 0, 0, 0, 0, 0, 0, b'a'][..], &[0; 4], &[24, 0, 0, 0], &[0; 8]];
        let tensor = tensor.concat();
        let start = [&b"GGUF\x03\0\0\0\x02\0\0\0\0\0\0\0"[..], &[0; 8]].concat();
        let file = [&start[..], &tensor, &tensor, &[0; 64]].concat();
        let error = tensors(&file).unwrap_err();
        assert!(error.starts_with("two tensors are named `a`; "), "{error}");
    }

    /// A header that claims anything is an error, or an array within the file.
    #[test]
    fn headers_are_not_believed() {
        let header = FILE.windows(4).position(|bytes| bytes == b"conv").unwrap() + 60;
        for at in 0..header {
            for value in [0, 1, 4, 8, 9, 12, 13, 127, 255, FILE[at] ^ 1] {
                let mut file = FILE.to_vec();
                file[at] = value;
                for name in ["conv", "blk.0.attn_q.weight"] {
                    let found = array("", &file, name);
                    assert!(
                        found.is_err() || found.is_ok_and(|array| array.bytes.len() < file.len())
                    );
                }
            }
        }
    }
}
