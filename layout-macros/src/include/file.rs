//! Reads the array of a file according to the kind of file.

use std::path::{Path, PathBuf};

use layout_core::ElementType;
use layout_types::numbers::ByteOrder;
use syn::LitStr;

use super::array::FileArray;
use super::syntax::{Include, TensorName};
use super::texts::Refusal;
use super::{gguf, npy, safetensors, texts, tflite};
use crate::errors::Errors;

/// The most bytes that are included. One may be four characters of source text, which the compiler counts in 32 bits.
const MOST_BYTES: usize = 512 << 20;

/// The path of a file as written and from the root, and its bytes, of which `included` bytes are made.
pub(super) fn read(path: &LitStr, included: usize) -> Result<(String, String, Vec<u8>), Errors> {
    let (written, directory) = (path.value(), std::env::var_os("CARGO_MANIFEST_DIR"));
    if included > MOST_BYTES {
        return Err(Errors::one(path, texts::too_large(&written, included)));
    }
    // Relative paths begin at the directory of the package.
    let absolute = directory.map(PathBuf::from).unwrap_or_default().join(&written);
    match std::fs::read(&absolute) {
        Ok(bytes) => Ok((written, absolute.to_string_lossy().into(), bytes)),
        Err(error) => Err(Errors::one(path, texts::unread(&written, &error))),
    }
}

/// The array in the bytes of a file, with elements of type `raw` without a header if no type is written.
pub(super) fn array_of<'a>(
    include: &Include,
    path: &'a str,
    bytes: &'a [u8],
    needed: Option<ElementType>,
    raw: ElementType,
) -> Result<FileArray<'a>, Errors> {
    let name = include.name.as_ref();
    array(path, bytes, name, needed, raw).map_err(|refusal| match refusal {
        Refusal::Name(message) => Errors::one(name, message),
        Refusal::File(message) => Errors::one(&include.path, message),
    })
}

/// Reads the array in `file`, the content of the file at `path`, whose name determines the kind of file. `needed` is
/// the element type, if it was written, and `raw` that of a file without a header where it was not.
fn array<'a>(
    path: &'a str,
    file: &'a [u8],
    name: Option<&TensorName>,
    needed: Option<ElementType>,
    raw: ElementType,
) -> Result<FileArray<'a>, Refusal> {
    let refused = |problem: String| Refusal::File(texts::refused(path, &problem));
    let read = |array: Result<FileArray<'a>, Refusal>| {
        array.map_err(|refusal| match refusal {
            Refusal::Name(problem) => Refusal::Name(texts::refused(path, &problem)),
            Refusal::File(problem) => refused(problem),
        })
    };
    let kind = Path::new(path).extension().and_then(|text| text.to_str());
    let kind = kind.map(str::to_ascii_lowercase);
    let array = match (kind.as_deref(), name) {
        (Some("safetensors"), Some(TensorName::Text(name))) => {
            read(safetensors::array(path, file, &name.value()))?
        }
        (Some("safetensors"), _) => {
            let names = safetensors::names(file).map_err(refused)?;
            return Err(Refusal::File(texts::no_tensor(path, &names)));
        }
        (Some("gguf"), Some(TensorName::Text(name))) => {
            read(gguf::array(path, file, &name.value()))?
        }
        (Some("gguf"), _) => {
            let names = gguf::names(file).map_err(refused)?;
            return Err(Refusal::File(texts::no_tensor(path, &names)));
        }
        (Some("tflite"), Some(name)) => read(tflite::array(path, file, name))?,
        (Some("tflite"), None) => {
            let names = tflite::names(file).ok_or_else(|| refused(tflite::BROKEN.into()))?;
            return Err(Refusal::File(texts::no_tensor(path, &names)));
        }
        (_, Some(_)) => return Err(Refusal::File(texts::no_names(path))),
        (Some("npy"), None) => npy::array(path, file).map_err(refused)?,
        _ => FileArray {
            path,
            element: needed.unwrap_or(raw),
            order: ByteOrder::Little,
            shape: None,
            is_fortran: false,
            bytes: file,
            blocks: None,
            stored: None,
        },
    };
    match needed {
        Some(needed) if needed != array.element && array.blocks.is_none() => {
            Err(Refusal::File(texts::element(path, array.element.name(), needed.name())))
        }
        _ => Ok(array),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_in_any_case_what_files_are() {
        let file = include_bytes!("../../../tests/files/weights_f32.npy");
        let shape =
            |path| array(path, file, None, None, ElementType::U8).ok().map(|array| array.shape);
        for path in ["w.npy", "W.NPY", "v1.0/w.Npy"] {
            assert_eq!(shape(path), Some(Some(vec![8, 4, 3, 3])), "{path}");
        }
        for path in ["w.npz", "npy", ".npy", "w.npy.bin"] {
            assert_eq!(shape(path), Some(None), "{path}");
        }
    }
}
