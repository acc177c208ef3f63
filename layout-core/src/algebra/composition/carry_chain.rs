//! Composition where steps carry from one digit of the outer layout into another: inference from offsets.
//!
//! **Statement.** Each axis of the composition is inferred from its offsets where all other axes have index 0. The
//! result is the composition if the offset of several axes at once is the sum of the offsets of each.
//!
//! **Reason.** The offset of any layout is such a sum of one part for each axis. Between two axes, the sum holds
//! without a check if no carry leads from one to the other. Call a number a *cut* if the outer coordinates can be
//! counted in two independent parts there, below and above. An axis all of whose steps are multiples of a cut does not
//! change the part below. If all other axes together stay below the cut, they do not change the part above. So only
//! axes between the same two cuts are compared. Their steps repeat when the outer digits have been counted up, so one
//! period of each is enough.
//!
//! **Example.** Rows of 6 elements 10 apart, and inner strides 4 and 1 of extents 2 and 3: counts 0 1 2 and 4 5 6 have
//! offsets 0 1 2 and 4 5 10. The last is not 4 + 2: it carried into the next row, so there is no such layout. With
//! extents 2 and 2, counts 0 1 and 4 5, nothing carries.

use crate::algebra::AxisDigits;
use crate::algebra::axis::inference::{KnownOffsets, Unfit};
use crate::layout::Layout;
use crate::spec::{LayoutError, MAX_FACTORS, MAX_RANK, Rule, greatest_divisor, least};

/// The largest number of cuts of a layout.
const MAX_CUTS: usize = MAX_RANK + MAX_FACTORS;

/// The largest number of coordinates that are checked in total.
const MOST_COORDINATES: usize = 4096;

impl Layout {
    /// Returns the axes of `inner` as steps through the coordinates of this layout, and the offset of the first.
    ///
    /// # Errors
    /// - No digits have the offsets of an axis.
    /// - The steps of an axis depend on the index of another axis.
    /// - More coordinates than [`MOST_COORDINATES`] would have to be checked.
    pub(in crate::algebra) const fn compose_carry_chain(
        &self,
        inner: &Self,
    ) -> Result<(usize, [AxisDigits; MAX_RANK]), LayoutError> {
        let chain = CarryChain::new(self, inner);
        let base = self.offset_of_index(chain.start);
        let mut axes = [AxisDigits::NONE; MAX_RANK];
        each!(axis, 0..inner.rank(), {
            let letter = inner.letters().at(axis);
            axes[axis] = match chain.axis(axis) {
                Ok(digits) => digits,
                Err(unfit) => return Err(unfit.error(letter, chain.error(axis, letter))),
            };
        });
        match chain.disagreement(base, &axes) {
            Some((axis, unfit)) => {
                let letter = inner.letters().at(axis);
                Err(unfit.error(letter, chain.error(axis, letter)))
            }
            None => Ok((base, axes)),
        }
    }
}

/// The next coordinate, with the last axis fastest.
pub(in crate::algebra) const fn next_coordinate(
    coordinate: &[usize; MAX_RANK],
    extents: &[usize; MAX_RANK],
) -> Option<[usize; MAX_RANK]> {
    let mut next = *coordinate;
    each!(rev axis, 0..MAX_RANK, {
        next[axis] += 1;
        if next[axis] < extents[axis] {
            return Some(next);
        }
        next[axis] = 0;
    });
    None
}

/// The coordinates of one layout at the offsets of another.
struct CarryChain<'a> {
    outer: &'a Layout,
    /// The axes of the inner layout.
    steps: [AxisDigits; MAX_RANK],
    /// The span of the offsets of each axis, and their common divisor.
    span: [usize; MAX_RANK],
    multiple: [usize; MAX_RANK],
    rank: usize,
    /// The offset of coordinate 0 of the inner layout, and its lowest offset.
    start: usize,
    lowest: usize,
    /// The cuts of the outer layout: products of its last extents and blocks, at least 2, ascending.
    cuts: [usize; MAX_CUTS],
    /// Whether the step across a cut equals the steps below it.
    even: [bool; MAX_CUTS],
    cut_count: usize,
}

impl<'a> CarryChain<'a> {
    const fn new(outer: &'a Layout, inner: &Layout) -> Self {
        let mut new = Self {
            outer,
            steps: [AxisDigits::NONE; MAX_RANK],
            span: [0; MAX_RANK],
            multiple: [0; MAX_RANK],
            rank: inner.rank(),
            start: inner.offset([0; MAX_RANK].split_at(inner.rank()).0),
            lowest: inner.range().start,
            cuts: [0; MAX_CUTS],
            even: [false; MAX_CUTS],
            cut_count: 0,
        };
        each!(axis, 0..inner.rank(), {
            let steps = AxisDigits::of(inner, axis);
            let (low, high) = steps.range();
            new.span[axis] = high.abs_diff(low);
            each!(i, 0..steps.count, {
                let stride = steps.strides[i].unsigned_abs();
                if steps.sizes[i] > 1 {
                    new.multiple[axis] = greatest_divisor(new.multiple[axis], stride);
                }
            });
            new.steps[axis] = steps;
        });
        let mut weight = 1;
        // The stride that would continue the digits so far.
        let mut next = None;
        each!(rev axis, 0..outer.rank(), {
            let digits = AxisDigits::of(outer, axis);
            let slowest = weight * digits.extent == outer.numel();
            let mut block = 1;
            let mut i = 0;
            while i < digits.count && digits.extent > 1 {
                let is_cut = digits.shift == 0 && (slowest || digits.extent % block == 0);
                if i == 0 || is_cut {
                    new = new.with_cut(weight * block, next, digits.strides[i]);
                }
                block *= digits.sizes[i];
                next = digits.strides[i].checked_mul(digits.sizes[i] as isize);
                if !digits.is_whole() {
                    next = None;
                }
                i += 1;
            }
            weight *= digits.extent;
        });
        new
    }

