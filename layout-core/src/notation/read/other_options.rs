//! Reads the options of views and buffers, the coordinate order, the storage of a chip, and the swizzle.

use super::super::cursor::{Cursor, Span};
use super::super::draft::{Place, Writing};
use super::super::options::{BufferPart, LayoutOption, Stored};
use super::layout_options::form_of;
use super::{Fault, Mode, Reader, is_literal};
use crate::spec::storages::{Chip, Storage};
use crate::spec::{
    LayoutError, Name, Rule, SWIZZLE_NAMES, Swizzle, Swizzling, position, same_text,
};

impl<const FAULTS: usize> Reader<'_, FAULTS> {
    /// Parses `from 72 of 144`.
    pub(super) const fn read_view_part(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.places.part, name));
        let start = self.cursor.operand();
        let of = self.cursor.word();
        if !same_text(self.cursor.text(of), "of") {
            fail!(form_of(LayoutOption::From), self.since(name));
        }
        let length = self.cursor.operand();
        let (start, first) = ok!(self.signed("start", start));
        let (length, last) = ok!(self.unsigned("length", 0, length, 1));
        (self.places.part, self.places.part_numbers) = (self.since(name), [first, last]);
        self.template.options.part = Some(BufferPart::View { start, length });
        Ok(())
    }

    /// Parses `len = 144`.
    pub(super) const fn read_length(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.places.part, name));
        if !self.cursor.eat(b'=') {
            return self.malformed(LayoutOption::Len, name);
        }
        let value = self.cursor.value(b',');
        let (length, place) = ok!(self.unsigned("length", 0, value, 1));
        (self.places.part, self.places.part_numbers[1]) = (self.since(name), place);
        self.template.options.part = Some(BufferPart::Whole { length });
        Ok(())
    }

    /// Parses `overlap`.
    pub(super) const fn read_overlap(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.places.overlap, name));
        (self.places.overlap, self.template.options.overlap) = (name, true);
        Ok(())
    }

    /// Parses `coordinates(N, H, W, C)`.
    pub(super) const fn read_coordinates(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.places.coordinates, name));
        let order = ok!(self.read_axes(LayoutOption::Coordinates, name));
        self.places.coordinates = self.since(name);
        if order.count() != self.template.format.axes().count() {
            let axes = self.template.format.axes();
            fail!(Rule::CoordinateOrder { given: order, axes }, self.since(name));
        }
        self.template.options.coordinates = Some(order);
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
        let axis = self.template.memory(letter);
        if !self.places.from[axis].is_none() {
            return Err((LayoutError(Rule::RepeatedName { letter }), name));
        }
        self.cursor = ahead;
        let value = self.cursor.operand();
        // A position of 1 breaks no rule of a block.
        let (position, place) = ok!(self.unsigned("position", 0, value, 1));
        self.template.options.from[axis] = position;
        self.places.from[axis] = place;
        Ok(true)
    }
}

/// A chip of the user's own, whose numbers are not known here. These break no rule.
static UNKNOWN_CHIP: Chip =
    Chip { name: "", lanes: 1, lane_bytes: 4, banks: 1, alignment: 4, kernel_bytes: 4 };

