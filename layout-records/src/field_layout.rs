//! A field as a layout: in elements, or with an axis of bytes or bits more.

#![allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]

use layout_core::spec::{
    AxisExtent, Factor, Length, Letters, MAX_FACTORS, MAX_RANK, Name, Rule, Spec,
};
use layout_core::{ElementType, Layout, LayoutError};

use crate::error::RecordError;
use crate::field::RecordField;
use crate::field_digit::FieldDigit;
use crate::record_rules::RecordRule;

/// A field as a layout over its buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldLayout {
    /// A layout of the elements of the field. Its buffer counts elements.
    Elements(Layout),
    /// A layout of bytes, since elements begin at bytes that are not multiples of their size, or have no type of their
    /// size. The last axis counts the bytes of an element, from the lowest on.
    Bytes(Layout),
    /// A layout of bits, since elements begin or end inside of bytes. The last axis counts the bits of an element, from
    /// the lowest on.
    Bits(Layout),
}

impl FieldLayout {
    /// The layout if it is one of elements.
    pub const fn elements(&self) -> Option<Layout> {
        match *self {
            Self::Elements(layout) => Some(layout),
            Self::Bytes(_) | Self::Bits(_) => None,
        }
    }

    /// The layout: of elements, of bytes, or of bits.
    pub const fn layout(&self) -> &Layout {
        let (Self::Elements(layout) | Self::Bytes(layout) | Self::Bits(layout)) = self;
        layout
    }
}

/// What a layout counts.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the words say it")]
pub enum FieldUnit {
    Elements,
    Bytes,
    Bits,
}

impl RecordField {
    /// The field as a layout over its buffer. It is a view: bits of other fields are gaps.
    ///
    /// ```
    /// use tensor_layout::records::{FieldLayout, Record};
    ///
    /// // Blocks of 17 bytes: the scales lie at every 17th byte, and codes begin at an odd byte.
    /// let blocks = Record::parse("K<64>, { e: f8e8m0, d: f16, q: 16k 2k/16 u4 }")?;
    /// assert!(matches!(blocks.field("e")?.layout()?, FieldLayout::Elements(_)));
    /// let FieldLayout::Bytes(halves) = blocks.field("d")?.layout()? else { panic!() };
    /// assert_eq!(halves.extents(), [2, 2]); // blocks, and the bytes of an `f16`
    /// assert_eq!(halves.offset(&[1, 0]), 19 + 1);
    /// # Ok::<(), tensor_layout::records::RecordError>(())
    /// ```
    ///
    /// # Errors
    /// - A digit is added to another one, pieces lie at unequal distances, or words cut elements.
    /// - The layout would have too many axes or digits.
    pub const fn layout(&self) -> Result<FieldLayout, RecordError> {
        let unit = ok!(self.unit());
        match (self.layout_in(unit), unit) {
            (Ok(layout), FieldUnit::Elements) => Ok(FieldLayout::Elements(layout)),
            (Ok(layout), FieldUnit::Bytes) => Ok(FieldLayout::Bytes(layout)),
            (Ok(layout), FieldUnit::Bits) => Ok(FieldLayout::Bits(layout)),
            (Err(error), _) => Err(error),
        }
    }

    /// The largest unit of which all distances are multiples.
    ///
    /// # Errors
    /// Pieces lie at unequal distances, or words cut elements.
    #[doc(hidden)]
    pub const fn unit(&self) -> Result<FieldUnit, RecordError> {
        let (digits, start) = ok!(self.stored_digits());
        Ok(self.unit_of(digits, start))
    }

    /// The type of a unit, its bits, and the number of units of an element if they are parts of it.
    #[doc(hidden)]
    pub const fn unit_type(&self, unit: FieldUnit) -> (ElementType, usize, usize) {
        match unit {
            FieldUnit::Elements => (self.stored(), self.bits(), 0),
            FieldUnit::Bytes => (ElementType::U8, 8, self.bits() / 8),
            FieldUnit::Bits => (self.bit(), 1, self.bits()),
        }
    }

