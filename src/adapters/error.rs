//! The error of adapters.

use std::fmt;
use std::io;
use std::string::String;
use std::vec::Vec;

use layout_types::{ElementType, Layout, LayoutError};

/// Why a tensor does not fit a file or a tensor of another crate, and what to do instead.
///
/// It prints as one sentence. [`source`](std::error::Error::source) is the error of reading or
/// writing, or the [`LayoutError`], that caused it.
pub struct AdapterError(#[doc(hidden)] pub Cause);

layout_types::error_texts! {
/// What went wrong. `kind` is what holds the elements, such as `.npy file`. Layouts are texts, and shapes have the slowest
/// axis first.
#[doc(hidden)]
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the texts say what causes and fields are")]
pub enum Cause (Io(io::Error), Layout(LayoutError)) {
    File { kind: &'static str, problem: String } =>
        "not a valid {kind}: {problem}; pass a file as its own library writes it";
    FileElement { kind: &'static str, problem: String } => "{kind} {problem}";
    Short { needed: usize, given: usize } =>
        "file ends after {given} of the {needed} bytes of its tensor; pass a complete file";
    Memory { needed: usize, layout: String } =>
        "could not allocate the {needed} bytes of layout `{layout}`; check that the file is valid, or use a smaller tensor";
    Name { name: String } =>
        "a .safetensors file cannot hold two tensors named `{name}`, or a tensor named `__metadata__`; give each tensor its own name";
    Element { kind: &'static str, given: String, needed: ElementType, layout: String } =>
        "{kind} holds `{given}` but layout `{layout}` holds `{needed}`; write a layout of that element type, or convert the elements";
    NoElement { kind: &'static str, element: ElementType, layout: String } =>
        "a {kind} cannot hold `{element}` of layout `{layout}`; convert the tensor to another element type";
    Shape { given: Vec<usize>, needed: Vec<usize>, layout: String } =>
        "array has shape {given:?} but layout `{layout}` is stored with shape {needed:?}, slowest first; write a layout of the array's format and extents, and relayout the tensor";
    // `remedy` is the function that writes the storage.
    NoAxes { storage: Vec<usize>, remedy: &'static str, layout: String } =>
        "axes of layout `{layout}` are not an array, since blocks of an axis lie apart or an axis is padded; write an array of its storage, of shape {storage:?}, with `{remedy}`, or move the tensor to a format without blocks first";
    Axes { shape: Vec<usize>, axes: String } =>
        "array has shape {shape:?} but the axes are `{axes}`; write one letter for each axis of the array, in the order of its shape";
    Fortran { given: Vec<usize>, layout: String } =>
        "array of shape {given:?}, slowest first, is in Fortran order, so its first axis is the fastest, unlike in layout `{layout}`; write a layout with its axes reversed, as in `WH<..>` for coordinates h, w, or save the array in C order with `numpy.ascontiguousarray`";
    NoArray { layout: String } =>
        "storage of layout `{layout}` is not an array, since it has gaps, shared elements or negative strides; move the tensor to a layout without them first";
    Blocked { layout: String } =>
        "layout `{layout}` has blocks, so its axes have more than one stride each; move the tensor to a format without blocks first";
    Gaps { layout: String } =>
        "array of layout `{layout}` has gaps or shared elements, which other arrays may use; copy it with `as_standard_layout` first";
    Ndarray { problem: String, layout: String } =>
        "ndarray does not take layout `{layout}`: {problem}; move the tensor to a layout without gaps or negative strides first";
    // `library` is what does not accept the tensor without a copy, or `array` for bytes that are none.
    Other { library: &'static str, problem: String, remedy: &'static str } => "{library} {problem}; {remedy}";
    Dlpack { problem: String } =>
        "DLPack tensor cannot be used: {problem}; pass a valid tensor in host memory";
} [
    Missing { name: String, there: Vec<String> } => write_missing;
    // The array's axes as the file lists them, and the axes and blocks of the format, none if their number differs.
    ArrayShape { given: Vec<usize>, needed: Vec<usize>, format: String } => write_array_shape;
] }

impl fmt::Display for AdapterError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Errors about elements, for adapters that have element types of their own.
impl AdapterError {
    pub(super) fn element(kind: &'static str, given: String, layout: &Layout) -> Self {
        Self(Cause::Element {
            kind,
            given,
            needed: layout.element(),
            layout: std::format!("{layout}"),
        })
    }

    #[cfg(any(feature = "dlpack", feature = "npy", feature = "safetensors"))]
    pub(super) fn no_element(kind: &'static str, layout: &Layout) -> Self {
        Self(Cause::NoElement { kind, element: layout.element(), layout: std::format!("{layout}") })
    }
}

/// The text of [`Cause::Missing`].
fn write_missing(f: &mut fmt::Formatter<'_>, name: &str, there: &[String]) -> fmt::Result {
    write!(f, "file has no tensor `{name}`; ")?;
    match there.split_first() {
        None => f.write_str("pass a file that is not empty"),
        Some((first, rest)) => {
            write!(f, "write one of `{first}`")?;
            rest.iter().try_for_each(|name| write!(f, ", `{name}`"))
        }
    }
}

/// The text of [`Cause::ArrayShape`].
fn write_array_shape(
    f: &mut fmt::Formatter<'_>,
    given: &[usize],
    needed: &[usize],
    format: &str,
) -> fmt::Result {
    write!(f, "array has shape {given:?} but format `{format}` ")?;
    match needed.is_empty() {
        true => f.write_str("has another number of axes and blocks")?,
        false => write!(f, "would have shape {needed:?}")?,
    }
    f.write_str("; write the axes and blocks of the array in the order of its shape")
}

layout_types::debug_as_display!(AdapterError);

impl std::error::Error for AdapterError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0 {
            Cause::Io(error) => Some(error),
            Cause::Layout(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for AdapterError {
    fn from(error: io::Error) -> Self {
        Self(Cause::Io(error))
    }
}

impl From<LayoutError> for AdapterError {
    fn from(error: LayoutError) -> Self {
        Self(Cause::Layout(error))
    }
}
