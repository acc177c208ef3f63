//! .safetensors files: the length of a JSON text, the text, and the bytes of the tensors.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::io::Read;

use layout_types::files::{MOST_HEADER, MOST_TENSORS};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use tensor_layout::ElementType;

use crate::checkpoint_header::{CheckpointFormat, CheckpointHeader, Metadata};
use crate::error::{CheckpointError, FileResult, json_text, refuse};
use crate::json_object::json_object;
use crate::stored_tensor::{
    CACHE_KEY, Content, LAYOUT_KEY, StoredTensor, bytes_of, layout_text, record_of,
};

/// The key of what is not a tensor.
pub(crate) const METADATA: &str = "__metadata__";

pub(crate) fn read(reader: &mut impl Read) -> FileResult<CheckpointHeader> {
    let mut length = [0; 8];
    reader.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > MOST_HEADER as u64 {
        return refuse(format!(
            "it is not a .safetensors, GGUF or .npy file, or its header has {length} bytes; headers have at most \
             {MOST_HEADER} bytes; correct the path, or save several files"
        ));
    }
    let mut text = std::io::BufReader::new(reader.take(length));
    let mut reading = serde_json::Deserializer::from_reader(&mut text);
    let broken = |error: serde_json::Error| match error.is_eof() {
        true => CheckpointError::new("it ends within its header; copy the whole file again"),
        false => CheckpointError::new(format!(
            "its header is broken: {}; save it again",
            json_text(&error)
        )),
    };
    let HeaderText { mut tensors, mut texts } =
        HeaderText::deserialize(&mut reading).map_err(broken)?;
    reading.end().map_err(broken)?;
    if text.into_inner().limit() > 0 {
        return refuse("it ends within its header; copy the whole file again");
    }
    tensors.sort_by_key(|tensor| (tensor.at, tensor.bytes));
    let mut end = 0;
    for tensor in &mut tensors {
        if tensor.at != end {
            return refuse(format!(
                "tensor `{}` begins at byte {}, and the one before it ends at byte {end}; save it again",
                tensor.name, tensor.at
            ));
        }
        end = tensor.at + tensor.bytes;
        tensor.at = tensor.at.saturating_add(8 + length);
        if let Some(value) = texts.remove(&format!("{LAYOUT_KEY}{}", tensor.name)) {
            tensor.layout = Some(layout_text(&tensor.name, &value)?);
        }
    }
    // That of another file is not its own.
    texts.remove(CACHE_KEY);
    let metadata = Metadata::Texts(texts.into_iter().collect());
    Ok(CheckpointHeader { format: CheckpointFormat::Safetensors, tensors, metadata })
}

/// The header as JSON. Positions begin after it.
struct HeaderText {
    tensors: Vec<StoredTensor>,
    texts: BTreeMap<String, String>,
}

json_object! {
    HeaderText, "an object of tensors", map => {
        let mut all = HeaderText { tensors: Vec::new(), texts: BTreeMap::new() };
        while let Some(name) = map.next_key::<String>()? {
            if name == METADATA {
                all.texts = map.next_value::<Texts>()?.0;
                continue;
            }
            if all.tensors.len() == MOST_TENSORS {
                return Err(Error::custom(format!("it has more than {MOST_TENSORS} tensors")));
            }
            let info = map.next_value::<TensorText>()?;
            all.tensors.push(info.tensor(name).map_err(Error::custom)?);
        }
        Ok(all)
    }
}

/// `__metadata__`, whose texts are counted, since each takes more memory than its bytes.
struct Texts(BTreeMap<String, String>);

json_object! {
    Texts, "an object of texts", map => {
        let mut texts = BTreeMap::new();
        while let Some((key, text)) = map.next_entry()? {
            texts.insert(key, text);
            if texts.len() > 2 * MOST_TENSORS {
                return Err(Error::custom("it has too many texts"));
            }
        }
        Ok(Texts(texts))
    }
}

/// A shape. Other libraries have at most 32 axes.
struct ShapeText(Vec<usize>);

impl<'de> Deserialize<'de> for ShapeText {
    fn deserialize<D: Deserializer<'de>>(reading: D) -> Result<Self, D::Error> {
        struct AxisList;

        impl<'de> Visitor<'de> for AxisList {
            type Value = ShapeText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of at most 32 extents")
            }

            fn visit_seq<S: SeqAccess<'de>>(self, mut axes: S) -> Result<ShapeText, S::Error> {
                let mut extents = Vec::new();
                while let Some(extent) = axes.next_element()? {
                    extents.push(extent);
                    if extents.len() > 32 {
                        return Err(S::Error::invalid_length(extents.len(), &self));
                    }
                }
                Ok(ShapeText(extents))
            }
        }

        reading.deserialize_seq(AxisList)
    }
}

