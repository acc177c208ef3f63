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

/// What went wrong.
#[doc(hidden)]
#[derive(Debug)]
#[non_exhaustive]
pub enum Cause {
    /// Reading or writing failed.
    Io(io::Error),
    /// The reader rejected the file.
    File {
        /// The kind of file: `.npy file`.
        kind: &'static str,
        /// What the reader says.
        problem: String,
    },
    /// No layout can hold the elements of the file.
    FileElement {
        /// The kind of file: `.npy file`.
        kind: &'static str,
        /// What the file holds, and what to do instead.
        problem: String,
    },
    /// The file ends before its tensor does.
    Short {
        /// The bytes that the tensor takes.
        needed: usize,
        /// The bytes in the file.
        given: usize,
    },
    /// Memory for a tensor could not be allocated.
    Memory {
        /// The bytes that it takes.
        needed: usize,
        /// The layout as text.
        layout: String,
    },
    /// The file has no tensor of this name.
    Missing {
        /// The name.
        name: String,
        /// The names in the file.
        there: Vec<String>,
    },
    /// A .safetensors file cannot have a tensor of this name.
    Name {
        /// The name.
        name: String,
    },
    /// The element type differs from the layout's.
    Element {
        /// What holds the elements: `.npy file`, `DLPack tensor`.
        kind: &'static str,
        /// The other element type, by its own name.
        given: String,
        /// The layout's.
        needed: ElementType,
        /// The layout as text.
        layout: String,
    },
    /// The other side has no such element type.
    NoElement {
        /// The other side: `.npy file`, `DLPack tensor`.
        kind: &'static str,
        /// The element type.
        element: ElementType,
        /// The layout as text.
        layout: String,
    },
    /// The shape of the array differs from that of the layout's axes, and from that of its storage.
    Shape {
        /// The array's axes, slowest first.
        given: Vec<usize>,
        /// The axes of the layout, slowest first, or its axes and blocks if its axes are not an array.
        needed: Vec<usize>,
        /// The layout as text.
        layout: String,
    },
    /// The axes of the layout are not an array: blocks of an axis lie apart, or an axis is padded.
    NoAxes {
        /// The axes and blocks of the layout, slowest first.
        storage: Vec<usize>,
        /// The function that writes its storage.
        remedy: &'static str,
        /// The layout as text.
        layout: String,
    },
    /// The shape of the array differs from that of its format.
    ArrayShape {
        /// The array's axes, as the file lists them.
        given: Vec<usize>,
        /// The axes and blocks of the format, slowest first; empty if their number differs.
        needed: Vec<usize>,
        /// The format.
        format: String,
    },
    /// The axes are not those of an array by number.
    Axes {
        /// The array's axes.
        shape: Vec<usize>,
        /// The letters for them.
        axes: String,
    },
    /// The array is in Fortran order, and the first axis of the layout is not the fastest.
    Fortran {
        /// The array's axes, slowest first, so from the last to the first.
        given: Vec<usize>,
        /// The layout as text.
        layout: String,
    },
    /// The storage of the layout is not an array: it has gaps, shared elements or negative strides.
    NoArray {
        /// The layout as text.
        layout: String,
    },
    /// The layout has no single stride for each axis, which the other side needs.
    Blocked {
        /// The layout.
        layout: String,
    },
    /// The array is not contiguous.
    Gaps {
        /// Its layout.
        layout: String,
    },
    /// ndarray rejected the layout.
    Ndarray {
        /// What ndarray says.
        problem: String,
        /// The layout.
        layout: String,
    },
    /// Another library does not accept the tensor without a copy, or bytes are not an array.
    Other {
        /// The library, or `array`.
        library: &'static str,
        /// What is wrong, after that name.
        problem: String,
        /// What to do instead.
        remedy: &'static str,
    },
    /// DLPack does not accept the tensor, or the library does not accept the DLPack tensor.
    Dlpack {
        /// What is wrong with it.
        problem: String,
    },
    /// An error about layouts.
    Layout(LayoutError),
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

impl fmt::Display for AdapterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Cause::Io(error) => write!(f, "{error}"),
            Cause::File { kind, problem } => {
                write!(f, "not a valid {kind}: {problem}; pass a file as its own library writes it")
            }
            Cause::FileElement { kind, problem } => write!(f, "{kind} {problem}"),
            Cause::Short { needed, given } => write_short(f, *needed, *given),
            Cause::Memory { needed, layout } => write!(
                f,
                "could not allocate the {needed} bytes of layout `{layout}`; check that the file is \
                 valid, or use a smaller tensor"
            ),
            Cause::Missing { name, there } => write_missing(f, name, there),
            Cause::Name { name } => write!(
                f,
                "a .safetensors file cannot hold two tensors named `{name}`, or a tensor named \
                 `__metadata__`; give each tensor its own name"
            ),
            Cause::Element { kind, given, needed, layout } => write!(
                f,
                "{kind} holds `{given}` but layout `{layout}` holds `{element}`; write a layout of \
                 that element type, or convert the elements",
                element = needed.name()
            ),
            Cause::NoElement { kind, element, layout } => write!(
                f,
                "a {kind} cannot hold `{element}` of layout `{layout}`; convert the tensor to another \
                 element type",
                element = element.name()
            ),
            Cause::Shape { given, needed, layout } => write_shape(f, given, needed, layout),
            Cause::NoAxes { storage, remedy, layout } => write_no_axes(f, storage, remedy, layout),
            Cause::ArrayShape { given, needed, format } => {
                write_array_shape(f, given, needed, format)
            }
            Cause::Axes { shape, axes } => write!(
                f,
                "array has shape {shape:?} but the axes are `{axes}`; write one letter for each axis of \
                 the array, in the order of its shape"
            ),
            Cause::Fortran { given, layout } => write_fortran(f, given, layout),
            Cause::NoArray { layout } => write_no_array(f, layout),
            Cause::Blocked { layout } => write_blocked(f, layout),
            Cause::Gaps { layout } => write_gaps(f, layout),
            Cause::Ndarray { problem, layout } => write!(
                f,
                "ndarray does not take layout `{layout}`: {problem}; move the tensor to a layout \
                 without gaps or negative strides first"
            ),
            Cause::Other { library, problem, remedy } => {
                write!(f, "{library} {problem}; {remedy}")
            }
            Cause::Dlpack { problem } => write!(
                f,
                "DLPack tensor cannot be used: {problem}; pass a valid tensor in host memory"
            ),
            Cause::Layout(error) => write!(f, "{error}"),
        }
    }
}

