//! Errors of names, and of layouts that have no name.

use core::fmt::{self, Write};

use crate::system::System;
use layout_core::Layout;
use layout_core::spec::{ElementType, LayoutError, Name, Text};

/// The name of a layout in some system.
pub type LayoutName = Text<768>;

/// The error of a name that is not a layout, or of a layout without a name in a system.
///
/// It prints as one sentence: the fact and the remedy.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError {
    /// The layout breaks a rule.
    Layout(LayoutError),
    /// The system has no such name.
    Unknown {
        /// The system.
        system: System,
        /// The text.
        name: Name,
    },
    /// The text is not in the system's notation, or means something that a layout cannot express.
    Syntax {
        /// The system.
        system: System,
        /// The rest of the text from the offending byte.
        rest: Name,
        /// The position of the offending byte.
        at: usize,
        /// The text that is expected there.
        expected: &'static str,
    },
    /// The name is for tensors with another number of axes.
    Rank {
        /// The system.
        system: System,
        /// The name.
        name: Name,
        /// The smallest number of axes.
        least: usize,
        /// The largest number of axes.
        most: usize,
        /// The number of extents.
        given: usize,
    },
    /// The system does not store these elements under the name.
    Element {
        /// The system.
        system: System,
        /// The name.
        name: Name,
        /// The element type.
        element: ElementType,
        /// The element types that the system stores.
        takes: &'static [ElementType],
    },
    /// The system has no name for such an extent.
    Extent {
        /// The system.
        system: System,
        /// The name.
        name: Name,
        /// The axis.
        axis: char,
        /// Its extent.
        extent: usize,
        /// The remedy.
        remedy: &'static str,
    },
    /// The system has no name for the layout.
    Inexpressible {
        /// The system.
        system: System,
        /// The layout as text.
        layout: Text<96>,
        /// The reason.
        reason: &'static str,
    },
}

impl NameError {
    pub(crate) fn inexpressible(system: System, layout: &Layout, reason: &'static str) -> Self {
        let mut text = Text::EMPTY;
        // Text is truncated when it is full, so writing cannot fail.
        let _ = write!(text, "{layout}");
        Self::Inexpressible { system, layout: text, reason }
    }

    pub(crate) const fn unknown(system: System, name: &str) -> Self {
        Self::Unknown { system, name: Name::new(name) }
    }
}

impl From<LayoutError> for NameError {
    fn from(error: LayoutError) -> Self {
        Self::Layout(error)
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Layout(error) => error.fmt(formatter),
            Self::Unknown { system, name } => {
                write!(formatter, "{system} has no layout `{name}`; write {}", system.limits())
            }
            Self::Syntax { system, rest, at, expected } => {
                let found = Found(rest);
                let quote = if expected.len() == 1 { "`" } else { "" };
                let expected = format_args!("{quote}{expected}{quote}");
                write!(formatter, "byte {at} of the {system} name: found {found}; write {expected}")
            }
            Self::Rank { system, name, least, most, given } => {
                let axes = if given == 1 { "axis" } else { "axes" };
                write!(formatter, "{system} `{name}` does not have {given} {axes}; give ")?;
                match (least, most) {
                    (1, 1) => formatter.write_str("1 extent"),
                    _ if least == most => write!(formatter, "{least} extents"),
                    _ => write!(formatter, "{least} to {most} extents"),
                }
            }
            Self::Element { system, name, element, takes } => {
                let element = element.name();
                write!(formatter, "{system} does not store {element} as `{name}`; use ")?;
                for (i, other) in takes.iter().enumerate() {
                    let between = if i == 0 { "" } else { " or " };
                    write!(formatter, "{between}{}", other.name())?;
                }
                Ok(())
            }
            Self::Extent { system, name, axis, extent, remedy } => {
                write!(
                    formatter,
                    "{system} `{name}` has no extent {extent} of axis `{axis}`; {remedy}"
                )
            }
            Self::Inexpressible { system, layout, reason } => {
                let limits = system.limits();
                write!(
                    formatter,
                    "{system} has no name for `{layout}`: {reason}; relayout to {limits}"
                )
            }
        }
    }
}

layout_core::debug_as_display!(NameError);

impl core::error::Error for NameError {}

/// Text at the position of an error.
struct Found(Name);

impl fmt::Display for Found {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_str() {
            "" => formatter.write_str("the end"),
            text => write!(formatter, "`{text}`"),
        }
    }
}
