//! The effect of a swizzle on the range of offsets of a layout.

use core::ops::Range;

use crate::layout::Layout;

/// The largest number of offsets, and of groups of offsets, that are checked one by one.
const MOST: usize = 4096;

impl Layout {
    /// The range of the swizzled offsets of coordinates. Without the swizzle, they are from `first` to `last`.
    ///
    /// **Statement.** The end of the result is exact if a coordinate has one of the highest 4096 offsets that are
    /// checked. Otherwise it is higher than the exact end. The start is at most the lowest offset.
    ///
    /// **Reason.** A swizzle maps each aligned block of `2^(M + B)` offsets to itself, or of `2^(M + |S| + B)` offsets
    /// if `S` is negative, so the last offset is in the block of `last`. It keeps the order inside a group of `2^M`.
    pub(super) const fn swizzled_range(&self, first: usize, last: usize) -> Range<usize> {
        let Some(swizzle) = self.swizzle else { return first..last + 1 };
        let (block, group) = (swizzle.block(), 1 << swizzle.base());
        let start = last / block * block;
        let linear = self.linear();
        let mut end = start.saturating_add(block);
        let mut left = MOST;
        while end > start && left > 0 {
            left -= 1;
            let own = swizzle.apply(end - group);
            let (low, high) = (greatest(own, first), least(own + group - 1, last));
            let mut offset = high;
            while offset >= low && left > 0 {
                left -= 1;
                if linear.coordinate(offset).is_some() {
                    return first / block * block..swizzle.apply(offset) + 1;
                }
                if offset == 0 {
                    break;
                }
                offset -= 1;
            }
            if left > 0 {
                end -= group;
            }
        }
        first / block * block..end
    }

    /// Whether the swizzle moves all elements by the same distance. True without a swizzle.
    pub(super) const fn is_moved_as_one(&self) -> bool {
        let Some(swizzle) = self.swizzle else { return true };
        let Range { start, end } = self.linear().range();
        let group = 1 << swizzle.base();
        let distance = swizzle.apply(start).wrapping_sub(start);
        let (mut at, mut left) = (start / group * group, MOST);
        while at < end {
            if left == 0 || swizzle.apply(at).wrapping_sub(at) != distance {
                return false;
            }
            (at, left) = (at.saturating_add(group), left - 1);
        }
        true
    }
}

const fn least(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

const fn greatest(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}
