//! Reads the options of views and buffers, and the coordinate order.

use super::super::cursor::Span;
use super::super::option_names::LayoutOption;
use super::super::options::BufferPart;
use super::layout_options::form_of;
use super::{Fault, Reader};
use crate::spec::{LayoutError, Rule, same_text};

impl<const FAULTS: usize> Reader<'_, FAULTS> {
    /// Parses `from 72 of 144`.
    pub(super) const fn read_view_part(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.draft.places.part, name));
        let start = self.cursor.operand();
        let of = self.cursor.word();
        if !same_text(self.cursor.text(of), "of") {
            fail!(form_of(LayoutOption::From), self.since(name));
        }
        let length = self.cursor.operand();
        let (start, first) = ok!(self.signed("start", start));
        let (length, last) = ok!(self.unsigned("length", 0, length, 1));
        (self.draft.places.part, self.draft.places.part_numbers) =
            (self.since(name), [first, last]);
        self.draft.options.part = Some(BufferPart::View { start, length });
        Ok(())
    }

    /// Parses `len = 144`.
    pub(super) const fn read_length(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.draft.places.part, name));
        if !self.cursor.eat(b'=') {
            return self.malformed(LayoutOption::Len, name);
        }
        let value = self.cursor.value(b',');
        let (length, place) = ok!(self.unsigned("length", 0, value, 1));
        (self.draft.places.part, self.draft.places.part_numbers[1]) = (self.since(name), place);
        self.draft.options.part = Some(BufferPart::Whole { length });
        Ok(())
    }

    /// Parses `overlap`.
    pub(super) const fn read_overlap(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.draft.places.overlap, name));
        (self.draft.places.overlap, self.draft.options.overlap) = (name, true);
        Ok(())
    }

    /// Parses `coordinates(N, H, W, C)`.
    pub(super) const fn read_coordinates(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.draft.places.coordinates, name));
        let order = ok!(self.read_axes(LayoutOption::Coordinates, name));
        self.draft.places.coordinates = self.since(name);
        if order.count() != self.draft.format.axes().count() {
            let axes = self.draft.format.axes();
            fail!(Rule::CoordinateOrder { given: order, axes }, self.since(name));
        }
        self.draft.options.coordinates = Some(order);
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
        let axis = self.draft.memory(letter);
        if !self.draft.places.from[axis].is_none() {
            return Err((LayoutError(Rule::RepeatedName { letter }), name));
        }
        self.cursor = ahead;
        let value = self.cursor.operand();
        // A position of 1 breaks no rule of a block.
        let (position, place) = ok!(self.unsigned("position", 0, value, 1));
        self.draft.options.from[axis] = position;
        self.draft.places.from[axis] = place;
        Ok(true)
    }
}
