//! Templates of error texts. A `const fn` fills them in, so const evaluation, macros and run time print the same text.
//!
//! | placeholder | prints |
//! |---|---|
//! | `{name}` | the value |
//! | `{name:byte\|bytes}` | the value and its noun: `1 byte`, `2 bytes` |
//! | `{name?some\|none}` | the first text if the value is true, not 0 and not empty, otherwise the second |
//!
//! The texts after `?` are templates themselves. The second may be left out: `{name?some}`.

use core::fmt::{self, Write};

use super::text::{Message, same_bytes};

/// The value of a placeholder.
///
/// A text that takes code to make, such as a list, is made where the rule has it. So the code that fills in a template
/// is small, and a program that prints one rule has no more.
#[derive(Clone, Copy)]
pub enum Value<'a> {
    /// Selects one of two texts, and prints nothing.
    Flag(bool),
    /// A number.
    Number(usize),
    /// A character.
    Character(char),
    /// A text.
    Text(&'a str),
    /// The number of entries of a list, and its text.
    List(usize, &'a str),
}

/// The reader of a remedy: types have options, functions have other functions.
#[derive(Clone, Copy)]
pub(super) enum Reader {
    /// A reader who writes `layout!`, or uses a type that it makes.
    Macro,
    /// A reader who calls functions.
    Function,
}

/// A step that prints a part of a template. Next to small operations it is as small as the reference.
#[derive(Clone, Copy)]
pub(super) enum Step {
    Text(&'static str),
    Do(TextOperation, u8, u8),
}

/// What to do with the value at a position, or at another step.
#[derive(Clone, Copy)]
pub(super) enum TextOperation {
    /// Prints the value.
    Print,
    /// Prints the number of the value.
    Count,
    /// Goes on at the step unless the value is true, not 0 and not empty.
    UnlessSome,
    /// Goes on at the step unless the number of the value is 1.
    UnlessOne,
    /// Goes on at the step.
    GoTo,
}

/// The position of the value that says whether the reader writes `layout!`.
const MACRO: u8 = u8::MAX;

/// The most steps of a template.
const MOST: usize = 48;

/// A template, and the names of its values.
pub struct Template {
    /// The text with its placeholders.
    pub text: &'static str,
    /// The names of its values.
    pub names: &'static [&'static str],
}

impl Template {
    /// The steps of a template that is read while the library is compiled, where a fault of it is an error.
    pub(super) const fn checked(&self) -> Steps {
        let steps = Steps::of(self);
        assert!(steps.is_valid, "a placeholder is not a field of its rule, or has no end");
        steps
    }

    /// Whether each placeholder has an end, and is among the names.
    pub const fn is_valid(&self) -> bool {
        Steps::of(self).is_valid
    }

    /// The text with `values` filled in, for a reader who writes the notation.
    pub const fn filled(&self, values: &[Value<'_>]) -> Message {
        let mut message = Message::EMPTY;
        self.append_to(&mut message, Reader::Macro, values);
        message
    }

    /// Appends the text with `values` filled in.
    ///
    /// The template is read here: of two hundred rules, a program that prints one meets few, and a build that read them
    /// all would spend a third of its time on them.
    pub(super) const fn append_to(
        &self,
        message: &mut Message,
        reader: Reader,
        values: &[Value<'_>],
    ) {
        let steps = Steps::of(self);
        if steps.is_valid {
            Pieces::new(steps.list.split_at(steps.count).0, reader, values).append_to(message);
        }
    }
}

/// The steps of a template.
pub(super) struct Steps {
    list: [Step; MOST],
    pub(super) count: usize,
    /// Whether each placeholder has an end, and is among the names.
    is_valid: bool,
}

impl Steps {
    const fn of(template: &Template) -> Self {
        let mut steps = Self { list: [Step::Text(""); MOST], count: 0, is_valid: true };
        steps.add(template.text.as_bytes(), template.names);
        steps.is_valid &= steps.count <= MOST;
        steps
    }

    /// The first steps: with their count, all, so that a program holds no more.
    pub(super) const fn first<const COUNT: usize>(&self) -> [Step; COUNT] {
        let mut first = [Step::Text(""); COUNT];
        each!(i, 0..COUNT, {
            first[i] = self.list[i];
        });
        first
    }

    const fn add(&mut self, template: &'static [u8], names: &[&str]) {
        let mut rest = template;
        while let Some((before, after)) = split_at_first(rest, b"{") {
            self.add_text(before);
            let Some((placeholder, tail)) = split_at_first(after, b"}") else {
                self.is_valid = false;
                return;
            };
            self.add_placeholder(placeholder, names);
            rest = tail;
        }
        self.add_text(rest);
    }

    const fn add_placeholder(&mut self, placeholder: &'static [u8], names: &[&str]) {
        if let Some((name, texts)) = split_at_first(placeholder, b"?") {
            let (some, none) = match split_at_first(texts, b"|") {
                Some(both) => both,
                None => (texts, &[] as &[u8]),
            };
            let branch = self.skip();
            self.add(some, names);
            let end = self.skip_unless_empty(none);
            let value = self.position(name, names);
            self.set(branch, Step::Do(TextOperation::UnlessSome, value, self.count as u8));
            self.add(none, names);
            self.set(end, Step::Do(TextOperation::GoTo, 0, self.count as u8));
        } else if let Some((name, nouns)) = split_at_first(placeholder, b":") {
            let Some((one, many)) = split_at_first(nouns, b"|") else {
                self.is_valid = false;
                return;
            };
            let value = self.position(name, names);
            self.push(Step::Do(TextOperation::Count, value, 0));
            self.add_text(b" ");
            let branch = self.skip();
            self.add(one, names);
            let end = self.skip();
            self.set(branch, Step::Do(TextOperation::UnlessOne, value, self.count as u8));
            self.add(many, names);
            self.set(end, Step::Do(TextOperation::GoTo, 0, self.count as u8));
        } else {
            let value = self.position(placeholder, names);
            self.push(Step::Do(TextOperation::Print, value, 0));
        }
    }

    const fn add_text(&mut self, text: &'static [u8]) {
        match core::str::from_utf8(text) {
            Ok(text) if text.is_empty() => {}
            Ok(text) => self.push(Step::Text(text)),
            Err(_) => self.is_valid = false,
        }
    }

    const fn push(&mut self, step: Step) {
        self.set(self.count, step);
        self.count += 1;
    }

    /// Leaves room for a step, and returns its place.
    const fn skip(&mut self) -> usize {
        self.count += 1;
        self.count - 1
    }

    /// [`skip`](Self::skip), unless the text that the step would skip is empty.
    const fn skip_unless_empty(&mut self, text: &[u8]) -> usize {
        if text.is_empty() { MOST } else { self.skip() }
    }

    const fn set(&mut self, at: usize, step: Step) {
        if at < MOST {
            self.list[at] = step;
        }
    }

    /// The position of a name.
    const fn position(&mut self, name: &[u8], names: &[&str]) -> u8 {
        if same_bytes(name, b"macro") {
            return MACRO;
        }
        each!(i, 0..names.len(), {
            if same_bytes(names[i].as_bytes(), name) {
                return i as u8;
            }
        });
        self.is_valid = false;
        MACRO
    }
}

/// The text before and after the first `separator` that is not inside braces.
///
/// The loop calls nothing: const evaluation takes hundreds of times as long for a call as for an index.
const fn split_at_first<'a>(text: &'a [u8], separator: &[u8; 1]) -> Option<(&'a [u8], &'a [u8])> {
    let length = text.len();
    let mut depth = 0;
    each!(i, 0..length, {
        if depth == 0 && text[i] == separator[0] {
            let (before, [_, after @ ..]) = text.split_at(i) else { return None };
            return Some((before, after));
        }
        match text[i] {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
    });
    None
}

/// A template with its placeholders filled in, piece by piece.
pub(super) struct Pieces<'a> {
    steps: &'a [Step],
    values: &'a [Value<'a>],
    reader: Reader,
    at: u8,
}

/// A part of a text.
pub(super) enum Piece<'a> {
    Number(usize),
    Character(char),
    Text(&'a str),
}

impl<'a> Pieces<'a> {
    pub(super) const fn new(steps: &'a [Step], reader: Reader, values: &'a [Value<'a>]) -> Self {
        Self { steps, values, reader, at: 0 }
    }

    const fn value(&self, at: u8) -> Value<'a> {
        match at {
            MACRO => Value::Flag(matches!(self.reader, Reader::Macro)),
            at => self.values[at as usize],
        }
    }

    const fn next(&mut self) -> Option<Piece<'a>> {
        while (self.at as usize) < self.steps.len() {
            let step = self.steps[self.at as usize];
            self.at += 1;
            let (operation, value, other) = match step {
                Step::Text(text) => return Some(Piece::Text(text)),
                Step::Do(operation, value, other) => (operation, value, other),
            };
            let goes_on = match operation {
                TextOperation::GoTo => false,
                TextOperation::UnlessSome => self.value(value).count() != 0,
                TextOperation::UnlessOne => self.value(value).count() == 1,
                TextOperation::Count => return Some(Piece::Number(self.value(value).count())),
                TextOperation::Print => match self.value(value) {
                    Value::Flag(_) => true,
                    Value::Number(number) => return Some(Piece::Number(number)),
                    Value::Character(character) => return Some(Piece::Character(character)),
                    Value::Text(text) | Value::List(_, text) => return Some(Piece::Text(text)),
                },
            };
            if !goes_on {
                self.at = other;
            }
        }
        None
    }

    /// Appends the text, in const evaluation too.
    pub(super) const fn append_to(mut self, m: &mut Message) {
        while let Some(piece) = self.next() {
            match piece {
                Piece::Number(number) => m.push_number(number),
                Piece::Character(character) => m.push_char(character),
                Piece::Text(text) => m.push(text),
            }
        }
    }

    /// Writes the text, which needs less code and stack than a message.
    pub(super) fn write(mut self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        while let Some(piece) = self.next() {
            match piece {
                Piece::Number(number) => fmt::Display::fmt(&number, formatter)?,
                Piece::Character(character) => formatter.write_char(character)?,
                Piece::Text(text) => formatter.write_str(text)?,
            }
        }
        Ok(())
    }
}

