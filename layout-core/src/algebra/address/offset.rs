//! From a coordinate to its offset and back.

use crate::algebra::axis::ranges::Ranges;
use crate::algebra::axis::sums::Sums;
use crate::layout::{Digit, Digits, Layout, StoredAxis};
use crate::spec::{LayoutError, MAX_FACTORS, MAX_RANK, PerAxis, Rule, broken};

impl Layout {
    /// Returns the offset of `coordinate`, in elements.
    ///
    /// Law: the offset of all digits 0, plus the sum over all digits of
    /// `(coordinate[axis] + shift) / weight % size * stride`. A swizzle is applied to the result.
    ///
    /// # Panics
    /// If the coordinate has too few indices. With debug assertions, also if it has too many, or if an index is not
    /// below its extent. Without them, the result is meaningless in these cases.
    // For a constant layout, only arithmetic with literals is left.
    #[inline]
    #[track_caller]
    pub const fn offset(&self, coordinate: &[usize]) -> usize {
        if cfg!(debug_assertions) && !self.contains(coordinate) {
            self.refuse(coordinate)
        }
        self.unchecked_offset(coordinate)
    }

    /// [`offset`](Self::offset) without its checks, for a coordinate that is inside the extents.
    #[doc(hidden)]
    #[inline]
    pub const fn unchecked_offset(&self, coordinate: &[usize]) -> usize {
        self.buffer.after.apply(self.sum(coordinate))
    }

    /// Returns the offset of `coordinate`, in elements.
    ///
    /// # Errors
    /// - The coordinate does not have one index for each axis.
    /// - An index is not below its extent. The error names the axis.
    pub const fn checked_offset(&self, coordinate: &[usize]) -> Result<usize, LayoutError> {
        ok!(self.check_coordinate(coordinate));
        Ok(self.offset(coordinate))
    }

    pub(crate) const fn check_coordinate(&self, coordinate: &[usize]) -> Result<(), LayoutError> {
        if self.contains(coordinate) {
            return Ok(());
        }
        Err(LayoutError(match self.outside(coordinate) {
            Some(broken::Coordinate { axes, letter, extent, coordinate }) => {
                Rule::Coordinate { axes, letter, extent, coordinate }
            }
            None => Rule::CoordinateCount { axes: self.letters(), given: coordinate.len() },
        }))
    }

    /// Whether the coordinate has one index for each axis, below its extent.
    const fn contains(&self, coordinate: &[usize]) -> bool {
        let mut inside = coordinate.len() == self.rank();
        let mut i = 0;
        while inside && i < coordinate.len() {
            inside = coordinate[i] < self.extent(i);
            i += 1;
        }
        inside
    }

    /// The first index that is not below its extent, unless the number of indices is wrong.
    #[cold]
    const fn outside(&self, coordinate: &[usize]) -> Option<broken::Coordinate> {
        let mut i = 0;
        while coordinate.len() == self.rank() && i < coordinate.len() {
            let (letter, extent, coordinate) =
                (self.letters().at(i), self.extent(i), coordinate[i]);
            if coordinate >= extent {
                let axes = self.letters();
                return Some(broken::Coordinate { axes, letter, extent, coordinate });
            }
            i += 1;
        }
        None
    }

    /// Panics because the coordinate is not one of the layout.
    #[cold]
    #[inline(never)]
    #[track_caller]
    const fn refuse(&self, coordinate: &[usize]) -> ! {
        match self.outside(coordinate) {
            Some(outside) => outside.panic(),
            None => {
                let (axes, given) = (self.letters(), coordinate.len());
                broken::CoordinateCount { axes, given }.panic()
            }
        }
    }

    /// Returns the coordinate of the element at `offset`, or `None` if the offset is padding, in a gap or beyond the
    /// end.
    ///
    /// If coordinates share the offset, the result has the lowest index of them on each axis. For overlapping
    /// [`windows`](Self::windows), it is any one of them, or `None` if 20000 steps find none.
    ///
    /// The cost is one step for each digit if strides nest, each larger than the span of all faster digits. If they
    /// interleave, it is some ten thousand steps at most: at most twice the number that proved that no coordinates
    /// share an offset.
    ///
    /// Law: `coordinate(offset(c)) == c` for every coordinate `c` of a unique layout.
    pub const fn coordinate(&self, offset: usize) -> Option<PerAxis<usize>> {
        let digits = self.digits();
        let start = lowest(self.base(), &digits);
        let above = (self.buffer.after.inverse(offset) as isize).wrapping_sub(start);
        if self.numel() == 0 || above < 0 || offset >= self.len() {
            return None;
        }
        let steps = if self.buffer.overlapping { 20_000 } else { usize::MAX };
        let mut sums = Sums::new(digits.as_slice(), Some(above as usize), steps);
        while sums.next() {
            if let Some(coordinate) = self.joined(&digits, &sums.values) {
                return Some(PerAxis::new(coordinate, self.rank()));
            }
        }
        None
    }

    /// The coordinate with these digits, which count from the lowest offset. `None` if it is padding.
    const fn joined(
        &self,
        digits: &Digits,
        values: &[usize; MAX_FACTORS],
    ) -> Option<[usize; MAX_RANK]> {
        let mut coordinate = [0; MAX_RANK];
        each!(i, 0..digits.count, {
            let Digit { axis, size, weight, stride, .. } = digits.list[i];
            let value = if stride < 0 { size - 1 - values[i] } else { values[i] };
            coordinate[axis] += value * weight;
        });
        let (rank, is_shifted) = (self.rank(), self.has_shift());
        each!(axis, 0..rank, {
            if is_shifted {
                let stored = self.stored(axis);
                let Some(position) = raised(&stored, coordinate[axis], stored.shift) else {
                    return None;
                };
                coordinate[axis] = position - stored.shift;
            }
            if coordinate[axis] >= self.extent(axis) {
                return None;
            }
        });
        Some(coordinate)
    }
}

/// The offset of the lowest value of every digit. It may belong to no coordinate, and may then be outside the buffer.
pub(in crate::algebra) const fn lowest(base: usize, digits: &Digits) -> isize {
    let mut lowest = base as isize;
    each!(i, 0..digits.count, {
        let Digit { size, stride, .. } = digits.list[i];
        if stride < 0 {
            lowest = lowest.wrapping_add(stride.wrapping_mul(size.saturating_sub(1) as isize));
        }
    });
    lowest
}

/// The lowest position of an axis, at least `from`, that has the digits of `position`. Its digits of stride 0, which
/// are 0 in `position`, may have any value. `None` if there is none.
const fn raised(axis: &StoredAxis<'_>, position: usize, from: usize) -> Option<usize> {
    if position >= from {
        return Some(position);
    }
    let mut ranges = Ranges::NONE;
    each!(i, 0..axis.blocks + 1, {
        let (size, weight) = (axis.size(i), axis.weight(i));
        let value = position / weight % size;
        match axis.stride(i) {
            0 => ranges.insert(weight, 0, size - 1),
            _ => ranges.insert(weight, value, value),
        }
    });
    match ranges.least_from(from as i128) {
        Some(position) => Some(position as usize),
        None => None,
    }
}
