//! From text to a layout.

use super::cursor::{Cursor, Span};
use super::error::NotationError;
use super::options::{BufferPart, Options, Site, Stored};
use super::values;
use super::words::LayoutOption;
use crate::chip::{Chip, Storage};
use crate::layout::Layout;
use crate::spec::{
    AxisExtent, ElementType, Factor, Format, LayoutError, Length, Letters, MAX_FACTORS, MAX_RANK,
    Name, Rule, same_text,
};

/// What is wrong, and where.
type Fault = (LayoutError, Span);

/// The value, or the error on a span.
macro_rules! at {
    ($result:expr, $span:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err((error, $span)),
        }
    };
}

/// A syntax error on a span.
macro_rules! fail {
    ($error:expr, $span:expr) => {
        return Err((LayoutError($error), $span))
    };
}

/// Reads all of `text`.
#[allow(clippy::result_large_err, reason = "const evaluation cannot box the piece of text")]
pub(super) const fn layout(text: &str) -> Result<Layout, NotationError> {
    let mut reader = Reader::new(text);
    match reader.read() {
        Ok(layout) => Ok(layout),
        Err((error, span)) => Err(NotationError::new(error, text, span)),
    }
}

/// The text, and what is understood of it.
struct Reader<'a> {
    cursor: Cursor<'a>,
    format: Format,
    element: ElementType,
    extents: [usize; MAX_RANK],
    /// The names of the extents; none where they are positional.
    names: [Option<Span>; MAX_RANK],
    extent_count: usize,
    /// The axes in coordinate order.
    axes: [AxisExtent; MAX_RANK],
    order: Letters,
    options: Options,
    spans: Spans,
}

/// Where everything is.
struct Spans {
    format: Span,
    extents: Span,
    extent: [Span; MAX_RANK],
    element: Span,
    fill: Option<Span>,
    strides: Option<Span>,
    stride: [Span; MAX_FACTORS],
    align: Option<Span>,
    axis_align: [Span; MAX_RANK],
    broadcast: Option<Span>,
    lanes: Option<Span>,
    start: Span,
    storage: Option<Span>,
    from: [Span; MAX_RANK],
    steps: [Span; MAX_RANK],
    part: Option<Span>,
    alignment: Option<Span>,
    coordinates: Option<Span>,
}

impl Spans {
    const NONE: Self = Self {
        format: Span::EMPTY,
        extents: Span::EMPTY,
        extent: [Span::EMPTY; MAX_RANK],
        element: Span::EMPTY,
        fill: None,
        strides: None,
        stride: [Span::EMPTY; MAX_FACTORS],
        align: None,
        axis_align: [Span::EMPTY; MAX_RANK],
        broadcast: None,
        lanes: None,
        start: Span::EMPTY,
        storage: None,
        from: [Span::EMPTY; MAX_RANK],
        steps: [Span::EMPTY; MAX_RANK],
        part: None,
        alignment: None,
        coordinates: None,
    };
}

impl<'a> Reader<'a> {
    const fn new(text: &'a str) -> Self {
        Self {
            cursor: Cursor::new(text),
            format: Format::SCALAR,
            element: ElementType::U8,
            extents: [0; MAX_RANK],
            names: [None; MAX_RANK],
            extent_count: 0,
            axes: [AxisExtent { letter: 'A', extent: Length::Unknown }; MAX_RANK],
            order: Letters::EMPTY,
            options: Options::NONE,
            spans: Spans::NONE,
        }
    }

    const fn read(&mut self) -> Result<Layout, Fault> {
        ok!(self.read_format());
        ok!(self.read_extents());
        ok!(self.read_element());
        ok!(self.order_axes());
        while self.cursor.peek().is_some() {
            if !self.cursor.eat(b',') {
                fail!(Rule::OptionExpected, self.cursor.here());
            }
            if self.cursor.peek().is_some() {
                ok!(self.read_option());
            }
        }
        ok!(self.check_storage());
        let axes = self.axes.split_at(self.order.count()).0;
        match self.options.layout(&self.format, self.element, axes) {
            Ok(layout) => Ok(layout),
            Err((error, subject)) => Err((error, self.span_of(subject))),
        }
    }

