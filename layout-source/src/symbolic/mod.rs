//! A layout for source text: digits whose sizes and strides are numbers or depend on run-time extents.
//!
//! [`Symbolic::closed`] makes one from a layout, `open` from a layout with run-time extents, and `of_field` from a field of
//! a record.

#[cfg(feature = "records")]
mod of_field;
mod open;

use layout_core::spec::{Letters, MAX_FACTORS, MAX_RANK};
use layout_core::{ElementType, Layout, Swizzle};

/// A layout some of whose extents may be parameters.
///
/// Law: the offset is `base` plus the sum of all digits' values times their strides. `swizzle` is then applied to it.
#[derive(Clone, Copy)]
pub(crate) struct Symbolic {
    pub(crate) element: ElementType,
    pub(crate) letters: Letters,
    /// The extents in coordinate order; `None` for parameters.
    extents: [Option<u64>; MAX_RANK],
    /// The digits from the largest to the smallest stride, broadcast digits last.
    digits: [SourceDigit; MAX_FACTORS],
    digit_count: usize,
    /// The offset at which all digits are 0. It may be outside the buffer if no coordinate has these digits.
    pub(crate) base: i64,
    /// The number of elements in storage.
    pub(crate) len: Stride,
    pub(crate) align: usize,
    pub(crate) swizzle: Option<Swizzle>,
    /// Whether strides are explicit, so that they may not nest.
    pub(crate) explicit: bool,
}

/// One digit: its value is `(coordinate + shift) / weight % size`.
#[derive(Clone, Copy)]
pub(crate) struct SourceDigit {
    pub(crate) axis: usize,
    pub(crate) size: DigitSize,
    pub(crate) weight: u64,
    pub(crate) shift: u64,
    pub(crate) stride: Stride,
    pub(crate) change: Option<StoredChange>,
}

/// What makes the value that is stored of that of a digit: `coordinate / weight % size` of another axis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct StoredChange {
    pub(crate) how: ChangeKind,
    pub(crate) axis: usize,
    pub(crate) weight: u64,
    pub(crate) size: u64,
}

/// How two digits make one: by a sum or a difference modulo the size of the first, or by XOR.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(feature = "records"), allow(dead_code, reason = "layouts have no such digits"))]
pub(crate) enum ChangeKind {
    Plus,
    Minus,
    Xor,
}

impl ChangeKind {
    pub(crate) fn inverse(self) -> Self {
        match self {
            Self::Plus => Self::Minus,
            Self::Minus => Self::Plus,
            Self::Xor => Self::Xor,
        }
    }
}

/// The number of values of a digit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum DigitSize {
    Known(u64),
    /// `(extent + extra) / weight` for an extent that is a parameter.
    Open {
        extra: u64,
    },
}

/// A number of elements: the stride of a digit, or the length of a buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stride {
    Known(i64),
    /// The extent of digit `faster` and all faster ones, rounded up.
    After {
        faster: usize,
        rounding: Rounding,
    },
    /// The distance from the first to the last element for explicit strides, plus one.
    Span,
}

/// How a number of elements is rounded up: first to a multiple, then to whole bytes with this number of elements
/// each.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rounding {
    pub(crate) multiple: u64,
    pub(crate) bytes: WholeBytes,
    pub(crate) per_byte: u64,
}

/// How rows of elements of less than a byte are rounded to whole bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WholeBytes {
    /// For elements of a byte or more: rows always end at a byte.
    Always,
    /// Rows must end at a byte, or several must fill one; otherwise the extents break a rule.
    Must,
    /// Rows must end at a byte; otherwise the extents break a rule.
    MustInLanes,
    /// Rows are rounded up, unless several fill a byte.
    Rows,
    /// Lanes are rounded up.
    Lanes,
}

impl Rounding {
    pub(crate) const NONE: Self = Self { multiple: 1, bytes: WholeBytes::Always, per_byte: 1 };
}

impl SourceDigit {
    const NONE: Self = Self {
        axis: 0,
        size: DigitSize::Known(1),
        weight: 1,
        shift: 0,
        stride: Stride::Known(0),
        change: None,
    };

    pub(crate) fn known_size(&self) -> Option<u64> {
        match self.size {
            DigitSize::Known(size) => Some(size),
            DigitSize::Open { .. } => None,
        }
    }

    pub(crate) fn known_stride(&self) -> Option<i64> {
        match self.stride {
            Stride::Known(stride) => Some(stride),
            _ => None,
        }
    }

    /// Whether the digit counts down, so that its last value has the lowest offset.
    pub(crate) fn is_negative(&self) -> bool {
        matches!(self.stride, Stride::Known(stride) if stride < 0)
    }

    /// Whether the digit changes the offset.
    pub(crate) fn moves(&self) -> bool {
        self.stride != Stride::Known(0) && !matches!(self.size, DigitSize::Known(0 | 1))
    }

    /// Returns the maximum that a digit of known size and stride adds to an offset.
    pub(crate) fn distance(&self) -> Option<u128> {
        let steps = u128::from(self.known_size()?.saturating_sub(1));
        steps.checked_mul(u128::from(self.known_stride()?.unsigned_abs()))
    }
}

