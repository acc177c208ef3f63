//! From text to the factors of a format, one after the other.

use super::factor::Factor;
use super::format::{Format, character_at};
use super::rules::Rule;
use super::text::Name;
use super::weights::block_name;

/// A format as text, and how far it is read.
pub(super) struct FactorCursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl FactorCursor<'_> {
    /// The next byte after white space; `None` at the end.
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

    /// The next axis or block, after those `before` it.
    pub(super) const fn factor(&mut self, before: &Format) -> Result<Factor, Rule> {
        let format = Name::new(self.text);
        let number = match self.number() {
            Ok(number) => number,
            Err(rule) => return Err(rule),
        };
        let byte = match (self.byte(), number) {
            (Some(byte), _) if byte.is_ascii_alphabetic() => byte,
            (end, Some(number)) if matches!(end, None | Some(b' ')) => {
                let letter = before.blocked_axis();
                let example = match end {
                    None => completed(&format, number, letter),
                    Some(_) => block_name(letter, number, 1),
                };
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

    /// What follows a block at `/`: its weight.
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
            // `4r/324c` could be 4 channels after a weight of 32.
            Some(byte) if byte.is_ascii_alphabetic() => {
                Err(Rule::WeightEnd { weight, letter: byte as char })
            }
            _ => Ok(Factor::Weighted(letter, size, weight)),
        }
    }

    /// The number that begins here, if one does.
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

/// The format, which ends in a number, with this letter after it, or the block alone where that is not a format. A block of no
/// positions stands for a channel count that other notations leave open.
const fn completed(format: &Name, number: usize, letter: char) -> Name {
    let mut whole = *format;
    whole.push_char(letter.to_ascii_lowercase());
    if !format.is_cut() && Format::parse(whole.as_str()).is_ok() {
        return whole;
    }
    block_name(letter, if number == 0 { 16 } else { number }, 1)
}
