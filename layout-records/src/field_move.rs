//! Elements of a field bit by bit, and moves of a field between records: slow, but wherever its elements lie.

#![allow(clippy::result_large_err, reason = "the error of constants, which cannot box it")]

use layout_core::reading::{fill, same_text};
use layout_core::spec::{MAX_RANK, Message};

use crate::error::{RecordError, UseFault};
use crate::field::RecordField;
use crate::field_padding::FieldPadding;
use crate::record::Record;

impl RecordField {
    /// The byte of bit `i` of the element that begins at a bit, its place there, and its place in the element.
    #[inline(always)]
    const fn place_of(&self, first: u64, i: usize) -> (usize, u64, usize) {
        let mut bit = first + i as u64;
        if let Some((word, jump)) = self.words() {
            // All of a string begins at a whole number of words.
            let (word, within) = (word as u64, first % word as u64 + i as u64);
            bit = first - first % word + within / word * jump as u64 + within % word;
        }
        match self.is_high_first() {
            true => ((bit / 8) as usize, 7 - bit % 8, self.bits() - 1 - i),
            false => ((bit / 8) as usize, bit % 8, i),
        }
    }

    /// Whether the element that begins at a bit is bytes, the lowest one first.
    #[inline(always)]
    const fn is_bytes(&self, first: u64) -> bool {
        (first | self.bits() as u64) % 8 == 0 && !self.is_high_first() && self.words().is_none()
    }

    /// The bits of the element that begins at a bit. `None` past the end of the bytes.
    #[doc(hidden)]
    #[inline(always)]
    pub fn bits_at(&self, bytes: &[u8], first: u64) -> Option<u64> {
        let mut bits = 0;
        if self.is_bytes(first) {
            let own = bytes.get((first / 8) as usize..)?.get(..self.bits() / 8)?;
            own.iter().enumerate().for_each(|(i, byte)| bits |= u64::from(*byte) << (8 * i));
            return Some(bits);
        }
        for i in 0..self.bits() {
            let (byte, place, to) = self.place_of(first, i);
            bits |= u64::from(*bytes.get(byte)? >> place & 1) << to;
        }
        Some(bits)
    }

    /// Writes the element that begins at a bit, and no other bit. Returns `None`, and writes nothing, past the end of the
    /// bytes.
    #[doc(hidden)]
    #[inline(always)]
    pub fn set_bits_at(&self, bytes: &mut [u8], first: u64, bits: u64) -> Option<()> {
        if self.is_bytes(first) {
            let own = bytes.get_mut((first / 8) as usize..)?.get_mut(..self.bits() / 8)?;
            own.iter_mut().enumerate().for_each(|(i, byte)| *byte = (bits >> (8 * i)) as u8);
            return Some(());
        }
        bytes.get(self.place_of(first, self.bits() - 1).0)?;
        for i in 0..self.bits() {
            let (byte, place, from) = self.place_of(first, i);
            let byte = bytes.get_mut(byte)?;
            *byte = *byte & !(1 << place) | ((bits >> from & 1) as u8) << place;
        }
        Some(())
    }

    /// The bits of an element that is written as text.
    ///
    /// # Errors
    /// An element does not hold the number.
    #[doc(hidden)]
    pub const fn bits_of(&self, text: &str) -> Result<u64, RecordError> {
        match fill(self.element(), text) {
            Ok(bits) => Ok(bits),
            Err(_) => Err(RecordError::of_use(UseFault::Padding(self.name(), text))),
        }
    }
}

/// What is written along an axis beyond its extent.
#[derive(Clone, Copy)]
enum Beyond {
    Last,
    Keep,
    Bits(u64),
}

/// A field of a record, and the same field of another one.
#[doc(hidden)]
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "the words say it")]
pub struct MatchedFields {
    pub from: RecordField,
    pub to: RecordField,
    /// The bits in which elements of the same value differ.
    pub flipped: u64,
}

impl MatchedFields {
    /// The fields of a name.
    ///
    /// # Errors
    /// One of the records lacks the field, or axes, extents or elements differ.
    pub const fn new(records: [&Record; 2], name: &str) -> Result<Self, RecordError> {
        let to = ok!(records[1].field(name));
        let Ok(from) = records[0].field(name) else {
            return Err(RecordError::of_use(UseFault::Missing(name)));
        };
        Self::of(records, from, to)
    }

    /// Two fields of one name.
    ///
    /// # Errors
    /// Axes, extents or elements differ.
    pub const fn of(
        records: [&Record; 2],
        from: RecordField,
        to: RecordField,
    ) -> Result<Self, RecordError> {
        let mut are_alike = from.letters().count() == to.letters().count();
        layout_core::each!(axis, 0..to.letters().count(), {
            are_alike &= match from.letters().position(to.letters().at(axis)) {
                Some(other) => {
                    from.extents()[other] == to.extents()[axis]
                        && from.shared(other) == to.shared(axis)
                }
                None => false,
            };
        });
        if !are_alike {
            return Err(RecordError::of_use(UseFault::Axes(to.name())));
        }
        match constant_between(records, &from, &to) {
            Some(flipped) => Ok(Self { from, to, flipped }),
            None => Err(RecordError::of_use(UseFault::Elements(
                to.name(),
                from.element(),
                to.element(),
            ))),
        }
    }
}