    /// The layout in this unit, which divides all distances.
    ///
    /// # Errors
    /// Those of [`layout`](Self::layout).
    #[doc(hidden)]
    pub const fn layout_in(&self, unit: FieldUnit) -> Result<Layout, RecordError> {
        let (digits, start) = ok!(self.strided());
        match self.layout_of(digits, start, self.unit_type(unit)) {
            Ok(layout) => Ok(layout),
            Err(error) => Err(RecordError::new(RecordRule::Layout(error))),
        }
    }

    /// The unit in which a field of the same bits is moved to this one. Elements of whole bytes lie at any byte.
    ///
    /// # Errors
    /// Those of [`layout`](Self::layout).
    #[doc(hidden)]
    pub const fn moved_unit(&self, from: &Self) -> Result<FieldUnit, RecordError> {
        let unit = match (ok!(from.unit()), ok!(self.unit())) {
            (FieldUnit::Bits, _) | (_, FieldUnit::Bits) => FieldUnit::Bits,
            _ if self.bits() % 8 == 0 => FieldUnit::Bytes,
            (own, _) => own,
        };
        ok!(from.moved_layout(unit));
        ok!(self.moved_layout(unit));
        Ok(unit)
    }

    /// The layout of a move in this unit: elements of less than a byte are moved as their bits, whatever their numbers mean.
    ///
    /// # Errors
    /// Those of [`layout`](Self::layout).
    #[doc(hidden)]
    pub const fn moved_layout(&self, unit: FieldUnit) -> Result<Layout, RecordError> {
        let mut own = *self;
        if let (FieldUnit::Elements, Some(bits)) = (unit, ElementType::integer(self.bits(), false))
        {
            own.set_element(bits);
        }
        own.layout_in(unit)
    }

    /// The digits of the field and its first bit.
    ///
    /// # Errors
    /// Pieces lie at unequal distances, or words cut elements.
    #[doc(hidden)]
    pub const fn stored_digits(&self) -> Result<(&[FieldDigit], i64), RecordError> {
        let words = self.words().is_some();
        if self.places().len() > 1 || words {
            let field = Name::new(self.name());
            return Err(RecordError::new(RecordRule::UnevenPieces { field, words }));
        }
        Ok((self.digits_of(self.places()[0]), self.places()[0].start))
    }

    /// The digits of the field and its first bit, if strides express it.
    pub(crate) const fn strided(&self) -> Result<(&[FieldDigit], i64), RecordError> {
        let (digits, start) = ok!(self.stored_digits());
        layout_core::each!(i, 0..digits.len(), {
            if digits[i].change.has_operand() {
                let field = Name::new(self.name());
                return Err(RecordError::new(RecordRule::ChangedDigit { field }));
            }
        });
        Ok((digits, start))
    }

    /// The field as a layout of its elements.
    ///
    /// # Errors
    /// Those of [`layout`](Self::layout), and elements that lie at other places than those of their type.
    pub const fn elements(&self) -> Result<Layout, RecordError> {
        let bits = match ok!(self.layout()) {
            FieldLayout::Elements(layout) => return Ok(layout),
            FieldLayout::Bytes(_) => false,
            FieldLayout::Bits(_) => true,
        };
        let field = Name::new(self.name());
        // Bytes of high first elements are in the other order.
        let are_apart = bits || !self.is_high_first();
        Err(RecordError::new(match are_apart {
            true => RecordRule::SplitElements { field, bits },
            false => RecordRule::HighBytes { field },
        }))
    }

    /// The element type in a layout.
    const fn stored(&self) -> ElementType {
        match self.element().high_first() {
            Ok(element) if self.is_high_first() => element,
            _ => self.element(),
        }
    }

    const fn bit(&self) -> ElementType {
        match ElementType::U1.high_first() {
            Ok(bit) if self.is_high_first() => bit,
            _ => ElementType::U1,
        }
    }

