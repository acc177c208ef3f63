//! Reads text as a draft: format and element in this file, then extents, the options of memory orders, and those of
//! views.
//!
//! Run time stops at the first fault. `layout!` shows all of them, so reading goes on after the option that is wrong.

use super::cursor::{Cursor, Span};
use super::draft::{Draft, List, Place, Places, Writing};
use super::layout_template::LayoutTemplate;
use super::literal::is_literal;
use super::values;
use crate::spec::{
    ElementType, Format, LayoutError, Letters, MAX_FACTORS, MAX_RANK, Name, Rule, same_text,
};

/// An error and its position.
pub(super) type Fault = (LayoutError, Span);

/// Unwraps a value, or returns its error at a span.
macro_rules! at {
    ($result:expr, $span:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err((error, $span)),
        }
    };
}

/// Returns a syntax error at a span.
macro_rules! fail {
    ($error:expr, $span:expr) => {
        return Err((LayoutError($error), $span))
    };
}

mod layout_options;
mod lists;
mod other_options;
mod written_extents;

pub use written_extents::WrittenExtents;

/// The text of a macro as a draft, and its faults. The draft has all that a layout needs if it is there.
#[inline]
pub fn draft(text: &str) -> (Option<Draft>, impl Iterator<Item = Fault>) {
    read_as(text, Mode::Macro)
}

/// The faults of a format with options and without extents.
#[inline]
pub fn format_faults(text: &str) -> impl Iterator<Item = Fault> {
    read_as(text, Mode::FormatOnly).1
}

#[inline]
fn read_as(text: &str, mode: Mode) -> (Option<Draft>, impl Iterator<Item = Fault>) {
    /// The most faults of one layout that are kept.
    const MOST_FAULTS: usize = 8;
    let mut reader = Reader::<MOST_FAULTS>::new(text, mode);
    reader.read();
    let draft = (!reader.is_broken).then(|| reader.draft());
    (draft, reader.faults.into_iter().flatten())
}

/// What may stand in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// Literals, and `_` for extents.
    Text,
    /// Expressions too.
    Macro,
    /// A format and options without extents and element type, for `named_format!`.
    FormatOnly,
}

/// The text, and what has been read of it. It keeps the first `FAULTS` faults.
pub(super) struct Reader<'a, const FAULTS: usize> {
    cursor: Cursor<'a>,
    mode: Mode,
    pub(super) template: LayoutTemplate,
    places: Places,
    pub(super) faults: [Option<Fault>; FAULTS],
    pub(super) count: usize,
    /// Whether a fault leaves no layout to check.
    pub(super) is_broken: bool,
    extents: List<MAX_RANK>,
    strides: List<MAX_FACTORS>,
}

impl<'a, const FAULTS: usize> Reader<'a, FAULTS> {
    pub(super) const fn new(text: &'a str, mode: Mode) -> Self {
        Self {
            cursor: Cursor::new(text),
            mode,
            template: LayoutTemplate::new(&Format::SCALAR, ElementType::U8),
            places: Places::NONE,
            faults: [None; FAULTS],
            count: 0,
            is_broken: false,
            extents: List::EMPTY,
            strides: List::EMPTY,
        }
    }

    /// What has been read, and where each part stands.
    pub(super) const fn draft(&self) -> Draft {
        Draft { template: self.template, places: self.places }
    }

    /// Reads all of the text.
    pub(super) const fn read(&mut self) {
        if let Mode::Text = self.mode {
            if let Err(fault) = self.cursor.version() {
                self.break_at(fault);
                return;
            }
        }
        if let Err(fault) = self.read_format() {
            self.break_at(fault);
            // The letters of a wrong format still name axes.
            if self.template.format.axes().count() == 0 {
                return;
            }
        }
        if !matches!(self.mode, Mode::FormatOnly) && !self.read_extents_and_element() {
            return;
        }
        // The options of a named format follow `;`, and come first.
        let here = self.cursor.at;
        if !matches!(self.mode, Mode::Text) && self.cursor.skip_to_semicolon() {
            self.cursor.eat(b';');
            self.read_options();
        }
        self.cursor.at = here;
        self.read_options();
        if self.count == FAULTS || self.is_broken || matches!(self.mode, Mode::FormatOnly) {
            return;
        }
        if let Err(fault) = self.order_axes() {
            self.break_at(fault);
        } else if let Err(fault) = self.check_storage() {
            self.break_at(fault);
        }
    }

