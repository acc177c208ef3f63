//! Value rules as trees: what the text after `=` computes of the fields.

use layout_core::Span;
use layout_core::reading::Cursor;
use layout_core::spec::Name;

use crate::error::{MisplacedRule, RecordError};
use crate::record_rules::RecordRule;

/// The most brackets around an operand, since a reader calls itself for each.
const MOST_DEPTH: u32 = 16;

/// The most operands and operators of a rule.
const MOST_NODES: usize = 32;

/// A part of a value rule. Operands are positions of other parts.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RulePart<'a> {
    /// The element of a field, by its number.
    Field(usize),
    /// An integer.
    Number(i32),
    /// An element of a table that the name stands for.
    Table(&'a str, usize),
    /// The sum over all elements that share one of the field with this rule.
    Sum(usize),
    /// `*`, `/`, `+`, `-`, `|` or `<`, which is a shift to the left.
    Operation(u8, usize, usize),
}

/// The value rule of a record as a tree.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct ValueRule<'a> {
    parts: [RulePart<'a>; MOST_NODES],
    count: usize,
}

impl<'a> ValueRule<'a> {
    /// Reads a rule of `count` fields, of which `field` finds the number of a name. One field without a rule is its
    /// values.
    ///
    /// # Errors
    /// There is no rule, it is not one of numbers, fields, tables and operators, or it has too many brackets.
    #[allow(clippy::result_large_err, reason = "the error of constants, which cannot box it")]
    pub fn parse(
        text: Option<&'a str>,
        count: usize,
        field: &dyn Fn(&str) -> Option<usize>,
    ) -> Result<Self, RecordError> {
        let mut new = Self { parts: [RulePart::Field(0); MOST_NODES], count: 0 };
        let Some(text) = text else {
            new.count = 1;
            return match count {
                1 => Ok(new),
                _ => Err(RecordError::new(RecordRule::NoRule)),
            };
        };
        if let Err((rule, _)) = check_text(text) {
            return Err(RecordError::new(rule));
        }
        let mut reader = Reader { field, text, rest: text, rule: new };
        reader.chain(0)?;
        if !reader.peek().is_empty() {
            return Err(reader.fault());
        }
        Ok(reader.rule)
    }

    /// The part that computes the value.
    pub const fn root(&self) -> usize {
        self.count - 1
    }

    /// A part by its position. Panics if there is no such part.
    pub const fn part(&self, at: usize) -> RulePart<'a> {
        self.parts[at]
    }
}

const fn misplaced(word: &str, rule: &str) -> RecordRule {
    let word = if word.is_empty() { "the end" } else { word };
    RecordRule::ValueWord { word: Name::new(word), rule: Name::new(rule) }
}

/// What comes before a word of a rule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// The start, an operator or an open bracket.
    Operator,
    /// A name, which a bracket may follow.
    Name,
    /// A number or a closed bracket.
    Operand,
}

/// Checks that a rule has operands and operators in turn, and brackets that are closed. A name may be a parameter of a
/// program.
///
/// # Errors
/// The part of the text at fault.
pub(crate) const fn check_text(text: &str) -> Result<(), MisplacedRule> {
    let (bytes, mut cursor) = (text.as_bytes(), Cursor::new(text));
    // A bit for each open bracket: whether it is a square one.
    let (mut depth, mut squares) = (0, 0u32);
    let mut before = Before::Operator;
    while let Some(byte) = cursor.peek() {
        let start = cursor.at;
        while cursor.at < bytes.len() && is_word(bytes[cursor.at]) {
            cursor.at += 1;
        }
        let is_pair = cursor.at + 1 < bytes.len() && bytes[cursor.at + 1] == byte;
        let word = Span { start, end: cursor.at };
        let is_square = matches!(byte, b'[' | b']');
        let after = match (byte, before) {
            _ if word.end > start => match (before, operand(cursor.text(word).as_bytes())) {
                (Before::Operator, operand) => operand,
                _ => None,
            },
            (b'(', Before::Operator | Before::Name) | (b'[', Before::Name) => {
                if depth == MOST_DEPTH {
                    return Err((RecordRule::ValueDepth, cursor.here()));
                }
                (depth, squares) = (depth + 1, squares << 1 | is_square as u32);
                Some(Before::Operator)
            }
            (_, Before::Operator) if byte == b'-' => Some(before),
            (_, Before::Operator) => None,
            (b')' | b']', _) if depth > 0 && squares & 1 == is_square as u32 => {
                (depth, squares) = (depth - 1, squares >> 1);
                Some(Before::Operand)
            }
            (b'+' | b'-' | b'*' | b'/' | b'&' | b'|', _) => Some(Before::Operator),
            (b'<' | b'>', _) if is_pair => {
                cursor.at += 1;
                Some(Before::Operator)
            }
            _ => None,
        };
        before = match after {
            Some(after) => after,
            None => {
                let span = if word.end > start { word } else { cursor.here() };
                return Err((misplaced(cursor.text(span), text), span));
            }
        };
        cursor.at += (word.end == start) as usize;
    }
    if depth > 0 || matches!(before, Before::Operator) {
        return Err((misplaced("", text), cursor.here()));
    }
    Ok(())
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii() || matches!(byte, b'_' | b'.')
}

