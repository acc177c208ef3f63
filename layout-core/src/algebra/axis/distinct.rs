//! The number of distinct offsets along an axis.
//!
//! **Statement.** It is the number of distinct combinations of values that the digits of a stride other than 0 have
//! over the positions of the axis.
//!
//! **Reason.** Coordinates that share an offset differ only in digits of stride 0, by the invariant of
//! `properties/aliasing.rs`. So each combination of values of the other digits has one offset. An axis consists of the
//! end of a block, some whole blocks, and the beginning of a block. If the slowest digit has a stride other than 0,
//! the three have no offset in common, and their numbers add up. If its stride is 0, all three are parts of the same
//! block: the positions below the end of the last block and those from the beginning of the first. Counting such two
//! parts of a block is the same question for the faster digits.
//!
//! **Example.** Pairs that share an element, sizes 2, 3 and strides 0, 1, from position 1 to 4: offsets 0 1 1 2. The
//! end of a pair has one element, the whole pair one and the beginning of a pair one: 3 elements for 4 coordinates.

use super::AxisDigits;

impl AxisDigits {
    /// Whether no two coordinates differ only in digits of stride 0.
    pub(in crate::algebra) const fn is_unique(&self) -> bool {
        self.distinct() == self.extent
    }

    /// The number of distinct offsets of the coordinates.
    pub(in crate::algebra) const fn distinct(&self) -> usize {
        let (top, block) = (self.count - 1, self.block());
        let end = self.shift + self.extent;
        if self.extent < 2 {
            return self.extent;
        }
        // The end of a block, whole blocks, and the beginning of a block.
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

    /// The number of distinct offsets in one block of the fastest `count` digits, over the positions that are below
    /// `end` or from `start` on.
    const fn distinct_below(&self, count: usize, end: usize, start: usize) -> usize {
        let mut block = 1;
        let mut full = 1;
        each!(i, 0..count, {
            block *= self.sizes[i];
            if self.strides[i] != 0 {
                full *= self.sizes[i];
            }
        });
        if end >= start {
            return full;
        }
        if end == 0 && start == block {
            return 0;
        }
        // With no digit left, the block is one position, which was one of the cases above.
        let top = count - 1;
        let (size, below) = (self.sizes[top], block / self.sizes[top]);
        let (last, first) = (end / below, start / below);
        let (end, start) = (end % below, start % below);
        // The values all of whose positions are in one of the two parts.
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
