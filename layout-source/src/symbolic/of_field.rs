//! A field of a record, by coordinates of the record.

use layout_core::LayoutError;
use layout_core::spec::{MAX_FACTORS, MAX_RANK, Rule};
use layout_records::{DigitChange, FieldDigit, Record, RecordError, RecordField, free_letter};

use super::{ChangeKind, DigitSize, SourceDigit, StoredChange, Stride, Symbolic};

impl Symbolic {
    /// Counts elements, or the bytes or bits of elements that lie elsewhere, which have an axis more.
    #[allow(clippy::result_large_err, reason = "the error of all questions about records")]
    pub(crate) fn of_field(record: &Record, field: &RecordField) -> Result<Self, RecordError> {
        let (digits, start) = field.stored_digits()?;
        let (element, unit, parts) = field.unit_type(field.unit()?);
        let (unit, rank) = (unit as i64, record.letters().count());
        let too_many = Err(RecordError::from(LayoutError(Rule::TooManyFactors)));
        let mut new = Self {
            element,
            letters: record.letters(),
            extents: [Some(1); MAX_RANK],
            digits: [SourceDigit::NONE; MAX_FACTORS],
            digit_count: 0,
            base: start / unit,
            len: Stride::Known(field.buffer_bytes() as i64 * 8 / unit),
            align: element.align(),
            swizzle: None,
            explicit: true,
        };
        for (place, extent) in new.extents.iter_mut().zip(record.extents()) {
            *place = Some(*extent as u64);
        }
        let moving = digits.iter().filter(|digit| digit.size > 1);
        let moving = moving.map(|digit| SourceDigit::of_field(record, field, digit, unit));
        let part = SourceDigit {
            axis: rank,
            size: DigitSize::Known(parts as u64),
            stride: Stride::Known(if field.is_high_first() { -1 } else { 1 }),
            ..SourceDigit::NONE
        };
        if parts > 0 {
            if rank == MAX_RANK {
                return too_many;
            }
            new.letters = new.letters.with(free_letter(record.letters()));
            new.extents[rank] = Some(parts as u64);
            new.base += if field.is_high_first() { parts as i64 - 1 } else { 0 };
        }
        for digit in moving.chain((parts > 1).then_some(part)) {
            let Some(place) = new.digits.get_mut(new.digit_count) else { return too_many };
            *place = digit;
            new.digit_count += 1;
        }
        let distance = |digit: &SourceDigit| digit.known_stride().unwrap_or(0).unsigned_abs();
        new.digits[..new.digit_count].sort_unstable_by_key(|digit| u64::MAX - distance(digit));
        Ok(new)
    }
}

impl SourceDigit {
    /// A digit of a field in coordinates of the record, with a stride in units.
    fn of_field(record: &Record, field: &RecordField, digit: &FieldDigit, unit: i64) -> Self {
        let place = |axis: usize| record.letters().position(field.letters().at(axis));
        let weight = |axis: usize, weight: usize| (field.shared(axis) * weight) as u64;
        let how = match digit.change {
            DigitChange::None | DigitChange::Fixed => None,
            DigitChange::Minus => Some(ChangeKind::Minus),
            DigitChange::Plus => Some(ChangeKind::Plus),
            DigitChange::Xor => Some(ChangeKind::Xor),
        };
        let (other, size, other_weight) = digit.operand;
        let (size, other_weight) = (size as u64, weight(other, other_weight));
        let change = how.zip(place(other));
        Self {
            // The axes of a field are those of its record.
            axis: place(digit.axis).unwrap_or(0),
            weight: weight(digit.axis, digit.weight),
            size: DigitSize::Known(digit.size as u64),
            stride: Stride::Known(digit.stride / unit),
            change: change.map(|(how, axis)| StoredChange {
                how,
                axis,
                weight: other_weight,
                size,
            }),
            ..Self::NONE
        }
    }
}
