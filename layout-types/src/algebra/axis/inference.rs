//! Inference: the digits of an axis, found from the offsets of its coordinates.
//!
//! **Statement.** The step to a position depends on nothing but the slowest digit that changes there,
//! which is that of the largest weight that divides the position. So the steps of an axis are a
//! ruler: most are alike, those to multiples of the fastest digit's size are others, and among these
//! alone it is the same again.
//!
//! **Reason.** At a position that the weights up to `w[k]` divide, and no larger one, digits `0..k` go
//! from their last value back to 0 and digit `k` goes up by 1. The step is `stride[k] - sum over i < k
//! of stride[i] * (size[i] - 1)`: a number for each digit, wherever it is.
//!
//! **Example.** Offsets 0 1 2 9 10 11 18 19 20 have steps 1 1 7 1 1 7 1 1. Every third is another, so
//! the fastest digit has size 3 and stride 1. The steps that are left, 7 7, are all alike: the next
//! digit is the slowest, and its stride is 7 + 1 * (3 - 1) = 9.
//!
//! **Cost.** Steps repeat where all blocks are counted up. Digits that give the steps of one period,
//! and whose own blocks end where it does, give all others. So no more than [`MOST_STEPS`] are looked
//! at, whatever the extent, and an axis of a longer period and more coordinates is refused. One pass over the
//! steps finds the fastest digit. It has 2 values at least, so the next pass has half of the steps at most.
//! Where digits may begin anywhere, two values of the usual step are tried at each level: `c` steps take
//! `2 * c * log2(c)` at most. Of digits of 3 values and more, one of the two is out after a few steps.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, MAX_FACTORS, MAX_RANK, Rule};

/// The most steps that are looked at.
const MOST_STEPS: usize = 1024;

/// Why there are no digits.
#[derive(Clone, Copy)]
pub(in crate::algebra) enum Unfit {
    /// No digits give these offsets, or only such by which coordinates would share elements unnoticed.
    Blocks,
    /// The steps repeat after more coordinates than are looked at.
    Period,
}

impl Unfit {
    /// The error of axis `letter`, where `blocks` says that of one which has no digits.
    pub(in crate::algebra) const fn error(self, letter: char, blocks: Rule) -> LayoutError {
        LayoutError(match self {
            Self::Blocks => blocks,
            Self::Period => Rule::LongPeriod { letter, most: MOST_STEPS },
        })
    }
}

/// The offsets of an axis that is to be found.
#[derive(Clone, Copy)]
pub(in crate::algebra) enum Offsets<'a> {
    /// Every `step`th of an axis, from `start` on.
    Every { axis: &'a AxisDigits, start: usize, step: usize },
    /// Two axes at once.
    Sum(&'a AxisDigits, &'a AxisDigits),
    /// The elements of a layout that lie at `start` and the places of an axis, counted with the last
    /// axis fastest; the first of them is 0.
    Composed { outer: &'a Layout, start: isize, axis: &'a AxisDigits },
}

impl Offsets<'_> {
    /// The offset of a coordinate, and a constant.
    const fn at(&self, i: usize) -> isize {
        match *self {
            Self::Every { axis, start, step } => axis.offset(start + i * step),
            Self::Sum(a, b) => a.offset(i).wrapping_add(b.offset(i)),
            Self::Composed { outer, start, axis } => {
                outer.offset_of_index((start + axis.offset(i)) as usize) as isize
            }
        }
    }

    /// The offset of the first.
    const fn first(&self) -> isize {
        match self {
            Self::Composed { .. } => 0,
            _ => self.at(0),
        }
    }

    /// After how many coordinates the steps repeat.
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
    /// After how many coordinates, counted with the last axis fastest, steps from each to the next
    /// repeat: where all axes and the blocks of the slowest are counted up. There must be a
    /// coordinate.
    const fn period(&self) -> usize {
        let mut slowest = 0;
        while slowest + 1 < self.rank() && self.extents()[slowest] == 1 {
            slowest += 1;
        }
        let mut period = if self.rank() > 0 { AxisDigits::of(self, slowest).block() } else { 1 };
        let mut axis = slowest + 1;
        while axis < self.rank() {
            period = period.saturating_mul(self.extents()[axis]);
            axis += 1;
        }
        period
    }

    /// The offset of the coordinate that `index` others come before, the last axis fastest.
    pub(in crate::algebra) const fn offset_of_index(&self, index: usize) -> usize {
        let mut coordinate = [0; MAX_RANK];
        let mut left = index;
        let mut axis = self.rank();
        while axis > 0 {
            axis -= 1;
            coordinate[axis] = left % self.extents()[axis];
            left /= self.extents()[axis];
        }
        self.offset(coordinate.split_at(self.rank()).0)
    }
}

