//! All coordinates of a layout, in memory order or in coordinate order, one evenly spaced run at a time.
//!
//! In memory order, a step adds up what changes, as a loop nest does, and computes no offset anew. In coordinate
//! order, runs are steps of one stride along the last axis.

use core::iter::FusedIterator;

use super::offset::lowest;
use crate::layout::{After, Digit, Digits, Layout, distance};
use crate::spec::{MAX_FACTORS, MAX_RANK, least};

/// Iterates over the coordinates of a layout from the lowest offset to the highest, without padding.
///
/// If strides interleave (`[3, 2]` over extents `[2, 3]`), no loop nest has the order of offsets. Then the axis of the
/// largest stride is the slowest. Coordinates that share an element follow one another. The order ignores swizzles.
#[derive(Clone, Debug)]
pub struct Coordinates<const RANK: usize>(MemoryOrder);

impl<const RANK: usize> Coordinates<RANK> {
    /// Returns an iterator over the coordinates of `layout`.
    ///
    /// # Panics
    /// If the rank of the layout is not `RANK`.
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
    rank: usize,
    after: After,
    coordinate: [usize; MAX_RANK],
    /// The offset without the swizzle.
    offset: usize,
    /// The number of coordinates left, this one included.
    left: usize,
}

impl Cursor {
    /// The number of coordinates left.
    pub const fn left(&self) -> usize {
        self.left
    }

    /// The coordinate and its offset, or `None` at the end.
    #[inline]
    pub fn current(&self) -> Option<(&[usize], usize)> {
        let offset = self.after.apply(self.offset);
        (self.left > 0).then(|| (&self.coordinate[..self.rank], offset))
    }
}

/// Coordinates that differ on one axis and are evenly spaced in memory.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The axis.
    pub axis: usize,
    /// The increment of the coordinate for each step. It wraps if the step goes backward.
    pub up: usize,
    /// The increment of the offset for each step. It wraps if the step goes backward.
    pub stride: usize,
    /// The number of coordinates.
    pub length: usize,
}

impl Run {
    /// One coordinate.
    pub const ONE: Self = Self { axis: 0, up: 0, stride: 0, length: 1 };
}

/// [`Coordinates`] of a layout whose rank is not part of the type, with their offsets.
#[derive(Clone, Debug)]
pub struct MemoryOrder {
    /// The coordinate wraps in padding before coordinate 0 of an axis.
    pub cursor: Cursor,
    digits: Digits,
    extents: [usize; MAX_RANK],
    /// The digits of the coordinate, counted from the lowest offset.
    values: [usize; MAX_FACTORS],
    /// Whether digits may be those of padding.
    padded: bool,
}

impl MemoryOrder {
    /// Starts at the first coordinate.
    pub const fn new(layout: Layout) -> Self {
        let (mut coordinate, mut extents, rank) = ([0; MAX_RANK], [0; MAX_RANK], layout.rank());
        let is_shifted = layout.has_shift();
        each!(i, 0..rank, {
            extents[i] = layout.extent(i);
            if is_shifted {
                coordinate[i] = layout.stored(i).shift.wrapping_neg();
            }
        });
        let (digits, mut positions) = (layout.digits(), 1usize);
        each!(i, 0..digits.count, {
            let Digit { axis, size, weight, stride, .. } = digits.list[i];
            // One call, and `saturating_mul` makes four.
            let (product, overflows) = positions.overflowing_mul(size);
            positions = if overflows { usize::MAX } else { product };
            if stride < 0 {
                // The highest value has the lowest offset.
                let above = size.wrapping_sub(1).wrapping_mul(weight);
                coordinate[axis] = coordinate[axis].wrapping_add(above);
            }
        });
        let (left, offset) = (layout.numel(), lowest(layout.base(), &digits) as usize);
        let cursor = Cursor { rank, after: layout.buffer.after, coordinate, offset, left };
        let (values, padded) = ([0; MAX_FACTORS], positions != left);
        let mut new = Self { cursor, digits, extents, values, padded };
        new.skip_padding();
        new
    }