/// A name, a number of 31 bits, or a digit such as `16k`. `None` for other words.
const fn operand(word: &[u8]) -> Option<Before> {
    if !word[0].is_ascii_digit() {
        return Some(Before::Name);
    }
    let (mut number, mut i) = (0u32, 0);
    while i < word.len() && word[i].is_ascii_digit() {
        number = number.saturating_mul(10).saturating_add((word[i] - b'0') as u32);
        i += 1;
    }
    let is_end = i == word.len() || i + 1 == word.len() && word[i].is_ascii_lowercase();
    if is_end && number <= i32::MAX as u32 { Some(Before::Operand) } else { None }
}

struct Reader<'a, 'b> {
    field: &'b dyn Fn(&str) -> Option<usize>,
    text: &'a str,
    rest: &'a str,
    rule: ValueRule<'a>,
}

/// The operators from the weakest to the strongest: `<` stands for `<<`.
const OPERATORS: [&[u8]; 4] = [b"|", b"<", b"+-", b"*/"];

#[allow(clippy::result_large_err, reason = "the error of constants, which cannot box it")]
impl<'a> Reader<'a, '_> {
    /// The next word: a number, a name or a sign. It is empty at the end.
    fn peek(&self) -> &'a str {
        let rest = self.rest.trim_start();
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let length = match rest.find(|c| !is_word(c)).unwrap_or(rest.len()) {
            0 if rest.starts_with("<<") => 2,
            0 => rest.chars().next().map_or(0, char::len_utf8),
            length => length,
        };
        &rest[..length]
    }

    fn next(&mut self) -> &'a str {
        let word = self.peek();
        self.rest = &self.rest.trim_start()[word.len()..];
        word
    }

    fn fault(&self) -> RecordError {
        RecordError::new(misplaced(self.peek(), self.text))
    }

    fn expect(&mut self, sign: &str) -> Result<(), RecordError> {
        if self.peek() != sign {
            return Err(self.fault());
        }
        self.next();
        Ok(())
    }

    fn push(&mut self, part: RulePart<'a>) -> Result<usize, RecordError> {
        let at = self.rule.count;
        if at == MOST_NODES {
            return Err(self.fault());
        }
        self.rule.parts[at] = part;
        self.rule.count += 1;
        Ok(at)
    }

    /// Reads operands with operators of this strength between them.
    fn chain(&mut self, strength: usize) -> Result<usize, RecordError> {
        let Some(operators) = OPERATORS.get(strength) else { return self.operand() };
        let mut left = self.chain(strength + 1)?;
        loop {
            let sign = self.peek().as_bytes().first().copied().unwrap_or(0);
            if !operators.contains(&sign) {
                return Ok(left);
            }
            self.next();
            let right = self.chain(strength + 1)?;
            left = self.push(RulePart::Operation(sign, left, right))?;
        }
    }

    fn operand(&mut self) -> Result<usize, RecordError> {
        let word = self.peek();
        if word == "(" {
            self.next();
            let inner = self.chain(0)?;
            self.expect(")")?;
            return Ok(inner);
        }
        if word == "-" {
            self.next();
            let (nothing, inner) = (self.push(RulePart::Number(0))?, self.operand()?);
            return self.push(RulePart::Operation(b'-', nothing, inner));
        }
        if let Ok(number) = word.parse() {
            self.next();
            return self.push(RulePart::Number(number));
        }
        let before = self.rest;
        self.next();
        // A field may be named `sum` too.
        let end = match (self.peek(), (self.field)(word)) {
            ("(", _) if word == "sum" => ")",
            (_, Some(field)) => return self.push(RulePart::Field(field)),
            ("[", None) if !word.is_empty() => "]",
            _ => {
                self.rest = before;
                return Err(self.fault());
            }
        };
        self.next();
        let inner = self.chain(0)?;
        self.expect(end)?;
        self.push(if end == ")" { RulePart::Sum(inner) } else { RulePart::Table(word, inner) })
    }
}
