//! From a coordinate to its offset and back.

use crate::layout::Digit;
use crate::layout::Layout;
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
        let mut offset = self.base;
        let mut i = 0;
        while i < self.digit_count {
            offset = offset.wrapping_add(self.place_of_digit(i, coordinate));
            i += 1;
        }
        self.swizzled(offset)
    }

    /// What the digit at this position adds to the offset of `coordinate`. It wraps, as [`Digit::place`] does.
    ///
    /// [`Digit::place`]: crate::Digit::place
    #[doc(hidden)]
    #[inline(always)]
    pub const fn place_of_digit(&self, i: usize, coordinate: &[usize]) -> usize {
        let digit = &self.digits[i];
        digit.place(coordinate[digit.axis], self.extents[digit.axis])
    }

    /// Returns the offset of `coordinate`, in elements.
    ///
    /// # Errors
    /// - The coordinate does not have one index for each axis.
    /// - An index is not below its extent. The error names the axis.
    pub const fn checked_offset(&self, coordinate: &[usize]) -> Result<usize, LayoutError> {
        match self.check_coordinate(coordinate) {
            Ok(()) => Ok(self.offset(coordinate)),
            Err(error) => Err(error),
        }
    }

    pub(crate) const fn check_coordinate(&self, coordinate: &[usize]) -> Result<(), LayoutError> {
        if self.contains(coordinate) {
            return Ok(());
        }
        Err(LayoutError(match self.outside(coordinate) {
            Some(broken::Coordinate { letter, extent, coordinate }) => {
                Rule::Coordinate { letter, extent, coordinate }
            }
            None => Rule::CoordinateCount { axes: self.letters, given: coordinate.len() },
        }))
    }

    /// Whether the coordinate has one index for each axis, below its extent.
    const fn contains(&self, coordinate: &[usize]) -> bool {
        let mut inside = coordinate.len() == self.rank();
        let mut i = 0;
        while inside && i < coordinate.len() {
            inside = coordinate[i] < self.extents[i];
            i += 1;
        }
        inside
    }

    /// The first index that is not below its extent, unless the number of indices is wrong.
    #[cold]
    const fn outside(&self, coordinate: &[usize]) -> Option<broken::Coordinate> {
        let mut i = 0;
        while coordinate.len() == self.rank() && i < coordinate.len() {
            let (letter, extent, coordinate) = (self.letters.at(i), self.extents[i], coordinate[i]);
            if coordinate >= extent {
                return Some(broken::Coordinate { letter, extent, coordinate });
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
                let (axes, given) = (self.letters, coordinate.len());
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
        Inverse::of(self).coordinate(offset)
    }

    /// The offset of the lowest value of every digit. It may belong to no coordinate, and may then be outside the
    /// buffer.
    pub(in crate::algebra) const fn lowest(&self) -> isize {
        let mut lowest = self.base as isize;
        let mut i = 0;
        while i < self.digit_count {
            let digit = &self.digits[i];
            if digit.stride < 0 {
                let steps = digit.size.saturating_sub(1) as isize;
                lowest = lowest.wrapping_add(steps.wrapping_mul(digit.stride));
            }
            i += 1;
        }
        lowest
    }

    /// The span of the digits from each one on.
    const fn spans(&self) -> [usize; MAX_FACTORS + 1] {
        let mut spans = [0usize; MAX_FACTORS + 1];
        let mut i = self.digit_count;
        while i > 0 {
            i -= 1;
            let digit = &self.digits[i];
            spans[i] = spans[i + 1] + (digit.size - 1) * digit.stride.unsigned_abs();
        }
        spans
    }

    /// The coordinate with these digits, which count from the lowest offset. `None` if it is padding.
    const fn joined(&self, values: &[usize; MAX_FACTORS]) -> Option<[usize; MAX_RANK]> {
        let mut coordinate = [0; MAX_RANK];
        let mut shift = [0; MAX_RANK];
        let mut i = 0;
        while i < self.digit_count {
            let digit = &self.digits[i];
            shift[digit.axis] = digit.shift;
            let value = if digit.stride < 0 { digit.size - 1 - values[i] } else { values[i] };
            coordinate[digit.axis] += value * digit.weight;
            i += 1;
        }
        let mut i = 0;
        while i < self.rank() {
            let position = match self.raised(i, coordinate[i], shift[i]) {
                Some(position) if position - shift[i] < self.extents[i] => position,
                _ => return None,
            };
            coordinate[i] = position - shift[i];
            i += 1;
        }
        Some(coordinate)
    }

    /// The lowest position of an axis, at least `from`, that has the digits of `position`. Its digits of stride 0,
    /// which are 0 in `position`, may have any value. `None` if there is none.
    const fn raised(&self, axis: usize, position: usize, from: usize) -> Option<usize> {
        if position >= from {
            return Some(position);
        }
        // The result has the same slowest digits as `from`, as many of them as possible, then one larger digit, and
        // below it the lowest digits.
        let mut lowest = None;
        let mut same = 0;
        let mut weight = usize::MAX;
        while let Some(digit) = self.slowest_below(axis, weight) {
            weight = digit.weight;
            let (own, wanted) = (position / weight % digit.size, from / weight % digit.size);
            let (above, below) = (same, position % weight);
            if digit.stride == 0 {
                if wanted + 1 < digit.size {
                    lowest = Some(above + (wanted + 1) * weight + below);
                }
            } else if own > wanted {
                return Some(above + own * weight + below);
            } else if own < wanted {
                return lowest;
            }
            same = above + wanted * weight;
        }
        Some(same)
    }

    /// The digit of an axis with the largest weight below this one.
    const fn slowest_below(&self, axis: usize, weight: usize) -> Option<&Digit> {
        let mut slowest: Option<&Digit> = None;
        let mut i = 0;
        while i < self.digit_count {
            let digit = &self.digits[i];
            let slower = match slowest {
                Some(other) => digit.weight > other.weight,
                None => true,
            };
            if digit.axis == axis && digit.weight < weight && slower {
                slowest = Some(digit);
            }
            i += 1;
        }
        slowest
    }
}

/// A layout, and what its offsets have in common, found once for the coordinates of many of them.
struct Inverse<'a> {
    layout: &'a Layout,
    lowest: isize,
    spans: [usize; MAX_FACTORS + 1],
    is_empty: bool,
}

