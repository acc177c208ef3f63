//! Parses the swizzle of a layout.

use super::super::cursor::Span;
use super::super::option_names::LayoutOption;
use super::super::values;
use super::layout_options::form_of;
use super::{Fault, Reader};
use crate::spec::{LayoutError, Name, Rule, SWIZZLE_NAMES, Swizzle, Swizzling, same_text};

impl Reader<'_> {
    /// Parses `swizzle(3, 3, 3)`, `swizzle(vec = 8, per_phase = 1, max_phase = 8)` or `swizzle = b128`.
    pub(super) const fn read_swizzle(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.spans.swizzle, name));
        let form = form_of(LayoutOption::Swizzle);
        if self.cursor.eat(b'=') {
            let value = self.cursor.value(b',');
            let text = self.cursor.text(value);
            let Some(swizzle) = Swizzle::named(text) else {
                let span = if value.is_empty() { name } else { value };
                fail!(Rule::UnknownSwizzle { name: Name::new(text), known: SWIZZLE_NAMES }, span);
            };
            self.spans.swizzle = Some(value);
            let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
            self.options.swizzle = Some(Swizzling::Bytes(bits, base, shift));
            return Ok(());
        }
        if !self.cursor.eat(b'(') {
            fail!(form, name);
        }
        let before = self.cursor;
        self.options.swizzle = Some(match self.cursor.name() {
            None => {
                let (bits, base, shift) = ok!(self.three(name, form));
                Swizzling::Elements(bits, base, shift)
            }
            Some(_) => {
                self.cursor = before;
                ok!(self.phases(name, form))
            }
        });
        self.spans.swizzle = Some(Span { start: name.start, end: self.cursor.at });
        Ok(())
    }

    /// Parses `swizzle_bytes(3, 4, 3)`.
    pub(super) const fn read_swizzle_bytes(&mut self, name: Span) -> Result<(), Fault> {
        if self.spans.swizzle.is_some() {
            fail!(Rule::RepeatedSwizzle, name);
        }
        let form = form_of(LayoutOption::SwizzleBytes);
        if !self.cursor.eat(b'(') {
            fail!(form, name);
        }
        let (bits, base, shift) = ok!(self.three(name, form));
        self.options.swizzle = Some(Swizzling::Bytes(bits, base, shift));
        self.spans.swizzle = Some(Span { start: name.start, end: self.cursor.at });
        Ok(())
    }

    /// Parses `3, 4, 3)`.
    const fn three(&mut self, name: Span, form: Rule) -> Result<(usize, usize, isize), Fault> {
        let mut unsigned = [0; 2];
        let mut i = 0;
        while i < 2 {
            ok!(self.list_goes_on(name.start));
            let value = self.cursor.value(b')');
            unsigned[i] = ok!(self.unsigned("number of bits", 0, value));
            if !self.cursor.eat(b',') {
                fail!(form, Span { start: name.start, end: self.cursor.here().end });
            }
            i += 1;
        }
        ok!(self.list_goes_on(name.start));
        let value = self.cursor.value(b')');
        if value.is_empty() {
            fail!(Rule::ValueExpected, self.here_or(value));
        }
        let shift = match values::signed("shift", self.cursor.text(value)) {
            Ok(shift) => shift,
            Err(error) => return Err(self.fault_in(error, value)),
        };
        self.cursor.eat(b',');
        if !self.cursor.eat(b')') {
            fail!(form, Span { start: name.start, end: self.cursor.here().end });
        }
        Ok((unsigned[0], unsigned[1], shift))
    }

    /// Parses `vec = 8, per_phase = 1, max_phase = 8)`.
    const fn phases(&mut self, name: Span, form: Rule) -> Result<Swizzling, Fault> {
        const NAMES: [&str; 3] = ["vec", "per_phase", "max_phase"];
        let mut numbers = [None; 3];
        while !self.cursor.eat(b')') {
            ok!(self.list_goes_on(name.start));
            let Some(word) = self.cursor.name() else {
                fail!(form, Span { start: name.start, end: self.cursor.here().end });
            };
            let value = self.cursor.value(b')');
            let number = ok!(self.unsigned("number of a swizzle", 1, value));
            let mut i = 0;
            while i < 3 && !same_text(NAMES[i], self.cursor.text(word)) {
                i += 1;
            }
            if i == 3 || numbers[i].is_some() {
                fail!(form, word);
            }
            numbers[i] = Some(number);
            self.cursor.eat(b',');
        }
        match numbers {
            [Some(vec), Some(per_phase), Some(max_phase)] => {
                Ok(Swizzling::Phases(vec, per_phase, max_phase))
            }
            _ => fail!(form, Span { start: name.start, end: self.cursor.at }),
        }
    }
}