    /// Moves to the next coordinate. There must be a current one.
    #[inline]
    pub const fn advance(&mut self) {
        self.cursor.left -= 1;
        self.step();
        self.skip_padding();
    }

    /// The run of coordinates that the fastest digit counts, beginning with this one. There must be a current one.
    pub const fn run(&self) -> Run {
        let Cursor { after, coordinate, .. } = &self.cursor;
        let Some(i) = self.fastest_digit() else { return Run::ONE };
        let Digit { axis, size, weight, stride, .. } = self.digits.list[i];
        let up = self.digits.list[i].up();
        // A swizzle does not keep even spaces.
        let mut length = if after.is_nothing() { size - self.values[i] } else { 1 };
        if self.padded {
            // Down to coordinate 0, or up to the extent.
            let inside = match stride < 0 {
                true => coordinate[axis] / weight + 1,
                false => (self.extents[axis] - coordinate[axis]).div_ceil(weight),
            };
            length = least(length, inside);
        }
        Run { axis, up, stride: distance(stride), length }
    }

    /// Moves to the coordinate after a [`run`](Self::run).
    pub const fn skip(&mut self, run: &Run) {
        // Of more coordinates than a number counts, a run may be all that are left to count.
        let steps = least(run.length, self.cursor.left) - 1;
        if let Some(i) = self.fastest_digit() {
            self.values[i] += steps;
            let index = self.cursor.coordinate[run.axis];
            self.cursor.coordinate[run.axis] = index.wrapping_add(run.up.wrapping_mul(steps));
            let distance = run.stride.wrapping_mul(steps);
            self.cursor.offset = self.cursor.offset.wrapping_add(distance);
        }
        self.cursor.left -= steps;
        self.advance();
    }

    /// The fastest digit of several values, if there is one.
    const fn fastest_digit(&self) -> Option<usize> {
        each!(rev i, 0..self.digits.count, {
            if self.digits.list[i].size > 1 {
                return Some(i);
            }
        });
        None
    }

    #[inline]
    const fn skip_padding(&mut self) {
        // After the last coordinate comes the first.
        while self.padded {
            let Some(axis) = self.padded_axis() else { return };
            self.leave_padding(axis);
        }
    }

    /// An axis whose extent the coordinate exceeds.
    const fn padded_axis(&self) -> Option<usize> {
        each!(axis, 0..self.cursor.rank, {
            if self.cursor.coordinate[axis] >= self.extents[axis] {
                return Some(axis);
            }
        });
        None
    }

    /// Goes on to the next digits with which an axis may be inside again, in one step however many lie between.
    ///
    /// While the slowest digits of the axis stay as they are, the others add between nothing and all that they have.
    /// Where all of that is outside, the last of those slowest digits has to count up: as far as the rest is away, or
    /// past its end where it goes the other way.
    ///
    /// Of an axis in blocks of 4 by 2, from 5 on, digits 0, 0 stand at -5 and the faster one adds at most 1. The slower
    /// one counts by 2: two steps lead to -1, which the faster one makes 0.
    const fn leave_padding(&mut self, axis: usize) {
        let (digits, extents) = (&self.digits, &self.extents);
        let (mut low, mut high) = (0i128, 0i128);
        each!(i, 0..digits.count, {
            if digits.list[i].axis == axis {
                low = -(digits.list[i].shift as i128);
                high += (digits.list[i].size as i128 - 1) * digits.list[i].weight as i128;
            }
        });
        high += low;
        each!(i, 0..digits.count, {
            let Digit { size, weight, stride, .. } = digits.list[i];
            if digits.list[i].axis == axis {
                let (most, weight, value) =
                    (size as i128 - 1, weight as i128, self.values[i] as i128);
                let above = if stride < 0 { most - value } else { value };
                (low, high) = (low + above * weight, high - (most - above) * weight);
                let is_below = high < 0;
                if is_below || low >= extents[axis] as i128 {
                    let away = if is_below { -high } else { low - extents[axis] as i128 + 1 };
                    let steps = (away + weight - 1) / weight;
                    // The slower digits allow a value inside, so `steps` lead to one where they go the right way.
                    let leads_inside = is_below == (stride >= 0);
                    return self.count_up(i, if leads_inside { steps as usize } else { 0 });
                }
            }
        });
    }

