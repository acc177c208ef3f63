//! Uniqueness: whether coordinates share offsets, and whether they leave gaps.

use crate::algebra::{AxisDigits, Digit};
use crate::layout::Layout;

impl Layout {
    /// Whether no two coordinates share an offset.
    ///
    /// Law: `a != b` implies `offset(a) != offset(b)`.
    pub const fn is_unique(&self) -> bool {
        self.shared_axis().is_none()
    }

    /// An axis along which coordinates share elements, if there is one.
    pub(crate) const fn shared_axis(&self) -> Option<char> {
        if self.count() == 0 {
            return None;
        }
        // Every layout is open, so only digits of stride 0 share elements, where the axis has two
        // values of them beside the same other digits.
        let mut i = 0;
        while i < self.digit_count {
            let Digit { axis, size, stride, .. } = self.digits[i];
            if stride == 0 && size > 1 && !AxisDigits::of(self, axis).is_unique() {
                return Some(self.letters().at(axis));
            }
            i += 1;
        }
        None
    }

    /// Whether the coordinates reach every offset of the storage: no padding and no gaps.
    ///
    /// Law: each offset below `length` is that of some coordinate.
    pub const fn is_exhaustive(&self) -> bool {
        // What follows comes to the same where no coordinates share an offset, for all values of each
        // axis are distinct then: only a short cut, since most layouts are looked at at run time.
        if self.is_unique() {
            return self.count() == self.length;
        }
        let (rank, mut reached) = (self.rank(), 1usize);
        let mut i = 0;
        while i < rank {
            reached = reached.saturating_mul(AxisDigits::of(self, i).distinct());
            i += 1;
        }
        self.length == 0 || reached == self.length
    }
}

impl AxisDigits {
    /// Whether no two coordinates differ in nothing but digits of stride 0.
    const fn is_unique(&self) -> bool {
        self.distinct() == self.extent
    }

    /// How many different places the coordinates have.
    pub(in crate::algebra) const fn distinct(&self) -> usize {
        let (top, block) = (self.count - 1, self.block());
        let end = self.shift + self.extent;
        if self.extent < 2 {
            return self.extent;
        }
        // The end of a block, whole ones, and the beginning of one.
        let whole = (end - 1) / block - 1;
        let rest = end - (whole + 1) * block;
        if self.strides[top] != 0 {
            let ends =
                self.distinct_below(top, 0, self.shift) + self.distinct_below(top, rest, block);
            ends + whole * self.distinct_below(top, block, block)
        } else if whole > 0 {
            self.distinct_below(top, block, block)
        } else {
            self.distinct_below(top, rest, self.shift)
        }
    }

    /// How many different places the positions have, in a block of the digits below `count`, that
    /// are below `end` or from `start` on.
    const fn distinct_below(&self, count: usize, end: usize, start: usize) -> usize {
        let mut block = 1;
        let mut full = 1;
        let mut i = 0;
        while i < count {
            block *= self.sizes[i];
            if self.strides[i] != 0 {
                full *= self.sizes[i];
            }
            i += 1;
        }
        if end >= start {
            return full;
        }
        if end == 0 && start == block {
            return 0;
        }
        // Where there is no digit left, the block is one position, which was either of these.
        let top = count - 1;
        let (size, below) = (self.sizes[top], block / self.sizes[top]);
        let (last, first) = (end / below, start / below);
        let (end, start) = (end % below, start % below);
        // A value all of whose positions are there.
        let all = last + (size - first) - (start > 0) as usize;
        let full = if self.strides[top] != 0 { full / size } else { full };
        if self.strides[top] == 0 {
            return match all {
                0 => self.distinct_below(top, end, if start > 0 { start } else { below }),
                _ => full,
            };
        }
        if last == first && end > 0 && start > 0 {
            return all * full + self.distinct_below(top, end, start);
        }
        let mut distinct = all * full;
        if end > 0 {
            distinct += self.distinct_below(top, end, below);
        }
        if start > 0 {
            distinct += self.distinct_below(top, 0, start);
        }
        distinct
    }
}