    /// `NCHW4c`
    const fn read_format(&mut self) -> Result<(), Fault> {
        let span = self.cursor.word();
        self.spans.format = span;
        if span.is_empty() {
            fail!(Rule::FormatExpected, self.cursor.here());
        }
        if self.cursor.sees(b'!') || self.cursor.sees(b':') {
            fail!(Rule::FormatMacro, span);
        }
        let name = self.cursor.text(span);
        self.format = match Format::parse(name) {
            Ok(format) => format,
            Err(_) if ElementType::from_name(name).is_some() => {
                fail!(Rule::FormatExpected, span)
            }
            Err(error) => return Err((error, span)),
        };
        Ok(())
    }

    /// `<2, 64, 3, 3>` or `<N = 2, ..>`; nothing where there are no axes.
    const fn read_extents(&mut self) -> Result<(), Fault> {
        self.cursor.peek();
        let start = self.cursor.at;
        self.spans.extents = Span { start, end: start };
        if !self.cursor.eat(b'<') {
            return Ok(());
        }
        let mut given = 0;
        while !self.cursor.eat(b'>') {
            if self.cursor.peek().is_none() {
                fail!(Rule::ExtentsNotClosed, Span { start, end: self.cursor.at });
            }
            let name = self.cursor.name();
            let (extent, span) = ok!(self.read_extent());
            if given < MAX_RANK {
                (self.extents[given], self.names[given]) = (extent, name);
                self.spans.extent[given] = span;
                self.extent_count = given + 1;
            }
            given += 1;
            if !self.cursor.eat(b',') && !self.cursor.sees(b'>') && self.cursor.peek().is_some() {
                fail!(Rule::CommaExpected, self.cursor.here());
            }
        }
        self.spans.extents.end = self.cursor.at;
        if given > MAX_RANK {
            return Err((self.extent_count(given), self.spans.extents));
        }
        Ok(())
    }

    const fn read_extent(&mut self) -> Result<(usize, Span), Fault> {
        let span = self.cursor.value(b'>');
        if same_text(self.cursor.text(span), "_") {
            fail!(Rule::RuntimeExtent, span);
        }
        let extent = ok!(self.unsigned("extent", 1, span));
        Ok((extent, span))
    }

    const fn unsigned(&self, what: &'static str, least: usize, span: Span) -> Result<usize, Fault> {
        if span.is_empty() {
            fail!(Rule::ValueExpected, self.here_or(span));
        }
        match values::unsigned(what, least, self.cursor.text(span)) {
            Ok(value) => Ok(value),
            Err(error) => Err(self.fault_in(error, span)),
        }
    }

    /// The error of a value, or a missing comma where two numbers stand side by side.
    const fn fault_in(&self, error: Rule, span: Span) -> Fault {
        let mut cursor = self.cursor;
        cursor.at = span.start;
        let first = cursor.word();
        let second = cursor.here();
        if second.end <= span.end
            && starts_with_digit(self.cursor.text(first))
            && starts_with_digit(self.cursor.text(second))
        {
            return (LayoutError(Rule::CommaExpected), second);
        }
        (LayoutError(error), span)
    }

    /// What stands at an empty span, to point at.
    const fn here_or(&self, span: Span) -> Span {
        let mut cursor = self.cursor;
        cursor.at = span.start;
        cursor.here()
    }

    const fn extent_count(&self, given: usize) -> LayoutError {
        let axes = match self.format.coordinate_order() {
            Some(order) => order,
            None => self.format.axes(),
        };
        let format = Name::new(self.cursor.text(self.spans.format));
        LayoutError(Rule::ExtentCount { format, axes, given })
    }

    /// `, f16`
    const fn read_element(&mut self) -> Result<(), Fault> {
        let no_extents = self.spans.extents.is_empty();
        let expected = if no_extents { Rule::ExtentsExpected } else { Rule::ElementExpected };
        if self.cursor.peek().is_some() && !self.cursor.sees(b',') {
            fail!(expected, self.cursor.here());
        }
        let before = Span { start: self.spans.format.start, end: self.cursor.at };
        if !self.cursor.eat(b',') || self.cursor.peek().is_none() || self.cursor.sees(b',') {
            fail!(Rule::ElementExpected, before);
        }
        let span = self.cursor.value(b',');
        self.spans.element = span;
        self.element = at!(values::element(self.cursor.text(span)), span);
        Ok(())
    }