    /// Counts a digit up by `steps`, or by 0 the one before it; the faster ones begin anew.
    const fn count_up(&mut self, digit: usize, steps: usize) {
        if steps == 0 {
            return self.step_from(digit);
        }
        let Digit { axis, stride, .. } = self.digits.list[digit];
        let up = self.digits.list[digit].up();
        let more = steps - 1;
        self.values[digit] += more;
        self.cursor.coordinate[axis] =
            self.cursor.coordinate[axis].wrapping_add(up.wrapping_mul(more));
        let distance = distance(stride).wrapping_mul(more);
        self.cursor.offset = self.cursor.offset.wrapping_add(distance);
        self.step_from(digit + 1);
    }

    /// Moves to the next digits, padding or not.
    #[inline]
    const fn step(&mut self) {
        self.step_from(self.digits.count);
    }

    /// Counts up the slowest `count` digits, as one number. The others restart at 0.
    #[inline]
    const fn step_from(&mut self, count: usize) {
        let mut i = self.digits.count;
        while i > count {
            i -= 1;
            self.begin(i);
        }
        while i > 0 {
            i -= 1;
            let Digit { axis, size, stride, .. } = self.digits.list[i];
            let up = self.digits.list[i].up();
            let distance = distance(stride);
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
        let Digit { axis, stride, .. } = self.digits.list[i];
        let up = self.digits.list[i].up();
        let (value, coordinate) = (self.values[i], self.cursor.coordinate[axis]);
        self.values[i] = 0;
        self.cursor.coordinate[axis] = coordinate.wrapping_sub(up.wrapping_mul(value));
        let distance = distance(stride).wrapping_mul(value);
        self.cursor.offset = self.cursor.offset.wrapping_sub(distance);
    }
}

/// The evenly spaced coordinates along the last axis of a layout.
#[derive(Clone, Copy, Debug)]
pub struct LastAxis {
    extent: usize,
    /// The increment of the offset for each step. It wraps if the stride is negative.
    pub stride: usize,
    /// The number of coordinates in a run, and the position of coordinate 0 in its run.
    block: usize,
    shift: usize,
}

impl LastAxis {
    /// The last axis of `layout`, or a single coordinate if it has no axes.
    pub const fn of(layout: &Layout) -> Self {
        match layout.rank() {
            0 => Self { extent: 1, stride: 0, block: usize::MAX, shift: 0 },
            rank => Self::at(layout, rank - 1),
        }
    }

    /// The axis at this position.
    pub const fn at(layout: &Layout, position: usize) -> Self {
        let extent = layout.extent(position);
        let mut new = Self { extent, stride: 0, block: usize::MAX, shift: 0 };
        if layout.swizzle().is_some() {
            // With a swizzle, two coordinates need not be evenly spaced.
            new.block = 1;
            return new;
        }
        let stored = layout.stored(position);
        let size = stored.size(0);
        if size > 1 {
            new.stride = stored.stride(0) as usize;
            if stored.shift.saturating_add(extent) > size {
                (new.block, new.shift) = (size, stored.shift);
            }
        }
        new
    }

    /// The number of evenly spaced coordinates from `from` on, which must be the start of a run.
    #[inline(always)]
    pub const fn run(&self, from: usize) -> usize {
        // An axis without blocks has one run, which begins at 0.
        if self.block == usize::MAX { self.extent } else { self.run_from(from) }
    }

    /// The number of evenly spaced coordinates from `from` on.
    #[inline(always)]
    pub const fn run_from(&self, from: usize) -> usize {
        if self.block == usize::MAX {
            return self.extent - from;
        }
        let in_block = self.block - (from + self.shift) % self.block;
        least(in_block, self.extent - from)
    }
}
