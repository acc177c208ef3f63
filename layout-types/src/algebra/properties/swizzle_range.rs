//! What a swizzle does to the offsets from the first of a layout to the last.

use core::ops::Range;

use crate::layout::Layout;

/// The most offsets, and groups of offsets, that are looked at one by one.
const MOST: usize = 4096;

impl Layout {
    /// The range of the offsets of coordinates, which reach from `first` to `last` without the swizzle.
    ///
    /// **Statement.** The end is exact unless none of 4096 offsets below it is that of a coordinate; then it is
    /// after them. The start is at most the lowest offset.
    ///
    /// **Reason.** A swizzle keeps each aligned block of `2^(M + B)` offsets together, or `2^(M + |S| + B)` where
    /// `S` is negative, so the last offset is in the block of `last`. It keeps groups of `2^M` in order.
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

    /// Whether the swizzle moves all elements as far, from the first to the last: true without one.
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