/// The text of [`Cause::Short`].
fn write_short(f: &mut fmt::Formatter<'_>, needed: usize, given: usize) -> fmt::Result {
    write!(f, "file ends after {given} of the {needed} bytes of its tensor; pass a complete file")
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

/// The text of [`Cause::Shape`].
fn write_shape(
    f: &mut fmt::Formatter<'_>,
    given: &[usize],
    needed: &[usize],
    layout: &str,
) -> fmt::Result {
    write!(
        f,
        "array has shape {given:?} but layout `{layout}` is stored with shape {needed:?}, slowest \
         first; write a layout of the array's format and extents, and relayout the tensor"
    )
}

/// The text of [`Cause::NoAxes`].
fn write_no_axes(
    f: &mut fmt::Formatter<'_>,
    storage: &[usize],
    remedy: &str,
    layout: &str,
) -> fmt::Result {
    write!(
        f,
        "axes of layout `{layout}` are not an array, since blocks of an axis lie apart or an axis is \
         padded; write an array of its storage, of shape {storage:?}, with `{remedy}`, or move the \
         tensor to a format without blocks first"
    )
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

/// The text of [`Cause::Fortran`].
fn write_fortran(f: &mut fmt::Formatter<'_>, given: &[usize], layout: &str) -> fmt::Result {
    write!(
        f,
        "array of shape {given:?}, slowest first, is in Fortran order, so its first axis is the \
         fastest, unlike in layout `{layout}`; write a layout with its axes reversed, as in `WH<..>` \
         for coordinates h, w, or save the array in C order with `numpy.ascontiguousarray`"
    )
}

/// The text of [`Cause::NoArray`].
fn write_no_array(f: &mut fmt::Formatter<'_>, layout: &str) -> fmt::Result {
    write!(
        f,
        "storage of layout `{layout}` is not an array, since it has gaps, shared elements or \
         negative strides; move the tensor to a layout without them first"
    )
}

/// The text of [`Cause::Blocked`].
fn write_blocked(f: &mut fmt::Formatter<'_>, layout: &str) -> fmt::Result {
    write!(
        f,
        "layout `{layout}` has blocks, so its axes have more than one stride each; move the \
         tensor to a format without blocks first"
    )
}

/// The text of [`Cause::Gaps`].
fn write_gaps(f: &mut fmt::Formatter<'_>, layout: &str) -> fmt::Result {
    write!(
        f,
        "array of layout `{layout}` has gaps or shared elements, which other arrays may use; \
         copy it with `as_standard_layout` first"
    )
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
