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
/// one another.
#[derive(Clone, Debug)]
pub struct Coordinates<const RANK: usize>(MemoryOrder);

impl<const RANK: usize> Coordinates<RANK> {
    /// The coordinates of `layout`.
    ///
    /// # Panics
    /// If the layout has another rank.
    pub const fn new(layout: Layout) -> Self {
        assert!(layout.rank() == RANK, "the layout has another rank than its coordinates");
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

/// Where a walk through all coordinates of a layout is.
#[derive(Clone, Debug)]
pub struct Cursor {
    layout: Layout,
    coordinate: [usize; MAX_RANK],
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
        (self.left > 0).then(|| (&self.coordinate[..self.layout.rank()], self.offset))
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
        while self.padded && self.cursor.left > 0 && self.is_padding() {
            self.step();
        }
    }

    const fn is_padding(&self) -> bool {
        let mut axis = 0;
        while axis < self.cursor.layout.rank() {
            if self.cursor.coordinate[axis] >= self.cursor.layout.extents[axis] {
                return true;
            }
            axis += 1;
        }
        false
    }

    /// Steps to the next digits, padding or not.
    #[inline]
    const fn step(&mut self) {
        let mut i = self.cursor.layout.digit_count;
        while i > 0 {
            i -= 1;
            let Digit { axis, size, weight, stride, .. } = self.cursor.layout.digits[i];
            let up = if stride < 0 { weight.wrapping_neg() } else { weight };
            let distance = stride.unsigned_abs();
            let value = self.values[i];
            let coordinate = self.cursor.coordinate[axis];
            if value + 1 < size {
                self.values[i] = value + 1;
                self.cursor.coordinate[axis] = coordinate.wrapping_add(up);
                self.cursor.offset = self.cursor.offset.wrapping_add(distance);
                return;
            }
            self.values[i] = 0;
            self.cursor.coordinate[axis] = coordinate.wrapping_sub(up.wrapping_mul(value));
            self.cursor.offset = self.cursor.offset.wrapping_sub(distance.wrapping_mul(value));
        }
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