    const fn unit_of(&self, digits: &[FieldDigit], start: i64) -> FieldUnit {
        let bits = self.bits() as i64;
        let (mut elements, mut bytes) = (start % bits == 0, start % 8 == 0);
        layout_core::each!(i, 0..digits.len(), {
            let FieldDigit { size, stride, .. } = digits[i];
            if size > 1 {
                elements &= stride % bits == 0;
                bytes &= stride % 8 == 0;
            }
        });
        // Integers of other widths take more in a tensor, and no tensor has the highest byte first.
        let is_stored = self.element().bits() == self.bits();
        if elements && is_stored && !(self.is_high_first() && bits > 8) {
            FieldUnit::Elements
        } else if bytes && bits % 8 == 0 {
            FieldUnit::Bytes
        } else {
            FieldUnit::Bits
        }
    }

    /// The layout of units of this number of bits, with an axis of `parts` of them if there are any.
    const fn layout_of(
        &self,
        digits: &[FieldDigit],
        start: i64,
        (element, unit, parts): (ElementType, usize, usize),
    ) -> Result<Layout, LayoutError> {
        let mut axes = [AxisExtent { letter: 'A', extent: Length::Runtime(0) }; MAX_RANK];
        let rank = self.letters().count();
        let mut axis = 0;
        while axis < rank {
            let extent = Length::Runtime(self.extents()[axis]);
            axes[axis] = AxisExtent { letter: self.letters().at(axis), extent };
            axis += 1;
        }
        let mut factors = [Factor::Overlap; MAX_FACTORS + 2];
        let (mut count, mut i) = (0, 0);
        while i < digits.len() {
            if count == MAX_FACTORS {
                return Err(LayoutError(Rule::TooManyFactors));
            }
            let FieldDigit { axis, size, weight, stride, .. } = digits[i];
            let (letter, stride) = (axes[axis].letter, (stride / unit as i64) as isize);
            let is_top = is_top(digits, i);
            i += 1;
            // One without coordinates has no distance either.
            let stride = if stride == 0 { 1 } else { stride };
            factors[count] = match is_top {
                true => Factor::Stride(letter, stride),
                false if size == 1 => continue,
                false => Factor::StridedBlock(letter, size, weight, stride),
            };
            count += 1;
        }
        let mut start = (start / unit as i64) as isize;
        let (mut all, mut factor_count) = (rank, count);
        if parts > 0 {
            if rank == MAX_RANK || count == MAX_FACTORS {
                return Err(LayoutError(Rule::TooManyFactors));
            }
            let letter = free_letter(self.letters());
            axes[rank] = AxisExtent { letter, extent: Length::Runtime(parts) };
            let step = if self.is_high_first() { -1 } else { 1 };
            start += if self.is_high_first() { parts as isize - 1 } else { 0 };
            factors[count] = Factor::Stride(letter, step);
            (all, factor_count) = (rank + 1, count + 1);
        }
        let length = self.buffer_bytes() as u64 * 8 / unit as u64;
        if length > isize::MAX as u64 {
            return Err(LayoutError(Rule::TooLarge { element }));
        }
        factors[factor_count] = Factor::Part(start, length as usize);
        let axes = axes.split_at(all).0;
        let factors = factors.split_at(factor_count + 1).0;
        Layout::new(&Spec { element, axes, factors, fill: None })
    }
}

/// The letter of an axis of bytes or bits: `B`, or the last one that no axis has.
#[doc(hidden)]
pub const fn free_letter(axes: Letters) -> char {
    let mut letter = b'B';
    if axes.position('B').is_some() {
        letter = b'Z';
        while axes.position(letter as char).is_some() {
            letter -= 1;
        }
    }
    letter as char
}

/// Whether a digit is the one of the largest weight of its axis, and of equal weights the last one of several values.
const fn is_top(digits: &[FieldDigit], at: usize) -> bool {
    let own = &digits[at];
    layout_core::each!(i, 0..digits.len(), {
        let other = &digits[i];
        let is_above = other.weight > own.weight
            || other.weight == own.weight
                && (other.size > own.size || other.size == own.size && i < at);
        if i != at && other.axis == own.axis && is_above {
            return false;
        }
    });
    true
}