impl<'a> Inverse<'a> {
    const fn of(layout: &'a Layout) -> Self {
        match layout.numel() {
            0 => Self { layout, lowest: 0, spans: [0; MAX_FACTORS + 1], is_empty: true },
            _ => Self { layout, lowest: layout.lowest(), spans: layout.spans(), is_empty: false },
        }
    }

    /// The coordinate of the element at `offset`: [`Layout::coordinate`].
    const fn coordinate(&self, offset: usize) -> Option<PerAxis<usize>> {
        let Self { layout, lowest, spans, .. } = self;
        // A swizzle is its own inverse.
        let above = (layout.swizzled(offset) as isize).wrapping_sub(*lowest);
        if self.is_empty || above < 0 || offset >= layout.length {
            return None;
        }
        // Each digit in turn gets the largest value that the rest of the offset allows. A smaller value is tried only
        // if the faster digits can reach the rest, which needs strides that interleave. The differences between the
        // values tried and one of them are also tried in `properties/aliasing.rs`.
        let mut values = [0usize; MAX_FACTORS];
        let mut left = [0usize; MAX_FACTORS + 1];
        left[0] = above as usize;
        let mut level = 0;
        let mut back = false;
        let mut steps = 0;
        loop {
            steps += 1;
            if layout.overlapping && steps > 20_000 {
                return None;
            }
            if back {
                if level == 0 {
                    return None;
                }
                level -= 1;
                if values[level] == 0 {
                    continue;
                }
                values[level] -= 1;
            } else if level == layout.digit_count {
                if left[level] == 0 {
                    if let Some(coordinate) = layout.joined(&values) {
                        return Some(PerAxis::new(coordinate, layout.rank()));
                    }
                }
                back = true;
                continue;
            } else {
                let digit = &layout.digits[level];
                values[level] = match digit.stride.unsigned_abs() {
                    0 => 0,
                    stride if left[level] / stride < digit.size => left[level] / stride,
                    _ => digit.size - 1,
                };
            }
            let rest = left[level] - values[level] * layout.digits[level].stride.unsigned_abs();
            back = rest > spans[level + 1];
            if !back {
                level += 1;
                left[level] = rest;
            }
        }
    }
}
