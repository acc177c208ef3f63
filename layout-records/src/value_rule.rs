//! Value rules as trees: what the text after `=` computes of the fields.

use layout_core::spec::Name;

use crate::error::RecordError;
use crate::record_rules::RecordRule;

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
    /// `*`, `+`, `-`, `|` or `<`, which is a shift to the left.
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
    /// There is no rule, or it is not one of numbers, fields, tables and operators.
    #[allow(clippy::result_large_err, reason = "the error of constants, which cannot box it")]
    pub fn parse(
        text: Option<&'a str>,
        count: usize,
        field: &'a dyn Fn(&str) -> Option<usize>,
    ) -> Result<Self, RecordError> {
        let mut new = Self { parts: [RulePart::Field(0); MOST_NODES], count: 0 };
        let Some(text) = text else {
            new.count = 1;
            return match count {
                1 => Ok(new),
                _ => Err(RecordError::new(RecordRule::NoRule)),
            };
        };
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

struct Reader<'a> {
    field: &'a dyn Fn(&str) -> Option<usize>,
    text: &'a str,
    rest: &'a str,
    rule: ValueRule<'a>,
}

/// The operators from the weakest to the strongest: `<` stands for `<<`.
const OPERATORS: [&[u8]; 4] = [b"|", b"<", b"+-", b"*"];

#[allow(clippy::result_large_err, reason = "the error of constants, which cannot box it")]
impl<'a> Reader<'a> {
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
        let word = self.peek();
        let word = if word.is_empty() { "the end" } else { word };
        RecordError::new(RecordRule::ValueWord {
            word: Name::new(word),
            rule: Name::new(self.text),
        })
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
        if let Ok(number) = word.parse() {
            self.next();
            return self.push(RulePart::Number(number));
        }
        if let Some(field) = (self.field)(word) {
            self.next();
            return self.push(RulePart::Field(field));
        }
        let before = self.rest;
        self.next();
        if word.is_empty() || self.peek() != "[" {
            self.rest = before;
            return Err(self.fault());
        }
        self.next();
        let inner = self.chain(0)?;
        self.expect("]")?;
        self.push(RulePart::Table(word, inner))
    }
}
