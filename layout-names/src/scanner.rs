//! A scanner for names.

use crate::error::NameError;
use crate::system::System;
use layout_core::spec::{MAX_FACTORS, Name};

/// A name, and the position up to which it is read.
#[derive(Clone, Copy)]
pub(crate) struct Scanner<'a> {
    system: System,
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) const fn new(system: System, text: &'a str) -> Self {
        Self { system, text, at: 0 }
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Consumes the text if it comes next, after blanks.
    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest();
        let start = rest.trim_start();
        let found = start.starts_with(text);
        if found {
            self.at += rest.len() - start.len() + text.len();
        }
        found
    }

    /// Consumes a number if one comes next, after blanks.
    pub(crate) fn number(&mut self) -> Option<usize> {
        let rest = self.rest();
        let start = rest.trim_start();
        let digits = start.bytes().take_while(u8::is_ascii_digit).count();
        let number = start[..digits].parse().ok()?;
        self.at += rest.len() - start.len() + digits;
        Some(number)
    }

    /// [`number`](Self::number), or an error.
    pub(crate) fn expect_number(&mut self) -> Result<usize, NameError> {
        let is_large = self.rest().trim_start().starts_with(|first: char| first.is_ascii_digit());
        let expected = if is_large { "a smaller number" } else { "a number" };
        self.number().ok_or(self.error(expected))
    }

    /// [`eat`](Self::eat), or an error.
    pub(crate) fn expect(&mut self, text: &'static str) -> Result<(), NameError> {
        if self.eat(text) { Ok(()) } else { Err(self.error(text)) }
    }

    /// Consumes letters, digits and `_`.
    pub(crate) fn word(&mut self) {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        self.at += self.rest().bytes().take_while(is_part).count();
    }

    /// Consumes letters, digits and `_` after blanks. Returns an empty text if something else comes next.
    pub(crate) fn name(&mut self) -> &'a str {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        let start = self.at;
        self.word();
        &self.text[start..self.at]
    }

    /// Returns an error unless only blanks follow.
    pub(crate) fn expect_end(&self) -> Result<(), NameError> {
        match self.rest().trim_start() {
            "" => Ok(()),
            _ => Err(self.error("nothing more")),
        }
    }

    /// Consumes numbers between commas up to the closing bracket, and the bracket.
    pub(crate) fn numbers(&mut self, close: &'static str) -> Result<Numbers, NameError> {
        let mut numbers = Numbers::EMPTY;
        if self.eat(close) {
            return Ok(numbers);
        }
        loop {
            let number = self.expect_number()?;
            numbers.push(number).ok_or(self.error("at most 16 numbers"))?;
            if self.eat(close) {
                return Ok(numbers);
            }
            self.expect(",")?;
        }
    }

    /// The error that something else is expected here.
    pub(crate) fn error(&self, expected: &'static str) -> NameError {
        let blanks = self.rest().len() - self.rest().trim_start().len();
        let at = self.at + blanks;
        NameError::Syntax { system: self.system, rest: Name::new(&self.text[at..]), at, expected }
    }
}

/// The numbers of a list.
#[derive(Clone, Copy)]
pub(crate) struct Numbers {
    list: [usize; MAX_FACTORS],
    count: usize,
}

impl Numbers {
    pub(crate) const EMPTY: Self = Self { list: [0; MAX_FACTORS], count: 0 };

    /// A further number, if there is space.
    pub(crate) fn push(&mut self, number: usize) -> Option<()> {
        *self.list.get_mut(self.count)? = number;
        self.count += 1;
        Some(())
    }

    pub(crate) fn as_slice(&self) -> &[usize] {
        &self.list[..self.count]
    }

    /// Whether these are the numbers below the count, in some order.
    pub(crate) fn is_permutation(&self) -> bool {
        (0..self.count).all(|number| self.as_slice().contains(&number))
    }
}
