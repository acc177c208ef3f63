//! Text that is not a layout: what is wrong, and where.

use core::fmt;
use core::ops::Range;

use super::cursor::{Cursor, Span};
use crate::spec::{LayoutError, Message, Name};

/// Why text is not a layout, and which part of the text says so.
///
/// ```
/// use tensor_layout::Layout;
///
/// let error = Layout::parse("NCHW4<2, 63, 3, 3>, f16").unwrap_err();
/// assert_eq!(error.range(), 9..11);
/// assert_eq!(
///     error.to_string(),
///     "byte 9, `63`: axis `C` has extent 63, which is not a multiple of its block 4; write 60 or \
///      64, or add the option `pad` to store the rest of the last block as padding",
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NotationError {
    error: LayoutError,
    start: usize,
    end: usize,
    piece: Name,
}

impl NotationError {
    pub(super) const fn new(error: LayoutError, text: &str, span: Span) -> Self {
        let piece = Name::new(Cursor::new(text).text(span));
        Self { error, start: span.start, end: span.end, piece }
    }

    /// What is wrong, without the place.
    pub const fn error(&self) -> LayoutError {
        self.error
    }

    /// The bytes of the text that are wrong; none at the end of the text, where something is
    /// missing.
    pub const fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// What is wrong and what to write instead, without the place.
    pub const fn message(&self) -> Message {
        self.error.message_in_macro()
    }

    /// Stops const evaluation, or the program, with the message.
    #[track_caller]
    pub const fn panic(&self) -> ! {
        panic!("{}", self.message().as_str())
    }
}

/// The place, then the message.
impl fmt::Display for NotationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "byte {}", self.start)?;
        if self.start < self.end {
            write!(formatter, ", `{}`", self.piece)?;
        }
        write!(formatter, ": {}", self.message())
    }
}

/// As [`Display`](fmt::Display): a program whose `main` returns the error prints it so.
impl fmt::Debug for NotationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl core::error::Error for NotationError {}

/// What is wrong, without the place.
impl From<NotationError> for LayoutError {
    fn from(error: NotationError) -> Self {
        error.error
    }
}
