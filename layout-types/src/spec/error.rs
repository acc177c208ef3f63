//! The error of everything that layouts, tensors and relayouts refuse.

use core::fmt;

use super::factor::Letters;
use super::rules::Rule;
use super::template::Reader;
use super::text::{Message, Name};

/// What is wrong, with names and numbers, and what to write instead.
///
/// It prints as one sentence; `{:#}` prints what to write in `layout!` where functions and macros
/// differ.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LayoutError(#[doc(hidden)] pub Rule);

impl LayoutError {
    /// The error of an axis that is not one of `axes`.
    pub(crate) const fn unknown_axis(letter: char, axes: Letters) -> Self {
        let mut name = Name::EMPTY;
        name.push_char(letter);
        Self(Rule::UnknownAxis { name, axes })
    }

    /// The text, without allocation and in const evaluation too.
    pub const fn message(&self) -> Message {
        self.0.message(Reader::Function)
    }

    /// The text for a reader who writes `layout!` or its text.
    pub(crate) const fn message_in_macro(&self) -> Message {
        self.0.message(Reader::Macro)
    }

    /// Stops const evaluation, or the program, with the message.
    #[track_caller]
    pub const fn panic(&self) -> ! {
        panic!("{}", self.message().as_str())
    }

    /// [`panic`](Self::panic) for a type that cannot be.
    #[track_caller]
    #[doc(hidden)]
    pub const fn panic_in_type(&self) -> ! {
        panic!("{}", self.message_in_macro().as_str())
    }
}

/// The message; as `{:#}`, with what to write instead in `layout!`.
impl fmt::Display for LayoutError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reader = if formatter.alternate() { Reader::Macro } else { Reader::Function };
        self.0.message(reader).fmt(formatter)
    }
}

/// The message: a program whose `main` returns the error prints it so.
impl fmt::Debug for LayoutError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.message(), formatter)
    }
}

impl core::error::Error for LayoutError {}
