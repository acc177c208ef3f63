//! The error of text that is not a layout, and its position.

use core::fmt;
use core::ops::Range;

use super::cursor::{Cursor, Span};
use crate::spec::{LayoutError, Message, Name};

/// The error of text that is not a layout, with the part of the text that is wrong.
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

    /// The error without the position.
    pub const fn error(&self) -> LayoutError {
        self.error
    }

    /// The range of bytes that are wrong. It is empty at the end of the text if something is missing there.
    pub const fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// The fact and the remedy, without the position.
    pub const fn message(&self) -> Message {
        self.error.message_in_macro()
    }

    /// Panics with the message, in const evaluation or at run time.
    #[track_caller]
    pub const fn panic(&self) -> ! {
        panic!("{}", self.message().as_str())
    }
}

/// Writes the position, then the message.
impl fmt::Display for NotationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "byte {}", self.start)?;
        if self.start < self.end {
            write!(formatter, ", `{}`", self.piece)?;
        }
        write!(formatter, ": {}", self.message())
    }
}

debug_as_display!(NotationError);

impl core::error::Error for NotationError {}

/// Drops the position.
impl From<NotationError> for LayoutError {
    fn from(error: NotationError) -> Self {
        error.error
    }
}
