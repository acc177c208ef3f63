//! What can be wrong where tensors come from elsewhere or go there.

use std::fmt;
use std::io;
use std::string::{String, ToString};
use std::vec::Vec;

use layout_types::{ElementType, Layout, LayoutError};

/// What is wrong between a tensor and a file or another crate's tensor.
#[derive(Debug)]
#[non_exhaustive]
pub enum AdapterError {
    /// Reading or writing failed.
    Io(io::Error),
    /// A file that is not what it should be.
    File {
        /// The kind of file: `.npy`.
        kind: &'static str,
        /// What its reader says.
        problem: String,
    },
    /// A file that ends before its tensor does.
    Short {
        /// The bytes that the tensor takes.
        needed: usize,
    },
    /// A file without the tensor of this name.
    Missing {
        /// The name.
        name: String,
        /// The names that there are.
        there: Vec<String>,
    },
    /// Other elements than the layout's.
    Element {
        /// The element type that is there, by its own name.
        given: String,
        /// The layout's.
        needed: ElementType,
        /// The layout as `layout!` reads it.
        layout: String,
    },
    /// An element type that the other side has no name for.
    NoElement {
        /// The other side: `.npy`.
        kind: &'static str,
        /// The element type.
        element: ElementType,
        /// The layout as `layout!` reads it.
        layout: String,
    },
    /// An array of another shape than the layout's storage.
    Shape {
        /// The array's axes, slowest first.
        given: Vec<usize>,
        /// The axes and blocks of the layout, slowest first.
        needed: Vec<usize>,
        /// The layout as `layout!` reads it.
        layout: String,
    },
    /// A layout whose storage is no array: it has gaps, shared elements or steps backwards.
    NoArray {
        /// The layout as `layout!` reads it.
        layout: String,
    },
    /// A rule about layouts.
    Layout(LayoutError),
}

impl AdapterError {
    pub(super) fn no_element(kind: &'static str, layout: &Layout) -> Self {
        Self::NoElement { kind, element: layout.element(), layout: layout.to_string() }
    }
}

impl fmt::Display for AdapterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::File { kind, problem } => {
                write!(
                    f,
                    "this is no {kind} file: {problem}; pass one as its own library writes it"
                )
            }
            Self::Short { needed } => write!(
                f,
                "file ends before the {needed} bytes of the tensor do; pass a file that is complete"
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
            Self::Element { given, needed, layout } => write!(
                f,
                "file holds `{given}` but layout `{layout}` holds `{element}`; write a layout of the \
                 file's element type, or convert one of the two",
                element = needed.name()
            ),
            Self::NoElement { kind, element, layout } => write!(
                f,
                "{kind} files cannot hold `{element}` of layout `{layout}`; convert the tensor to an \
                 element type that they can",
                element = element.name()
            ),
            Self::Shape { given, needed, layout } => write!(
                f,
                "file holds an array of {given:?} but the storage of layout `{layout}` is one of \
                 {needed:?}, slowest first; write a layout of the file's format and extents, and move \
                 the tensor from it"
            ),
            Self::NoArray { layout } => write!(
                f,
                "storage of layout `{layout}` is no array, since it has gaps, shared elements or \
                 negative strides; move the tensor to a layout without them first"
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
