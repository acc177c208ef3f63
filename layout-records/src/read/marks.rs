//! Reads the marks after an element or a group, and the value rule after them.

use layout_core::Span;
use layout_core::reading::{Cursor, is_literal, unsigned};
use layout_core::spec::Name;

use super::{RecordReader, fail};
use crate::error::MisplacedRule;
use crate::item::{MOST_TEXT, MarkKind, TextPart, WrittenItem, WrittenMark};
use crate::record_rules::RecordRule;
use crate::value_rule::check_text;

const ALIGN: RecordRule =
    RecordRule::MarkForm { name: "align", form: "`align(64)` or `align(H = 64)`" };
const PITCH: RecordRule = RecordRule::MarkForm { name: "pitch", form: "`pitch(H = 64)`" };
pub(crate) const WORDS: RecordRule =
    RecordRule::MarkForm { name: "words", form: "`words(N = 4)` after an element, not of a piece" };
const PAD: RecordRule = RecordRule::MarkForm {
    name: "pad",
    form: "`pad`, or for an axis `pad(N = last)`, `pad(N = keep)` or a number such as `pad(N = 5)`",
};

/// Whether padding may have this value: a number, `f16::from_bits(0x7e00)`, `last`, `keep` or the name of a parameter.
const fn is_padding(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    let is_word = !cursor.word().is_empty();
    is_word && (cursor.peek().is_none() || cursor.eat(b':')) || is_literal(text)
}

/// A value rule with white space around operators and after commas, as tokens have none. A longer one than a record
/// keeps is cut.
const fn spaced(text: &[u8]) -> ([u8; MOST_TEXT + 1], usize) {
    let (mut new, mut count, mut at) = ([0; MOST_TEXT + 1], 0, 0);
    while at < text.len() && count + 4 < new.len() {
        let byte = text[at];
        let is_pair = matches!(byte, b'<' | b'>') && at + 1 < text.len() && text[at + 1] == byte;
        let last = if count > 0 { new[count - 1] } else { b' ' };
        let is_after_operand = last.is_ascii_alphanumeric() || matches!(last, b'_' | b')' | b']');
        let is_operator = matches!(byte, b'+' | b'-' | b'*' | b'/' | b'|' | b'&') || is_pair;
        let is_apart = at > 0 && text[at - 1].is_ascii_whitespace();
        if is_operator && is_after_operand
            || is_apart
                && is_after_operand
                && last != b')'
                && (byte.is_ascii_alphanumeric() || byte == b'_')
        {
            new[count] = b' ';
            count += 1;
        }
        let mut left = if byte.is_ascii_whitespace() { 0 } else { 1 + is_pair as usize };
        while left > 0 {
            new[count] = byte;
            (count, left) = (count + 1, left - 1);
        }
        if is_operator && is_after_operand || byte == b',' {
            new[count] = b' ';
            count += 1;
        }
        at += 1 + is_pair as usize;
    }
    if at < text.len() {
        count = MOST_TEXT + 1;
    }
    (new, count)
}

