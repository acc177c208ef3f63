//! Parses the options of views and buffers, which `layout!` does not take.

use super::super::cursor::Span;
use super::super::options::BufferPart;
use super::{Fault, Reader};
use crate::spec::{LayoutError, Letters, Rule, same_text};

impl Reader<'_> {
    /// Parses `from 72 of 144`.
    pub(super) const fn read_view_part(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.spans.part, name));
        let form = Rule::OptionForm { name: "from", form: "`from 72 of 144`" };
        let negative = self.cursor.eat(b'-');
        let start = self.cursor.word();
        let of = self.cursor.word();
        if !same_text(self.cursor.text(of), "of") {
            fail!(form, Span { start: name.start, end: self.cursor.at });
        }
        let length = self.cursor.word();
        let start = ok!(self.unsigned("start", 0, start));
        let length = ok!(self.unsigned("length", 0, length));
        let whole = Span { start: name.start, end: self.cursor.at };
        if start > isize::MAX as usize + negative as usize {
            fail!(Rule::OutsideOfBuffer { length }, whole);
        }
        let start = if negative { (start as isize).wrapping_neg() } else { start as isize };
        self.spans.part = Some(whole);
        self.options.part = Some(BufferPart::View { start, length });
        Ok(())
    }

    /// Parses `len = 144`.
    pub(super) const fn read_length(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.spans.part, name));
        if !self.cursor.eat(b'=') {
            fail!(Rule::OptionForm { name: "len", form: "`len = 144`" }, name);
        }
        let value = self.cursor.value(b',');
        let length = ok!(self.unsigned("length", 0, value));
        self.spans.part = Some(Span { start: name.start, end: value.end });
        self.options.part = Some(BufferPart::Whole { length });
        Ok(())
    }

    /// Parses `coordinates(N, H, W, C)`.
    pub(super) const fn read_coordinates(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.spans.coordinates, name));
        let form = Rule::OptionForm {
            name: "coordinates",
            form: "`coordinates(N, H, W, C)`, with each axis once",
        };
        if !self.cursor.eat(b'(') {
            fail!(form, name);
        }
        let mut order = Letters::EMPTY;
        while !self.cursor.eat(b')') {
            ok!(self.list_goes_on(name.start));
            let word = self.cursor.value(b')');
            let letter = ok!(self.axis(word));
            if order.position(letter).is_some() {
                return Err((LayoutError(Rule::RepeatedName { letter }), word));
            }
            order = order.with(letter);
            self.cursor.eat(b',');
        }
        let whole = Span { start: name.start, end: self.cursor.at };
        if order.count() != self.order.count() {
            fail!(Rule::CoordinateOrder, whole);
        }
        self.spans.coordinates = Some(whole);
        self.set_order(order, self.order);
        Ok(())
    }

    /// Parses `C from 3`. Returns false if the text is something else.
    pub(super) const fn read_axis_start(&mut self, name: Span) -> Result<bool, Fault> {
        let mut ahead = self.cursor;
        let from = ahead.word();
        if !same_text(ahead.text(from), "from") {
            return Ok(false);
        }
        let letter = ok!(self.axis(name));
        let axis = self.memory(letter);
        if !self.spans.from[axis].is_empty() {
            return Err((LayoutError(Rule::RepeatedName { letter }), name));
        }
        self.cursor = ahead;
        let value = self.cursor.word();
        self.options.from[axis] = ok!(self.unsigned("position", 0, value));
        self.spans.from[axis] = Span { start: name.start, end: value.end };
        Ok(true)
    }
}