impl Value<'_> {
    /// The number, or the length of a list. 0 if the value is false or empty, else not 0.
    const fn count(&self) -> usize {
        match *self {
            Self::Flag(is_true) => is_true as usize,
            Self::Number(count) | Self::List(count, _) => count,
            Self::Character(_) => 1,
            Self::Text(text) => text.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::TEMPLATES;
    use super::*;
    use std::string::ToString;

    fn filled(template: &'static str, values: &[(&'static str, Value<'_>)]) -> Message {
        let names: std::vec::Vec<&'static str> = values.iter().map(|(name, _)| *name).collect();
        let values: std::vec::Vec<Value<'_>> = values.iter().map(|(_, value)| *value).collect();
        let Steps { list, count, .. } = Template { text: template, names: names.leak() }.checked();
        let pieces = || Pieces::new(&list[..count], Reader::Macro, &values);
        let mut message = Message::EMPTY;
        pieces().append_to(&mut message);
        assert_eq!(Written(pieces).to_string(), message.as_str());
        message
    }

    struct Written<F>(F);

    impl<'a, F: Fn() -> Pieces<'a>> fmt::Display for Written<F> {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0().write(formatter)
        }
    }

    #[test]
    fn placeholders_are_filled_in() {
        let values: &[(&'static str, Value<'_>)] = &[
            ("one", Value::Number(1)),
            ("none", Value::Number(0)),
            ("letter", Value::Character('é')),
            ("axes", Value::List(2, "N, C")),
            ("text", Value::Text("abc")),
            ("yes", Value::Flag(true)),
        ];
        for (template, text) in [
            ("", ""),
            ("{one}é{letter}", "1éé"),
            ("{one:byte|bytes}, {none:byte is|bytes are}", "1 byte, 0 bytes are"),
            ("{axes:axis|axes} ({axes})", "2 axes (N, C)"),
            ("{axes?a {one?b{none? c|{text}}| d}| e} f", "a babc f"),
            ("{none?{one?a|b}|c}{one? d}{none? e}", "c d"),
            ("{none?|a}{one?b|}{yes}{yes?c}", "abc"),
            ("{yes?{one:{text}|b}|c}.", "1 abc."),
            ("{macro?a|b}", "a"),
        ] {
            assert_eq!(filled(template, values).as_str(), text, "{template}");
        }
    }

    #[test]
    fn zero_and_nothing_are_absent() {
        let none = [Value::Flag(false), Value::Number(0), Value::Text(""), Value::List(0, "a")];
        let some = [
            Value::Flag(true),
            Value::Number(2),
            Value::Text("0"),
            Value::List(1, ""),
            Value::Character('0'),
        ];
        let text = |value| filled("{value?there|not}", &[("value", value)]);
        assert!(none.into_iter().all(|value| text(value).as_str() == "not"));
        assert!(some.into_iter().all(|value| text(value).as_str() == "there"));
    }

    #[test]
    fn templates_name_values_that_are_there() {
        for text in ["{other}", "{other?a|b}", "{other:a|b}", "{one?{other}}", "{one", "{one:a}"] {
            assert!(!Steps::of(&Template { text, names: &["one"] }).is_valid, "{text}");
        }
        for template in TEMPLATES {
            assert!(Steps::of(template).is_valid, "{}", template.text);
        }
    }

    /// The form of rustc's messages: no capital, no period, and the remedy after a semicolon.
    #[test]
    fn templates_have_the_form_of_errors() {
        for Template { text: template, .. } in TEMPLATES {
            assert!(!template.starts_with(char::is_uppercase), "{template}");
            assert!(!template.ends_with('.'), "{template}");
            assert!(template.contains("; "), "{template}");
            assert!(template.matches('`').count() % 2 == 0, "{template}");
        }
    }
}
