//! Extents of a text whose axes are known only after them.

use super::super::cursor::Span;
use super::super::draft::Place;
use super::{Fault, Mode, Reader};
use crate::spec::{AxisExtent, Factor, Format, Letters, MAX_RANK};

/// The list of extents of a text of another package: what is written, and later which axis each value is of.
pub struct WrittenExtents<'a> {
    reader: Reader<'a, 1>,
}

impl<'a> WrittenExtents<'a> {
    /// Reads the list at this position of the text, if there is one. In a macro, extents may be expressions.
    ///
    /// # Errors
    /// The list has no end, or a value is not an extent.
    pub const fn read(text: &'a str, at: usize, in_macro: bool) -> Result<Self, Fault> {
        let mode = if in_macro { Mode::Macro } else { Mode::Text };
        let mut reader = Reader::new(text, mode);
        reader.cursor.at = at;
        ok!(reader.read_extents());
        match reader.faults[0] {
            Some(fault) => Err(fault),
            None => Ok(Self { reader }),
        }
    }

    /// Where the list stands. Empty if there is none.
    pub const fn span(&self) -> Span {
        self.reader.places.extents
    }

    /// The number of values.
    pub const fn count(&self) -> usize {
        self.reader.extents.count
    }

    /// The name of a value, as written. Empty if it has none, or if there is no such value.
    pub const fn name(&self, value: usize) -> &'a str {
        match value < MAX_RANK {
            true => self.reader.cursor.text(self.reader.extents.names[value]),
            false => "",
        }
    }

    /// The axes in coordinate order with their extents, by the rule of every layout. Only the first entries are valid.
    /// `format` is the text before the list, and `letters` are the axes slowest first.
    ///
    /// # Errors
    /// A name is not an axis, an axis has no extent or two, or the list could be read in two orders.
    pub const fn axes(
        &mut self,
        format: Span,
        letters: Letters,
        order: Letters,
    ) -> Result<[AxisExtent; MAX_RANK], Fault> {
        let mut factors = [Factor::Axis('A'); MAX_RANK];
        each!(i, 0..letters.count(), {
            factors[i] = Factor::Axis(letters.at(i));
        });
        self.reader.template.format = Format::of(factors.split_at(letters.count()).0);
        self.reader.template.options.coordinates = Some(order);
        self.reader.places.format = format;
        ok!(self.reader.order_axes());
        match self.reader.faults[0] {
            Some(fault) => Err(fault),
            None => Ok(self.reader.template.axes),
        }
    }

    /// Where the extent of an axis stands, and how it is written, after [`axes`](Self::axes).
    pub const fn place(&self, letter: char) -> Place {
        match self.reader.template.letters().position(letter) {
            Some(axis) => self.reader.places.extent[axis],
            None => Place::at(self.span()),
        }
    }
}
