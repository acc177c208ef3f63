//! Records as text.

use core::fmt::{self, Write};
use core::ops::Range;
use core::str::FromStr;

use layout_core::spec::{AxisExtent, Letters, Name, positions_allowed};

use crate::checked_tree::changed_text;
use crate::digit_weights::{assign, text_of};
use crate::error::RecordError;
use crate::item::{DigitChange, MarkKind, NO_AXIS, NodeContent, WrittenMark};
use crate::record::{Record, RecordTemplate};
use crate::record_slice::RecordSlice;
use crate::tree::RecordTree;
use crate::whole_text::{covered, has_rest};

/// A tree as text, with the weights that it needs.
struct TreeText<'a> {
    tree: &'a RecordTree,
    /// A bit for each digit whose weight is written.
    given: u64,
    slice: Option<&'a RecordSlice<'a>>,
}

impl<'a> TreeText<'a> {
    fn of(tree: &'a RecordTree) -> Self {
        let mut given = 0;
        for item in 0..tree.count() {
            let is_of_axis = tree.digit(item).is_some_and(|digit| digit.letter != NO_AXIS);
            given |= u64::from(is_of_axis) << item;
        }
        // A weight is left out if all weights stay what they are.
        for item in 0..tree.count() {
            let Some(digit) = tree.digit(item) else { continue };
            let fewer = given & !(1 << item);
            let mut copy = *tree;
            if assign(&mut copy, fewer, digit.letter).is_ok() && copy == *tree {
                given = fewer;
            }
        }
        Self { tree, given, slice: None }
    }

    /// Writes digits. In a format, only a weight and what follows it have a space between them.
    fn write_digits(
        &self,
        f: &mut fmt::Formatter<'_>,
        digits: Range<usize>,
        format: bool,
    ) -> fmt::Result {
        let mut ends_in_number = false;
        for item in digits {
            let Some(digit) = self.tree.digit(item) else { continue };
            let has_weight = self.given >> item & 1 == 1;
            if format && ends_in_number {
                f.write_str(" ")?;
            }
            ends_in_number = has_weight || !matches!(digit.change, DigitChange::None);
            write!(f, "{}", text_of(&digit, has_weight))?;
            match digit.change {
                DigitChange::None => {}
                DigitChange::Fixed => write!(f, "[{}]", digit.number)?,
                _ => {
                    let text: Name = changed_text(&digit);
                    f.write_str(&text.as_str()[text_of(&digit, false).as_str().len()..])?;
                }
            }
            f.write_str(if format { "" } else { " " })?;
        }
        Ok(())
    }

    /// Writes what a node holds, and its marks.
    fn write_content(&self, f: &mut fmt::Formatter<'_>, node: usize) -> fmt::Result {
        let tree = self.tree;
        if let Some(element) = tree.element(node) {
            write!(f, "{}", element.name())?;
        } else {
            let between = match tree.content(node) {
                NodeContent::Buffers => "; ",
                _ => ", ",
            };
            let mut before = "{ ";
            let mut item = tree.digits_end(node);
            while item < tree.end(node) {
                if tree.is_node(item) {
                    f.write_str(before)?;
                    before = between;
                    self.write_item(f, item)?;
                }
                item = tree.end(item);
            }
            // A buffer of its own for one item.
            let is_one = before == between && tree.buffers() == 1 && between == "; ";
            f.write_str(if is_one { "; }" } else { " }" })?;
        }
        self.write_marks(f, node, false)
    }

    fn write_item(&self, f: &mut fmt::Formatter<'_>, node: usize) -> fmt::Result {
        let cut = self.slice.and_then(|slice| slice.cut(node));
        self.slice.map_or(Ok(()), |slice| slice.write_gap(f, node))?;
        if let Some(rest) = cut {
            self.write_digits(f, node + 1..rest, false)?;
        }
        self.write_named(f, node, cut)
    }

    /// Writes a node from a digit on, in a group with the unused bits around it, or all of it.
    fn write_named(
        &self,
        f: &mut fmt::Formatter<'_>,
        node: usize,
        cut: Option<usize>,
    ) -> fmt::Result {
        let slice = self.slice.zip(cut);
        slice.map_or(Ok(()), |(slice, rest)| slice.write_unused(f, rest, false))?;
        let name = self.tree.own_name(node);
        if !name.is_empty() {
            write!(f, "{name}: ")?;
        }
        self.write_digits(f, cut.unwrap_or(node + 1)..self.tree.digits_end(node), false)?;
        self.write_content(f, node)?;
        let Some((slice, rest)) = slice else { return Ok(()) };
        slice.write_unused(f, rest, true)?;
        self.write_marks(f, node, true)
    }

