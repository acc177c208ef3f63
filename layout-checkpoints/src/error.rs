//! The error of checkpoints, with its text.

use std::fmt::{self, Display};
use std::io;
use std::path::Path;

use tensor_layout::records::RecordError;

/// Why a checkpoint cannot be read, repacked or written: a fact, and the remedy after `;`.
#[derive(Debug)]
pub struct CheckpointError(String);

impl CheckpointError {
    /// An error with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The error of a file that the system refuses.
    pub(crate) fn file(path: &Path, error: &io::Error) -> Self {
        Self(format!("{}: {error}; check the path, its permissions and the disk", path.display()))
    }

    /// The same with its subject in front.
    pub(crate) fn of(subject: impl Display, error: impl Display) -> Self {
        Self(format!("{subject}: {error}"))
    }
}

impl Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CheckpointError {}

impl From<RecordError> for CheckpointError {
    fn from(error: RecordError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                Self::new("it ends too early; copy the whole file again")
            }
            io::ErrorKind::IsADirectory => Self::new("it is a folder; name a file"),
            _ => Self(format!("{error}; check the path, its permissions and the disk")),
        }
    }
}

/// The error of a JSON text, which has its place in front.
pub(crate) fn json_text(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    match text.strip_suffix(&format!(" at line {line} column {column}")) {
        Some(text) if error.is_data() => text.into(),
        Some(text) => format!("line {line}, column {column}: {text}"),
        None => text,
    }
}

/// A result of this package.
pub(crate) type FileResult<T> = Result<T, CheckpointError>;

/// Returns the error with this text.
pub(crate) fn refuse<T>(text: impl Into<String>) -> FileResult<T> {
    Err(CheckpointError(text.into()))
}
