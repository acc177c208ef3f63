//! Reads digits: `MK`, `16k 2k/16`, `2w[0]`, `4k-8n`.

use layout_core::LayoutError;
use layout_core::Span;
use layout_core::spec::{Name, Rule};

use super::{RecordReader, fail};
use crate::error::MisplacedRule;
use crate::item::{DigitChange, NO_AXIS, WrittenDigit, WrittenItem};
use crate::record_rules::RecordRule;

const NO_DIGIT: WrittenDigit = WrittenDigit {
    letter: NO_AXIS,
    change: DigitChange::None,
    operand: 0,
    size: 0,
    weight: 0,
    number: 0,
    operand_weight: 0,
};

impl RecordReader<'_> {
    /// Reads the digits of a node. In a format, lower-case letters without a number are axes too.
    pub(super) const fn read_digits(
        &mut self,
        node: usize,
        is_format: bool,
    ) -> Result<(), MisplacedRule> {
        while let Some(byte) = self.cursor.peek() {
            let is_axis = byte.is_ascii_uppercase() || is_format && byte.is_ascii_lowercase();
            if !is_axis && !byte.is_ascii_digit() || self.sees_name() {
                break;
            }
            let start = self.cursor.at;
            let (digit, is_given) = ok!(self.read_digit(node, start));
            if digit.is_rest() && self.tree.has_digit(node, digit.letter, true) {
                let rule = RecordRule::SameList { axis: digit.letter as char };
                fail!(rule, self.place(Span { start, end: self.cursor.at }));
            }
            let span = Span { start, end: self.cursor.at };
            let item = ok!(self.push(WrittenItem::Digit(digit), span));
            self.given |= (is_given as u64) << item;
        }
        Ok(())
    }

    /// Reads a digit, and whether it has a weight.
    const fn read_digit(
        &mut self,
        node: usize,
        start: usize,
    ) -> Result<(WrittenDigit, bool), MisplacedRule> {
        let size = ok!(self.number());
        if let (Some(size @ 1..), true) = (size, self.tree.is_unused(node) && !self.sees_letter()) {
            return Ok((WrittenDigit { letter: NO_AXIS, size, weight: 1, ..NO_DIGIT }, false));
        }
        let letter = ok!(self.axis_after(start));
        if let Some(0) = size {
            let letter = letter as char;
            let span = Span { start, end: self.cursor.at };
            return Err(self.of_layout(LayoutError(Rule::EmptyBlock { letter }), span));
        }
        let size = match size {
            Some(size) => size,
            None => 0,
        };
        let weight = ok!(self.read_weight(start, letter, size));
        let mut digit = WrittenDigit { letter, size, ..NO_DIGIT };
        if let Some(weight) = weight {
            digit.weight = weight;
        }
        if size > 0 {
            ok!(self.read_change(&mut digit, start));
        }
        Ok((digit, weight.is_some()))
    }

    /// Reads `[STEP]`, or a sign and another block.
    const fn read_change(
        &mut self,
        digit: &mut WrittenDigit,
        start: usize,
    ) -> Result<(), MisplacedRule> {
        if self.cursor.eat(b'[') {
            let number = ok!(self.number());
            let closed = self.cursor.eat(b']');
            let span = Span { start, end: self.cursor.at };
            let (name, span) =
                (Name::new(self.cursor.text(span).trim_ascii_end()), self.place(span));
            let (Some(number), true) = (number, closed) else {
                fail!(RecordRule::MarkForm { name: "[..]", form: "a step, as in `2w[0]`" }, span)
            };
            if number >= digit.size {
                fail!(RecordRule::StepRange { digit: name, size: digit.size as usize }, span);
            }
            (digit.change, digit.number) = (DigitChange::Fixed, number);
            return Ok(());
        }
        let change = match self.cursor.peek() {
            Some(b'-') => DigitChange::Minus,
            Some(b'+') => DigitChange::Plus,
            Some(b'^') => DigitChange::Xor,
            _ => return Ok(()),
        };
        self.cursor.at += 1;
        let before = self.cursor.at;
        let Some(size @ 1..) = ok!(self.number()) else {
            let text = self.word_here();
            fail!(RecordRule::ContentExpected { text }, self.place(self.cursor.here()))
        };
        let letter = ok!(self.axis_after(before));
        let weight = ok!(self.read_weight(before, letter, size));
        digit.change = change;
        (digit.operand, digit.number) = (letter, size);
        digit.operand_weight = match weight {
            Some(weight) => weight,
            None => 0,
        };
        Ok(())
    }

    /// Reads the letter of an axis, which follows a number directly.
    const fn axis_after(&mut self, start: usize) -> Result<u8, MisplacedRule> {
        let mut ahead = self.cursor;
        match ahead.peek() {
            Some(byte) if self.sees_letter() => {
                self.cursor.at += 1;
                Ok(self.letter(byte))
            }
            _ => {
                let span = Span { start, end: self.cursor.at };
                let number = Name::new(self.cursor.text(span));
                fail!(RecordRule::NumberAlone { number }, self.place(span))
            }
        }
    }

    /// Whether a letter follows directly.
    const fn sees_letter(&self) -> bool {
        let mut ahead = self.cursor;
        match ahead.peek() {
            Some(byte) => ahead.at == self.cursor.at && byte.is_ascii_alphabetic(),
            None => false,
        }
    }

    /// Reads `/W`, if it follows.
    const fn read_weight(
        &mut self,
        start: usize,
        letter: u8,
        size: u32,
    ) -> Result<Option<u32>, MisplacedRule> {
        if !self.cursor.sees(b'/') {
            return Ok(None);
        }
        self.cursor.eat(b'/');
        self.cursor.peek();
        let number = ok!(self.number());
        let span = Span { start, end: self.cursor.at };
        let (format, span) = (Name::new(self.cursor.text(span).trim_ascii_end()), self.place(span));
        let letter = letter as char;
        let Some(weight) = number else {
            let rule = Rule::WeightExpected { format, letter, size: size as usize };
            return Err(self.of_layout(LayoutError(rule), span));
        };
        let mut ahead = self.cursor;
        let rule = match ahead.peek() {
            _ if weight == 0 => Rule::ZeroWeight { letter },
            Some(byte) if self.sees_letter() => {
                Rule::WeightEnd { weight: weight as usize, letter: byte as char }
            }
            _ => return Ok(Some(weight)),
        };
        Err(self.of_layout(LayoutError(rule), span))
    }

    /// Reads a number, if one begins here.
    const fn number(&mut self) -> Result<Option<u32>, MisplacedRule> {
        let (mut count, mut number) = (0u8, 0u64);
        self.cursor.peek();
        let start = self.cursor.at;
        // A number has no white space in it.
        while let Some(byte @ b'0'..=b'9') = self.cursor.peek() {
            if self.cursor.at != start + count as usize {
                break;
            }
            self.cursor.at += 1;
            count = count.saturating_add(1);
            number = number.saturating_mul(10).saturating_add((byte - b'0') as u64);
        }
        let end = start + count as usize;
        self.cursor.at = end;
        match count {
            0 => Ok(None),
            _ if number <= u32::MAX as u64 && count < u8::MAX => Ok(Some(number as u32)),
            _ => fail!(RecordRule::WideNumber, self.place(Span { start, end })),
        }
    }
}