impl<const FAULTS: usize> Reader<'_, FAULTS> {
    /// Parses `bm1684x::aligned(start = 2, w = 16)`.
    pub(super) const fn read_storage(&mut self, first: Span) -> Result<(), Fault> {
        let (mut chip, mut name, mut names) = (first, first, 1);
        while self.cursor.eat(b':') {
            if !self.cursor.eat(b':') {
                fail!(Rule::OptionExpected, self.cursor.here());
            }
            (chip.end, name, names) = (name.end, self.cursor.word(), names + 1);
        }
        let path = Span { start: first.start, end: name.end };
        if !self.places.storage.is_empty() {
            fail!(Rule::TwoStorages, path);
        }
        let is_path = names > 2 || self.cursor.text(chip).as_bytes()[0].is_ascii_uppercase();
        let (chip, writing) = match Chip::named(self.cursor.text(chip)) {
            _ if is_path && matches!(self.mode, Mode::Macro | Mode::FormatOnly) => {
                self.places.chip = Place { span: chip, writing: Writing::Expression };
                (&UNKNOWN_CHIP, Writing::Expression)
            }
            Ok(known) => {
                self.places.chip = Place::at(chip);
                (known, Writing::Literal)
            }
            Err(error) => return Err((error, chip)),
        };
        let storage = at!(Storage::named(self.cursor.text(name)), name);
        let (start, width) = ok!(self.read_storage_arguments(path, storage));
        self.places.storage = self.since(path);
        at!(storage.check_arguments(start.is_some(), width.is_some()), self.places.storage);
        let start = match (start, writing) {
            (Some(start), Writing::Literal) => start,
            _ => 0,
        };
        let width = if let Some(width) = width { width } else { 0 };
        self.template.options.storage = Some(Stored { chip, storage, start, width });
        Ok(())
    }

    /// Parses `(start = 2, w = 16)`, if it follows.
    const fn read_storage_arguments(
        &mut self,
        path: Span,
        storage: &Storage,
    ) -> Result<(Option<usize>, Option<usize>), Fault> {
        let form = storage.malformed(Name::new(self.cursor.text(path)));
        let (mut start, mut width) = (None, None);
        if self.cursor.sees(b'=') {
            let end = self.cursor.value(b',').end;
            fail!(form, Span { start: path.start, end });
        }
        if !self.cursor.eat(b'(') {
            return Ok((start, width));
        }
        while !self.cursor.eat(b')') {
            ok!(self.list_goes_on(path.start));
            let Some(argument) = self.cursor.name() else {
                fail!(form, Span { start: path.start, end: self.cursor.here().end });
            };
            let value = self.cursor.value(b')');
            let text = self.cursor.text(argument);
            let before = if same_text(text, "start") {
                let (number, place) = ok!(self.unsigned("start lane", 0, value, 0));
                self.places.start = place;
                start.replace(number)
            } else if same_text(text, "w") {
                let (number, place) = ok!(self.unsigned("width", 1, value, 1));
                self.places.width = place;
                width.replace(number)
            } else {
                fail!(form, Span { start: argument.start, end: value.end });
            };
            if before.is_some() {
                fail!(Rule::RepeatedOption { name: Name::new(text) }, argument);
            }
            self.cursor.eat(b',');
        }
        Ok((start, width))
    }

    /// Returns an error if an element type that only the compiler knows is stored. The error of another one may be there.
    pub(super) const fn check_storage(&self) -> Result<(), Fault> {
        let Place { span, writing } = self.places.element;
        match (self.template.options.storage, writing) {
            (Some(Stored { storage, .. }), Writing::Expression) if self.count == 0 => {
                Err((storage.wrong_element(Name::new(self.cursor.text(span))), span))
            }
            _ => Ok(()),
        }
    }
}

impl<const FAULTS: usize> Reader<'_, FAULTS> {
    /// Parses `swizzle(3, 3, 3)`, `swizzle(vec = 8, per_phase = 1, max_phase = 8)` or `swizzle = b128`.
    pub(super) const fn read_swizzle(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.one_swizzle(LayoutOption::Swizzle, name));
        if self.cursor.eat(b'=') {
            let value = self.cursor.value(b',');
            if value.is_empty() {
                fail!(Rule::ValueExpected, self.here_or(value));
            }
            self.places.swizzle = Span { start: name.start, end: value.end };
            return self.read_named_swizzle(value);
        }
        if !self.cursor.eat(b'(') {
            return self.malformed(LayoutOption::Swizzle, name);
        }
        let before = self.cursor;
        self.template.options.swizzle = Some(match self.cursor.name() {
            None => {
                let (bits, base, shift) = ok!(self.three(name, LayoutOption::Swizzle));
                Swizzling::Elements(bits, base, shift)
            }
            Some(_) => {
                self.cursor = before;
                ok!(self.phases(name))
            }
        });
        self.places.swizzle = self.since(name);
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
                self.places.swizzle_numbers[0] =
                    Place { span: value, writing: Writing::Expression };
                UNKNOWN
            }
            None => {
                fail!(Rule::UnknownSwizzle { name: Name::new(text), known: SWIZZLE_NAMES }, value)
            }
        };
        self.template.options.swizzle = Some(Swizzling::Bytes(bits, base, shift));
        Ok(())
    }

    /// Returns an error if there is a swizzle.
    const fn one_swizzle(&self, option: LayoutOption, name: Span) -> Result<(), Fault> {
        if self.template.options.swizzle.is_none() {
            return Ok(());
        }
        let before = self.cursor.text(self.places.swizzle);
        let mut words = Cursor::new(before);
        let word = words.word();
        if same_text(words.text(word), option.name()) {
            return self.once(self.places.swizzle, name);
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
        self.template.options.swizzle = Some(Swizzling::Bytes(bits, base, shift));
        self.places.swizzle = self.since(name);
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
            (unsigned[i], self.places.swizzle_numbers[i]) = (number, place);
            known &= !place.is_expression();
            if !self.cursor.eat(b',') {
                self.cursor.eat(b')');
                fail!(form_of(option), self.since(name));
            }
        });
        ok!(self.list_goes_on(name.start));
        let value = self.cursor.value(b')');
        let (shift, place) = ok!(self.signed("shift", value));
        self.places.swizzle_numbers[2] = place;
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
            match position(&NAMES, self.cursor.text(word)) {
                Some(i) if numbers[i].is_none() => {
                    (self.places.swizzle_numbers[i], numbers[i]) = (place, Some(number));
                }
                _ => fail!(form_of(LayoutOption::Swizzle), word),
            }
            self.cursor.eat(b',');
        }
        let places = &self.places.swizzle_numbers;
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
