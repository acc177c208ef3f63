//! Reads the storage of a chip.

use super::super::cursor::Span;
use super::super::draft::{Place, Writing};
use super::super::options::Stored;
use super::{Fault, Mode, Reader};
use crate::spec::chips::Chip;
use crate::spec::storages::Storage;
use crate::spec::{LayoutError, Name, Rule, same_text};

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
        if !self.draft.places.storage.is_empty() {
            fail!(Rule::TwoStorages, path);
        }
        let own = names > 2 || self.cursor.text(chip).as_bytes()[0].is_ascii_uppercase();
        let (chip, writing) = match Chip::named(self.cursor.text(chip)) {
            _ if own && matches!(self.mode, Mode::Macro | Mode::FormatOnly) => {
                self.draft.places.chip = Place { span: chip, writing: Writing::Expression };
                (&UNKNOWN_CHIP, Writing::Expression)
            }
            Ok(known) => {
                self.draft.places.chip = Place::at(chip);
                (known, Writing::Literal)
            }
            Err(error) => return Err((error, chip)),
        };
        let storage = at!(Storage::named(self.cursor.text(name)), name);
        let (start, width) = ok!(self.read_storage_arguments(path, storage));
        self.draft.places.storage = self.since(path);
        at!(storage.check_arguments(start.is_some(), width.is_some()), self.draft.places.storage);
        let start = match (start, writing) {
            (Some(start), Writing::Literal) => start,
            _ => 0,
        };
        let width = if let Some(width) = width { width } else { 0 };
        self.draft.options.storage = Some(Stored { chip, storage, start, width });
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
                self.draft.places.start = place;
                start.replace(number)
            } else if same_text(text, "w") {
                let (number, place) = ok!(self.unsigned("width", 1, value, 1));
                self.draft.places.width = place;
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

    /// Returns an error if the storage does not take the format or the element type, or if there are other lanes.
    pub(super) const fn check_storage(&self) -> Result<(), Fault> {
        let draft = &self.draft;
        let Some(Stored { storage, .. }) = draft.options.storage else { return Ok(()) };
        if draft.options.lanes.is_some() {
            fail!(Rule::LanesAndStorage, draft.places.distribution);
        }
        at!(storage.axes(&draft.format), draft.places.format);
        let is_known = !draft.places.element.is_expression();
        // The error of another element type may be there.
        if (is_known || self.count == 0) && !(is_known && storage.takes(draft.element)) {
            let span = draft.places.element.span;
            return Err((storage.wrong_element(Name::new(self.cursor.text(span))), span));
        }
        Ok(())
    }
}