    /// Returns false if nothing after them can be read.
    const fn read_extents_and_element(&mut self) -> bool {
        if let Err(fault) = self.read_extents() {
            self.break_at(fault);
            if !self.cursor.skip_past(b'>') {
                return false;
            }
        }
        if let Err(fault) = self.read_element() {
            self.break_at(fault);
            return false;
        }
        true
    }

    /// Keeps a fault that leaves no layout to check.
    const fn break_at(&mut self, fault: Fault) {
        self.is_broken = true;
        self.keep(fault);
    }

    /// Keeps a fault.
    const fn keep(&mut self, fault: Fault) {
        if self.count < FAULTS {
            self.faults[self.count] = Some(fault);
            self.count += 1;
        }
    }

    /// Reads options, each after a comma, up to the end or `;`.
    const fn read_options(&mut self) {
        while self.count < FAULTS && self.cursor.peek().is_some() {
            // What follows `;` are the options of a named format.
            if self.cursor.sees(b';') && !matches!(self.mode, Mode::Text) {
                return;
            }
            if !self.cursor.eat(b',') {
                self.keep((LayoutError(Rule::OptionExpected), self.cursor.here()));
                self.cursor.eat(b';');
                self.cursor.value(b',');
                continue;
            }
            if self.cursor.peek().is_none() || self.cursor.sees(b';') {
                return;
            }
            let start = self.cursor.at;
            if let Err(fault) = self.read_option() {
                self.keep(fault);
                self.cursor.at = start;
                self.cursor.value(b',');
            }
        }
    }

    /// Reads `NCHW4c` or `RC32r4r/32 4c`.
    const fn read_format(&mut self) -> Result<(), Fault> {
        let mut span = self.cursor.word();
        self.places.format = span;
        if span.is_empty() {
            fail!(Rule::FormatExpected, self.cursor.here());
        }
        if self.cursor.sees(b'!') || self.cursor.sees(b':') {
            fail!(Rule::FormatMacro, span);
        }
        let second = self.cursor.here();
        while self.cursor.eat(b'/') || !self.cursor.word().is_empty() {
            span.end = self.cursor.at;
        }
        let name = self.cursor.text(span);
        let has_extents = second.start >= span.end || self.cursor.sees(b'<');
        self.places.format = span;
        self.template.format = match Format::parse_at(name) {
            Ok(format) => format,
            Err(_) if ElementType::from_name(name).is_some() => {
                fail!(Rule::FormatExpected, span)
            }
            // The second word is an element type, and extents are missing.
            Err(_) if !has_extents && !matches!(self.mode, Mode::FormatOnly) => {
                fail!(Rule::ExtentsExpected, second)
            }
            Err((error, (first, last))) => {
                self.template.format = Format::of_letters(name);
                let (start, mut end) = (span.start + first, span.start + last + 1);
                // The last byte may be the first of a character, whose other bytes are 0b10xxxxxx.
                while end < span.end && (name.as_bytes()[end - span.start] as i8) < -64 {
                    end += 1;
                }
                let end = if end > span.end { span.end } else { end };
                return Err((error, Span { start, end }));
            }
        };
        Ok(())
    }

    /// Reads `, f16`.
    const fn read_element(&mut self) -> Result<(), Fault> {
        let no_extents = self.places.extents.is_empty();
        let expected = if no_extents { Rule::ExtentsExpected } else { Rule::ElementExpected };
        if self.cursor.peek().is_some() && !self.cursor.sees(b',') {
            fail!(expected, self.cursor.here());
        }
        let before = Span { start: self.places.format.start, end: self.cursor.at };
        if !self.cursor.eat(b',') || self.cursor.peek().is_none() || self.cursor.sees(b',') {
            fail!(Rule::ElementExpected, before);
        }
        let span = self.cursor.type_name();
        self.places.element = Place::at(span);
        let text = self.cursor.text(span);
        if is_literal(text) {
            fail!(expected, span);
        }
        if let Some(second) = self.second_word(span) {
            fail!(Rule::OptionExpected, second);
        }
        match values::element(text) {
            // `layout!` needs the type itself.
            Ok(ElementType::Plain { .. }) if !matches!(self.mode, Mode::Text) => {
                fail!(Rule::UnknownElement { name: Name::new(text) }, span)
            }
            Ok(element) => self.template.element = element,
            Err(_) if matches!(self.mode, Mode::Macro) && values::could_be_a_type(text) => {
                self.places.element.writing = Writing::Expression;
            }
            Err(error) => {
                // Everything else is checked.
                self.places.element.writing = Writing::Expression;
                self.keep((error, span));
            }
        }
        Ok(())
    }

