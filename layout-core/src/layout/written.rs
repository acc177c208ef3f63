//! The digits of a layout in the order in which its format lists them.

use super::{Digit, Layout};
use crate::spec::{Factor, LayoutError, MAX_FACTORS, Rule, Summary, slot, weight};

/// The digits of a layout in the order of its factors, slowest first.
pub struct Written {
    digits: [Digit; MAX_FACTORS],
    count: usize,
}

impl Written {
    /// The digits of `layout`. `factors` are its factors.
    pub const fn of(factors: &[Factor], layout: &Layout) -> Self {
        let summary = Summary::of_factors(factors);
        let mut new = Self { digits: [Digit::NONE; MAX_FACTORS], count: 0 };
        each!(i, 0..factors.len(), {
            if let Some(letter) = factors[i].letter() {
                let slot = slot(letter);
                let (Some(axis), Some(block)) =
                    (layout.letters().position(letter), summary.blocks[slot])
                else {
                    unreachable!()
                };
                let weight = match factors[i] {
                    factor if factor.is_block() => weight(factors, i),
                    Factor::Lanes(..) => block,
                    _ => block * summary.lanes(slot).0,
                };
                new.digits[new.count] = match factors[i] {
                    // A layout keeps no digits of one value.
                    Factor::Block(_, 1)
                    | Factor::Weighted(_, 1, _)
                    | Factor::StridedBlock(_, 1, ..)
                    | Factor::Lanes(_, 1, _) => Digit { size: 1, ..Digit::NONE },
                    _ => match layout.digit_of(axis, weight) {
                        Some(digit) => digit,
                        None => unreachable!(),
                    },
                };
                new.count += 1;
            }
        });
        new
    }

    /// The number of digits.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The digit at a position, slowest first.
    pub const fn digit(&self, i: usize) -> Digit {
        self.digits[i]
    }

    /// The number of elements from the first to the last, inclusive, of the digits from `from` on.
    pub const fn span(&self, from: usize) -> usize {
        let mut last = 0;
        let mut i = from;
        while i < self.count {
            last += (self.digits[i].size - 1) * self.digits[i].distance();
            i += 1;
        }
        last + 1
    }

    /// The number of elements of the digits from `from` on, which must be contiguous.
    ///
    /// # Panics
    /// If they are not contiguous, or do not take `bytes` bytes.
    pub const fn row(&self, from: usize, bytes: usize, layout: &Layout) -> usize {
        let mut space = 1;
        let mut i = self.count;
        while i > from {
            i -= 1;
            let Digit { axis, size, stride, .. } = self.digits[i];
            if size > 1 && stride != space as isize {
                LayoutError(Rule::RowGap { letter: layout.letters().at(axis), stride, space })
                    .panic_in_type()
            }
            space *= size;
        }
        if !matches!(layout.element().bytes_of(space), Some(whole) if whole == bytes) {
            LayoutError(Rule::RowBlocks { digits: from, length: space }).panic_in_type()
        }
        space
    }
}
