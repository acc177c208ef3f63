//! Why a file cannot be included.

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

impl From<LayoutError> for Problem {
    fn from(error: LayoutError) -> Self {
        Self::Layouts(error)
    }
}
