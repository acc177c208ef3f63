//! All coordinates of a layout, in memory order or in their own, each with its offset.
//!
//! Both orders step from one coordinate to the next as a loop nest does: what changes is added up, and
//! no offset is found anew.

use core::iter::FusedIterator;

use crate::layout::Digit;
use crate::layout::Layout;
use crate::spec::{MAX_FACTORS, MAX_RANK};

/// The coordinates of a layout from the first address to the last, padding left out.
///
/// Strides that interleave (`[3, 2]` over extents `[2, 3]`) have no nesting to follow: then the
/// axis of the largest stride counts as the slowest. Coordinates that share an element follow
/// one another. A swizzle has no say in the order.
#[derive(Clone, Debug)]
pub struct Coordinates<const RANK: usize>(MemoryOrder);

impl<const RANK: usize> Coordinates<RANK> {
    /// The coordinates of `layout`.
    ///
    /// # Panics
    /// If the layout has another rank.
    pub const fn new(layout: Layout) -> Self {
        assert!(layout.rank() == RANK, "the rank of the layout is not that of its coordinates");
        Self(MemoryOrder::new(layout))
    }
}

impl<const RANK: usize> Iterator for Coordinates<RANK> {
    type Item = [usize; RANK];

    #[inline]
    fn next(&mut self) -> Option<[usize; RANK]> {
        let (coordinate, _) = self.0.cursor.current()?;
        let coordinate = coordinate.try_into().ok();
        self.0.advance();
        coordinate
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.cursor.left, Some(self.0.cursor.left))
    }
}

impl<const RANK: usize> ExactSizeIterator for Coordinates<RANK> {}

impl<const RANK: usize> FusedIterator for Coordinates<RANK> {}

/// A position in the sequence of all coordinates of a layout.
#[derive(Clone, Debug)]
pub struct Cursor {
    layout: Layout,
    coordinate: [usize; MAX_RANK],
    /// Before the swizzle.
    offset: usize,
    /// How many coordinates are left, this one included.
    left: usize,
}

impl Cursor {
    /// How many coordinates are left.
    pub const fn left(&self) -> usize {
        self.left
    }

    /// The coordinate and its offset, unless there are no more.
    #[inline]
    pub fn current(&self) -> Option<(&[usize], usize)> {
        let offset = self.layout.swizzled(self.offset);
        (self.left > 0).then(|| (&self.coordinate[..self.layout.rank()], offset))
    }
}

/// [`Coordinates`] of a layout whose rank is not a type, with their offsets.
#[derive(Clone, Debug)]
pub struct MemoryOrder {
    /// In padding before coordinate 0 of an axis the coordinate wraps.
    pub cursor: Cursor,
    /// The digits of the coordinate, counted from the lowest address.
    values: [usize; MAX_FACTORS],
    /// Whether digits may be those of padding.
    padded: bool,
}

impl MemoryOrder {
    /// From the first on.
    pub const fn new(layout: Layout) -> Self {
        let mut coordinate = [0usize; MAX_RANK];
        let mut digits = 1usize;
        let mut i = 0;
        while i < layout.digit_count {
            let Digit { axis, size, shift, .. } = layout.digits[i];
            coordinate[axis] = shift.wrapping_neg();
            digits = digits.saturating_mul(size);
            i += 1;
        }
        let mut i = 0;
        while i < layout.digit_count {
            let Digit { axis, size, weight, stride, .. } = layout.digits[i];
            if stride < 0 {
                // The highest value lies lowest.
                let above = size.wrapping_sub(1).wrapping_mul(weight);
                coordinate[axis] = coordinate[axis].wrapping_add(above);
            }
            i += 1;
        }
        let (left, offset) = (layout.count(), layout.lowest() as usize);
        let cursor = Cursor { layout, coordinate, offset, left };
        let mut new = Self { cursor, values: [0; MAX_FACTORS], padded: digits != left };
        new.skip_padding();
        new
    }

    /// Goes on to the next coordinate. There must be a current one.
    #[inline]
    pub const fn advance(&mut self) {
        self.cursor.left -= 1;
        self.step();
        self.skip_padding();
    }

    #[inline]
    const fn skip_padding(&mut self) {
        while self.padded && self.cursor.left > 0 {
            let Some(axis) = self.padded_axis() else { return };
            let digits = self.digits_before(axis);
            self.step_from(digits);
        }
    }

    /// An axis that the coordinate leaves.
    const fn padded_axis(&self) -> Option<usize> {
        let mut axis = 0;
        while axis < self.cursor.layout.rank() {
            if self.cursor.coordinate[axis] >= self.cursor.layout.extents[axis] {
                return Some(axis);
            }
            axis += 1;
        }
        None
    }

