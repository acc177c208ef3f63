//! Inference: finds the digits of an axis from the offsets of its coordinates.
//!
//! **Statement.** The step to a position depends only on the slowest digit that changes there, which is the digit of
//! the largest weight that divides the position. So the steps of an axis are marked like a ruler: most are equal,
//! those to multiples of the fastest digit's size differ, and among these the same holds again.
//!
//! **Reason.** At a position that the weights up to `w[k]` divide, and no larger one, digits `0..k` go back from their
//! last value to 0, and digit `k` grows by 1. The step is `stride[k] - sum over i < k of stride[i] * (size[i] - 1)`,
//! which is the same number at all such positions.
//!
//! **Example.** Offsets 0 1 2 9 10 11 18 19 20 have steps 1 1 7 1 1 7 1 1. Every third differs, so the fastest digit
//! has size 3 and stride 1. The remaining steps, 7 7, are equal: the next digit is the slowest, and its stride is 7 +
//! 1 * (3 - 1) = 9.
//!
//! **Cost.** Steps repeat when all blocks have been counted up. Digits that give the steps of one period, and whose
//! own blocks end with it, give all other steps. So at most [`MOST_STEPS`] steps are checked, whatever the extent. An
//! axis with a longer period and more coordinates is an error. One pass over the steps finds the fastest digit. It has
//! at least 2 values, so the next pass has at most half the steps. If digits may begin anywhere, each level tries two
//! values for the usual step: `c` steps take at most `2 * c * log2(c)`. For digits of 3 values or more, one of the two
//! fails after a few steps.

use crate::algebra::AxisDigits;
use crate::algebra::axis::to_last;
use crate::layout::Layout;
use crate::spec::{LayoutError, MAX_FACTORS, MAX_RANK, Rule, greatest_divisor, least};

/// The largest number of steps that are checked.
const MOST_STEPS: usize = 1024;

/// The reason why there are no digits.
#[derive(Clone, Copy)]
pub(in crate::algebra) enum Unfit {
    /// No digits have these offsets, or coordinates would share elements by digits of strides other than 0.
    Blocks,
    /// The steps repeat after more coordinates than are checked.
    Period,
}

impl Unfit {
    /// The error of axis `letter`. `blocks` is the error for [`Blocks`](Self::Blocks).
    pub(in crate::algebra) const fn error(self, letter: char, blocks: Rule) -> LayoutError {
        LayoutError(match self {
            Self::Blocks => blocks,
            Self::Period => Rule::LongPeriod { letter, most: MOST_STEPS },
        })
    }
}

/// The known offsets of an axis.
#[derive(Clone, Copy)]
pub(in crate::algebra) enum KnownOffsets<'a> {
    /// Every `step`th coordinate of an axis, from `start`.
    Every { axis: &'a AxisDigits, start: usize, step: usize },
    /// The sum of the offsets of two axes.
    Sum(&'a AxisDigits, &'a AxisDigits),
    /// The offsets in a layout of the coordinates that `start` plus the offset of an axis counts, with the last axis
    /// fastest. The first of them is 0.
    Composed { outer: &'a Layout, start: isize, axis: &'a AxisDigits },
}

impl KnownOffsets<'_> {
    /// The offset of a coordinate, up to a constant.
    const fn at(&self, i: usize) -> isize {
        match *self {
            Self::Every { axis, start, step } => axis.offset(start + i * step),
            Self::Sum(a, b) => a.offset(i).wrapping_add(b.offset(i)),
            Self::Composed { outer, start, axis } => {
                outer.offset_of_index((start + axis.offset(i)) as usize) as isize
            }
        }
    }

    /// The offset of the first coordinate.
    const fn first(&self) -> isize {
        match self {
            Self::Composed { .. } => 0,
            _ => self.at(0),
        }
    }

    /// The number of coordinates after which the steps repeat.
    const fn period(&self) -> usize {
        match self {
            Self::Every { axis, step, .. } => multiple_in(axis.block(), *step),
            Self::Sum(a, b) => a.block().saturating_mul(multiple_in(b.block(), a.block())),
            Self::Composed { outer, axis, .. } => axis.period_in(outer),
        }
    }

    /// Whether coordinates may share an offset.
    const fn may_alias(&self) -> bool {
        match self {
            Self::Every { axis, .. } => axis.broadcasts(),
            Self::Sum(a, b) => a.broadcasts() || b.broadcasts(),
            Self::Composed { outer, axis, .. } => axis.broadcasts() || !outer.is_unique(),
        }
    }
}

