//! GGUF files: keys and values, the tensors, and their bytes.

use std::collections::BTreeMap;
use std::io::Read;

use layout_types::files::{
    GGUF_ELEMENTS as ELEMENTS, GGUF_SHORT, GgufPart, HeaderBytes, read_gguf,
};
use tensor_layout::ElementType;
use tensor_layout::records::of_gguf_type;

use crate::checkpoint_header::{CheckpointFormat, CheckpointHeader, Metadata};
use crate::error::{CheckpointError, FileResult, refuse};
use crate::stored_tensor::{
    CACHE_KEY, Content, LAYOUT_KEY, StoredTensor, bytes_of, layout_text, record_of,
};

/// Types whose values no record describes: the number, the name, and the numbers and the bytes of a block. Their bytes
/// are kept. The numbers are those of the package `gguf` 0.19.
const OTHERS: [(u32, &str, u64, u64); 10] = [
    (15, "ggml::Q8_K", 256, 292),
    (16, "ggml::IQ2_XXS", 256, 66),
    (17, "ggml::IQ2_XS", 256, 74),
    (18, "ggml::IQ3_XXS", 256, 98),
    (19, "ggml::IQ1_S", 256, 50),
    (21, "ggml::IQ3_S", 256, 110),
    (22, "ggml::IQ2_S", 256, 82),
    (29, "ggml::IQ1_M", 256, 56),
    (34, "ggml::TQ1_0", 256, 54),
    (41, "ggml::Q1_0", 128, 18),
];

/// The number of the type of texts.
const TEXT: u32 = 8;

/// The part of a file that is read and not forgotten.
struct ReadBytes<'a, R> {
    reader: &'a mut R,
    kept: Vec<u8>,
}

impl<R: Read> HeaderBytes for ReadBytes<'_, R> {
    type Error = CheckpointError;

    fn refusal(text: String) -> CheckpointError {
        CheckpointError::new(text)
    }

    fn first(&mut self, count: usize) -> FileResult<&[u8]> {
        let more = count.saturating_sub(self.kept.len()) as u64;
        // `read_to_end` allocates what has arrived.
        match self.reader.by_ref().take(more).read_to_end(&mut self.kept)? as u64 == more {
            true => Ok(&self.kept),
            false => refuse(GGUF_SHORT),
        }
    }

    fn forget(&mut self, count: usize) {
        self.kept = self.kept.split_off(count);
    }
}

pub(crate) fn read(reader: &mut impl Read) -> FileResult<CheckpointHeader> {
    // Layouts by name. Other keys are kept, but for that of a cache.
    let (mut layouts, mut stored, mut count) = (BTreeMap::new(), Vec::new(), 0);
    let mut tensors = Vec::new();
    let read = read_gguf(&mut ReadBytes { reader, kept: Vec::new() }, |part| {
        match part {
            GgufPart::Tensor(name, shape, kind, at) => {
                tensors.push(tensor((name, shape), kind, at, layouts.remove(name))?);
            }
            GgufPart::Key(name, Some(_), _) if name == CACHE_KEY.as_bytes() => {}
            GgufPart::Key(name, text, own) => {
                if let (Some(name), Some(text)) = (name.strip_prefix(LAYOUT_KEY.as_bytes()), text) {
                    return match layouts.insert(utf8(name)?, utf8(text)?) {
                        Some(text) => refuse(format!(
                            "a tensor has two layouts, such as `{text}`; drop a key"
                        )),
                        None => Ok(()),
                    };
                }
                stored.extend_from_slice(own);
                count += 1;
            }
        }
        Ok(())
    });
    let (align, data) = read?;
    let align = align.into();
    place(&mut tensors, align, data as u64)?;
    let metadata = Metadata::Gguf { stored, count, align };
    Ok(CheckpointHeader { format: CheckpointFormat::Gguf, tensors, metadata })
}

fn utf8(bytes: &[u8]) -> FileResult<String> {
    std::str::from_utf8(bytes).map(str::to_string).or_else(|_| {
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]);
        refuse(format!("the name or text `{text}` is not UTF-8; save the file again"))
    })
}

