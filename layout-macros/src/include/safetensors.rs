//! The header of .safetensors files: its length in 8 bytes, then JSON with the element type, the shape and the
//! position of each tensor's bytes after the header.
//!
//! Source: the format's description beside the library `safetensors`.

use layout_core::ElementType;
use layout_types::numbers::ByteOrder;

use super::array::FileArray;
use super::json::Json;
use super::texts::{self, Refusal};

/// The key that is not a tensor.
const METADATA: &str = "__metadata__";

/// Returns the array of this name in a file.
pub(super) fn array<'a>(
    path: &'a str,
    file: &'a [u8],
    name: &str,
) -> Result<FileArray<'a>, Refusal> {
    let (header, data) = split(file).map_err(Refusal::File)?;
    let Some(tensor) = header.get(name).filter(|_| name != METADATA) else {
        let names = names(file).map_err(Refusal::File)?;
        return Err(Refusal::Name(texts::unknown_tensor(name, &names)));
    };
    let broken = |what: &str| {
        Refusal::File(format!(
            "its header has no valid `{what}` for tensor `{name}`; save the file again"
        ))
    };
    let Some(Json::Text(dtype)) = tensor.get("dtype") else { return Err(broken("dtype")) };
    let Some(element) = ElementType::from_safetensors_name(dtype) else {
        let text =
            format!("it holds `{dtype}`, which is not an element type; save it as another type");
        return Err(Refusal::File(text));
    };
    let shape = tensor.get("shape").and_then(Json::sizes).ok_or_else(|| broken("shape"))?;
    let offsets = tensor.get("data_offsets").and_then(Json::sizes);
    let Some([start, end]) = offsets.as_deref() else { return Err(broken("data_offsets")) };
    let Some(bytes) = data.get(*start..*end) else {
        let room = data.len();
        let text = format!(
            "its data has {room} bytes but tensor `{name}` ends at byte {end}; save the file again"
        );
        return Err(Refusal::File(text));
    };
    let order = ByteOrder::Little;
    Ok(FileArray {
        path,
        element,
        order,
        shape: Some(shape),
        is_fortran: false,
        bytes,
        blocks: None,
        stored: None,
    })
}

/// Returns the names of the tensors, for error texts.
pub(super) fn names(file: &[u8]) -> Result<Vec<String>, String> {
    let (header, _) = split(file)?;
    let mut names = header.keys();
    names.retain(|name| name != METADATA);
    names.sort();
    Ok(names)
}

/// Splits the file into the header and the bytes after it.
fn split(file: &[u8]) -> Result<(Json, &[u8]), String> {
    let short = "its header is incomplete; save the file again";
    let (length, rest) = file.split_first_chunk().ok_or(short)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| short)?;
    let (header, data) = rest.split_at_checked(length).ok_or(short)?;
    let header = std::str::from_utf8(header).ok().and_then(Json::parse);
    match header {
        Some(header @ Json::Map(_)) => Ok((header, data)),
        _ => Err("its header is not a JSON object; save the file again".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &[u8] = include_bytes!("../../../tests/files/numpy.safetensors");

    #[test]
    fn every_file_that_is_cut_short_is_an_error() {
        let end = array("", FILE, "conv.weight").unwrap().bytes.as_ptr_range().end;
        let needed = end as usize - FILE.as_ptr() as usize;
        for length in 0..=FILE.len() {
            let found = array("", &FILE[..length], "conv.weight");
            assert_eq!(found.is_ok(), length >= needed, "{length}");
        }
    }

    #[test]
    fn headers_that_claim_anything() {
        let file = |header: &str| {
            [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &[0; 8]].concat()
        };
        let entry =
            |entry: &str| array("", &file(&format!("{{\"a\\u0062\":{entry}}}")), "ab").is_ok();
        assert!(entry(r#"{"dtype":"F32","shape":[2],"data_offsets":[0,8]}"#));
        for wrong in [
            r#"{"dtype":"F32","shape":[2],"data_offsets":[0,9]}"#,
            r#"{"dtype":"F32","shape":[2],"data_offsets":[8,0]}"#,
            r#"{"dtype":"F32","shape":[2],"data_offsets":[0]}"#,
            r#"{"dtype":"F32","shape":[2],"data_offsets":[0,18446744073709551616]}"#,
            r#"{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}"#,
            r#"{"dtype":"C64","shape":[1],"data_offsets":[0,8]}"#,
            r#"{"shape":[2],"data_offsets":[0,8]}"#,
            "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]",
            "true",
            "",
        ] {
            assert!(!entry(wrong), "{wrong}");
        }
        assert!(array("", &u64::MAX.to_le_bytes(), "ab").is_err());
    }
}
