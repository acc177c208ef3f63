//! The version of the notation, which stands before stored texts: `v1:NCHW<1, 3, 4, 4>, u8`.

use core::fmt;

use super::cursor::{Cursor, Span};
use crate::layout::Layout;
use crate::spec::{LayoutError, Name, Rule};

/// The version that is written, and the newest that is read.
pub(super) const VERSION: u32 = 1;

/// A value before its version.
pub struct Versioned<T>(pub T);

impl<T: fmt::Display> fmt::Display for Versioned<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "v{VERSION}:{}", self.0)
    }
}

impl Layout {
    /// The text of the layout after the version of the notation, for files and messages that a later version of the
    /// library may read: `v1:NCHW<1, 3, 4, 4>, u8`. [`parse`](Self::parse) reads texts with and without a version, and
    /// refuses a version that it does not know. With feature `serde`, layouts are serialized so.
    ///
    /// ```
    /// use tensor_layout::{Layout, layout};
    ///
    /// let layout = <layout!(NCHW<1, 3, 4, 4>, u8)>::LAYOUT;
    /// let text = layout.versioned().to_string();
    /// assert_eq!(text, "v1:NCHW<1, 3, 4, 4>, u8");
    /// assert_eq!(Layout::parse(&text), Ok(layout));
    /// let error = Layout::parse("v2:NCHW<1, 3, 4, 4>, u8").unwrap_err();
    /// assert!(error.to_string().contains("version 2 of the notation"));
    /// ```
    pub fn versioned(&self) -> impl fmt::Display + use<> {
        Versioned(*self)
    }
}

impl Cursor<'_> {
    /// Consumes a version, if the text begins with one.
    ///
    /// # Errors
    /// Another version than [`VERSION`].
    pub const fn version(&mut self) -> Result<(), (LayoutError, Span)> {
        let mut ahead = *self;
        let word = ahead.word();
        let bytes = self.text(word).as_bytes();
        let mut digits = 1;
        while digits < bytes.len() && bytes[digits].is_ascii_digit() {
            digits += 1;
        }
        let is_version = bytes.len() > 1 && bytes[0] == b'v' && digits == bytes.len();
        // `v1::NAME!<..>` is a path.
        if !is_version || !ahead.eat(b':') || ahead.sees(b':') {
            return Ok(());
        }
        if !matches!(bytes, [b'v', b'1']) {
            let number = Span { start: word.start + 1, end: word.end };
            let version = Name::new(self.text(number));
            return Err((
                LayoutError(Rule::NotationVersion { version, known: VERSION as usize }),
                word,
            ));
        }
        *self = ahead;
        Ok(())
    }
}

/// Returns the text after its version, if it has one.
///
/// # Errors
/// Another version than [`VERSION`].
#[cfg(feature = "serde")]
pub(super) fn without_version(text: &str) -> Result<&str, LayoutError> {
    let mut cursor = Cursor::new(text);
    match cursor.version() {
        Ok(()) => Ok(&text[cursor.at..]),
        Err((error, _)) => Err(error),
    }
}
