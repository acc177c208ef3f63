//! Reads the extents, and puts extents and strides in coordinate order.

use super::super::cursor::Span;
use super::super::draft::{List, Place, Writing};
use super::{Fault, Mode, Reader, letter_of};
use crate::spec::{
    Argument, AxisExtent, LayoutError, Length, Letters, Listed, MAX_FACTORS, MAX_RANK, Misread,
    Name, Rule, axes_of_list, least, same_text,
};

impl<const FAULTS: usize> Reader<'_, FAULTS> {
    /// Reads `<2, 64, 3, 3>` or `<N = 2, ..>`. A scalar may have no list.
    pub(super) const fn read_extents(&mut self) -> Result<(), Fault> {
        self.cursor.peek();
        let start = self.cursor.at;
        self.places.extents = Span { start, end: start };
        if !self.cursor.eat(b'<') {
            return Ok(());
        }
        if !self.cursor.has(b'>') {
            let end = self.cursor.end();
            fail!(Rule::ExtentsNotClosed, Span { start, end });
        }
        while !self.cursor.eat(b'>') {
            let name = self.cursor.name();
            let (extent, place) = ok!(self.read_extent());
            if self.extents.count < MAX_RANK {
                let length = match place.writing {
                    Writing::Literal if matches!(self.mode, Mode::Text) => Length::Runtime(extent),
                    Writing::Literal => Length::Fixed(extent),
                    Writing::Open | Writing::Expression => Length::Unknown,
                };
                // The letters follow when the order is known.
                self.template.axes[self.extents.count] = AxisExtent { letter: 'A', extent: length };
            }
            self.extents.push(name, place);
            if !self.cursor.eat(b',') && !self.cursor.sees(b'>') && self.cursor.peek().is_some() {
                fail!(Rule::CommaExpected, self.cursor.here());
            }
            if self.cursor.peek().is_none() {
                fail!(Rule::ExtentsNotClosed, Span { start, end: self.cursor.at });
            }
        }
        self.places.extents.end = self.cursor.at;
        Ok(())
    }

    const fn read_extent(&mut self) -> Result<(usize, Place), Fault> {
        let span = self.cursor.value(b'>');
        if same_text(self.cursor.text(span), "_") {
            return Ok((0, Place { span, writing: Writing::Open }));
        }
        self.unsigned("extent", 1, span, 1)
    }

    /// Puts the axes in coordinate order, each with its extent, and the strides of a format without blocks.
    pub(super) const fn order_axes(&mut self) -> Result<(), Fault> {
        let order = self.template.letters();
        self.template.options.coordinates = Some(order);
        let places = self.places;
        let no_extents = places.extents.is_empty();
        let whole = if no_extents { places.format } else { places.extents };
        let list = self.extents;
        let names = match ok!(self.named(&list, order, Some(whole))) {
            Some(names) => names,
            None => return Ok(()),
        };
        let extents = self.template.axes;
        each!(i, 0..names.count(), {
            let letter = names.at(i);
            if let Some(at) = order.position(letter) {
                self.template.axes[at] = AxisExtent { letter, extent: extents[i].extent };
                self.places.extent[at] = list.places[i];
            }
        });
        self.order_strides(order)
    }

    /// Puts the strides in coordinate order. Those of a format with blocks are in the order of its factors.
    const fn order_strides(&mut self, order: Letters) -> Result<(), Fault> {
        let list = self.strides;
        let format = &self.template.format;
        if self.template.options.strides.is_none() {
            return Ok(());
        }
        self.places.stride = list.places;
        if format.factors().len() > format.axes().count() {
            each!(i, 0..least(list.count, MAX_FACTORS), {
                if !list.names[i].is_empty() {
                    fail!(Rule::BlockStrideName, list.names[i]);
                }
            });
            return Ok(());
        }
        let Some(names) = ok!(self.named(&list, order, None)) else { return Ok(()) };
        let Some(strides) = self.template.options.strides else { return Ok(()) };
        let mut sorted = [0; MAX_FACTORS];
        each!(i, 0..names.count(), {
            let (letter, place) = (names.at(i), list.places[i]);
            let stride = self.cursor.text(place.span);
            if place.is_expression() && self.template.is_broadcast(letter) {
                let stride = Name::new(stride);
                fail!(Rule::BroadcastStride { letter, stride }, place.span);
            }
            if let Some(at) = order.position(letter) {
                sorted[at] = strides[i];
                self.places.stride[at] = list.places[i];
            }
        });
        self.template.options.strides = Some(sorted);
        Ok(())
    }

    /// The axis of each value of a list, which are strides, or extents with this place. `None` if it has faults, which
    /// are kept.
    const fn named<const MOST: usize>(
        &mut self,
        list: &List<MOST>,
        order: Letters,
        extents: Option<Span>,
    ) -> Result<Option<Letters>, Fault> {
        let letters = self.template.format.axes();
        let mut arguments = [Argument::Other; MAX_FACTORS];
        let format = match extents {
            Some(_) => self.cursor.text(self.places.format),
            None => "",
        };
        let before = self.count;
        let mut i = 0;
        while i < list.count && i < MOST {
            arguments[i] = match letter_of(self.cursor.text(list.places[i].span), letters) {
                _ if !list.names[i].is_empty() => match self.axis(list.names[i]) {
                    Ok(letter) => Argument::Named(letter),
                    Err(fault) => {
                        self.keep(fault);
                        Argument::Named(NO_AXIS)
                    }
                },
                Some(letter) if list.places[i].is_expression() => Argument::Bare(letter),
                _ => Argument::Other,
            };
            i += 1;
        }
        let misread = match axes_of_list(letters, order, arguments.split_at(i).0) {
            _ if list.count > MOST => Misread::Count,
            Ok(names) => return Ok(Some(names)),
            Err(misread) => misread,
        };
        // The names are at fault, not the list.
        let is_own = matches!(misread, Misread::Repeated(_, letter) if letter != NO_AXIS);
        if self.count > before && !is_own {
            self.is_broken = true;
            return Ok(None);
        }
        let span = match (misread, extents) {
            (Misread::Mixed(i) | Misread::Place(i, ..), _) => list.places[i].span,
            (Misread::Repeated(i, _), _) if !list.names[i].is_empty() => list.names[i],
            (Misread::Repeated(i, _), _) => list.places[i].span,
            (_, Some(extents)) => extents,
            (_, None) => self.places.strides,
        };
        let written = self.cursor.text(span);
        let misread = as_written(misread, written, (format, letters), letters.same(order));
        let named = if extents.is_some() { Some(Name::new(format)) } else { None };
        let mut listed = Listed::of(format);
        each!(k, 0..i, {
            listed.push(self.cursor.text(list.places[k].span));
        });
        let error = misread.error(named, (letters, order), list.count, listed);
        Err((error, span))
    }
}