impl Layout {
    /// The number of coordinates, counted with the last axis fastest, after which the steps from each to the next
    /// repeat: when all axes and the blocks of the slowest have been counted up. There must be a coordinate.
    const fn period(&self) -> usize {
        let mut slowest = 0;
        while slowest + 1 < self.rank() && self.extent(slowest) == 1 {
            slowest += 1;
        }
        let mut period = if self.rank() > 0 { AxisDigits::of(self, slowest).block() } else { 1 };
        let mut axis = slowest + 1;
        while axis < self.rank() {
            period = period.saturating_mul(self.extent(axis));
            axis += 1;
        }
        period
    }

    /// The offset of the coordinate that `index` coordinates precede, with the last axis fastest.
    pub(in crate::algebra) const fn offset_of_index(&self, index: usize) -> usize {
        let mut coordinate = [0; MAX_RANK];
        let mut left = index;
        each!(rev axis, 0..self.rank(), {
            coordinate[axis] = left % self.extent(axis);
            left /= self.extent(axis);
        });
        self.offset(coordinate.split_at(self.rank()).0)
    }
}

impl AxisDigits {
    /// The number of coordinates of this axis after which their steps through the coordinates of `outer` repeat.
    pub(in crate::algebra) const fn period_in(&self, outer: &Layout) -> usize {
        let distance = self.strides[self.count - 1].unsigned_abs();
        self.block().saturating_mul(multiple_in(outer.period(), distance))
    }

    /// Returns the axis with these offsets. Aliasing of a composition is not checked here: it depends on all axes.
    ///
    /// Law: `offset(result, i) == offsets.at(i)`.
    pub(in crate::algebra) const fn from_offsets(
        offsets: &KnownOffsets<'_>,
        extent: usize,
    ) -> Result<Self, Unfit> {
        if extent == 0 {
            return Ok(Self::single(0, 0));
        }
        let mut count = extent - 1;
        let mut period = 0;
        if count > MOST_STEPS {
            period = offsets.period();
            // Two periods show every digit change twice. The third may be incomplete.
            count = period.saturating_mul(3);
            if count > MOST_STEPS {
                return Err(Unfit::Period);
            }
        }
        let all = AxisSteps { offsets, first: 0, width: 1, count };
        let may_alias = offsets.may_alias();
        let mut first = None;
        // Offsets may be those of several axes, of which only some are open.
        let mut candidate = None;
        let mut i = 0;
        while i < 6 {
            let found = match i {
                0 => all.aligned_digits(),
                2 => all.digits_anywhere(false),
                4 => all.digits_anywhere(true),
                _ => match candidate {
                    Some(found) if may_alias => StepDigits::with_a_broadcast(found),
                    _ => None,
                },
            };
            if i % 2 == 0 {
                candidate = found;
            }
            i += 1;
            let Some(found) = found else { continue };
            if period > 0 && period % found.block() != 0 {
                continue;
            }
            let mut new = found.axis(extent);
            new.start = new.start.wrapping_add(offsets.first()).wrapping_sub(new.offset(0));
            if !may_alias || new.is_open() {
                return Ok(new);
            }
            if first.is_none() && matches!(offsets, KnownOffsets::Composed { .. }) {
                first = Some(new);
            }
        }
        match first {
            Some(new) => Ok(new),
            None => Err(Unfit::Blocks),
        }
    }
}

/// Every `width`th step between coordinates. The first is the step to coordinate `first + 1`.
#[derive(Clone, Copy)]
struct AxisSteps<'a> {
    offsets: &'a KnownOffsets<'a>,
    first: usize,
    width: usize,
    count: usize,
}