    /// Writes the marks of a node, or those that are outside of a slice of it.
    fn write_marks(&self, f: &mut fmt::Formatter<'_>, node: usize, outside: bool) -> fmt::Result {
        let tree = self.tree;
        let mut item = tree.digits_end(node);
        let (mut value, mut open) = (None, None);
        let [own, inside] = match self.slice {
            Some(slice) => [slice.align_of(node), slice.align_in(node)],
            None => [0; 2],
        };
        if inside > 0 && !outside {
            write!(f, " align({inside})")?;
        }
        while item < tree.end(node) {
            let is_wanted = |mark: &WrittenMark| {
                let is_moved = mark.kind == MarkKind::Align && mark.letter == 0;
                !(is_moved && own.max(inside) > 0)
                    && outside == self.slice.is_some_and(|slice| slice.is_outside(node, mark))
            };
            if let Some(mark) = tree.mark(item).filter(is_wanted) {
                match mark.kind {
                    MarkKind::Value => value = Some(mark),
                    // One list has those of all axes.
                    kind if mark.letter > 0 && open == Some(kind) => f.write_str(", ")?,
                    kind => {
                        f.write_str(if open.is_some() { ")" } else { "" })?;
                        let is_list = mark.letter > 0 || mark.bytes > 0;
                        write!(f, " {}{}", kind.name(), if is_list { "(" } else { "" })?;
                        open = is_list.then_some(kind);
                    }
                }
                write_argument(f, tree, &mark)?;
            }
            item = tree.end(item);
        }
        f.write_str(if open.is_some() { ")" } else { "" })?;
        match value {
            Some(mark) => write!(f, " = {}", tree.text(mark.text)),
            None => Ok(()),
        }
    }
}

/// Writes what stands in the parentheses of a mark.
fn write_argument(
    f: &mut fmt::Formatter<'_>,
    tree: &RecordTree,
    mark: &WrittenMark,
) -> fmt::Result {
    if mark.letter > 0 {
        write!(f, "{} = ", mark.letter as char)?;
    }
    match mark.kind {
        MarkKind::Align | MarkKind::Pitch | MarkKind::Words => write!(f, "{}", mark.bytes),
        MarkKind::Pad if mark.letter > 0 && mark.text.length == 0 => f.write_str("0"),
        MarkKind::Pad => f.write_str(tree.text(mark.text)),
        MarkKind::HighFirst | MarkKind::Value => Ok(()),
    }
}

/// Writes text that [`RecordTemplate::parse`] reads: as it was written, with extents by name where their order could be
/// misread, and weights where they are needed. A record of the library is written out.
impl fmt::Display for RecordTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tree = self.tree();
        let text = TreeText::of(tree);
        text.write_digits(f, 1..tree.digits_end(0), true)?;
        let has_extents = write_extents(f, self)?;
        if has_extents || tree.digits_end(0) > 1 {
            f.write_str(", ")?;
        }
        text.write_content(f, 0)
    }
}

/// Writes the extents. Returns whether there are any.
fn write_extents(
    f: &mut fmt::Formatter<'_>,
    template: &RecordTemplate,
) -> Result<bool, fmt::Error> {
    let tree = template.tree();
    let mut format = Letters::EMPTY;
    for item in 1..tree.digits_end(0) {
        if let Some(digit) = tree.digit(item) {
            let letter = digit.letter as char;
            format = if format.position(letter).is_none() { format.with(letter) } else { format };
        }
    }
    let is_listed = |axis: &&AxisExtent| {
        let letter = axis.letter as u8;
        has_rest(tree, axis.letter) || axis.extent.value() != covered(tree, letter).ok()
    };
    let listed = || template.axes().iter().filter(is_listed);
    let order = listed().fold(Letters::EMPTY, |order, axis| order.with(axis.letter));
    let written = (0..format.count()).map(|i| format.at(i));
    let letters = written.filter(|&letter| order.position(letter).is_some());
    let letters = letters.fold(Letters::EMPTY, Letters::with);
    let is_named = letters.count() < order.count()
        || !positions_allowed(letters, order)
        || listed().any(|axis| !has_rest(tree, axis.letter));
    let mut before = "<";
    for AxisExtent { letter, extent } in listed() {
        f.write_str(before)?;
        before = ", ";
        if is_named {
            write!(f, "{letter} = ")?;
        }
        match extent.value() {
            Some(extent) => write!(f, "{extent}")?,
            None => f.write_char('_')?,
        }
    }
    f.write_str(if before == "<" { "" } else { ">" })?;
    Ok(before != "<")
}

/// Writes text that [`Record::parse`] reads: as it was written, with extents by name where their order could be
/// misread, and weights where they are needed. A record of the library is written out.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.template().fmt(f)
    }
}

/// Writes the slice as a record.
impl fmt::Display for RecordSlice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tree, mut before) = (self.record.tree(), "<");
        let (text, cut) = (TreeText { slice: Some(self), ..TreeText::of(tree) }, self.cut(0));
        text.write_digits(f, 1..cut.unwrap_or(tree.digits_end(0)), true)?;
        for (i, extent) in self.record.extents().iter().enumerate() {
            let letter = self.record.letters().at(i);
            let extent = if i == self.position { self.range.len() } else { *extent };
            if has_rest(tree, letter) || covered(tree, letter as u8).ok() != Some(extent) {
                write!(f, "{before}{letter} = {extent}")?;
                before = ", ";
            }
        }
        f.write_str(if before == "<" { "" } else { ">, " })?;
        match cut {
            Some(_) => text.write_named(f, 0, cut),
            None => text.write_content(f, 0),
        }
    }
}

macro_rules! from_text {
    ($($type:ident)+) => {$(
        layout_core::debug_as_display!($type);

        #[doc = concat!("See [`", stringify!($type), "::parse`].")]
        impl FromStr for $type {
            type Err = RecordError;

            fn from_str(text: &str) -> Result<Self, RecordError> {
                Self::parse(text)
            }
        }
    )+};
}

from_text!(Record RecordTemplate);
