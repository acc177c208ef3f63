//! A layout whose extents are all known.

use layout_core::Layout;
use layout_core::spec::{MAX_FACTORS, MAX_RANK};

use super::{Digit, Size, Stride, Symbolic};

impl Symbolic {
    pub(crate) fn closed(layout: &Layout) -> Self {
        let mut new = Self {
            element: layout.element(),
            letters: layout.letters(),
            extents: [Some(1); MAX_RANK],
            digits: [Digit::NONE; MAX_FACTORS],
            digit_count: layout.digits().len(),
            base: 0,
            len: Stride::Known(layout.len() as i64),
            align: layout.align(),
            swizzle: layout.swizzle(),
            explicit: true,
        };
        for (own, extent) in new.extents.iter_mut().zip(layout.extents()) {
            *own = Some(*extent as u64);
        }
        for (own, digit) in new.digits.iter_mut().zip(&layout.digits()) {
            *own = Digit {
                axis: digit.axis,
                size: Size::Known(digit.size as u64),
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
    fn value(&self, digit: &Digit, coordinate: u64) -> u64 {
        let value = (coordinate + digit.shift) / digit.weight;
        match digit.size {
            Size::Known(size) if self.carries(digit) => value % size,
            _ => value,
        }
    }
}