impl AxisSteps<'_> {
    const fn at(&self, i: usize) -> isize {
        self.one_by_one().at(i)
    }

    /// The same steps, for access in ascending order.
    const fn one_by_one(&self) -> OneByOne<'_> {
        OneByOne { steps: self, known: None }
    }

    /// The steps from `first` on at a distance of `width`: those of the slower digits.
    const fn every(&self, first: usize, width: usize) -> Self {
        Self {
            first: self.first + first * self.width,
            width: self.width * width,
            count: (self.count - first).div_ceil(width),
            ..*self
        }
    }

    /// The digits if the axis begins with a block. There is at most one solution.
    const fn aligned_digits(&self) -> Option<StepDigits> {
        if self.count == 0 {
            return Some(StepDigits::of(0));
        }
        let mut steps = self.one_by_one();
        let usual = steps.at(0);
        let mut size = 0;
        each!(i, 1..self.count, {
            let other = steps.at(i) != usual;
            if size == 0 && other {
                size = i + 1;
            } else if other && (i + 1) % size != 0 {
                return None;
            }
        });
        if size == 0 {
            return Some(StepDigits::of(usual));
        }
        match self.every(size - 1, size).aligned_digits() {
            Some(slower) => Some(slower.above(size, usual, 0)),
            None => None,
        }
    }

    /// The digits if the axis may begin anywhere in a block: the fewest, or the other solution if there are two.
    const fn digits_anywhere(&self, others: bool) -> Option<StepDigits> {
        // Of two neighbors, at most one is a multiple.
        let first = self.with_most(self.at(0), others);
        if self.count < 2 || self.at(1) == self.at(0) {
            return first;
        }
        match (first, self.with_most(self.at(1), others)) {
            (Some(first), Some(second)) => {
                if (second.count < first.count) == others {
                    Some(first)
                } else {
                    Some(second)
                }
            }
            (Some(one), None) | (None, Some(one)) => Some(one),
            (None, None) => None,
        }
    }

    /// The digits, where a step that changes only the fastest digit is `usual`.
    const fn with_most(&self, usual: isize, others: bool) -> Option<StepDigits> {
        let mut other = None;
        // The greatest common divisor of the distances between other steps.
        let mut common = 0;
        let mut steps = self.one_by_one();
        each!(i, 0..self.count, {
            if steps.at(i) != usual {
                match other {
                    None => other = Some(i),
                    Some(first) => common = greatest_divisor(common, i - first),
                }
                if common == 1 {
                    return None;
                }
            }
        });
        let Some(other) = other else { return Some(StepDigits::of(usual)) };
        let size = match common {
            // There is one other step. The block before it or the block after it is complete.
            0 if self.count <= 2 * other + 1 => other + 1,
            0 => self.count - other,
            common => common,
        };
        let first = other % size;
        match self.every(first, size).digits_anywhere(others) {
            Some(slower) => {
                let found = slower.above(size, usual, size - 1 - first);
                Some(StepDigits { is_open: found.is_open || common == 0, ..found })
            }
            None => None,
        }
    }
}

/// Computes steps in ascending order, and reuses the offset between two steps.
struct OneByOne<'a> {
    steps: &'a AxisSteps<'a>,
    /// The coordinate after the last step, and its offset.
    known: Option<(usize, isize)>,
}

impl OneByOne<'_> {
    const fn at(&mut self, i: usize) -> isize {
        let AxisSteps { offsets, first, width, .. } = self.steps;
        let from = *first + i * *width;
        let start = match self.known {
            Some((coordinate, offset)) if coordinate == from => offset,
            _ => offsets.at(from),
        };
        let end = offsets.at(from + 1);
        self.known = Some((from + 1, end));
        end.wrapping_sub(start)
    }
}

/// Digits, slowest first, each with the step to its next value.
#[derive(Clone, Copy)]
struct StepDigits {
    sizes: [usize; MAX_FACTORS],
    steps: [isize; MAX_FACTORS],
    count: usize,
    shift: usize,
    overflow: bool,
    /// Whether the slowest digit steps only once, so that the digit below it may be longer.
    is_open: bool,
}