impl AxisDigits {
    /// After how many coordinates of this axis their steps through the coordinates of `outer` repeat.
    pub(in crate::algebra) const fn period_in(&self, outer: &Layout) -> usize {
        let distance = self.strides[self.count - 1].unsigned_abs();
        self.block().saturating_mul(multiple_in(outer.period(), distance))
    }

    /// The axis with these offsets. Whether coordinates of a composition share elements unnoticed is
    /// asked of all its axes at once.
    ///
    /// Law: `offset(result, i) == places.at(i)`.
    pub(in crate::algebra) const fn from_offsets(
        offsets: &Offsets<'_>,
        extent: usize,
    ) -> Result<Self, Unfit> {
        if extent == 0 {
            return Ok(Self::single(0, 0));
        }
        let mut count = extent - 1;
        let mut period = 0;
        if count > MOST_STEPS {
            period = offsets.period();
            // Twice a period shows every digit change twice; the third may be cut short.
            count = period.saturating_mul(3);
            if count > MOST_STEPS {
                return Err(Unfit::Period);
            }
        }
        let all = Steps { offsets, first: 0, width: 1, count };
        let may_alias = offsets.may_alias();
        let mut first = None;
        // Few places are those of more than one axis, and then elements may be shared unnoticed in
        // one of them only.
        let mut candidate = None;
        let mut i = 0;
        while i < 6 {
            let found = match i {
                0 => all.aligned_digits(),
                2 => all.digits_anywhere(false),
                4 => all.digits_anywhere(true),
                _ => match candidate {
                    Some(found) if may_alias => StepDigits::with_a_broadcast_last(found),
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
            if first.is_none() && matches!(offsets, Offsets::Composed { .. }) {
                first = Some(new);
            }
        }
        match first {
            Some(new) => Ok(new),
            None => Err(Unfit::Blocks),
        }
    }
}

/// Every `width`th step between places, from the one to place `first + 1` on.
#[derive(Clone, Copy)]
struct Steps<'a> {
    offsets: &'a Offsets<'a>,
    first: usize,
    width: usize,
    count: usize,
}

impl Steps<'_> {
    const fn at(&self, i: usize) -> isize {
        self.one_by_one().at(i)
    }

