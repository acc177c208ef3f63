//! Parses the swizzle of a layout.

use super::super::cursor::{Cursor, Span};
use super::super::draft::{Place, Writing};
use super::super::option_names::LayoutOption;
use super::layout_options::form_of;
use super::{Fault, Mode, Reader, is_literal};
use crate::spec::{LayoutError, Name, Rule, SWIZZLE_NAMES, Swizzle, Swizzling, same_text};

impl<const FAULTS: usize> Reader<'_, FAULTS> {
    /// Parses `swizzle(3, 3, 3)`, `swizzle(vec = 8, per_phase = 1, max_phase = 8)` or `swizzle = b128`.
    pub(super) const fn read_swizzle(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.one_swizzle(LayoutOption::Swizzle, name));
        if self.cursor.eat(b'=') {
            let value = self.cursor.value(b',');
            if value.is_empty() {
                fail!(Rule::ValueExpected, self.here_or(value));
            }
            self.draft.places.swizzle = Span { start: name.start, end: value.end };
            return self.read_named_swizzle(value);
        }
        if !self.cursor.eat(b'(') {
            return self.malformed(LayoutOption::Swizzle, name);
        }
        let before = self.cursor;
        self.draft.options.swizzle = Some(match self.cursor.name() {
            None => {
                let (bits, base, shift) = ok!(self.three(name, LayoutOption::Swizzle));
                Swizzling::Elements(bits, base, shift)
            }
            Some(_) => {
                self.cursor = before;
                ok!(self.phases(name))
            }
        });
        self.draft.places.swizzle = self.since(name);
        Ok(())
    }

    /// Reads the name of a swizzle of bytes, or a constant.
    const fn read_named_swizzle(&mut self, value: Span) -> Result<(), Fault> {
        let text = self.cursor.text(value);
        let is_constant = matches!(self.mode, Mode::Macro | Mode::FormatOnly)
            && (!is_word(text) || text.as_bytes()[0].is_ascii_uppercase())
            && !is_literal(text);
        let (bits, base, shift) = match Swizzle::named(text) {
            Some(swizzle) => (swizzle.bits(), swizzle.base(), swizzle.shift()),
            None if is_constant => {
                self.draft.places.swizzle_numbers[0] =
                    Place { span: value, writing: Writing::Expression };
                UNKNOWN
            }
            None => {
                fail!(Rule::UnknownSwizzle { name: Name::new(text), known: SWIZZLE_NAMES }, value)
            }
        };
        self.draft.options.swizzle = Some(Swizzling::Bytes(bits, base, shift));
        Ok(())
    }

    /// Returns an error if there is a swizzle.
    const fn one_swizzle(&self, option: LayoutOption, name: Span) -> Result<(), Fault> {
        if self.draft.options.swizzle.is_none() {
            return Ok(());
        }
        let before = self.cursor.text(self.draft.places.swizzle);
        let mut words = Cursor::new(before);
        let word = words.word();
        if same_text(words.text(word), option.name()) {
            return self.once(self.draft.places.swizzle, name);
        }
        fail!(Rule::RepeatedSwizzle, name)
    }

    /// Parses `swizzle_bytes(3, 4, 3)`.
    pub(super) const fn read_swizzle_bytes(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.one_swizzle(LayoutOption::SwizzleBytes, name));
        if !self.cursor.eat(b'(') {
            self.cursor.value(b',');
            return self.malformed(LayoutOption::SwizzleBytes, name);
        }
        let (bits, base, shift) = ok!(self.three(name, LayoutOption::SwizzleBytes));
        self.draft.options.swizzle = Some(Swizzling::Bytes(bits, base, shift));
        self.draft.places.swizzle = self.since(name);
        Ok(())
    }

    /// Parses `3, 4, 3)`. If one of the numbers is an expression, these are the numbers of no rule.
    const fn three(
        &mut self,
        name: Span,
        option: LayoutOption,
    ) -> Result<(usize, usize, isize), Fault> {
        let mut unsigned = [0; 2];
        let mut known = true;
        each!(i, 0..2, {
            ok!(self.list_goes_on(name.start));
            let value = self.cursor.value(b')');
            let (number, place) = ok!(self.unsigned("number of bits", 0, value, 0));
            (unsigned[i], self.draft.places.swizzle_numbers[i]) = (number, place);
            known &= !place.is_expression();
            if !self.cursor.eat(b',') {
                self.cursor.eat(b')');
                fail!(form_of(option), self.since(name));
            }
        });
        ok!(self.list_goes_on(name.start));
        let value = self.cursor.value(b')');
        let (shift, place) = ok!(self.signed("shift", value));
        self.draft.places.swizzle_numbers[2] = place;
        self.cursor.eat(b',');
        if !self.cursor.eat(b')') {
            return self.malformed(option, name);
        }
        Ok(if known && !place.is_expression() {
            (unsigned[0], unsigned[1], shift)
        } else {
            UNKNOWN
        })
    }

    /// Parses `vec = 8, per_phase = 1, max_phase = 8)`.
    const fn phases(&mut self, name: Span) -> Result<Swizzling, Fault> {
        const NAMES: [&str; 3] = ["vec", "per_phase", "max_phase"];
        let mut numbers = [None; 3];
        while !self.cursor.eat(b')') {
            ok!(self.list_goes_on(name.start));
            let Some(word) = self.cursor.name() else {
                return self.malformed(LayoutOption::Swizzle, name);
            };
            let value = self.cursor.value(b')');
            let (number, place) = ok!(self.unsigned("number of a swizzle", 1, value, 1));
            let mut i = 0;
            while i < 3 && !same_text(NAMES[i], self.cursor.text(word)) {
                i += 1;
            }
            if i == 3 || numbers[i].is_some() {
                fail!(form_of(LayoutOption::Swizzle), word);
            }
            self.draft.places.swizzle_numbers[i] = place;
            numbers[i] = Some(number);
            self.cursor.eat(b',');
        }
        let places = &self.draft.places.swizzle_numbers;
        let known =
            !places[0].is_expression() && !places[1].is_expression() && !places[2].is_expression();
        match numbers {
            [Some(_), Some(_), Some(_)] if !known => Ok(Swizzling::Phases(1, 1, 1)),
            [Some(vec), Some(per_phase), Some(max_phase)] => {
                Ok(Swizzling::Phases(vec, per_phase, max_phase))
            }
            _ => fail!(form_of(LayoutOption::Swizzle), self.since(name)),
        }
    }
}

/// The numbers of a swizzle that are expressions: they break no rule, whatever the element type and the extents are.
const UNKNOWN: (usize, usize, isize) = (0, 30, 0);

/// Whether a text is one word.
const fn is_word(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    cursor.word();
    cursor.peek().is_none()
}