    /// The axes in coordinate order, each with its extent.
    const fn order_axes(&mut self) -> Result<(), Fault> {
        let there = self.format.axes();
        let mut i = 0;
        let mut named = Letters::EMPTY;
        while i < self.extent_count {
            match self.names[i] {
                None if named.count() > 0 => {
                    fail!(Rule::MixedExtents, self.spans.extent[i])
                }
                None => {}
                Some(_) if named.count() < i => {
                    fail!(Rule::MixedExtents, self.spans.extent[0])
                }
                Some(name) => {
                    let letter = ok!(self.axis(name));
                    if named.position(letter).is_some() {
                        return Err((LayoutError(Rule::RepeatedName { letter }), name));
                    }
                    named = named.with(letter);
                }
            }
            i += 1;
        }
        if named.count() > 0 {
            let mut k = 0;
            while k < there.count() {
                let letter = there.at(k);
                if named.position(letter).is_none() {
                    return Err((LayoutError(Rule::MissingExtent { letter }), self.spans.extents));
                }
                k += 1;
            }
            let order = match self.format.coordinate_order() {
                Some(order) => order,
                None => named,
            };
            self.set_order(order, named);
            return Ok(());
        }
        let Some(order) = self.format.coordinate_order() else {
            let error = LayoutError(Rule::UnknownOrder { axes: there });
            return Err((error, self.spans.format));
        };
        if self.extent_count != order.count() {
            let no_extents = self.spans.extents.is_empty();
            let span = if no_extents { self.spans.format } else { self.spans.extents };
            return Err((self.extent_count(self.extent_count), span));
        }
        self.set_order(order, order);
        Ok(())
    }

    /// Puts the axes into an order. Extents are written in the order `written`.
    const fn set_order(&mut self, order: Letters, written: Letters) {
        let (extents, spans) = (self.extents, self.spans.extent);
        let mut i = 0;
        while i < order.count() {
            let letter = order.at(i);
            if let Some(k) = written.position(letter) {
                // Text is known while the program runs: an extent may be 0.
                self.axes[i] = AxisExtent { letter, extent: Length::Runtime(extents[k]) };
                (self.extents[i], self.spans.extent[i]) = (extents[k], spans[k]);
            }
            i += 1;
        }
        self.order = order;
    }

    /// The axis that a word names.
    const fn axis(&self, span: Span) -> Result<char, Fault> {
        let name = self.cursor.text(span);
        let there = self.format.axes();
        if let [byte] = name.as_bytes() {
            let letter = byte.to_ascii_uppercase() as char;
            if there.position(letter).is_some() {
                return Ok(letter);
            }
        }
        Err((LayoutError(Rule::UnknownAxis { name: Name::new(name), axes: there }), span))
    }

    /// The position of an axis in memory order.
    const fn memory(&self, letter: char) -> usize {
        match self.format.axes().position(letter) {
            Some(axis) => axis,
            None => 0,
        }
    }

