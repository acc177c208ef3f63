//! Parses the options of a layout that `layout!` also takes.

use super::super::cursor::Span;
use super::super::option_names::LayoutOption;
use super::super::options::Stored;
use super::super::values;
use super::{Fault, Reader};
use crate::spec::chips::Chip;
use crate::spec::storages::Storage;
use crate::spec::{Factor, LayoutError, MAX_FACTORS, Name, Rule, same_text};

impl Reader<'_> {
    pub(super) const fn read_option(&mut self) -> Result<(), Fault> {
        let start = self.cursor.at;
        let name = self.cursor.word();
        if name.is_empty() {
            fail!(Rule::OptionExpected, self.cursor.here());
        }
        let text = self.cursor.text(name);
        if self.cursor.sees(b':') {
            ok!(self.read_storage(name));
        } else if let Some(option) = LayoutOption::named(text) {
            ok!(self.read_known(option, name));
        } else if same_text(text, "from") {
            ok!(self.read_view_part(name));
        } else if same_text(text, "overlap") {
            ok!(self.once(if self.options.overlap { Some(name) } else { None }, name));
            self.options.overlap = true;
        } else if same_text(text, "len") {
            ok!(self.read_length(name));
        } else if same_text(text, "coordinates") {
            ok!(self.read_coordinates(name));
        } else if ok!(self.read_axis_start(name)) {
            // `C from 3`
        } else {
            fail!(Rule::UnknownOption { name: Name::new(text) }, name);
        }
        if self.cursor.peek().is_some() && !self.cursor.sees(b',') {
            let here = self.cursor.here();
            let error = match LayoutOption::named(text) {
                Some(option) => {
                    let end = if here.end > here.start { here.end } else { here.start };
                    fail!(form_of(option), Span { start, end });
                }
                None => Rule::OptionExpected,
            };
            fail!(error, here);
        }
        Ok(())
    }

    const fn read_known(&mut self, option: LayoutOption, name: Span) -> Result<(), Fault> {
        match option {
            LayoutOption::Pad => self.read_pad(name),
            LayoutOption::Strides => self.read_strides(name),
            LayoutOption::Align => self.read_align(name),
            LayoutOption::Broadcast => self.read_broadcast(name),
            LayoutOption::Lanes => self.read_lanes(name),
            LayoutOption::Swizzle => self.read_swizzle(name),
            LayoutOption::SwizzleBytes => self.read_swizzle_bytes(name),
            LayoutOption::HighFirst => self.read_high_first(name),
        }
    }

    /// Parses `high_first`.
    const fn read_high_first(&mut self, name: Span) -> Result<(), Fault> {
        let before = if self.element.is_high_first() { Some(name) } else { None };
        ok!(self.once(before, name));
        self.element = at!(self.element.high_first(), name);
        Ok(())
    }

    /// Returns an error if the option has been read before.
    pub(super) const fn once(&self, before: Option<Span>, name: Span) -> Result<(), Fault> {
        match before {
            None => Ok(()),
            Some(_) => {
                let text = Name::new(self.cursor.text(name));
                fail!(Rule::RepeatedOption { name: text }, name)
            }
        }
    }

    /// Parses `pad` or `pad = -7`.
    const fn read_pad(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.spans.fill, name));
        self.spans.fill = Some(name);
        self.options.fill = Some(0);
        if self.cursor.sees(b'(') {
            fail!(form_of(LayoutOption::Pad), name);
        }
        if !self.cursor.eat(b'=') {
            return Ok(());
        }
        let value = self.cursor.value(b',');
        self.spans.fill = Some(value);
        if value.is_empty() {
            fail!(Rule::ValueExpected, self.here_or(value));
        }
        if let [b'[', ..] = self.cursor.text(value).as_bytes() {
            fail!(form_of(LayoutOption::Pad), Span { start: name.start, end: value.end });
        }
        match values::fill(self.element, self.cursor.text(value)) {
            Ok(bits) => self.options.fill = Some(bits),
            Err(error) => fail!(error, value),
        }
        Ok(())
    }

    /// Parses `strides = [24, 8, -4, 2]`.
    const fn read_strides(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.spans.strides, name));
        let form = form_of(LayoutOption::Strides);
        if !self.cursor.eat(b'=') {
            fail!(form, name);
        }
        self.cursor.peek();
        let start = self.cursor.at;
        if !self.cursor.eat(b'[') {
            let end = self.cursor.value(b',').end;
            fail!(form, Span { start: name.start, end });
        }
        let mut strides = [0; MAX_FACTORS];
        let mut count = 0;
        while !self.cursor.eat(b']') {
            ok!(self.list_goes_on(start));
            let value = self.cursor.value(b']');
            if value.is_empty() {
                fail!(Rule::ValueExpected, self.here_or(value));
            }
            let stride = match values::signed("stride", self.cursor.text(value)) {
                Ok(stride) => stride,
                Err(error) => return Err(self.fault_in(error, value)),
            };
            if count < MAX_FACTORS {
                (strides[count], self.spans.stride[count]) = (stride, value);
            }
            count += 1;
            self.cursor.eat(b',');
        }
        self.spans.strides = Some(Span { start, end: self.cursor.at });
        (self.options.strides, self.options.stride_count) = (Some(strides), count);
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
            ok!(self.once(self.spans.alignment, name));
            let value = self.cursor.value(b',');
            self.spans.alignment = Some(value);
            self.options.alignment = Some(ok!(self.unsigned("alignment", 1, value)));
            return Ok(());
        }
        ok!(self.once(self.spans.align, name));
        let form = form_of(LayoutOption::Align);
        if !self.cursor.eat(b'(') {
            fail!(form, name);
        }
        let mut any = false;
        while !self.cursor.eat(b')') {
            ok!(self.list_goes_on(name.start));
            let Some(part) = self.cursor.name() else {
                let end = self.cursor.value(b')').end;
                fail!(form, Span { start: name.start, end });
            };
            let value = self.cursor.value(b')');
            let bytes = ok!(self.unsigned("alignment", 1, value));
            if same_text(self.cursor.text(part), "lanes") {
                if self.options.lane_align.is_some() {
                    let name = Name::new("align(lanes)");
                    fail!(Rule::RepeatedOption { name }, part);
                }
                self.options.lane_align = Some(bytes);
            } else {
                let letter = ok!(self.axis(part));
                let axis = self.memory(letter);
                if self.options.aligns[axis].is_some() {
                    return Err((LayoutError(Rule::RepeatedName { letter }), part));
                }
                self.options.aligns[axis] = Some(bytes);
                self.spans.axis_align[axis] = value;
            }
            any = true;
            self.cursor.eat(b',');
        }
        let whole = Span { start: name.start, end: self.cursor.at };
        if !any {
            fail!(form, whole);
        }
        self.spans.align = Some(whole);
        Ok(())
    }

    /// Parses `broadcast(N, H)`.
    const fn read_broadcast(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.spans.broadcast, name));
        let form = form_of(LayoutOption::Broadcast);
        if !self.cursor.eat(b'(') {
            fail!(form, name);
        }
        let mut any = false;
        while !self.cursor.eat(b')') {
            ok!(self.list_goes_on(name.start));
            let word = self.cursor.value(b')');
            if word.is_empty() {
                fail!(form, Span { start: name.start, end: self.cursor.at });
            }
            let letter = ok!(self.axis(word));
            let axis = self.memory(letter);
            if self.options.broadcast[axis] {
                return Err((LayoutError(Rule::RepeatedName { letter }), word));
            }
            self.options.broadcast[axis] = true;
            any = true;
            self.cursor.eat(b',');
        }
        let whole = Span { start: name.start, end: self.cursor.at };
        if !any {
            fail!(form, whole);
        }
        self.spans.broadcast = Some(whole);
        Ok(())
    }

    /// Parses `lanes(C, 64, start = 2)` or `lanes(32)`.
    const fn read_lanes(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.spans.lanes, name));
        let form = form_of(LayoutOption::Lanes);
        if !self.cursor.eat(b'(') {
            fail!(form, name);
        }
        let axis = self.cursor.value(b')');
        if let [b'0'..=b'9', ..] = self.cursor.text(axis).as_bytes() {
            let lanes = ok!(self.unsigned("number of lanes", 1, axis));
            if !self.cursor.eat(b')') {
                fail!(form, Span { start: name.start, end: self.cursor.at });
            }
            self.spans.lanes = Some(axis);
            self.options.lanes = Some(Factor::LaneArray(lanes));
            return Ok(());
        }
        if axis.is_empty() || !self.cursor.eat(b',') {
            fail!(form, Span { start: name.start, end: self.cursor.at });
        }
        let letter = ok!(self.axis(axis));
        let count = self.cursor.value(b')');
        let lanes = ok!(self.unsigned("number of lanes", 1, count));
        self.spans.lanes = Some(count);
        let mut start = 0;
        if self.cursor.eat(b',') && !self.cursor.sees(b')') {
            let whole = Span { start: name.start, end: self.cursor.here().end };
            match self.cursor.name() {
                Some(word) if same_text(self.cursor.text(word), "start") => {}
                _ => fail!(form, whole),
            }
            let value = self.cursor.value(b')');
            start = ok!(self.unsigned("start lane", 0, value));
            self.spans.start = value;
            self.cursor.eat(b',');
        }
        if !self.cursor.eat(b')') {
            fail!(form, Span { start: name.start, end: self.cursor.here().end });
        }
        self.options.lanes = Some(Factor::Lanes(letter, lanes, start));
        Ok(())
    }

    /// Parses `bm1684x::aligned(start = 2, w = 16)`.
    const fn read_storage(&mut self, chip: Span) -> Result<(), Fault> {
        self.cursor.eat(b':');
        if !self.cursor.eat(b':') {
            fail!(Rule::OptionExpected, self.cursor.here());
        }
        let name = self.cursor.word();
        let path = Span { start: chip.start, end: name.end };
        if self.spans.storage.is_some() {
            fail!(Rule::TwoStorages, path);
        }
        let chip = at!(Chip::named(self.cursor.text(chip)), chip);
        let storage = at!(Storage::named(self.cursor.text(name)), name);
        let form = storage.malformed(Name::new(self.cursor.text(path)));
        let (mut start, mut width) = (None, None);
        if self.cursor.eat(b'(') {
            while !self.cursor.eat(b')') {
                ok!(self.list_goes_on(path.start));
                let Some(argument) = self.cursor.name() else {
                    fail!(form, Span { start: path.start, end: self.cursor.here().end });
                };
                let value = self.cursor.value(b')');
                let text = self.cursor.text(argument);
                let before = if same_text(text, "start") {
                    let number = ok!(self.unsigned("start lane", 0, value));
                    self.spans.start = value;
                    start.replace(number)
                } else if same_text(text, "w") {
                    let number = ok!(self.unsigned("width", 1, value));
                    width.replace(number)
                } else {
                    fail!(form, argument);
                };
                if before.is_some() {
                    fail!(Rule::RepeatedOption { name: Name::new(text) }, argument);
                }
                self.cursor.eat(b',');
            }
        }
        let whole = Span { start: path.start, end: self.cursor.at };
        at!(storage.check_arguments(start.is_some(), width.is_some()), whole);
        self.spans.storage = Some(whole);
        self.options.storage = Some(Stored {
            chip,
            storage,
            start: if let Some(start) = start { start } else { 0 },
            width: if let Some(width) = width { width } else { 0 },
        });
        Ok(())
    }

    /// Returns an error if the storage does not take the format or the element type, or if there are two storages.
    pub(super) const fn check_storage(&self) -> Result<(), Fault> {
        let (Some(stored), Some(span)) = (self.options.storage, self.spans.storage) else {
            return Ok(());
        };
        if self.spans.lanes.is_some() {
            fail!(Rule::LanesAndStorage, span);
        }
        at!(stored.storage.axes(&self.format), self.spans.format);
        if !stored.storage.takes(self.element) {
            let error = stored.storage.wrong_element(self.element.name());
            return Err((error, self.spans.element));
        }
        Ok(())
    }
}

pub(super) const fn form_of(option: LayoutOption) -> Rule {
    Rule::OptionForm { name: option.name(), form: option.form() }
}
