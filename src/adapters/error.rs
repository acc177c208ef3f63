//! What can be wrong where tensors come from elsewhere or go there.

use std::fmt;
use std::io;
use std::string::String;
use std::vec::Vec;

#[cfg(any(feature = "dlpack", feature = "npy", feature = "safetensors"))]
use layout_types::Layout;
use layout_types::{ElementType, LayoutError};

/// What is wrong between a tensor and a file or another crate's tensor.
#[derive(Debug)]
#[non_exhaustive]
pub enum AdapterError {
    /// Reading or writing failed.
    Io(io::Error),
    /// A file that is not what it should be.
    File {
        /// The kind of file: `.npy file`.
        kind: &'static str,
        /// What its reader says.
        problem: String,
    },
    /// A file that ends before its tensor does.
    Short {
        /// The bytes that the tensor takes.
        needed: usize,
        /// The bytes that there are.
        given: usize,
    },
    /// A tensor that there is no memory for.
    Memory {
        /// The bytes that it takes.
        needed: usize,
        /// The layout as it prints.
        layout: String,
    },
    /// A file without the tensor of this name.
    Missing {
        /// The name.
        name: String,
        /// The names that there are.
        there: Vec<String>,
    },
    /// A name that a tensor of a .safetensors file cannot have.
    Name {
        /// The name.
        name: String,
    },
    /// Other elements than the layout's.
    Element {
        /// What holds them: `.npy file`, `DLPack tensor`.
        kind: &'static str,
        /// The element type that is there, by its own name.
        given: String,
        /// The layout's.
        needed: ElementType,
        /// The layout as it prints.
        layout: String,
    },
    /// An element type that the other side has no name for.
    NoElement {
        /// The other side: `.npy file`, `DLPack tensor`.
        kind: &'static str,
        /// The element type.
        element: ElementType,
        /// The layout as it prints.
        layout: String,
    },
    /// An array of another shape than the layout's storage.
    Shape {
        /// The array's axes, slowest first.
        given: Vec<usize>,
        /// The axes and blocks of the layout, slowest first.
        needed: Vec<usize>,
        /// The layout as it prints.
        layout: String,
    },
    /// An array in Fortran order for a layout whose coordinates count the other way round.
    Fortran {
        /// The array's axes, slowest first, so the last before the first.
        given: Vec<usize>,
        /// The layout as it prints.
        layout: String,
    },
    /// A layout whose storage is no array: it has gaps, shared elements or steps backwards.
    NoArray {
        /// The layout as it prints.
        layout: String,
    },
    /// A layout without one stride for each axis where that is all the other side knows.
    Blocked {
        /// The layout.
        layout: String,
    },
    /// An array whose elements do not lie side by side.
    Gaps {
        /// Its layout.
        layout: String,
    },
    /// What ndarray does not take.
    Ndarray {
        /// What it says.
        problem: String,
        /// The layout.
        layout: String,
    },
    /// What DLPack does not take, or what a DLPack tensor cannot be here.
    Dlpack {
        /// What is wrong with it.
        problem: String,
    },
    /// A rule about layouts.
    Layout(LayoutError),
}

/// Errors of elements, for what has element types of its own.
#[cfg(any(feature = "dlpack", feature = "npy", feature = "safetensors"))]
impl AdapterError {
    pub(super) fn element(kind: &'static str, given: String, layout: &Layout) -> Self {
        Self::Element { kind, given, needed: layout.element(), layout: std::format!("{layout}") }
    }

    pub(super) fn no_element(kind: &'static str, layout: &Layout) -> Self {
        Self::NoElement { kind, element: layout.element(), layout: std::format!("{layout}") }
    }
}

impl fmt::Display for AdapterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::File { kind, problem } => {
                write!(f, "this is no {kind}: {problem}; pass one as its own library writes it")
            }
            Self::Short { needed, given } => write!(
                f,
                "file ends after {given} of the {needed} bytes of its tensor; pass a file that is \
                 complete"
            ),
            Self::Memory { needed, layout } => write!(
                f,
                "there is no memory for the {needed} bytes of layout `{layout}`; pass a file of a \
                 smaller tensor, if this one is not broken"
            ),
            Self::Missing { name, there } => {
                write!(f, "file has no tensor `{name}`; ")?;
                match there.split_first() {
                    None => f.write_str("it is empty"),
                    Some((first, rest)) => {
                        write!(f, "write one of `{first}`")?;
                        rest.iter().try_for_each(|name| write!(f, ", `{name}`"))
                    }
                }
            }
            Self::Name { name } => write!(
                f,
                "a .safetensors file cannot hold two tensors named `{name}`, nor one named \
                 `__metadata__`; give each a name of its own"
            ),
            Self::Element { kind, given, needed, layout } => write!(
                f,
                "{kind} holds `{given}` but layout `{layout}` holds `{element}`; write a layout of \
                 that element type, or convert one of the two",
                element = needed.name()
            ),
            Self::NoElement { kind, element, layout } => write!(
                f,
                "a {kind} cannot hold `{element}` of layout `{layout}`; convert the tensor to an \
                 element type that they can",
                element = element.name()
            ),
            Self::Shape { given, needed, layout } => write!(
                f,
                "file holds an array of {given:?} but the storage of layout `{layout}` is one of \
                 {needed:?}, slowest first; write a layout of the file's format and extents, and move \
                 the tensor from it"
            ),
            Self::Fortran { given, layout } => write!(
                f,
                "file holds an array of {given:?}, slowest first, in Fortran order, so that the first \
                 axis is the fastest, but in layout `{layout}` it is not; write a layout that lists the \
                 axes the other way round, as `WH<..>` does for coordinates h, w, or save the file in C \
                 order with `numpy.ascontiguousarray`"
            ),
            Self::NoArray { layout } => write!(
                f,
                "storage of layout `{layout}` is no array, since it has gaps, shared elements or \
                 negative strides; move the tensor to a layout without them first"
            ),
            Self::Blocked { layout } => write!(
                f,
                "layout `{layout}` has blocks, so no stride for each axis; move the tensor to a format \
                 without them first"
            ),
            Self::Gaps { layout } => write!(
                f,
                "array of layout `{layout}` has gaps or shared elements, and what lies in them may be \
                 in use; copy it with `as_standard_layout` first"
            ),
            Self::Ndarray { problem, layout } => write!(
                f,
                "ndarray does not take layout `{layout}`: {problem}; move the tensor to a format of \
                 its own first"
            ),
            Self::Dlpack { problem } => write!(
                f,
                "DLPack tensor cannot be used: {problem}; pass one in host memory, made as DLPack \
                 describes it"
            ),
            Self::Layout(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for AdapterError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Layout(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for AdapterError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<LayoutError> for AdapterError {
    fn from(error: LayoutError) -> Self {
        Self::Layout(error)
    }
}
