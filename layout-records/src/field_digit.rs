//! A digit of a field: from coordinates to the step that is stored, and back.

use layout_core::spec::MAX_RANK;

use crate::item::DigitChange;

/// A digit of a field, in coordinates of the field and in bits.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the words say it")]
pub struct FieldDigit {
    pub axis: usize,
    pub size: usize,
    pub weight: usize,
    pub stride: i64,
    pub change: DigitChange,
    /// The axis of the digit that is added, its size and its weight.
    pub operand: (usize, usize, usize),
}

impl FieldDigit {
    pub(crate) const NONE: Self = Self {
        axis: 0,
        size: 1,
        weight: 1,
        stride: 0,
        change: DigitChange::None,
        operand: (0, 1, 1),
    };

    /// The step of the digit that is stored. This and what it calls are for programs that never panic.
    #[inline(always)]
    pub(crate) const fn step(&self, coordinate: &[usize; MAX_RANK]) -> usize {
        let step = digit_at(coordinate, (self.axis, self.size, self.weight));
        self.changed(self.change, step, coordinate)
    }

    /// The step of the digit, from the one that is stored. The coordinate has the digit that was added to it.
    pub(crate) const fn step_of_stored(
        &self,
        step: usize,
        coordinate: &[usize; MAX_RANK],
    ) -> usize {
        let inverse = match self.change {
            DigitChange::Minus => DigitChange::Plus,
            DigitChange::Plus => DigitChange::Minus,
            change => change,
        };
        self.changed(inverse, step, coordinate)
    }

    const fn changed(
        &self,
        change: DigitChange,
        step: usize,
        coordinate: &[usize; MAX_RANK],
    ) -> usize {
        if self.size == 0 {
            return 0;
        }
        let other = digit_at(coordinate, self.operand);
        match change {
            DigitChange::Minus => (step + self.size - other % self.size) % self.size,
            DigitChange::Plus => (step + other % self.size) % self.size,
            DigitChange::Xor => step ^ other,
            DigitChange::Fixed | DigitChange::None => step,
        }
    }
}

/// The step of a digit with an axis, a size and a weight.
const fn digit_at(
    coordinate: &[usize; MAX_RANK],
    (axis, size, weight): (usize, usize, usize),
) -> usize {
    if axis < MAX_RANK && size > 0 && weight > 0 { coordinate[axis] / weight % size } else { 0 }
}

/// Whether two lists have the same digits.
pub(crate) const fn same_digits(one: &[FieldDigit], other: &[FieldDigit]) -> bool {
    let mut same = one.len() == other.len();
    let mut i = 0;
    while same && i < one.len() {
        let (a, b) = (&one[i], &other[i]);
        same = a.axis == b.axis
            && a.size == b.size
            && a.weight == b.weight
            && a.stride == b.stride
            && a.change as u8 == b.change as u8
            && a.operand.0 == b.operand.0
            && a.operand.1 == b.operand.1
            && a.operand.2 == b.operand.2;
        i += 1;
    }
    same
}