    /// The same, to be asked for in turn.
    const fn one_by_one(&self) -> OneByOne<'_> {
        OneByOne { steps: self, known: None }
    }

    /// The steps from `first` on, `width` apart, which are those of the slower digits.
    const fn every(&self, first: usize, width: usize) -> Self {
        Self {
            first: self.first + first * self.width,
            width: self.width * width,
            count: (self.count - first).div_ceil(width),
            ..*self
        }
    }

    /// The digits that begin at 0: there is at most one choice.
    const fn aligned_digits(&self) -> Option<StepDigits> {
        if self.count == 0 {
            return Some(StepDigits::of(0));
        }
        let mut steps = self.one_by_one();
        let usual = steps.at(0);
        let mut size = 0;
        let mut i = 1;
        while i < self.count {
            let other = steps.at(i) != usual;
            if size == 0 && other {
                size = i + 1;
            } else if other && (i + 1) % size != 0 {
                return None;
            }
            i += 1;
        }
        if size == 0 {
            return Some(StepDigits::of(usual));
        }
        match self.every(size - 1, size).aligned_digits() {
            Some(slower) => Some(slower.above(size, usual, 0)),
            None => None,
        }
    }

    /// The digits, wherever they begin: the fewest, or the others where there are two choices.
    const fn digits_anywhere(&self, others: bool) -> Option<StepDigits> {
        // Of two neighbours at most one is a multiple.
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

    /// The same where a step that changes the fastest digit only is `usual`.
    const fn with_most(&self, usual: isize, others: bool) -> Option<StepDigits> {
        let mut other = None;
        // What the distances of the others have in common.
        let mut common = 0;
        let mut steps = self.one_by_one();
        let mut i = 0;
        while i < self.count {
            if steps.at(i) != usual {
                match other {
                    None => other = Some(i),
                    Some(first) => common = greatest_common_divisor(common, i - first),
                }
                if common == 1 {
                    return None;
                }
            }
            i += 1;
        }
        let Some(other) = other else { return Some(StepDigits::of(usual)) };
        let size = match common {
            // One alone, after a block or before one.
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

/// Steps that are asked for one after the other, so that most offsets are found once and not twice.
struct OneByOne<'a> {
    steps: &'a Steps<'a>,
    /// The coordinate that the last step led to, and its offset.
    known: Option<(usize, isize)>,
}

impl OneByOne<'_> {
    const fn at(&mut self, i: usize) -> isize {
        let Steps { offsets, first, width, .. } = self.steps;
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

/// Digits, the slowest first, each by the step from one of its values to the next.
#[derive(Clone, Copy)]
struct StepDigits {
    sizes: [usize; MAX_FACTORS],
    steps: [isize; MAX_FACTORS],
    count: usize,
    shift: usize,
    overflow: bool,
    /// Whether the slowest digit steps once only, so that the one below it may be longer.
    is_open: bool,
}

impl StepDigits {
    /// One digit.
    const fn of(step: isize) -> Self {
        let (mut steps, sizes) = ([0; MAX_FACTORS], [usize::MAX; MAX_FACTORS]);
        steps[0] = step;
        Self { sizes, steps, count: 1, shift: 0, overflow: false, is_open: false }
    }

    /// These above one of `size` values, whose first is `shift`.
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

    /// The product of all sizes but the slowest.
    const fn block(&self) -> usize {
        let mut block = 1usize;
        let mut i = 1;
        while i < self.count {
            block = block.saturating_mul(self.sizes[i]);
            i += 1;
        }
        block
    }

    /// The same with blocks so much longer that the slowest digit has stride 0, as where an axis
    /// repeats another and begins inside it.
    const fn with_a_broadcast_last(mut self) -> Option<Self> {
        if !self.is_open {
            return None;
        }
        let (mut stride, mut back, mut weight) = (0isize, 0isize, 1usize);
        let mut i = self.count;
        while i > 1 {
            i -= 1;
            stride = self.steps[i].wrapping_add(back);
            back = back.wrapping_add(stride.wrapping_mul(self.sizes[i] as isize - 1));
            if i > 1 {
                weight *= self.sizes[i];
            }
        }
        let last = self.steps[0].wrapping_add(back).wrapping_neg();
        if stride == 0 || last % stride != 0 || last / stride < 1 {
            return None;
        }
        let more = (last / stride) as usize;
        self.sizes[1] += more;
        self.shift += more * weight;
        Some(self)
    }

    /// The axis of these digits, wherever it lies.
    const fn axis(&self, extent: usize) -> AxisDigits {
        let mut new = AxisDigits { overflow: self.overflow, ..AxisDigits::NONE };
        // What the faster digits go back by where one of these steps.
        let mut back = 0isize;
        let mut weight = 1;
        let mut i = self.count;
        while i > 0 {
            i -= 1;
            let stride = self.steps[i].wrapping_add(back);
            let rest = (self.shift + extent).div_ceil(weight);
            let size = if self.sizes[i] < rest { self.sizes[i] } else { rest };
            new = new.with(size, stride);
            back = back.wrapping_add(stride.wrapping_mul(size as isize - 1));
            weight *= size;
        }
        new.normalized(self.shift, extent)
    }
}

/// The smallest number whose multiple by `step` is a multiple of `period`.
const fn multiple_in(period: usize, step: usize) -> usize {
    period / greatest_common_divisor(period, step)
}

pub(in crate::algebra) const fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if a == 0 { b } else { greatest_common_divisor(b % a, a) }
}