/// The same with a letter as it is written, and of two orders the one of the name of a format. `written` is the value
/// at fault, and `one_order` says that the letters of the format are in coordinate order.
const fn as_written(
    misread: Misread,
    written: &str,
    (format, letters): (&str, Letters),
    one_order: bool,
) -> Misread {
    match (misread, written.as_bytes()) {
        (Misread::Place(i, _, place), [letter]) => Misread::Place(i, *letter as char, place),
        // A reader of `NHWCD4`, which is `NHCW4c`, thinks of N, H, W, C.
        (Misread::TwoOrders(_, second), _) if !one_order && !format.is_empty() => {
            Misread::TwoOrders(written_order(format, letters), second)
        }
        (other, _) => other,
    }
}

/// The axes in the order of the capitals of a name, or as they are if it does not name each once.
const fn written_order(name: &str, axes: Letters) -> Letters {
    let bytes = name.as_bytes();
    let mut order = Letters::EMPTY;
    each!(i, 0..bytes.len(), {
        let letter = bytes[i] as char;
        if axes.position(letter).is_some() && order.position(letter).is_none() {
            order = order.with(letter);
        }
    });
    if order.count() == axes.count() { order } else { axes }
}

/// Stands for a name that is not an axis.
const NO_AXIS: char = '?';