impl StepDigits {
    /// One digit.
    const fn of(step: isize) -> Self {
        let (mut steps, sizes) = ([0; MAX_FACTORS], [usize::MAX; MAX_FACTORS]);
        steps[0] = step;
        Self { sizes, steps, count: 1, shift: 0, overflow: false, is_open: false }
    }

    /// These digits above a digit of `size` values, with `shift` added as its first value.
    const fn above(mut self, size: usize, step: isize, shift: usize) -> Self {
        if self.count == MAX_FACTORS {
            self.overflow = true;
            return self;
        }
        (self.sizes[self.count], self.steps[self.count]) = (size, step);
        self.count += 1;
        self.shift = self.shift * size + shift;
        self
    }

    /// The product of all sizes except the slowest.
    const fn block(&self) -> usize {
        let mut block = 1usize;
        each!(i, 1..self.count, {
            block = block.saturating_mul(self.sizes[i]);
        });
        block
    }

    /// The digits with the same steps among which one has stride 0, if the second slowest can be longer or shorter for
    /// that.
    ///
    /// - Longer: an axis that repeats another and begins inside it shows only the end of the first block. The slowest
    ///   digit gets stride 0.
    /// - Shorter: if a part is repeated and the step to the next part equals the steps inside of a part, both repeats
    ///   together look like one digit of twice the size. A digit of two values and stride 0 divides it.
    ///
    /// **Example.** Offsets 0 1 2 3 2 3 4 5 4 5 6 have a different step, -1, to every fourth coordinate: digits of
    /// sizes 4, 2 and strides 1, 2. Sizes 2, 2, 3 and strides 1, 0, 2 from position 2 on have the same offsets, and
    /// show which coordinates share one.
    const fn with_a_broadcast(mut self) -> Option<Self> {
        if self.count == 1 {
            return None;
        }
        let (mut stride, mut back, mut weight) = (0isize, 0isize, 1usize);
        let mut i = self.count;
        while i > 1 {
            i -= 1;
            stride = self.steps[i].wrapping_add(back);
            back = back.wrapping_add(to_last(self.sizes[i], stride));
            if i > 1 {
                weight *= self.sizes[i];
            }
        }
        let last = self.steps[0].wrapping_add(back).wrapping_neg();
        if stride == 0 || last % stride != 0 {
            return None;
        }
        // The number of values after which the other step leads back to the first.
        let (old, new) = (self.sizes[1], self.sizes[1].wrapping_add_signed(last / stride));
        if self.is_open && last / stride > 0 {
            self.sizes[1] = new;
            self.shift += (new - old) * weight;
            return Some(self);
        }
        let is_twice = new < old && (old == 2 * new || self.is_open && old < 2 * new);
        if !is_twice || self.count == MAX_FACTORS {
            return None;
        }
        let mut i = self.count;
        while i > 1 {
            (self.sizes[i], self.steps[i]) = (self.sizes[i - 1], self.steps[i - 1]);
            i -= 1;
        }
        (self.sizes[1], self.steps[1]) = (2, self.steps[0]);
        (self.sizes[2], self.steps[0]) = (new, self.steps[2]);
        self.count += 1;
        // The first other step leads to the second half.
        let ahead = old - self.shift / weight;
        self.shift = (3 * new - ahead) % (2 * new) * weight + self.shift % weight;
        Some(self)
    }

    /// The axis of these digits, with an arbitrary start.
    const fn axis(&self, extent: usize) -> AxisDigits {
        let mut new = AxisDigits { overflow: self.overflow, ..AxisDigits::NONE };
        // The sum by which the faster digits go back when this one steps.
        let mut back = 0isize;
        let mut weight = 1;
        each!(rev i, 0..self.count, {
            let stride = self.steps[i].wrapping_add(back);
            let rest = (self.shift + extent).div_ceil(weight);
            let size = least(self.sizes[i], rest);
            new = new.with(size, stride);
            back = back.wrapping_add(to_last(size, stride));
            weight *= size;
        });
        new.normalized(self.shift, extent)
    }
}

/// The smallest number whose product with `step` is a multiple of `period`.
const fn multiple_in(period: usize, step: usize) -> usize {
    period / greatest_divisor(period, step)
}
