//! One array in a file: what its header says, and its bytes.

use std::path::Path;

use layout_types::{ElementType, Layout};
use syn::LitStr;

use super::{ByteOrder, npy, safetensors, texts};

/// An array as the file holds it.
pub(super) struct Array<'a> {
    /// The file, as written.
    pub(super) path: &'a str,
    pub(super) element: ElementType,
    pub(super) order: ByteOrder,
    /// The axes, slowest first but in Fortran order; `None` for raw bytes.
    pub(super) shape: Option<Vec<usize>>,
    /// Whether the first axis is the fastest.
    pub(super) is_fortran: bool,
    pub(super) bytes: &'a [u8],
}

impl<'a> Array<'a> {
    /// The array in `file`, the content of the file at `path`, whose name says of what kind it is, of
    /// elements that are `needed` where that was written.
    pub(super) fn new(
        path: &'a str,
        file: &'a [u8],
        name: Option<&LitStr>,
        needed: Option<ElementType>,
        layout: &Layout,
    ) -> Result<Self, String> {
        let refused = |problem: String| texts::refused(path, &problem);
        let kind = Path::new(path).extension().and_then(|text| text.to_str());
        let kind = kind.map(str::to_ascii_lowercase);
        let array = match (kind.as_deref(), name) {
            (Some("safetensors"), Some(name)) => {
                safetensors::array(path, file, &name.value()).map_err(refused)?
            }
            (Some("safetensors"), None) => {
                return Err(texts::no_tensor(path, &safetensors::names(file).map_err(refused)?));
            }
            (_, Some(_)) => return Err(texts::no_names(path)),
            (Some("npy"), None) => npy::array(path, file).map_err(refused)?,
            _ => Self {
                path,
                element: needed.unwrap_or(layout.element()),
                order: ByteOrder::Little,
                shape: None,
                is_fortran: false,
                bytes: file,
            },
        };
        match needed {
            Some(needed) if needed != array.element => {
                Err(texts::element(path, array.element, needed))
            }
            _ => Ok(array),
        }
    }

    /// Errors unless the array has the shape and the size of `source`, its axes in `format`.
    pub(super) fn check(
        &self,
        format: &str,
        source: &Layout,
        destination: &Layout,
    ) -> Result<(), String> {
        let mut needed: Vec<usize> = source.digits().iter().map(|digit| digit.size).collect();
        if self.is_fortran {
            needed.reverse();
        }
        match &self.shape {
            Some(shape) if *shape != needed => {
                return Err(texts::shape(self.path, shape, &needed, format, destination));
            }
            _ => {}
        }
        match self.bytes.len() {
            given if given == source.bytes() => Ok(()),
            given => Err(texts::length(self.path, given, source, self.shape.is_none())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_in_any_case_what_files_are() {
        let file = include_bytes!("../../../tests/files/weights_f32.npy");
        let format = layout_types::Format::parse("A").unwrap();
        let layout = Layout::of(&format, &[1], ElementType::U8).unwrap();
        let shape = |path| Array::new(path, file, None, None, &layout).map(|array| array.shape);
        for path in ["w.npy", "W.NPY", "v1.0/w.Npy"] {
            assert_eq!(shape(path), Ok(Some(vec![8, 4, 3, 3])), "{path}");
        }
        for path in ["w.npz", "npy", ".npy", "w.npy.bin"] {
            assert_eq!(shape(path), Ok(None), "{path}");
        }
    }
}