    /// How many digits, from the slowest on, must count up before the coordinate of an axis past its
    /// end can be inside again.
    ///
    /// The faster digits of the axis are 0, so with the fastest that is not, or a faster one, counted up
    /// it only gets larger. Padding of any size is skipped by its slowest digit.
    const fn digits_before(&self, axis: usize) -> usize {
        let count = self.cursor.layout.digit_count;
        let mut fastest = None;
        let mut i = 0;
        while i < count {
            let digit = &self.cursor.layout.digits[i];
            if digit.axis == axis {
                // In padding before coordinate 0, and backwards, counting up leads inside.
                if digit.shift > 0 || digit.stride < 0 {
                    return count;
                }
                if self.values[i] > 0 {
                    fastest = Some(i);
                }
            }
            i += 1;
        }
        match fastest {
            Some(digit) => digit,
            None => count,
        }
    }

    /// Steps to the next digits, padding or not.
    #[inline]
    const fn step(&mut self) {
        self.step_from(self.cursor.layout.digit_count);
    }

    /// Counts up the digits from the slowest on before this one; the others begin anew.
    #[inline]
    const fn step_from(&mut self, count: usize) {
        let mut i = self.cursor.layout.digit_count;
        while i > count {
            i -= 1;
            self.begin(i);
        }
        while i > 0 {
            i -= 1;
            let Digit { axis, size, weight, stride, .. } = self.cursor.layout.digits[i];
            let up = if stride < 0 { weight.wrapping_neg() } else { weight };
            let distance = stride.unsigned_abs();
            let value = self.values[i];
            if value + 1 < size {
                self.values[i] = value + 1;
                self.cursor.coordinate[axis] = self.cursor.coordinate[axis].wrapping_add(up);
                self.cursor.offset = self.cursor.offset.wrapping_add(distance);
                return;
            }
            self.begin(i);
        }
    }

    /// Sets a digit to 0.
    #[inline]
    const fn begin(&mut self, i: usize) {
        let Digit { axis, weight, stride, .. } = self.cursor.layout.digits[i];
        let up = if stride < 0 { weight.wrapping_neg() } else { weight };
        let (value, coordinate) = (self.values[i], self.cursor.coordinate[axis]);
        self.values[i] = 0;
        self.cursor.coordinate[axis] = coordinate.wrapping_sub(up.wrapping_mul(value));
        let distance = stride.unsigned_abs().wrapping_mul(value);
        self.cursor.offset = self.cursor.offset.wrapping_sub(distance);
    }
}

/// The coordinates of a layout in coordinate order, the last axis fastest, with their offsets.
#[derive(Clone, Debug)]
pub struct CoordinateOrder {
    /// Where it stands.
    pub cursor: Cursor,
    axes: [AxisPlace; MAX_RANK],
}

/// Where an axis stands.
#[derive(Clone, Copy, Debug)]
struct AxisPlace {
    /// What its digits add to the offset.
    place: usize,
    /// What the next coordinate adds, as far as the fastest digit goes.
    stride: usize,
    /// How many coordinates that is.
    left: usize,
}

impl CoordinateOrder {
    /// From the first on.
    pub fn new(layout: Layout) -> Self {
        let (coordinate, left) = ([0; MAX_RANK], layout.count());
        let mut axes = [AxisPlace { place: 0, stride: 0, left: 0 }; MAX_RANK];
        let mut offset = layout.base;
        for (axis, start) in axes[..layout.rank()].iter_mut().enumerate() {
            if left > 0 {
                *start = AxisPlace::at(&layout, axis, 0);
                offset = offset.wrapping_add(start.place);
            }
        }
        Self { cursor: Cursor { layout, coordinate, offset, left }, axes }
    }

    /// Goes on to the next coordinate. There must be a current one.
    #[inline]
    pub fn advance(&mut self) {
        self.cursor.left -= 1;
        for axis in (0..self.cursor.layout.rank()).rev() {
            let next = self.cursor.coordinate[axis] + 1;
            let (next, carries) = match next < self.cursor.layout.extents[axis] {
                true => (next, false),
                false => (0, true),
            };
            let now = &mut self.axes[axis];
            let before = now.place;
            if now.left > 0 && !carries {
                now.left -= 1;
                now.place = before.wrapping_add(now.stride);
            } else {
                *now = AxisPlace::at(&self.cursor.layout, axis, next);
            }
            self.cursor.coordinate[axis] = next;
            self.cursor.offset = self.cursor.offset.wrapping_add(now.place.wrapping_sub(before));
            if !carries {
                return;
            }
        }
    }
}

impl AxisPlace {
    /// The axis at a coordinate.
    fn at(layout: &Layout, axis: usize, index: usize) -> Self {
        let mut new = Self { place: 0, stride: 0, left: 0 };
        let extent = layout.extents[axis];
        for digit in layout.digits().iter().filter(|digit| digit.axis == axis) {
            new.place = new.place.wrapping_add(digit.place(index, extent));
            if digit.weight == 1 && digit.size > 1 {
                new.stride = digit.stride as usize;
                new.left = digit.size - 1 - digit.value(index, extent);
            }
        }
        new
    }
}
