//! Parses a layout: format, extents and element in this file, then the options of `layout!`, then those of views.

use super::cursor::{Cursor, Span};
use super::error::NotationError;
use super::options::{Options, Site};
use super::values;
use crate::layout::Layout;
use crate::spec::{
    AxisExtent, ElementType, Format, LayoutError, Length, Letters, MAX_FACTORS, MAX_RANK, Name,
    Rule, same_text,
};

/// An error and its position.
type Fault = (LayoutError, Span);

/// Unwraps a value, or returns its error at a span.
macro_rules! at {
    ($result:expr, $span:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err((error, $span)),
        }
    };
}

/// Returns a syntax error at a span.
macro_rules! fail {
    ($error:expr, $span:expr) => {
        return Err((LayoutError($error), $span))
    };
}

mod layout_options;
mod swizzle_options;
mod view_options;

/// Parses all of `text`.
#[allow(clippy::result_large_err, reason = "const evaluation cannot box the piece of text")]
pub(super) const fn layout(text: &str) -> Result<Layout, NotationError> {
    let mut reader = Reader::new(text);
    match reader.read() {
        Ok(layout) => Ok(layout),
        Err((error, span)) => Err(NotationError::new(error, text, span)),
    }
}

/// The text, and what has been parsed of it.
struct Reader<'a> {
    cursor: Cursor<'a>,
    format: Format,
    element: ElementType,
    extents: [usize; MAX_RANK],
    /// The names of the extents, or `None` if they are positional.
    names: [Option<Span>; MAX_RANK],
    extent_count: usize,
    /// The axes in coordinate order.
    axes: [AxisExtent; MAX_RANK],
    order: Letters,
    options: Options,
    spans: Spans,
}

/// The span of each part of the text.
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
    part: Option<Span>,
    alignment: Option<Span>,
    coordinates: Option<Span>,
    swizzle: Option<Span>,
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
        part: None,
        alignment: None,
        coordinates: None,
        swizzle: None,
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
        ok!(self.cursor.version());
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

    /// Parses `NCHW4c` or `RC32r4r/32 4c`.
    const fn read_format(&mut self) -> Result<(), Fault> {
        let mut span = self.cursor.word();
        self.spans.format = span;
        if span.is_empty() {
            fail!(Rule::FormatExpected, self.cursor.here());
        }
        if self.cursor.sees(b'!') || self.cursor.sees(b':') {
            fail!(Rule::FormatMacro, span);
        }
        let second = self.cursor.here();
        while self.cursor.eat(b'/') || !self.cursor.word().is_empty() {
            span.end = self.cursor.at;
        }
        let name = self.cursor.text(span);
        let has_extents = second.start >= span.end || self.cursor.sees(b'<');
        self.spans.format = span;
        self.format = match Format::parse(name) {
            Ok(format) => format,
            Err(_) if ElementType::from_name(name).is_some() => {
                fail!(Rule::FormatExpected, span)
            }
            // The second word is an element type, and extents are missing.
            Err(_) if !has_extents => fail!(Rule::ExtentsExpected, second),
            Err(error) => return Err((error, span)),
        };
        Ok(())
    }

    /// Parses `<2, 64, 3, 3>` or `<N = 2, ..>`. A scalar may have no list.
    const fn read_extents(&mut self) -> Result<(), Fault> {
        self.cursor.peek();
        let start = self.cursor.at;
        self.spans.extents = Span { start, end: start };
        if !self.cursor.eat(b'<') {
            return Ok(());
        }
        if !self.cursor.has(b'>') {
            let end = self.cursor.end();
            fail!(Rule::ExtentsNotClosed, Span { start, end });
        }
        let mut given = 0;
        while !self.cursor.eat(b'>') {
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

    /// The error of a value. If another number follows, a comma is missing instead.
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

    /// The span, or the next word or character if it is empty.
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

    /// Parses `, f16`.
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

    /// Puts the axes in coordinate order, each with its extent.
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
            self.set_order(self.format.order_of_named(named), named);
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

    /// Puts the axes in this order. The extents are written in the order `written`.
    const fn set_order(&mut self, order: Letters, written: Letters) {
        let (extents, spans) = (self.extents, self.spans.extent);
        let mut i = 0;
        while i < order.count() {
            let letter = order.at(i);
            if let Some(k) = written.position(letter) {
                // Text is parsed at run time, so an extent may be 0.
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

    /// The span of a subject.
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
            Site::Part => spans.part,
            Site::Alignment => spans.alignment,
            Site::Swizzle => spans.swizzle,
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
