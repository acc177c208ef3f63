//! One axis of one layout, and the coordinates at which blocks of several layouts begin.

use crate::layout::Digit;
use crate::layout::Layout;
use crate::spec::{MAX_FACTORS, MAX_RANK, least};

/// The offset of a coordinate before a swizzle.
///
/// Most relayouts are one box, which starts at coordinate 0, and const evaluation pays for every call. So digits that are
/// 0 there are left out.
pub(super) const fn linear_offset(layout: &Layout, coordinate: &[usize; MAX_RANK]) -> usize {
    let mut offset = layout.base;
    let mut i = 0;
    while i < layout.digit_count {
        let digit = &layout.digits[i];
        if coordinate[digit.axis] > 0 || digit.shift > 0 {
            offset = offset.wrapping_add(layout.place_of_digit(i, coordinate));
        }
        i += 1;
    }
    offset
}

/// One axis of one layout, with its digits. They are collected once, since const evaluation pays for every call and
/// for every digit of another axis.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    layout: &'a Layout,
    digits: [u8; MAX_FACTORS],
    count: usize,
}

impl<'a> Side<'a> {
    pub(super) const fn of(layout: &'a Layout, axis: usize) -> Self {
        let mut new = Self { layout, digits: [0; MAX_FACTORS], count: 0 };
        let mut i = 0;
        while i < layout.digit_count {
            if layout.digits[i].axis == axis {
                new.digits[new.count] = i as u8;
                new.count += 1;
            }
            i += 1;
        }
        new
    }

    /// Digit number `i` of the axis.
    const fn digit(&self, i: usize) -> &'a Digit {
        &self.layout.digits[self.digits[i] as usize]
    }

    /// Whether the axis has no blocks, so that it is one loop.
    pub(super) const fn is_whole(&self) -> bool {
        self.count == 1 && self.layout.digits[self.digits[0] as usize].weight == 1
    }

    /// The distance of a coordinate, if the axis [has no blocks](Self::is_whole).
    pub(super) const fn stride(&self) -> isize {
        self.digit(0).stride
    }

    /// The position of coordinate 0.
    pub(super) const fn shift(&self) -> usize {
        if self.count == 0 { 0 } else { self.digit(0).shift }
    }

    /// Whether blocks end at the same coordinates if coordinate 0 has position `shift`.
    pub(super) const fn stands_at(&self, shift: usize) -> bool {
        let mut same = true;
        let mut i = 0;
        while i < self.count {
            let digit = self.digit(i);
            // Divisions are most of the cost of an axis at run time.
            same &= digit.weight == 1
                || digit.shift == shift
                || digit.shift % digit.weight == shift % digit.weight;
            i += 1;
        }
        same
    }

    /// The number of coordinates from `start` to the next end of a block.
    pub(super) const fn until_end(&self, start: usize) -> usize {
        let mut length = usize::MAX;
        let mut i = 0;
        while i < self.count {
            let digit = self.digit(i);
            if digit.weight > 1 {
                length = least(length, digit.weight - (start + digit.shift) % digit.weight);
            }
            i += 1;
        }
        length
    }

    /// The distance of `weight` coordinates, within the digit of which they are a multiple.
    pub(super) const fn step(&self, weight: usize) -> isize {
        let mut best = &Digit::NONE;
        let mut i = 0;
        while i < self.count {
            let digit = self.digit(i);
            if digit.weight <= weight && digit.weight >= best.weight {
                best = digit;
            }
            i += 1;
        }
        if best.weight == weight {
            return best.stride;
        }
        best.stride * (weight / best.weight) as isize
    }
}

/// The weights of an axis on all sides, ascending, without duplicates. The first is 1.
pub(super) struct Weights {
    pub(super) list: [usize; 2 * MAX_FACTORS],
    pub(super) count: usize,
}

impl Weights {
    pub(super) const fn of(a: &Side<'_>, b: &Side<'_>) -> Self {
        let mut new = Self::one();
        new.add(a);
        new.add(b);
        new
    }

    /// The weight 1. Inlined, since a constant would be copied whole.
    #[inline(always)]
    pub(super) const fn one() -> Self {
        Self { list: [1; 2 * MAX_FACTORS], count: 1 }
    }

    /// Adds the weights of another side. Returns false if there are too many.
    pub(super) const fn add(&mut self, side: &Side<'_>) -> bool {
        let mut all = true;
        let mut i = 0;
        while i < side.count {
            all &= self.insert(side.digit(i).weight);
            i += 1;
        }
        all
    }

    const fn insert(&mut self, weight: usize) -> bool {
        let mut at = self.count;
        while at > 0 && self.list[at - 1] > weight {
            at -= 1;
        }
        if at > 0 && self.list[at - 1] == weight {
            return true;
        }
        if self.count == self.list.len() {
            return false;
        }
        let mut i = self.count;
        while i > at {
            self.list[i] = self.list[i - 1];
            i -= 1;
        }
        self.list[at] = weight;
        self.count += 1;
        true
    }

    /// The longest piece from a position, with `rest` coordinates left. Returns the largest weight that divides the
    /// position and of which a whole step is left, and the number of its steps before the next larger weight. The
    /// digits below follow.
    pub(super) const fn piece(&self, position: usize, rest: usize) -> (usize, usize) {
        let mut top = self.count - 1;
        while self.list[top] > rest || position % self.list[top] != 0 {
            top -= 1;
        }
        let weight = self.list[top];
        let mut steps = rest / weight;
        if top + 1 < self.count {
            let larger = self.list[top + 1];
            steps = least(steps, (larger - position % larger) / weight);
        }
        (top, steps)
    }

    /// Whether each weight divides the next.
    pub(super) const fn nested(&self) -> bool {
        self.unlike().is_none()
    }

    /// Two adjacent weights of which the first does not divide the second.
    pub(super) const fn unlike(&self) -> Option<[usize; 2]> {
        let mut i = 1;
        while i < self.count {
            if self.list[i] % self.list[i - 1] != 0 {
                return Some([self.list[i - 1], self.list[i]]);
            }
            i += 1;
        }
        None
    }
}
