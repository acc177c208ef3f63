//! Reads the options of memory orders.

use super::super::cursor::Span;
use super::super::draft::{Place, Writing};
use super::super::options::{AxisBytes, LayoutOption};
use super::super::values;
use super::{Fault, Mode, Reader, is_literal};
use crate::spec::{
    ElementType, Factor, LayoutError, Length, Letters, MAX_FACTORS, Name, Rule, same_text,
};

impl<const FAULTS: usize> Reader<'_, FAULTS> {
    pub(super) const fn read_option(&mut self) -> Result<(), Fault> {
        let start = self.cursor.at;
        let name = self.cursor.word();
        if name.is_empty() {
            fail!(Rule::OptionExpected, self.cursor.here());
        }
        let text = self.cursor.text(name);
        let known = LayoutOption::named(text);
        if self.cursor.sees(b':') {
            ok!(self.read_storage(name));
        } else if let Some(option) = known {
            ok!(self.read_known(option, name));
        } else if !ok!(self.read_axis_start(name)) {
            fail!(Rule::UnknownOption { name: Name::new(text) }, name);
        }
        if self.cursor.peek().is_some() && !self.cursor.sees(b',') && !self.cursor.sees(b';') {
            let here = self.cursor.here();
            match known {
                Some(option) => fail!(form_of(option), Span { start, end: here.end }),
                None => fail!(Rule::OptionExpected, here),
            }
        }
        Ok(())
    }

    const fn read_known(&mut self, option: LayoutOption, name: Span) -> Result<(), Fault> {
        match option {
            LayoutOption::Pad => self.read_pad(name),
            LayoutOption::Strides => self.read_strides(name),
            LayoutOption::Align => self.read_align(name),
            LayoutOption::Pitch => self.read_bytes(AxisBytes::Pitch, name),
            LayoutOption::Broadcast => self.read_broadcast(name),
            LayoutOption::Lanes => self.read_lanes(name),
            LayoutOption::Swizzle => self.read_swizzle(name),
            LayoutOption::SwizzleBytes => self.read_swizzle_bytes(name),
            LayoutOption::HighFirst => self.read_high_first(name),
            LayoutOption::Coordinates => self.read_coordinates(name),
            LayoutOption::From => self.read_view_part(name),
            LayoutOption::Len => self.read_length(name),
            LayoutOption::Overlap => self.read_overlap(name),
        }
    }

    /// Parses `high_first`.
    const fn read_high_first(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.places.high_first, name));
        if !self.places.element.is_expression() {
            self.template.element = at!(self.template.element.high_first(), name);
        }
        self.places.high_first = name;
        Ok(())
    }

    /// Returns an error if the option has been read before, which is not empty then.
    pub(super) const fn once(&self, before: Span, name: Span) -> Result<(), Fault> {
        if before.is_empty() {
            return Ok(());
        }
        fail!(Rule::RepeatedOption { name: Name::new(self.cursor.text(name)) }, name)
    }

    /// The span from the name of an option to here.
    pub(super) const fn since(&self, name: Span) -> Span {
        Span { start: name.start, end: self.cursor.at }
    }

    /// The error of a whole option.
    pub(super) const fn malformed<T>(&self, option: LayoutOption, name: Span) -> Result<T, Fault> {
        let mut whole = self.cursor;
        whole.at = name.start;
        fail!(form_of(option), whole.value(b','))
    }

    /// Parses `pad` or `pad = -7`.
    const fn read_pad(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.places.fill, name));
        self.places.fill = name;
        // Padding is meant, even if the value is wrong.
        self.template.options.fill = Some(0);
        if self.cursor.sees(b'(') {
            let end = self.cursor.value(b',').end;
            fail!(form_of(LayoutOption::Pad), Span { start: name.start, end });
        }
        if !self.cursor.eat(b'=') {
            return Ok(());
        }
        let value = self.cursor.value(b',');
        if value.is_empty() {
            fail!(Rule::ValueExpected, self.here_or(value));
        }
        self.places.fill = Span { start: name.start, end: value.end };
        let text = values::unbracketed(self.cursor.text(value));
        if let [b'[', ..] = text.as_bytes() {
            fail!(form_of(LayoutOption::Pad), self.places.fill);
        }
        self.places.fill_value = Place::at(value);
        let mut element = self.template.element;
        if self.places.element.is_expression() {
            element = ElementType::Plain { bytes: 1, align: 1 };
        }
        match values::fill(element, text) {
            Ok(bits) => self.template.options.fill = Some(bits),
            // The element type is not read, or its error is.
            Err(_) if matches!(self.mode, Mode::FormatOnly) => {}
            Err(Rule::PadOfPlain) if self.count > 0 => {}
            Err(rule @ Rule::PadOfPlain) => fail!(rule, value),
            // A byte is an expression of type `u8`.
            Err(_)
                if matches!(self.mode, Mode::Macro)
                    && !same_text(text, "_")
                    && (!is_literal(text) || matches!(text.as_bytes(), [b'b', b'\'', ..])) =>
            {
                self.places.fill_value.writing = Writing::Expression;
            }
            Err(rule) => fail!(rule, value),
        }
        Ok(())
    }

    /// Parses `strides = [24, 8, -4, 2]` or `strides = [H = 9, W = 3, C = 1]`.
    const fn read_strides(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.places.strides, name));
        self.places.strides = name;
        let list = self.read_stride_list(name);
        // Without its strides, no layout is left to check.
        self.is_broken |= list.is_err();
        list
    }

    const fn read_stride_list(&mut self, name: Span) -> Result<(), Fault> {
        if !self.cursor.eat(b'=') {
            let end = self.cursor.value(b',').end;
            let end = if end > name.end { end } else { name.end };
            fail!(form_of(LayoutOption::Strides), Span { start: name.start, end });
        }
        self.cursor.peek();
        let start = self.cursor.at;
        if !self.cursor.eat(b'[') {
            let end = self.cursor.value(b',').end;
            fail!(form_of(LayoutOption::Strides), Span { start: name.start, end });
        }
        let mut strides = [0; MAX_FACTORS];
        while !self.cursor.eat(b']') {
            ok!(self.list_goes_on(start));
            let of = self.cursor.name();
            let value = self.cursor.value(b']');
            let (stride, place) = ok!(self.signed("stride", value));
            if self.strides.count < MAX_FACTORS {
                strides[self.strides.count] = stride;
            }
            self.strides.push(of, place);
            self.cursor.eat(b',');
        }
        self.places.strides = Span { start, end: self.cursor.at };
        self.template.options.strides = Some(strides);
        self.template.options.stride_count = self.strides.count;
        Ok(())
    }

    /// Returns an error at the end of the text.
    pub(super) const fn list_goes_on(&mut self, start: usize) -> Result<(), Fault> {
        match self.cursor.peek() {
            Some(_) => Ok(()),
            None => fail!(Rule::ListNotClosed, Span { start, end: self.cursor.at }),
        }
    }

    /// Parses `align(H = 64, lanes = 32)`, or `align = 64` for the buffer.
    const fn read_align(&mut self, name: Span) -> Result<(), Fault> {
        if self.cursor.eat(b'=') {
            ok!(self.once(self.places.alignment.span, name));
            let value = self.cursor.value(b',');
            let (bytes, place) = ok!(self.unsigned("alignment", 1, value, 64));
            (self.places.alignment, self.template.options.alignment) = (place, Some(bytes));
            return Ok(());
        }
        self.read_bytes(AxisBytes::Align, name)
    }

    /// Parses `(H = 64, lanes = 32)`. Only alignments have lanes, and only pitches may be `_`.
    const fn read_bytes(&mut self, bytes: AxisBytes, name: Span) -> Result<(), Fault> {
        let (is_align, option, what) = match bytes {
            AxisBytes::Align => (true, LayoutOption::Align, "alignment"),
            AxisBytes::Pitch => (false, LayoutOption::Pitch, "pitch"),
        };
        ok!(self.once(self.places.bytes[bytes as usize], name));
        if !self.cursor.eat(b'(') {
            return self.malformed(option, name);
        }
        let mut any = false;
        while !self.cursor.eat(b')') {
            ok!(self.list_goes_on(name.start));
            let Some(part) = self.cursor.name() else {
                self.cursor.value(b')');
                return self.malformed(option, name);
            };
            let value = self.cursor.value(b')');
            // No number that is an expression breaks a rule here.
            let (number, place) = match !is_align && same_text(self.cursor.text(value), "_") {
                true => (0, Place { span: value, writing: Writing::Open }),
                false => ok!(self.unsigned(what, 1, value, 64)),
            };
            if is_align && same_text(self.cursor.text(part), "lanes") {
                if self.template.options.lane_align.is_some() {
                    let name = Name::new("align(lanes)");
                    fail!(Rule::RepeatedOption { name }, part);
                }
                (self.template.options.lane_align, self.places.lane_align) = (Some(number), place);
            } else {
                let letter = ok!(self.axis(part));
                let axis = self.template.memory(letter);
                let slot = &mut self.template.options.bytes[bytes as usize][axis];
                if slot.is_some() {
                    return Err((LayoutError(Rule::RepeatedName { letter }), part));
                }
                *slot = Some(match place.writing {
                    Writing::Expression if !is_align => Length::Unknown,
                    Writing::Open => Length::Unknown,
                    _ => Length::Fixed(number),
                });
                self.places.bytes_of[bytes as usize][axis] = place;
            }
            any = true;
            self.cursor.eat(b',');
        }
        if !any {
            fail!(form_of(option), self.since(name));
        }
        self.places.bytes[bytes as usize] = self.since(name);
        Ok(())
    }

    /// Parses `broadcast(N, H)`.
    const fn read_broadcast(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.places.broadcast, name));
        let axes = ok!(self.read_axes(LayoutOption::Broadcast, name));
        self.places.broadcast = self.since(name);
        if axes.count() == 0 {
            fail!(form_of(LayoutOption::Broadcast), self.since(name));
        }
        each!(i, 0..axes.count(), {
            self.template.options.broadcast[self.template.memory(axes.at(i))] = true;
        });
        Ok(())
    }

    /// Parses `(N, H)`, with each axis at most once.
    pub(super) const fn read_axes(
        &mut self,
        option: LayoutOption,
        name: Span,
    ) -> Result<Letters, Fault> {
        if !self.cursor.eat(b'(') {
            return self.malformed(option, name);
        }
        let mut axes = Letters::EMPTY;
        while !self.cursor.eat(b')') {
            ok!(self.list_goes_on(name.start));
            let is_named = self.cursor.name().is_some();
            let word = self.cursor.value(b')');
            if word.is_empty() || is_named {
                return self.malformed(option, name);
            }
            let letter = ok!(self.axis(word));
            if axes.position(letter).is_some() {
                return Err((LayoutError(Rule::RepeatedName { letter }), word));
            }
            axes = axes.with(letter);
            self.cursor.eat(b',');
        }
        Ok(axes)
    }

    /// Parses `lanes(C, 64, start = 2)` or `lanes(32)`. `lanes(start = 2)` adds the start lane to the lanes of a named
    /// format.
    const fn read_lanes(&mut self, name: Span) -> Result<(), Fault> {
        if !self.cursor.eat(b'(') {
            ok!(self.once(self.places.distribution, name));
            return self.malformed(LayoutOption::Lanes, name);
        }
        let before = self.cursor;
        let is_start = self.cursor.name().is_some();
        self.cursor = before;
        let whole = match (self.template.options.lanes, is_start) {
            (Some(Factor::Lanes(letter, lanes, _)), true) if self.places.start.is_none() => {
                let mut start = ok!(self.read_start_lane(name));
                start = if self.places.lanes.is_expression() { 0 } else { start };
                self.template.options.lanes = Some(Factor::Lanes(letter, lanes, start));
                return Ok(());
            }
            (None, true) => {
                self.cursor.value(b')');
                return self.malformed(LayoutOption::Lanes, name);
            }
            _ => self.once(self.places.distribution, name),
        };
        ok!(whole);
        let axis = self.cursor.value(b')');
        let is_letter = self.cursor.text(axis).len() == 1 && !is_literal(self.cursor.text(axis));
        if !is_letter && self.cursor.sees(b')') && !axis.is_empty() {
            let (lanes, place) = ok!(self.unsigned("number of lanes", 1, axis, 1));
            self.cursor.eat(b')');
            self.places.lanes = place;
            self.template.options.lanes = Some(Factor::LaneArray(lanes));
            self.places.distribution = self.since(name);
            return Ok(());
        }
        if axis.is_empty() || is_literal(self.cursor.text(axis)) || !self.cursor.eat(b',') {
            return self.malformed(LayoutOption::Lanes, name);
        }
        let letter = ok!(self.axis(axis));
        let count = self.cursor.value(b')');
        // A placeholder of one lane breaks no rule.
        let (lanes, place) = ok!(self.unsigned("number of lanes", 1, count, 1));
        self.places.lanes = place;
        let mut start = 0;
        if self.cursor.eat(b',') && !self.cursor.sees(b')') {
            start = ok!(self.read_start_lane(name));
        } else if !self.cursor.eat(b')') {
            return self.malformed(LayoutOption::Lanes, name);
        }
        // Where the number of lanes is an expression, so is its last lane.
        start = if place.is_expression() { 0 } else { start };
        self.places.distribution = self.since(name);
        self.template.options.lanes = Some(Factor::Lanes(letter, lanes, start));
        Ok(())
    }

    /// Parses `start = 2)`.
    const fn read_start_lane(&mut self, name: Span) -> Result<usize, Fault> {
        match self.cursor.name() {
            Some(word) if same_text(self.cursor.text(word), "start") => {}
            _ => return self.malformed(LayoutOption::Lanes, name),
        }
        let value = self.cursor.value(b')');
        let (start, place) = ok!(self.unsigned("start lane", 0, value, 0));
        self.places.start = place;
        self.cursor.eat(b',');
        match self.cursor.eat(b')') {
            true => Ok(start),
            false => self.malformed(LayoutOption::Lanes, name),
        }
    }
}

pub(super) const fn form_of(option: LayoutOption) -> Rule {
    Rule::OptionForm { name: option.name(), form: option.form() }
}