    /// Adds a cut below a digit of this stride. `next` is the stride that would continue the faster digits.
    const fn with_cut(mut self, cut: usize, next: Option<isize>, stride: isize) -> Self {
        if cut > 1 {
            self.cuts[self.cut_count] = cut;
            self.even[self.cut_count] = matches!(next, Some(next) if next == stride);
            self.cut_count += 1;
        }
        self
    }

    /// Whether no step carries beyond this number of coordinates.
    const fn keeps(&self, cut: usize) -> bool {
        let mut highest = self.lowest % cut;
        each!(axis, 0..self.rank, {
            if self.multiple[axis] % cut != 0 {
                highest += self.span[axis];
            }
        });
        highest < cut
    }

    /// The number of cuts, among those that no step carries across, that are below the whole axis.
    const fn level(&self, axis: usize) -> usize {
        let mut level = 0;
        each!(i, 0..self.cut_count, {
            if self.multiple[axis] % self.cuts[i] == 0 && self.keeps(self.cuts[i]) {
                level += 1;
            }
        });
        level
    }

    /// The axis where all others have index 0.
    const fn axis(&self, axis: usize) -> Result<AxisDigits, Unfit> {
        let steps = &self.steps[axis];
        if self.span[axis] == 0 {
            return Ok(AxisDigits::single(steps.extent, 0));
        }
        let start = (self.start as isize).wrapping_sub(steps.offset(0));
        AxisDigits::from_offsets(
            &KnownOffsets::Composed { outer: self.outer, start, axis: steps },
            steps.extent,
        )
    }

    /// Finds an axis whose steps depend on the index of another axis. Only axes between the same two cuts can carry
    /// into each other, and steps repeat. So one period of each axis is checked beside one period of each other.
    /// Returns [`Unfit::Period`] if that would be too many coordinates.
    const fn disagreement(
        &self,
        base: usize,
        axes: &[AxisDigits; MAX_RANK],
    ) -> Option<(usize, Unfit)> {
        let (mut level, mut all) = (0, 0usize);
        while level <= self.cut_count {
            let mut extents = [1; MAX_RANK];
            let mut count = 1usize;
            let mut moving = 0;
            each!(axis, 0..self.rank, {
                if self.span[axis] > 0 && self.level(axis) == level {
                    let period = self.steps[axis].period_in(self.outer);
                    extents[axis] = least(axes[axis].extent, period);
                    count = count.saturating_mul(extents[axis]);
                    moving += 1;
                }
            });
            level += 1;
            // Inference has already checked each axis on its own.
            if moving < 2 {
                continue;
            }
            all = all.saturating_add(count);
            if all > MOST_COORDINATES {
                let mut axis = 0;
                while extents[axis] == 1 {
                    axis += 1;
                }
                return Some((axis, Unfit::Period));
            }
            let mut next = next_coordinate(&[0; MAX_RANK], &extents);
            while let Some(coordinate) = next {
                let (mut index, mut offset, mut last) = (self.start as isize, base as isize, 0);
                each!(axis, 0..self.rank, {
                    let (steps, i) = (&self.steps[axis], coordinate[axis]);
                    index += steps.offset(i).wrapping_sub(steps.offset(0));
                    offset = offset.wrapping_add(axes[axis].offset(i));
                    if i > 0 {
                        last = axis;
                    }
                });
                if self.outer.offset_of_index(index as usize) as isize != offset {
                    return Some((last, Unfit::Blocks));
                }
                next = next_coordinate(&coordinate, &extents);
            }
        }
        None
    }

    /// The error of an axis whose steps carry across a block.
    const fn error(&self, axis: usize, letter: char) -> Rule {
        let mut block = 0;
        let mut i = 0;
        while i < self.cut_count && block == 0 {
            let carries = self.multiple[axis] % self.cuts[i] != 0 && !self.keeps(self.cuts[i]);
            if carries && !self.even[i] {
                block = self.cuts[i];
            }
            i += 1;
        }
        // An axis that begins inside a block has no cuts at its blocks.
        let mut i = 0;
        while i < self.outer.rank() && block == 0 {
            let digits = AxisDigits::of(self.outer, i);
            if digits.shift > 0 {
                block = digits.block();
            }
            i += 1;
        }
        Rule::ComposeBlock { letter, block }
    }
}
