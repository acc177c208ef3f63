//! Errors of names, and of layouts that have no name.

use core::fmt::{self, Write};

use crate::system::System;
use layout_core::Layout;
use layout_core::spec::{ElementType, LayoutError, Name, Text};

/// The name of a layout in some system.
pub type LayoutName = Text<768>;

layout_core::error_texts! {
/// The error of a name that is not a layout, or of a layout without a name in a system.
///
/// It prints as one sentence: the fact and the remedy.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError (
    /// The layout breaks a rule.
    Layout(LayoutError)
) {
    /// The system has no such name.
    Unknown {
        /// The system.
        system: System,
        /// The text.
        name: Name,
    } => "{system} has no layout `{name}`; write {limits}", limits = system.limits();
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
    } => "byte {at} of the {system} name: found {found}; write {quote}{expected}{quote}", found = Found(*rest), quote = if expected.len() == 1 { "`" } else { "" };
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
    } => "{system} `{name}` has no extent {extent} of axis `{axis}`; {remedy}";
    /// The system has no name for the layout.
    Inexpressible {
        /// The system.
        system: System,
        /// The layout as text.
        layout: Text<96>,
        /// The reason.
        reason: &'static str,
    } => "{system} has no name for `{layout}`: {reason}; relayout to {limits}", limits = system.limits();
} [
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
    } => write_rank;
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
    } => write_element;
] }

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

fn write_rank(
    formatter: &mut fmt::Formatter<'_>,
    system: &System,
    name: &Name,
    least: &usize,
    most: &usize,
    given: &usize,
) -> fmt::Result {
    let axes = if *given == 1 { "axis" } else { "axes" };
    write!(formatter, "{system} `{name}` does not have {given} {axes}; give ")?;
    match (least, most) {
        (1, 1) => formatter.write_str("1 extent"),
        _ if least == most => write!(formatter, "{least} extents"),
        _ => write!(formatter, "{least} to {most} extents"),
    }
}

fn write_element(
    formatter: &mut fmt::Formatter<'_>,
    system: &System,
    name: &Name,
    element: &ElementType,
    takes: &[ElementType],
) -> fmt::Result {
    write!(formatter, "{system} does not store {element} as `{name}`; use ")?;
    for (i, other) in takes.iter().enumerate() {
        write!(formatter, "{}{other}", if i == 0 { "" } else { " or " })?;
    }
    Ok(())
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
