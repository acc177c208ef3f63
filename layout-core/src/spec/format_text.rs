//! Parses the factors of a format from text, one after the other.

use super::factor::Factor;
use super::rules::Rule;
use super::text::Name;

/// A format as text, and the position up to which it is parsed.
pub(super) struct FactorCursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl FactorCursor<'_> {
    /// The next byte after white space, or `None` at the end.
    pub(super) const fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() && bytes[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        self.byte()
    }

    const fn byte(&self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        if self.at < bytes.len() { Some(bytes[self.at]) } else { None }
    }

    pub(super) const fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// Parses the next axis or block. If a block has no letter, the error proposes axis `unnamed`.
    pub(super) const fn factor(&mut self, unnamed: char) -> Result<Factor, Rule> {
        let format = Name::new(self.text);
        let number = ok!(self.number());
        let byte = match (self.byte(), number) {
            (Some(byte), _) if byte.is_ascii_alphabetic() => byte,
            (None | Some(b' '), Some(number)) => {
                let example = Name::of_block(unnamed, number, 1);
                return Err(Rule::NumberWithoutLetter { format, number, example });
            }
            _ => {
                let character = character_at(self.text, self.at);
                return Err(Rule::FormatCharacter { format, character });
            }
        };
        self.at += 1;
        let letter = byte.to_ascii_uppercase() as char;
        let has_weight = matches!(self.peek(), Some(b'/'));
        match number {
            None if has_weight => Err(Rule::AxisWeight { letter }),
            None => Ok(Factor::Axis(letter)),
            Some(0) => Err(Rule::EmptyBlock { letter }),
            Some(size) if has_weight => self.weighted(letter, size),
            Some(size) => Ok(Factor::Block(letter, size)),
        }
    }

    /// Parses the weight of a block, after `/`.
    const fn weighted(&mut self, letter: char, size: usize) -> Result<Factor, Rule> {
        self.at += 1;
        self.peek();
        let weight = match self.number() {
            Ok(Some(weight)) => weight,
            Ok(None) => {
                let format = Name::new(self.text);
                return Err(Rule::WeightExpected { format, letter, size });
            }
            Err(rule) => return Err(rule),
        };
        match self.byte() {
            // `4r/324c` could also mean 4 channels after a weight of 32.
            Some(byte) if byte.is_ascii_alphabetic() => {
                Err(Rule::WeightEnd { weight, letter: byte as char })
            }
            _ => Ok(Factor::Weighted(letter, size, weight)),
        }
    }

    /// Parses a number, if one begins here.
    const fn number(&mut self) -> Result<Option<usize>, Rule> {
        let mut number: Option<usize> = None;
        while let Some(byte @ b'0'..=b'9') = self.byte() {
            let digit = (byte - b'0') as usize;
            number = match number {
                None => Some(digit),
                Some(high) => match high.checked_mul(10) {
                    Some(tens) if tens <= usize::MAX - digit => Some(tens + digit),
                    _ => return Err(Rule::BlockTooLarge { format: Name::new(self.text) }),
                },
            };
            self.at += 1;
        }
        Ok(number)
    }
}

/// The character that byte `at` belongs to.
pub(crate) const fn character_at(text: &str, at: usize) -> char {
    let bytes = text.as_bytes();
    if bytes[at].is_ascii() {
        return bytes[at] as char;
    }
    // The first byte of a longer character has its high bits. Each following byte has six bits.
    let length = bytes[at].leading_ones() as usize;
    let mut code = bytes[at] as u32 & (0x7f >> length);
    each!(i, 1..length, {
        code = code << 6 | (bytes[at + i] & 0x3f) as u32;
    });
    match char::from_u32(code) {
        Some(character) => character,
        None => char::REPLACEMENT_CHARACTER,
    }
}
