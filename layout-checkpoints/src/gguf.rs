//! GGUF files: keys and values, the tensors, and their bytes.

use std::collections::BTreeMap;
use std::io::Read;
use std::ops::Range;

use layout_types::files::{
    GGUF_ELEMENTS as ELEMENTS, GGUF_MOST_AXES as MOST_AXES, GGUF_VALUE_BYTES as VALUE_BYTES,
};
use tensor_layout::ElementType;
use tensor_layout::records::of_gguf_type;

use crate::checkpoint_header::{
    CheckpointFormat, CheckpointHeader, MOST_NAME, MOST_TENSORS, MOST_TEXT, Metadata,
};
use crate::error::{FileResult, refuse};
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

const TEXT: u32 = 8;
const ARRAY: u32 = 9;

/// What positions are multiples of, unless a key says otherwise.
pub(crate) const ALIGN: u64 = 32;
/// The greatest alignment that is read. Others would fill a file with what is between tensors.
const MOST_ALIGN: u64 = 64 << 10;
const ALIGN_KEY: &[u8] = b"general.alignment";

/// Reads the header, and keeps the bytes that it has read.
struct Keeping<'a, R> {
    reader: &'a mut R,
    kept: Vec<u8>,
    /// The bytes read before those.
    before: u64,
    /// The bytes of texts and names that are kept elsewhere.
    spent: usize,
}

impl<R: Read> Keeping<'_, R> {
    /// Reads bytes, and returns where they are.
    fn take(&mut self, bytes: u64) -> FileResult<usize> {
        let start = self.kept.len();
        if bytes > MOST_TEXT.saturating_sub(start + self.spent) as u64 {
            return refuse(format!(
                "its header takes more than {MOST_TEXT} bytes; drop keys of it"
            ));
        }
        // `read_to_end` allocates what has arrived.
        let read = self.reader.by_ref().take(bytes).read_to_end(&mut self.kept)?;
        match read as u64 == bytes {
            true => Ok(start),
            false => refuse("it ends within its header; copy the whole file again"),
        }
    }

    fn number<const BYTES: usize>(&mut self) -> FileResult<[u8; BYTES]> {
        let start = self.take(BYTES as u64)?;
        let mut number = [0; BYTES];
        number.copy_from_slice(&self.kept[start..]);
        Ok(number)
    }

    fn u32(&mut self) -> FileResult<u32> {
        self.number().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> FileResult<u64> {
        self.number().map(u64::from_le_bytes)
    }

    /// Reads a text, and returns where it is.
    fn text(&mut self) -> FileResult<usize> {
        let length = self.u64()?;
        self.take(length)
    }

    /// The bytes from there on as text.
    fn utf8(&self, range: Range<usize>) -> FileResult<&str> {
        let bytes = &self.kept[range];
        std::str::from_utf8(bytes).or_else(|_| {
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]);
            refuse(format!("the name or text `{text}` is not UTF-8; save the file again"))
        })
    }

    /// Passes over a value, and returns where its last part begins.
    fn value(&mut self, kind: u32, depth: usize) -> FileResult<usize> {
        match kind {
            TEXT => self.text(),
            ARRAY if depth < 4 => {
                let (kind, count) = (self.u32()?, self.u64()?);
                if let Some(&bytes @ 1..) = VALUE_BYTES.get(kind as usize) {
                    return self.take(count.saturating_mul(bytes));
                }
                let start = self.kept.len();
                for _ in 0..count {
                    self.value(kind, depth + 1)?;
                }
                Ok(start)
            }
            _ => match VALUE_BYTES.get(kind as usize) {
                Some(&bytes @ 1..) => self.take(bytes),
                _ if kind == ARRAY => {
                    refuse("it has arrays in arrays, more than 4 deep; drop keys of it")
                }
                _ => refuse(format!(
                    "it has a value of type {kind}, and types are 0 to 12; save the file again"
                )),
            },
        }
    }

    fn forget(&mut self) {
        self.before += self.kept.len() as u64;
        self.kept.clear();
    }
}