/// What the header says about a tensor.
#[derive(Default)]
struct TensorText {
    dtype: Option<String>,
    shape: Option<Vec<usize>>,
    offsets: Option<(u64, u64)>,
}

json_object! {
    TensorText, "an object of `dtype`, `shape` and `data_offsets`", map => {
        let mut text = TensorText::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "dtype" => text.dtype = Some(map.next_value()?),
                "shape" => text.shape = Some(map.next_value::<ShapeText>()?.0),
                "data_offsets" => text.offsets = Some(map.next_value()?),
                _ => return Err(Error::unknown_field(&key, FIELDS)),
            }
        }
        Ok(text)
    }
}

const FIELDS: &[&str] = &["dtype", "shape", "data_offsets"];

impl TensorText {
    fn tensor(self, name: String) -> Result<StoredTensor, String> {
        let (Some(dtype), Some(shape), Some((start, end))) = (self.dtype, self.shape, self.offsets)
        else {
            return Err(format!(
                "tensor `{name}` lacks one of `dtype`, `shape` and `data_offsets`"
            ));
        };
        let Some(bytes) = end.checked_sub(start) else {
            return Err(format!(
                "tensor `{name}` ends at byte {end}, before it begins, at {start}"
            ));
        };
        let content = match ElementType::from_safetensors_name(&dtype) {
            Some(element) => Content::Element(element),
            None => Content::Other(dtype),
        };
        if let Content::Element(element) = content {
            let needed = bytes_of(element, &shape);
            if needed != Some(bytes) {
                let needed = needed
                    .map_or("more bytes than a file holds".into(), |own| format!("{own} bytes"));
                return Err(format!(
                    "tensor `{name}` of shape {shape:?} of {element} takes {needed}, and has {bytes}"
                ));
            }
        }
        Ok(StoredTensor {
            name,
            content,
            shape,
            layout: None,
            at: start,
            bytes,
            is_big_endian: false,
        })
    }
}

/// Makes a tensor one that a file has: the blocks of a record are bytes, and its text is their layout.
///
/// # Errors
/// The format has no such elements.
pub(crate) fn store(tensor: &mut StoredTensor) -> FileResult<()> {
    match &tensor.content {
        Content::Record(record) => {
            let text = record_of(record, &tensor.shape)?.to_string();
            tensor.layout.get_or_insert(text);
            tensor.shape = vec![tensor.bytes as usize];
            tensor.content = Content::Element(ElementType::U8);
        }
        Content::Element(element) if element.safetensors_name().is_none() => {
            return refuse(format!(
                ".safetensors has no type of {element}, which tensor `{}` holds; name its bytes u8",
                tensor.name
            ));
        }
        Content::Other(name) if name.contains(':') => {
            return refuse(format!(
                ".safetensors has no type of {name}, which tensor `{}` holds; write .gguf",
                tensor.name
            ));
        }
        _ => {}
    }
    Ok(())
}

/// Returns the beginning of a file of these tensors, whose bytes follow one another.
pub(crate) fn written(tensors: &[StoredTensor], texts: &BTreeMap<String, String>) -> Vec<u8> {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut text = String::from("{");
    if !texts.is_empty() {
        let texts: Vec<_> =
            texts.iter().map(|(key, own)| format!("{}:{}", quoted(key), quoted(own))).collect();
        let _ = write!(text, "\"{METADATA}\":{{{}}},", texts.join(","));
    }
    let mut end = 0;
    for tensor in tensors {
        let dtype = match &tensor.content {
            Content::Element(element) => element.safetensors_name().unwrap_or_default(),
            Content::Record(record) => record.name(),
            Content::Other(name) => name,
        };
        let start = end;
        end += tensor.bytes;
        let (name, dtype) = (quoted(&tensor.name), quoted(dtype));
        let shape = format!("{:?}", tensor.shape).replace(' ', "");
        let _ = write!(
            text,
            "{name}:{{\"dtype\":{dtype},\"shape\":{shape},\"data_offsets\":[{start},{end}]}},"
        );
    }
    if text.ends_with(',') {
        text.pop();
    }
    text.push('}');
    // Spaces align the tensors that follow.
    let length = text.len().next_multiple_of(8);
    let mut bytes = (length as u64).to_le_bytes().to_vec();
    bytes.extend(text.into_bytes());
    bytes.resize(8 + length, b' ');
    bytes
}
