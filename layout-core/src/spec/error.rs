//! The error type of layouts, tensors and relayouts, and the rules that a spec breaks, each with the part that breaks it.

use core::fmt;

use super::factor::Letters;
use super::rules::Rule;
use super::template::Reader;
use super::text::{Message, Name};

/// The error of a layout, tensor or relayout: the fact with names and numbers, and the remedy.
///
/// It prints as one sentence. `{:#}` prints the remedy for `layout!` if it differs from that for functions. It takes at
/// most 112 bytes, and has no text before it prints.
#[derive(Clone, Copy)]
pub struct LayoutError(#[doc(hidden)] pub Rule);

impl LayoutError {
    /// The error for an axis that is not one of `axes`.
    #[doc(hidden)]
    pub const fn unknown_axis(letter: char, axes: Letters) -> Self {
        let mut name = Name::EMPTY;
        name.push_char(letter);
        Self(Rule::UnknownAxis { name, axes })
    }

    /// Returns the text without allocation, also in const evaluation.
    pub const fn message(&self) -> Message {
        self.0.message(Reader::Function)
    }

    /// The text for a reader who writes `layout!` or its notation.
    #[doc(hidden)]
    pub const fn message_in_macro(&self) -> Message {
        self.0.message(Reader::Macro)
    }

    /// Panics with the message, in const evaluation or at run time.
    #[track_caller]
    pub const fn panic(&self) -> ! {
        panic!("{}", self.message().as_str())
    }

    /// [`panic`](Self::panic), for an invalid type.
    #[track_caller]
    #[doc(hidden)]
    pub const fn panic_in_type(&self) -> ! {
        panic!("{}", self.message_in_macro().as_str())
    }
}

/// Stops const evaluation with the error of `found`, if there is one. Macros call it for each of their lines.
#[doc(hidden)]
#[track_caller]
pub const fn report(found: Result<(), LayoutError>) {
    if let Err(error) = found {
        error.panic()
    }
}

/// Errors are equal if they say the same.
impl PartialEq for LayoutError {
    fn eq(&self, other: &Self) -> bool {
        self.message() == other.message() && self.message_in_macro() == other.message_in_macro()
    }
}

impl Eq for LayoutError {}

/// Writes the message. `{:#}` writes the remedy for `layout!`.
impl fmt::Display for LayoutError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reader = if formatter.alternate() { Reader::Macro } else { Reader::Function };
        self.0.message(reader).fmt(formatter)
    }
}

debug_as_display!(LayoutError);

impl core::error::Error for LayoutError {}

/// The subject of a broken rule, so that an error can point at it.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The memory order as a whole.
    Format,
    /// The total size.
    Size,
    /// The factor at this index.
    Factor(usize),
    /// The option of this factor.
    Option(usize),
    /// The start lane of this factor.
    Start(usize),
    /// The extent of this axis.
    Extent(char),
    /// All explicit strides.
    Strides,
    /// The fill of padding.
    Fill,
}

/// A broken rule and its subject.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The rule.
    pub error: LayoutError,
    /// The subject.
    pub subject: Subject,
}

/// The broken rules of one layout, at most [`Violations::CAPACITY`].
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Violations {
    list: [Option<Violation>; Self::CAPACITY],
    count: usize,
}

impl Violations {
    /// The largest number of rules kept. Later ones are usually consequences of the earlier ones, so they are dropped.
    pub const CAPACITY: usize = 16;

    pub(super) const NONE: Self = Self { list: [None; Self::CAPACITY], count: 0 };

    /// Whether no rule is broken.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The first broken rule.
    pub const fn first(&self) -> Option<LayoutError> {
        match self.list[0] {
            Some(violation) => Some(violation.error),
            None => None,
        }
    }

    /// The first broken rule and its subject.
    pub(crate) const fn first_violation(&self) -> Option<Violation> {
        self.list[0]
    }

    /// All broken rules.
    pub fn iter(&self) -> impl Iterator<Item = &Violation> {
        self.list.iter().flatten()
    }

    pub(super) const fn rule(&mut self, rule: Rule, subject: Subject) {
        self.push(LayoutError(rule), subject);
    }

    pub(crate) const fn push(&mut self, error: LayoutError, subject: Subject) {
        if self.count < Self::CAPACITY {
            self.list[self.count] = Some(Violation { error, subject });
            self.count += 1;
        }
    }
}
