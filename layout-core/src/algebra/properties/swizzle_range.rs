//! The effect of a swizzle on the range of offsets of a layout.

use core::ops::Range;

use crate::layout::Layout;
use crate::spec::{MAX_FACTORS, greatest, least};

/// The largest number of groups, and of offsets at which strides interleave, that are checked one by one.
const MOST: usize = 4096;

/// The largest number of coordinates that are asked for their offsets one by one.
const FEW: usize = 1024;

/// What the search of the coordinate at an offset counts among these, if digits divide offsets, and if they overlap.
const SEARCH: usize = 4;
const LONG_SEARCH: usize = 256;

impl Layout {
    /// The range of the swizzled offsets of coordinates. Without the swizzle, they are from `first` to `last`.
    ///
    /// **Statement.** The end of the result is exact if there are at most 1024 coordinates. Of more, it is exact if one of
    /// the highest offsets is that of a coordinate, as where strides nest: a step is longer than all shorter steps
    /// together. Otherwise it may be higher than the exact end. The start is at most the lowest offset.
    ///
    /// **Reason.** A swizzle maps each aligned block of `2^(M + B)` offsets to itself, or of `2^(M + |S| + B)` offsets
    /// if `S` is negative, so the last offset is in the block of `last`. It keeps the order inside a group of `2^M`.
    /// So groups are asked for their highest offset from the last one on, in the order after the swizzle.
    pub(super) const fn swizzled_range(&self, first: usize, last: usize) -> Range<usize> {
        let Some(swizzle) = self.swizzle() else { return first..last + 1 };
        let (block, group) = (swizzle.block(), 1 << swizzle.base());
        let (start, lowest) = (last / block * block, first / block * block);
        let steps = OffsetSteps::of(self);
        let linear = self.linear();
        let mut end = start.saturating_add(block);
        let mut left = MOST;
        while end > start && left > 0 {
            left -= 1;
            let swizzled = swizzle.apply(end - group);
            let (low, high) = (greatest(swizzled, first), least(swizzled + group - 1, last));
            let mut next = steps.highest(high);
            while let Some(offset) = next {
                if offset < low || left == 0 {
                    break;
                }
                if steps.are_exact {
                    return lowest..swizzle.apply(offset) + 1;
                }
                left = left.saturating_sub(steps.search);
                if linear.coordinate(offset).is_some() {
                    return lowest..swizzle.apply(offset) + 1;
                }
                next = if offset == 0 { None } else { steps.highest(offset - 1) };
            }
            if left > 0 {
                end -= group;
            }
        }
        lowest..if self.numel() <= FEW { self.highest_offset() + 1 } else { end }
    }

    /// The highest offset of a coordinate, found one by one. There must be a coordinate.
    const fn highest_offset(&self) -> usize {
        let mut highest = 0;
        each!(before, 0..self.numel(), {
            highest = greatest(highest, self.offset_of_index(before));
        });
        highest
    }

    /// Whether the swizzle moves all elements by the same distance. True without a swizzle.
    pub(super) const fn is_moved_as_one(&self) -> bool {
        let Some(swizzle) = self.swizzle() else { return true };
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

/// Offsets as steps of ascending length, each taken some times, from the lowest offset that digits of all their values
/// lead to. A ragged axis may have no coordinate there, and then it may be negative.
struct OffsetSteps {
    lowest: i128,
    /// The length of a step and how often it is taken at most.
    list: [(usize, usize); MAX_FACTORS],
    count: usize,
    /// Whether every step is longer than all shorter ones together. If not, nothing is known.
    are_nested: bool,
    /// Whether all choices of steps lead to coordinates. Ragged blocks leave some out.
    are_exact: bool,
    /// The cost of finding out whether an offset is that of a coordinate.
    search: usize,
}

impl OffsetSteps {
    const fn of(layout: &Layout) -> Self {
        let list = [(0, 0); MAX_FACTORS];
        let mut steps = Self {
            // A view that begins inside a block may have no coordinate where all digits are 0; that offset wraps.
            lowest: layout.base() as isize as i128,
            list,
            count: 0,
            are_nested: true,
            are_exact: true,
            search: SEARCH,
        };
        let digits = layout.digits();
        each!(rev i, 0..digits.count, {
            let digit = &digits.list[i];
            if digit.size > 1 && digit.stride != 0 {
                steps.list[steps.count] = (digit.stride.unsigned_abs(), digit.size - 1);
                steps.count += 1;
                if digit.stride < 0 {
                    steps.lowest += digit.stride as i128 * (digit.size - 1) as i128;
                }
            }
        });
        each!(axis, 0..layout.rank(), {
            // The digits count its coordinates and no others.
            let stored = layout.stored(axis);
            steps.are_exact &=
                stored.shift == 0 && stored.extent() % stored.weight(stored.blocks) == 0;
        });
        steps.join();
        steps.are_exact &= steps.are_nested;
        steps
    }

    /// Joins steps with those of a multiple of their length that they reach: windows overlap so. Then finds out whether
    /// the steps nest.
    const fn join(&mut self) {
        let (mut kept, mut covered) = (0, 0usize);
        each!(i, 0..self.count, {
            let (length, times) = self.list[i];
            let (mut joined, mut before) = (false, 0);
            if kept > 0 {
                let (shorter, most) = self.list[kept - 1];
                before = shorter.saturating_mul(most);
                if length % shorter == 0 && length / shorter <= most + 1 {
                    if length / shorter <= most {
                        self.search = LONG_SEARCH;
                    }
                    self.list[kept - 1].1 =
                        most.saturating_add((length / shorter).saturating_mul(times));
                    joined = true;
                }
            }
            if joined {
                let (shorter, most) = self.list[kept - 1];
                covered =
                    covered.saturating_sub(before).saturating_add(shorter.saturating_mul(most));
            } else {
                self.are_nested &= length > covered;
                self.list[kept] = (length, times);
                kept += 1;
                covered = covered.saturating_add(length.saturating_mul(times));
            }
        });
        self.count = kept;
        if !self.are_nested {
            self.search = LONG_SEARCH;
        }
    }

    /// The highest offset that steps lead to and that is at most `most`. If the steps do not nest, it is `most`, which
    /// is never too low.
    ///
    /// Nested steps are as digits of a number: the longest is taken as often as possible first.
    const fn highest(&self, most: usize) -> Option<usize> {
        let mut rest = most as i128 - self.lowest;
        if rest < 0 {
            return None;
        }
        if !self.are_nested {
            return Some(most);
        }
        each!(rev i, 0..self.count, {
            let (length, times) = (self.list[i].0 as i128, self.list[i].1 as i128);
            let taken = rest / length;
            rest -= length * if taken < times { taken } else { times };
        });
        // What is left over are the offsets between this one and `most`.
        let offset = most as i128 - rest;
        if offset < 0 { None } else { Some(offset as usize) }
    }
}