    const fn read_option(&mut self) -> Result<(), Fault> {
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
        } else if same_text(text, "len") {
            ok!(self.read_length(name));
        } else if same_text(text, "coordinates") {
            ok!(self.read_coordinates(name));
        } else if same_text(text, "steps") {
            ok!(self.read_steps(name));
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
        }
    }

    /// An error if the option is there already.
    const fn once(&self, before: Option<Span>, name: Span) -> Result<(), Fault> {
        match before {
            None => Ok(()),
            Some(_) => {
                let text = Name::new(self.cursor.text(name));
                fail!(Rule::RepeatedOption { name: text }, name)
            }
        }
    }

    /// `pad` or `pad = -7`
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

    /// `strides = [24, 8, -4, 2]`
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
            let stride = match values::signed(self.cursor.text(value)) {
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

    /// An error at the end of the text.
    const fn list_goes_on(&mut self, start: usize) -> Result<(), Fault> {
        match self.cursor.peek() {
            Some(_) => Ok(()),
            None => fail!(Rule::ListNotClosed, Span { start, end: self.cursor.at }),
        }
    }

    /// `align(H = 64, lanes = 32)`, or `align = 64` for the buffer.
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

    /// `broadcast(N, H)`
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

    /// `lanes(C, 64, start = 2)`
    const fn read_lanes(&mut self, name: Span) -> Result<(), Fault> {
        ok!(self.once(self.spans.lanes, name));
        let form = form_of(LayoutOption::Lanes);
        if !self.cursor.eat(b'(') {
            fail!(form, name);
        }
        let axis = self.cursor.value(b')');
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
        self.options.lanes = Some((letter, lanes, start));
        Ok(())
    }

    /// `bm1684x::aligned(start = 2, w = 16)`
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

    /// An error if the storage is not for the format or the element type, or is one of two.
    const fn check_storage(&self) -> Result<(), Fault> {
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

    /// `from 72 of 144`
    const fn read_view_part(&mut self, name: Span) -> Result<(), Fault> {
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
        if start > isize::MAX as usize {
            fail!(Rule::OutsideOfBuffer { length }, whole);
        }
        let start = if negative { -(start as isize) } else { start as isize };
        self.spans.part = Some(whole);
        self.options.part = Some(BufferPart::View { start, length });
        Ok(())
    }

    /// `len = 144`
    const fn read_length(&mut self, name: Span) -> Result<(), Fault> {
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

    /// `coordinates(N, H, W, C)`
    const fn read_coordinates(&mut self, name: Span) -> Result<(), Fault> {
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

    /// `steps(C, 1, 4)`: of each block of an axis as the format lists them.
    const fn read_steps(&mut self, name: Span) -> Result<(), Fault> {
        let form = Rule::OptionForm { name: "steps", form: "`steps(C, 1, 4)`" };
        if !self.cursor.eat(b'(') {
            fail!(form, name);
        }
        let word = self.cursor.value(b')');
        let letter = ok!(self.axis(word));
        let axis = self.memory(letter);
        if !self.spans.steps[axis].is_empty() {
            return Err((LayoutError(Rule::RepeatedName { letter }), word));
        }
        let factors = self.format.factors();
        let mut i = 0;
        while i < factors.len() {
            if let Factor::Block(own, _) = factors[i] {
                if own as u32 == letter as u32 {
                    if !self.cursor.eat(b',') {
                        fail!(form, Span { start: name.start, end: self.cursor.here().end });
                    }
                    let value = self.cursor.value(b')');
                    let step = ok!(self.unsigned("step", 1, value));
                    if step == 0 {
                        fail!(Rule::BlockSteps { letter }, value);
                    }
                    self.options.steps[i] = step;
                }
            }
            i += 1;
        }
        if !self.cursor.eat(b')') {
            fail!(form, Span { start: name.start, end: self.cursor.here().end });
        }
        self.spans.steps[axis] = Span { start: name.start, end: self.cursor.at };
        Ok(())
    }

    /// `C from 3`; false where it is something else.
    const fn read_axis_start(&mut self, name: Span) -> Result<bool, Fault> {
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

    /// Where in the text a subject is.
    const fn span_of(&self, subject: Site) -> Span {
        let spans = &self.spans;
        let option = match subject {
            Site::Format => Some(spans.format),
            Site::Extents if spans.extents.is_empty() => Some(spans.format),
            Site::Extents => Some(spans.extents),
            Site::Extent(letter) => match self.order.position(letter) {
                Some(axis) => Some(spans.extent[axis]),
                None => None,
            },
            Site::Fill => spans.fill,
            Site::Strides => spans.strides,
            Site::Stride(letter) => match self.order.position(letter) {
                Some(axis) if self.format.factors().len() == self.order.count() => {
                    Some(spans.stride[axis])
                }
                _ => spans.strides,
            },
            Site::Align(Some(letter)) => Some(spans.axis_align[self.memory(letter)]),
            Site::Align(None) => spans.align,
            Site::Lanes => spans.lanes,
            Site::StartLane => Some(spans.start),
            Site::Storage => spans.storage,
            Site::From(letter) => Some(spans.from[self.memory(letter)]),
            Site::Steps(letter) => Some(spans.steps[self.memory(letter)]),
            Site::Part => spans.part,
            Site::Alignment => spans.alignment,
        };
        match option {
            Some(span) if !span.is_empty() => span,
            _ => spans.format,
        }
    }
}

const fn starts_with_digit(text: &str) -> bool {
    matches!(text.as_bytes(), [first, ..] if first.is_ascii_digit())
}

const fn form_of(option: LayoutOption) -> Rule {
    Rule::OptionForm { name: option.name(), form: option.form() }
}
