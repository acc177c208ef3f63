//! The reasons why a file cannot be included.

use layout_core::LayoutError;

/// The subject of the text.
pub(super) enum Problem {
    /// The content of the file is wrong.
    File(String),
    /// The option is impossible.
    Change(String),
    /// A rule of relayouts or conversions is broken.
    Layouts(LayoutError),
}

/// Why a tensor of a file cannot be read.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The file has no such tensor.
    Name(String),
    /// The content of the file is wrong.
    File(String),
}

impl From<LayoutError> for Problem {
    fn from(error: LayoutError) -> Self {
        Self::Layouts(error)
    }
}