/// Checks that tensors follow one another, and makes their positions those in the file, in whose order they are then.
fn place(infos: &mut [StoredTensor], align: u64, data: u64) -> FileResult<()> {
    infos.sort_by_key(|tensor| (tensor.at, tensor.bytes));
    let mut end = 0u64;
    for tensor in infos {
        // Else bytes that nothing reads would be lost.
        let start = end.checked_next_multiple_of(align);
        if start != Some(tensor.at) {
            return refuse(format!(
                "tensor `{}` begins at byte {}, and the one before it ends at byte {end}, of which the next multiple of \
                 {align} is meant; save the file again",
                tensor.name, tensor.at
            ));
        }
        end = tensor.at.saturating_add(tensor.bytes);
        tensor.at = tensor.at.saturating_add(data);
    }
    Ok(())
}

/// What the header says about a tensor.
fn tensor(
    (name, shape): (&str, &[usize]),
    kind: u32,
    at: u64,
    layout: Option<String>,
) -> FileResult<StoredTensor> {
    let element = ELEMENTS.iter().find(|(number, _)| *number == kind);
    let (content, bytes) = match (element, of_gguf_type(kind)) {
        (Some(&(_, element)), _) => (Content::Element(element), bytes_of(element, shape)),
        (None, Some(record)) => {
            let bytes = record_of(record, shape)?.bytes(0) as u64;
            (Content::Record(record), Some(bytes))
        }
        (None, None) => other(kind, name, shape)?,
    };
    let Some(bytes) = bytes else {
        return refuse(format!(
            "tensor `{name}` of shape {shape:?} has more bytes than a file holds; save the file again"
        ));
    };
    let layout = layout.map(|value| layout_text(name, &value)).transpose()?;
    let (name, shape) = (name.to_string(), shape.to_vec());
    Ok(StoredTensor { name, content, shape, layout, at, bytes, is_big_endian: false })
}

/// A type that no record describes, and the bytes of a tensor of it.
fn other(kind: u32, name: &str, shape: &[usize]) -> FileResult<(Content, Option<u64>)> {
    let Some((_, own, numbers, bytes)) = OTHERS.iter().find(|own| own.0 == kind) else {
        return refuse(format!(
            "tensor `{name}` has type {kind} of GGUF, which this program does not know; convert it first"
        ));
    };
    let columns = shape.last().map_or(1, |&extent| extent as u64);
    if !columns.is_multiple_of(*numbers) {
        return refuse(format!(
            "tensor `{name}` has rows of {columns} numbers, and a block of {own} has {numbers}; save the file again"
        ));
    }
    let all = bytes_of(ElementType::U8, shape)
        .map(|count| u128::from(count / numbers) * u128::from(*bytes));
    Ok((Content::Other((*own).into()), all.and_then(|all| u64::try_from(all).ok())))
}

/// Returns the number of a type. `None` if GGUF does not have it.
pub(crate) fn type_of(content: &Content) -> Option<u32> {
    match content {
        Content::Element(element) => {
            ELEMENTS.iter().find(|(_, own)| own == element).map(|(number, _)| *number)
        }
        Content::Record(record) => record.gguf_type(),
        Content::Other(name) => OTHERS.iter().find(|own| own.1 == name).map(|own| own.0),
    }
}

/// Returns the beginning of a file of these tensors, whose positions are multiples of `align`. `keys` holds `count`
/// keys and their values.
pub(crate) fn written(
    tensors: &[StoredTensor],
    texts: &BTreeMap<String, String>,
    (keys, count, align): (&[u8], u64, u64),
) -> Vec<u8> {
    fn text(to: &mut Vec<u8>, own: &str) {
        to.extend((own.len() as u64).to_le_bytes());
        to.extend(own.as_bytes());
    }
    let mut bytes = b"GGUF\x03\0\0\0".to_vec();
    bytes.extend((tensors.len() as u64).to_le_bytes());
    bytes.extend((count + texts.len() as u64).to_le_bytes());
    bytes.extend(keys);
    for (key, own) in texts {
        text(&mut bytes, key);
        bytes.extend(TEXT.to_le_bytes());
        text(&mut bytes, own);
    }
    let mut end = 0u64;
    for tensor in tensors {
        text(&mut bytes, &tensor.name);
        bytes.extend((tensor.shape.len() as u32).to_le_bytes());
        for extent in tensor.shape.iter().rev() {
            bytes.extend((*extent as u64).to_le_bytes());
        }
        bytes.extend(type_of(&tensor.content).unwrap_or_default().to_le_bytes());
        bytes.extend(end.to_le_bytes());
        end = (end + tensor.bytes).next_multiple_of(align);
    }
    let length = (bytes.len() as u64).next_multiple_of(align);
    bytes.resize(length as usize, 0);
    bytes
}
