//! Why a file cannot be what the program is given.

use layout_types::LayoutError;

/// What the text is about.
pub(super) enum Problem {
    /// What the file holds does not do.
    File(String),
    /// The option asks for what cannot be.
    Change(String),
    /// A rule of relayouts or conversions.
    Layouts(LayoutError),
}

impl From<LayoutError> for Problem {
    fn from(error: LayoutError) -> Self {
        Self::Layouts(error)
    }
}