pub(crate) fn read(reader: &mut impl Read) -> FileResult<CheckpointHeader> {
    let mut all = Keeping { reader, kept: Vec::new(), before: 0, spent: 0 };
    all.take(4)?;
    let version = all.u32()?;
    if !(2..=3).contains(&version) {
        return refuse(format!(
            "its version of GGUF is {version}, and this program reads 2 and 3; convert it first"
        ));
    }
    let (tensors, keys) = (all.u64()?, all.u64()?);
    if tensors > MOST_TENSORS as u64 {
        return refuse(format!(
            "it has {tensors} tensors, more than {MOST_TENSORS}; save several files"
        ));
    }
    all.forget();
    let (align, mut layouts, count) = keys_of(&mut all, keys)?;
    let stored = std::mem::take(&mut all.kept);
    all.before += stored.len() as u64;
    // What tensors are named counts on its own.
    all.spent = 0;
    let mut infos: Vec<StoredTensor> = Vec::new();
    for _ in 0..tensors {
        infos.push(tensor(&mut all, &mut layouts)?);
        all.spent += all.kept.len();
        all.forget();
    }
    let data = all.before.next_multiple_of(align);
    place(&mut infos, align, data)?;
    let metadata = Metadata::Gguf { stored, count, align };
    Ok(CheckpointHeader { format: CheckpointFormat::Gguf, tensors: infos, metadata })
}

/// Reads the keys, and returns the alignment, the layouts by name, and the number of other keys, which are kept, but for
/// that of a cache.
fn keys_of(
    all: &mut Keeping<'_, impl Read>,
    keys: u64,
) -> FileResult<(u64, BTreeMap<String, String>, u64)> {
    let (mut align, mut layouts, mut count) = (ALIGN, BTreeMap::new(), 0);
    for _ in 0..keys {
        let start = all.kept.len();
        let key = all.text()?;
        let key = key..all.kept.len();
        let kind = all.u32()?;
        let at = all.value(kind, 0)?;
        if &all.kept[key.clone()] == ALIGN_KEY {
            if kind != 4 {
                return refuse(format!(
                    "its alignment is a value of type {kind}, and alignments are of type 4 (u32); save the file again"
                ));
            }
            let value = [0, 1, 2, 3].map(|i| all.kept[at + i]);
            align = u32::from_le_bytes(value).into();
        }
        let is_layout = all.kept[key.clone()].starts_with(LAYOUT_KEY.as_bytes());
        count += 1;
        if kind == TEXT && (is_layout || &all.kept[key.clone()] == CACHE_KEY.as_bytes()) {
            if is_layout {
                let name = all.utf8(key.start + LAYOUT_KEY.len()..key.end)?.to_string();
                let text = all.utf8(at..all.kept.len())?.to_string();
                if let Some(text) = layouts.insert(name, text) {
                    return refuse(format!(
                        "a tensor has two layouts, such as `{text}`; drop a key"
                    ));
                }
            }
            count -= 1;
            let bytes = all.kept.len() - start;
            all.before += bytes as u64;
            all.spent += bytes;
            all.kept.truncate(start);
        }
    }
    if !align.is_power_of_two() || align > MOST_ALIGN {
        return refuse(format!(
            "its alignment is {align}, and alignments are powers of two up to {MOST_ALIGN}; save the file again"
        ));
    }
    Ok((align, layouts, count))
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

/// Reads what the header says about a tensor.
fn tensor(
    all: &mut Keeping<'_, impl Read>,
    layouts: &mut BTreeMap<String, String>,
) -> FileResult<StoredTensor> {
    let length = all.u64()?;
    if length > MOST_NAME as u64 {
        return refuse(format!(
            "the name of a tensor has {length} bytes, more than {MOST_NAME}; rename it"
        ));
    }
    let name = all.take(length)?;
    let name = all.utf8(name..all.kept.len())?.to_string();
    let rank = all.u32()?;
    if rank > MOST_AXES {
        return refuse(format!(
            "tensor `{name}` has {rank} axes, more than {MOST_AXES}; save it with fewer"
        ));
    }
    let mut shape = Vec::new();
    for _ in 0..rank {
        let extent = all.u64()?;
        let Ok(extent) = usize::try_from(extent) else {
            return refuse(format!(
                "tensor `{name}` has an extent of {extent}, too large; save the file again"
            ));
        };
        shape.insert(0, extent);
    }
    let (kind, at) = (all.u32()?, all.u64()?);
    let element = ELEMENTS.iter().find(|(number, _)| *number == kind);
    let (content, bytes) = match (element, of_gguf_type(kind)) {
        (Some(&(_, element)), _) => (Content::Element(element), bytes_of(element, &shape)),
        (None, Some(record)) => {
            let bytes = record_of(record, &shape)?.bytes(0) as u64;
            (Content::Record(record), Some(bytes))
        }
        (None, None) => other(kind, &name, &shape)?,
    };
    let Some(bytes) = bytes else {
        return refuse(format!(
            "tensor `{name}` of shape {shape:?} has more bytes than a file holds; save the file again"
        ));
    };
    let layout = match layouts.remove(&name) {
        Some(value) => Some(layout_text(&name, &value)?),
        None => None,
    };
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