    /// The word that follows the first word of a span without a sign between them.
    const fn second_word(&self, span: Span) -> Option<Span> {
        let mut cursor = self.cursor;
        cursor.at = span.start;
        cursor.word();
        let second = cursor.word();
        if second.is_empty() || second.end > span.end { None } else { Some(second) }
    }

    /// Reads a number of at least 0. Errors ask for at least `least`. A wrong number is kept as a fault, and gets the
    /// value that expressions have.
    const fn unsigned(
        &mut self,
        what: &'static str,
        least: usize,
        span: Span,
        placeholder: usize,
    ) -> Result<(usize, Place), Fault> {
        let text = ok!(self.number_text(span));
        let rule = match values::unsigned(what, least, text) {
            Ok(value) => return Ok((value, Place::at(span))),
            Err(rule) => rule,
        };
        ok!(self.expression(rule, text, span));
        Ok((placeholder, Place { span, writing: Writing::Expression }))
    }

    /// Reads a number that may be negative.
    const fn signed(&mut self, what: &'static str, span: Span) -> Result<(isize, Place), Fault> {
        let text = ok!(self.number_text(span));
        let rule = match values::signed(what, text) {
            Ok(value) => return Ok((value, Place::at(span))),
            Err(rule) => rule,
        };
        ok!(self.expression(rule, text, span));
        Ok((1, Place { span, writing: Writing::Expression }))
    }

    /// The text of a number, without brackets around all of it.
    const fn number_text(&self, span: Span) -> Result<&'a str, Fault> {
        if span.is_empty() {
            fail!(Rule::ValueExpected, self.here_or(span));
        }
        Ok(values::unbracketed(self.cursor.text(span)))
    }

    /// Takes a text that is not a number of the wanted kind as an expression, or returns or keeps its fault.
    const fn expression(&mut self, rule: Rule, text: &str, span: Span) -> Result<(), Fault> {
        let fault = self.fault_in(rule, span);
        if matches!(fault.0.0, Rule::CommaExpected | Rule::NameSign { .. }) {
            return Err(fault);
        }
        if matches!(self.mode, Mode::Text) || is_literal(text) || same_text(text, "_") {
            self.keep(fault);
        }
        Ok(())
    }

    /// The error of a value. If a number and another one or a name follow one another, a comma is missing instead, and `=`
    /// between the name of an axis and its number.
    const fn fault_in(&self, error: Rule, span: Span) -> Fault {
        let mut cursor = self.cursor;
        cursor.at = span.start;
        let first = cursor.word();
        let (first, letter) = (
            self.cursor.text(first),
            letter_of(self.cursor.text(first), self.template.format.axes()),
        );
        let has_colon = cursor.eat(b':');
        let second = cursor.here();
        if second.is_empty() || second.end > span.end {
            return (LayoutError(error), span);
        }
        let is_number = starts_with_digit(self.cursor.text(second));
        match letter {
            Some(letter) if is_number => {
                let value = Name::new(self.cursor.text(Span { end: span.end, ..second }));
                (LayoutError(Rule::NameSign { letter, value }), span)
            }
            None if starts_with_digit(first)
                && (is_number || cursor.name().is_some())
                && !has_colon =>
            {
                (LayoutError(Rule::CommaExpected), second)
            }
            _ => (LayoutError(error), span),
        }
    }

    /// The span, or the next word or character if it is empty.
    const fn here_or(&self, span: Span) -> Span {
        let mut cursor = self.cursor;
        cursor.at = span.start;
        cursor.here()
    }

    /// The axis that a word names.
    const fn axis(&self, span: Span) -> Result<char, Fault> {
        let name = self.cursor.text(span);
        let there = self.template.format.axes();
        match letter_of(name, there) {
            Some(letter) => Ok(letter),
            None => {
                Err((LayoutError(Rule::UnknownAxis { name: Name::new(name), axes: there }), span))
            }
        }
    }
}

/// The axis with this name.
const fn letter_of(name: &str, axes: Letters) -> Option<char> {
    if let [byte] = name.as_bytes() {
        let letter = byte.to_ascii_uppercase() as char;
        if axes.position(letter).is_some() {
            return Some(letter);
        }
    }
    None
}

const fn starts_with_digit(text: &str) -> bool {
    matches!(text.as_bytes(), [first, ..] if first.is_ascii_digit())
}