/// A move of a field, or of one value to all its elements, and what is written to its padding.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct FieldMove {
    from: Option<RecordField>,
    to: RecordField,
    /// The value, or the bits that differ.
    bits: u64,
    /// For each axis, that of the source, the extent, that with padding and what follows.
    axes: [(usize, usize, usize, Beyond); MAX_RANK],
}

impl FieldMove {
    /// The move from another field, or of the bits of one element, to a field of a record.
    ///
    /// # Errors
    /// A value of padding is not a number that an element holds.
    pub const fn new(
        record: &Record,
        to: &RecordField,
        from: Option<RecordField>,
        bits: u64,
    ) -> Result<Self, RecordError> {
        let (mut axes, padded) = ([(MAX_RANK, 1, 1, Beyond::Keep); MAX_RANK], to.with_padding());
        layout_core::each!(axis, 0..to.letters().count(), {
            let (letter, extent) = (to.letters().at(axis), to.extents()[axis]);
            let place = match &from {
                Some(from) => from.letters().position(letter),
                None => None,
            };
            let beyond = match ok!(record.padding(to.name(), letter)) {
                _ if padded.extents()[axis] == extent => Beyond::Keep,
                Some(FieldPadding::Last) if extent > 0 => Beyond::Last,
                Some(FieldPadding::Keep) => Beyond::Keep,
                Some(FieldPadding::Value(text)) => Beyond::Bits(ok!(to.bits_of(text))),
                _ => Beyond::Bits(0),
            };
            let place = match place {
                Some(place) => place,
                None => axis,
            };
            axes[axis] = (place, extent, padded.extents()[axis], beyond);
        });
        Ok(Self { from, to: padded, bits, axes })
    }

    /// Moves all elements between the buffers of the two fields. Returns `None` if they are too short.
    pub fn run(&self, source: &[u8], destination: &mut [u8]) -> Option<()> {
        let mut at = [0; MAX_RANK];
        if self.axes.iter().any(|axis| axis.2 == 0) {
            return Some(());
        }
        loop {
            let (mut own, mut value, mut keeps) = ([0; MAX_RANK], None, false);
            for (index, (place, extent, _, beyond)) in at.iter().zip(&self.axes) {
                let Some(own) = own.get_mut(*place) else { continue };
                *own = *index;
                match beyond {
                    _ if index < extent => {}
                    Beyond::Last => *own = extent - 1,
                    Beyond::Keep => keeps = true,
                    Beyond::Bits(bits) => value = value.or(Some(*bits)),
                }
            }
            if !keeps {
                let bits = match (value, &self.from) {
                    (Some(bits), _) => bits,
                    (None, None) => self.bits,
                    (None, Some(from)) => {
                        self.bits ^ from.bits_at(source, from.first_bit(&own) as u64)?
                    }
                };
                self.to.set_bits_at(destination, self.to.first_bit(&at) as u64, bits)?;
            }
            // Returns when all axes begin again.
            let carries = |(index, axis): (&mut usize, &(usize, usize, usize, Beyond))| {
                *index = if *index + 1 < axis.2 { *index + 1 } else { 0 };
                *index == 0
            };
            if at.iter_mut().zip(&self.axes).rev().all(carries) {
                return Some(());
            }
        }
    }
}

/// The bits in which an element of one field differs from the same value in the other: none, or the highest one if one
/// is unsigned, and its value rule subtracts half of its range.
const fn constant_between(
    records: [&Record; 2],
    from: &RecordField,
    to: &RecordField,
) -> Option<u64> {
    if same_text(from.element().name().as_str(), to.element().name().as_str()) {
        return Some(0);
    }
    let half = 1u64 << (to.bits() - 1);
    let ranges = (from.element().integer_range(), to.element().integer_range());
    let (unsigned, signed) = match ranges {
        (Some((0, _)), Some((..0, _))) => (records[0], records[1]),
        (Some((..0, _)), Some((0, _))) => (records[1], records[0]),
        _ => return None,
    };
    let (Some(rule), Some(other)) = (unsigned.value(), signed.value()) else { return None };
    if from.bits() != to.bits() || half > usize::MAX as u64 {
        return None;
    }
    let mut step = Message::new("(");
    step.push(to.name());
    step.push(" - ");
    step.push_number(half as usize);
    step.push(")");
    let (rule, other, name) = (rule.as_bytes(), other.as_bytes(), to.name().as_bytes());
    // The field stands once in the rule: elsewhere its values would differ.
    let (mut at, mut count) = (0, 0);
    layout_core::each!(i, 1..rule.len(), {
        if has(rule, i, name) {
            (at, count) = (i - 1, count + 1);
        }
    });
    let step = step.as_str().as_bytes();
    let is_only = count == 1 && !has(rule, 0, name) && has(rule, at, step);
    if !is_only || other.len() + step.len() != rule.len() + name.len() {
        return None;
    }
    let (before, after) = (rule.split_at(at).0, rule.split_at(at + step.len()).1);
    let is_same =
        has(other, 0, before) && has(other, at, name) && has(other, at + name.len(), after);
    if is_same { Some(half) } else { None }
}

/// Whether a part of a text begins there.
const fn has(text: &[u8], at: usize, part: &[u8]) -> bool {
    let mut same = at + part.len() <= text.len();
    let mut i = 0;
    while same && i < part.len() {
        same = text[at + i] == part[i];
        i += 1;
    }
    same
}