impl RecordReader<'_> {
    /// Reads the marks of a node, and its value rule.
    pub(super) const fn read_marks(&mut self, node: usize) -> Result<(), MisplacedRule> {
        while let Some(byte) = self.cursor.peek() {
            if byte == b'=' {
                return self.read_value(node);
            }
            if !byte.is_ascii_alphanumeric() && byte != b'_' {
                return Ok(());
            }
            let word = self.cursor.word();
            if self.is(word, "high_first") {
                ok!(self.push_mark(node, MarkKind::HighFirst, 0, TextPart::NONE, 0, word));
            } else if self.is(word, "align") {
                ok!(self.read_list(node, MarkKind::Align, ALIGN, word));
            } else if self.is(word, "pitch") {
                ok!(self.read_list(node, MarkKind::Pitch, PITCH, word));
            } else if self.is(word, "words") {
                ok!(self.read_list(node, MarkKind::Words, WORDS, word));
            } else if !self.is(word, "pad") {
                let name = Name::new(self.cursor.text(word));
                let rule = match node > 0 || self.cursor.at > word.end {
                    _ if byte.is_ascii_lowercase() => RecordRule::UnknownMark { name },
                    true => RecordRule::AfterItem { text: name },
                    false => RecordRule::AfterRecord { text: name },
                };
                fail!(rule, self.place(word));
            } else if self.cursor.sees(b'(') {
                ok!(self.read_list(node, MarkKind::Pad, PAD, word));
            } else {
                ok!(self.push_mark(node, MarkKind::Pad, 0, TextPart::NONE, 0, word));
            }
        }
        Ok(())
    }

    /// Reads `= d * (q - 8)`.
    const fn read_value(&mut self, node: usize) -> Result<(), MisplacedRule> {
        let equals = self.cursor.here();
        self.cursor.eat(b'=');
        let span = self.cursor.value(b'}');
        if span.is_empty() {
            fail!(RecordRule::NoValue, self.place(equals));
        }
        if let Err((rule, own)) = check_text(self.cursor.text(span)) {
            let (start, end) = (span.start + own.start, span.start + own.end);
            fail!(rule, self.place(Span { start, end }));
        }
        let (text, length) = spaced(self.cursor.text(span).as_bytes());
        let text = match core::str::from_utf8(text.split_at(length).0) {
            Ok(text) => self.tree.keep(text),
            Err(_) => Err(RecordRule::TooMuchText),
        };
        match text {
            Ok(text) => self.push_mark(node, MarkKind::Value, 0, text, 0, span),
            Err(rule) => fail!(rule, self.place(span)),
        }
    }

    const fn push_mark(
        &mut self,
        node: usize,
        kind: MarkKind,
        letter: u8,
        text: TextPart,
        bytes: usize,
        span: Span,
    ) -> Result<(), MisplacedRule> {
        let at = ok!(self.push(WrittenItem::Mark(WrittenMark { kind, letter, text, bytes }), span));
        // That of a record of the library is read before the marks after its name.
        if self.tree.follows_value(node, at) && !matches!(kind, MarkKind::Value) {
            self.tree.swap(at - 1, at);
            (self.spans[at - 1], self.spans[at]) = (self.spans[at], self.spans[at - 1]);
        }
        Ok(())
    }

    /// Reads `(16)`, or `(H = 16, W = 4)`, a mark for each.
    const fn read_list(
        &mut self,
        node: usize,
        kind: MarkKind,
        form: RecordRule,
        word: Span,
    ) -> Result<(), MisplacedRule> {
        if !self.cursor.eat(b'(') {
            fail!(form, self.place(word));
        }
        loop {
            self.cursor.peek();
            let start = self.cursor.at;
            let mut letter = 0;
            let mut ahead = self.cursor;
            let axis = ahead.word();
            if ahead.eat(b'=') {
                letter = match self.cursor.text(axis).as_bytes() {
                    [byte] if byte.is_ascii_alphabetic() => self.letter(*byte),
                    _ => fail!(form, self.place(axis)),
                };
                self.cursor = ahead;
            }
            let value = self.cursor.value(b')');
            let span = Span { start, end: self.cursor.at };
            // A pitch is from one step of an axis to the next, and a policy of padding too.
            if value.is_empty() || letter == 0 && !matches!(kind, MarkKind::Align) {
                fail!(form, self.place(Span { start: word.start, end: self.cursor.at }));
            }
            match kind {
                MarkKind::Pad => {
                    if !is_padding(self.cursor.text(value)) {
                        fail!(form, self.place(value));
                    }
                    let text = match self.is(value, "0") {
                        true => TextPart::NONE,
                        false => ok!(self.keep(value)),
                    };
                    ok!(self.push_mark(node, kind, letter, text, 0, span));
                }
                _ => {
                    let bytes = match unsigned("number of bytes", 1, self.cursor.text(value)) {
                        Ok(bytes @ 1..) => bytes,
                        _ => fail!(form, self.place(value)),
                    };
                    ok!(self.push_mark(node, kind, letter, TextPart::NONE, bytes, span));
                }
            }
            if self.cursor.eat(b')') {
                return Ok(());
            }
            if !self.cursor.eat(b',') {
                fail!(form, self.place(Span { start: word.start, end: self.cursor.at }));
            }
        }
    }
}
