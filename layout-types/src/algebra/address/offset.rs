//! From a coordinate to its offset and back.

use crate::layout::Digit;
use crate::layout::Layout;
use crate::spec::{LayoutError, MAX_FACTORS, MAX_RANK, PerAxis, Rule};

impl Layout {
    /// The offset of `coordinate`, in elements.
    ///
    /// Law: the offset where all digits are 0, plus the sum over all digits of
    /// `(coordinate[axis] + shift) / weight % size * stride`, swizzled where the layout has a swizzle.
    ///
    /// # Panics
    /// With debug assertions, if the coordinate has another rank or lies outside the extents.
    /// Without them, if it has too few indices; else the offset is meaningless then.
    // Of a constant layout what is left is the arithmetic with literals.
    #[inline]
    #[track_caller]
    pub const fn offset(&self, coordinate: &[usize]) -> usize {
        if cfg!(debug_assertions) {
            if let Err(error) = self.check_coordinate(coordinate) {
                error.panic()
            }
        }
        let mut offset = self.base;
        let mut i = 0;
        while i < self.digit_count {
            let digit = &self.digits[i];
            let place = digit.place(coordinate[digit.axis], self.extents[digit.axis]);
            offset = offset.wrapping_add(place);
            i += 1;
        }
        self.swizzled(offset)
    }

    /// The offset of `coordinate`, or an error that names the axis it leaves.
    pub const fn checked_offset(&self, coordinate: &[usize]) -> Result<usize, LayoutError> {
        match self.check_coordinate(coordinate) {
            Ok(()) => Ok(self.offset(coordinate)),
            Err(error) => Err(error),
        }
    }

    pub(crate) const fn check_coordinate(&self, coordinate: &[usize]) -> Result<(), LayoutError> {
        if coordinate.len() != self.rank() {
            let (axes, given) = (self.letters, coordinate.len());
            return Err(LayoutError(Rule::CoordinateCount { axes, given }));
        }
        let mut i = 0;
        while i < coordinate.len() {
            if coordinate[i] >= self.extents[i] {
                return Err(LayoutError(Rule::Coordinate {
                    letter: self.letters.at(i),
                    extent: self.extents[i],
                    coordinate: coordinate[i],
                }));
            }
            i += 1;
        }
        Ok(())
    }

    /// The coordinate that lies at `offset`, or `None` for padding and past the end.
    ///
    /// It takes a step for each digit where strides nest, each larger than all faster digits span together.
    /// Where they interleave it tries several values, some ten thousand steps at most: no more than twice
    /// those that showed that coordinates share no offset.
    ///
    /// Law: `coordinate(offset(c)) == c` for every coordinate of a unique layout; where
    /// coordinates share the offset, the lowest of them on each axis. Of [`windows`](Self::windows) that overlap
    /// it is any of them, and `None` where 20000 steps find none.
    pub const fn coordinate(&self, offset: usize) -> Option<PerAxis<usize>> {
        // A swizzle is its own inverse.
        let above = (self.swizzled(offset) as isize).wrapping_sub(self.lowest());
        if self.count() == 0 || above < 0 || offset >= self.length {
            return None;
        }
        let spans = self.spans();
        // Digits in turn, each as large as what is left allows. A smaller value is tried only
        // where the faster digits can make up for it, which takes strides that interleave. The values
        // tried, less those of one of them, are differences that `properties/aliasing.rs` tried too.
        let mut values = [0usize; MAX_FACTORS];
        let mut left = [0usize; MAX_FACTORS + 1];
        left[0] = above as usize;
        let mut level = 0;
        let mut back = false;
        let mut steps = 0;
        loop {
            steps += 1;
            if self.overlapping && steps > 20_000 {
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
            } else if level == self.digit_count {
                if left[level] == 0 {
                    if let Some(coordinate) = self.joined(&values) {
                        return Some(PerAxis::new(coordinate, self.rank()));
                    }
                }
                back = true;
                continue;
            } else {
                let digit = &self.digits[level];
                values[level] = match digit.stride.unsigned_abs() {
                    0 => 0,
                    stride if left[level] / stride < digit.size => left[level] / stride,
                    _ => digit.size - 1,
                };
            }
            let rest = left[level] - values[level] * self.digits[level].stride.unsigned_abs();
            back = rest > spans[level + 1];
            if !back {
                level += 1;
                left[level] = rest;
            }
        }
    }

    /// Where all digits are as low as they go. No coordinate may have these, and then it need not
    /// lie in the buffer.
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

    /// What the digits from each one on span together.
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

    /// The coordinate with these digits, which count upwards from the lowest address, or `None`
    /// if it is padding.
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

    /// The lowest position of an axis from `from` on that has the digits of `position`, where those
    /// of stride 0, which are 0 there, may be others; `None` if there is none.
    const fn raised(&self, axis: usize, position: usize, from: usize) -> Option<usize> {
        if position >= from {
            return Some(position);
        }
        // It has the digits of `from` from the slowest on, as far down as can be, then a larger one,
        // and below that the lowest.
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