impl Symbolic {
    /// A layout whose extents are all known.
    pub(crate) fn closed(layout: &Layout) -> Self {
        let mut new = Self {
            element: layout.element(),
            letters: layout.letters(),
            extents: [Some(1); MAX_RANK],
            digits: [SourceDigit::NONE; MAX_FACTORS],
            digit_count: layout.digits().len(),
            base: 0,
            len: Stride::Known(layout.len() as i64),
            align: layout.align(),
            swizzle: layout.swizzle(),
            explicit: true,
        };
        for (place, extent) in new.extents.iter_mut().zip(layout.extents()) {
            *place = Some(*extent as u64);
        }
        for (place, digit) in new.digits.iter_mut().zip(&layout.digits()) {
            *place = SourceDigit {
                axis: digit.axis,
                size: DigitSize::Known(digit.size as u64),
                weight: digit.weight as u64,
                shift: digit.shift as u64,
                stride: Stride::Known(digit.stride as i64),
                change: None,
            };
        }
        if layout.numel() > 0 {
            let first = layout.offset(&[0; MAX_RANK][..layout.rank()]);
            // The swizzle is its own inverse, so this is the sum of the digits alone.
            let first = layout.swizzle().map_or(first, |swizzle| swizzle.apply(first)) as i64;
            new.base = new.moving().fold(first, |base, (_, digit)| {
                let value = new.value(digit, 0) as i64;
                base.wrapping_sub(value.wrapping_mul(digit.known_stride().unwrap_or(0)))
            });
        }
        new
    }

    /// Returns the digit's value in a coordinate of its axis.
    fn value(&self, digit: &SourceDigit, coordinate: u64) -> u64 {
        let value = (coordinate + digit.shift) / digit.weight;
        match digit.size {
            DigitSize::Known(size) if self.carries(digit) => value % size,
            _ => value,
        }
    }

    pub(crate) fn rank(&self) -> usize {
        self.letters.count()
    }

    /// Returns the letter of an axis in lower case, which names its parameter.
    pub(crate) fn letter(&self, axis: usize) -> char {
        self.letters.at(axis).to_ascii_lowercase()
    }

    pub(crate) fn extent(&self, axis: usize) -> Option<u64> {
        self.extents[axis]
    }

    /// The axes whose extents are parameters.
    pub(crate) fn open_axes(&self) -> impl Iterator<Item = usize> {
        (0..self.rank()).filter(|axis| self.extents[*axis].is_none())
    }

    pub(crate) fn digits(&self) -> &[SourceDigit] {
        &self.digits[..self.digit_count]
    }

    /// Returns the digits that change the offset, slowest first, with their positions.
    pub(crate) fn moving(&self) -> impl Iterator<Item = (usize, &SourceDigit)> {
        self.digits().iter().enumerate().filter(|(_, digit)| digit.moves())
    }

    /// Whether no extent is a parameter.
    pub(crate) fn is_fixed(&self) -> bool {
        self.open_axes().next().is_none()
    }

    /// Whether there are no coordinates, whatever the parameters are.
    pub(crate) fn is_empty(&self) -> bool {
        (0..self.rank()).any(|axis| self.extents[axis] == Some(0))
    }

    /// Replaces digit number `i`.
    pub(crate) fn set_digit(&mut self, i: usize, digit: SourceDigit) {
        self.digits[i] = digit;
    }

    /// Whether the digit's value is a remainder, because the axis has more coordinates than the digit counts.
    pub(crate) fn carries(&self, digit: &SourceDigit) -> bool {
        match (digit.size, self.extents[digit.axis]) {
            (DigitSize::Open { .. } | DigitSize::Known(0), _) => false,
            (DigitSize::Known(_), None) => true,
            (DigitSize::Known(size), Some(extent)) => {
                let space = u128::from(digit.weight) * u128::from(size);
                u128::from(extent) + u128::from(digit.shift) > space
            }
        }
    }

    /// Returns the maximum that the digits from `first` on change an offset in either direction, if it is known.
    pub(crate) fn span_from(&self, first: usize) -> Option<u128> {
        let moving = self.moving().filter(|(i, _)| *i >= first);
        moving
            .map(|(_, digit)| digit.distance())
            .try_fold(0u128, |sum, distance| sum.checked_add(distance?))
    }

    /// Returns the number of elements whose offsets a swizzle permutes among themselves. If extents are parameters, a
    /// buffer holds a multiple of it.
    pub(crate) fn pattern(&self) -> u64 {
        match self.swizzle {
            Some(swizzle) if !swizzle.is_identity() => {
                1 << (swizzle.bits() + swizzle.base() + swizzle.shift().unsigned_abs())
            }
            _ => 1,
        }
    }

    /// Returns the length in elements, if all extents are known.
    pub(crate) fn known_len(&self) -> Option<u64> {
        match self.len {
            Stride::Known(len) => Some(len as u64),
            _ => None,
        }
    }

    /// Returns the lowest offset of all digits, for a layout without parameters.
    pub(crate) fn lowest(&self) -> i128 {
        let negative = self.moving().filter(|(_, digit)| digit.is_negative());
        let below = negative.filter_map(|(_, digit)| digit.distance()).sum::<u128>();
        i128::from(self.base) - below as i128
    }

    /// Whether the digit's stride is larger than the span of all faster digits, so that a division finds its value.
    pub(crate) fn is_nested(&self, i: usize) -> bool {
        match (self.digits[i].known_stride(), self.span_from(i + 1)) {
            (Some(stride), Some(span)) => u128::from(stride.unsigned_abs()) > span,
            // The strides of a memory order nest.
            _ => !self.explicit,
        }
    }
}
