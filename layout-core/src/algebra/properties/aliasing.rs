//! Aliasing: coordinates that share an offset. The digits alone show which coordinates do.
//!
//! **Invariant.** Coordinates of a layout that share an offset differ only in digits of stride 0. A layout with this
//! property is *open*, and every layout is open, except for overlapping windows. So uniqueness, gaps, plans and what
//! two threads may change are read off the digits. Each operation keeps the invariant for a reason:
//!
//! - *Memory orders*: the stride of a digit is larger than the sum of everything that the faster digits add. So an
//!   offset determines each digit, as a number determines its decimal digits. Broadcast digits have stride 0.
//! - *Given strides*: they are an error unless [`cancelling`] proves that no other differences add up to 0.
//! - *Slices, indices, flips, permutations, new axes, merges*: a digit of the view is a digit of the layout, or every
//!   n-th of its values, up or down. Its stride is 0 if and only if the stride of that digit is. A broadcast axis is a
//!   new digit of stride 0.
//! - *Tiles and reshapes*: a digit of stride `s` becomes two digits of strides `s` and `n * s`, which are both 0 or
//!   both not 0. Tiles of whole blocks that begin inside a block are the exception: their digits must have the same
//!   number of distinct offsets as the axis.
//! - *Diagonals*: coordinates that share an offset differ in digits that have stride 0 in both axes, and the sum of
//!   both strides is 0.
//! - *Normal form*: a digit that continues another has stride 0 if that one has. A digit of two values that replaces
//!   several digits has stride 0 if two coordinates share an offset, since all of those digits change between the two.
//!   Blocks whose halves share elements are not cut into pairs.
//! - *Inference* chooses digits that need not be those of the layout, so [`AxisDigits::is_open`] checks each such
//!   axis. One axis is enough: on all other axes, the view has the digits of the layout.
//! - *Composition*: if both layouts are unique, no coordinates share an offset. Otherwise [`Layout::check_open`]
//!   checks the composition.
//! - *Complements*: strides nest, as in memory orders.
//! - *Windows* are the exception: overlapping windows share elements. Such a layout and all views of it are marked as
//!   overlapping. If uniqueness matters, [`cancelling`] decides whether they still overlap.
//!
//! **Search.** Two coordinates share an offset if the differences of their digits, times the strides, add up to 0.
//! [`cancelling`] searches for such differences, for given strides, for an axis and for a composition alike. An axis
//! that begins or ends inside a block lacks some values of its digits, so [`pair`] looks for two coordinates that
//! differ so. Only if an axis of such differences has digits of stride 0 too, or if the search takes too long, a few
//! coordinates are compared one by one.

use crate::algebra::AxisDigits;
use crate::algebra::axis::ranges::Ranges;
use crate::algebra::axis::sums::Sums;
use crate::algebra::composition::carry_chain::next_coordinate;
use crate::layout::Digit;
use crate::layout::Layout;
use crate::spec::{LayoutError, MAX_FACTORS, MAX_RANK, Rule};

/// The largest number of steps in a search among the digits of a layout.
const MOST_STEPS: usize = 10_000;

/// The same for a view, which may have more digits than the layout of which it is a view.
const MOST_STEPS_OF_VIEW: usize = 4 * MOST_STEPS;

/// The largest number of values of digits that a search for the coordinate at an offset tries.
const MOST_VALUES: usize = 1 << 13;

/// The largest number of coordinates that are compared one by one.
const MOST_COORDINATES: usize = 2048;

/// Two indices of each axis.
type TwoCoordinates = ([usize; MAX_RANK], [usize; MAX_RANK]);

/// The result of a search for two coordinates that share an offset and differ in a digit of a stride other than 0.
#[allow(clippy::large_enum_variant, reason = "returned once, by a search that cannot allocate")]
enum Cancelling {
    /// There are none.
    Never,
    /// These two.
    At(TwoCoordinates),
    /// The search ended before it found any, or it found differences in an axis that has digits of stride 0 too.
    Unknown,
}

/// Searches for two coordinates of axes of these extents whose `digits`, listed from the largest stride to the
/// smallest, differ but cancel out, in at most `most` steps.
///
/// **Statement.** The search finds differences `x[i]` with `|x[i]| < size[i]` and `sum of x[i] * stride[i] == 0` that
/// two coordinates have, if there are any. Digits of stride 0 keep difference 0.
///
/// **Example.** Sizes 3 and 4 with strides 4 and 2: the second digit reaches 3 * 2 = 6, so the first may differ by 0 or
/// 1. If it differs by 1, -2 steps of the second digit cancel the 4: coordinates (1, 0) and (0, 2) share offset 4.
const fn cancelling(digits: &[Digit], extents: &[usize], most: usize) -> Cancelling {
    /// The steps that a search for a pair takes the time of.
    const STEPS_OF_PAIR: usize = 16;
    let mut sums = Sums::new(digits, None, most);
    while sums.next() {
        let mut differences = [0; MAX_FACTORS];
        each!(i, 0..digits.len(), {
            let Digit { size, stride, .. } = digits[i];
            if stride != 0 {
                let forward = sums.values[i] as i128 - size.saturating_sub(1) as i128;
                differences[i] = if stride < 0 { -forward } else { forward };
            }
        });
        match pair(digits, extents, &differences) {
            Differing::Pair(pair) => return Cancelling::At(pair),
            Differing::Unknown => return Cancelling::Unknown,
            Differing::None => sums.steps = sums.steps.saturating_sub(STEPS_OF_PAIR),
        }
    }
    if sums.steps == 0 { Cancelling::Unknown } else { Cancelling::Never }
}

/// Two coordinates with given differences of digits.
enum Differing {
    None,
    Pair(TwoCoordinates),
    /// An axis has digits of stride 0, whose differences are not given.
    Unknown,
}

/// Two coordinates whose digits have these differences, from those of the second to those of the first.
///
/// **Statement.** On each axis, the second is the least position such that its digits and those of the first are in
/// their ranges, and both positions are on the axis. If there is none, there are no such coordinates.
///
/// **Reason.** Positions `p` and `p + d` have these differences of digits if the digits of `p` leave room for them:
/// from `max(0, -x)` to `size - 1 - max(0, x)`. Both positions are on the axis if `p` is in a range, so `p` may be the
/// least such position from the start of that range on.
///
/// **Example.** Blocks of 3, from position 1 to 5, and differences of 1 of the slow digit and -2 of the fast one, which
/// is 1 together: the fast digit of `p` is 2, and position 2 is the first. Its partner is 3.
const fn pair(digits: &[Digit], extents: &[usize], differences: &[i128; MAX_FACTORS]) -> Differing {
    let (mut first, mut second) = ([0; MAX_RANK], [0; MAX_RANK]);
    each!(axis, 0..extents.len(), {
        let (mut distance, mut shift, mut differs, mut repeats) = (0i128, 0, false, false);
        let mut ranges = Ranges::NONE;
        each!(i, 0..digits.len(), {
            let Digit { axis: digit_axis, size, weight, stride, shift: start } = digits[i];
            if digit_axis == axis {
                distance += differences[i] * weight as i128;
                shift = start as i128;
                differs |= differences[i] != 0;
                repeats |= stride == 0 && size > 1;
                let (from, above) = (lowest(differences[i]), lowest(-differences[i]));
                ranges.insert(weight, from, size.saturating_sub(1 + above));
            }
        });
        if differs && repeats {
            return Differing::Unknown;
        }
        if differs {
            let end = shift + extents[axis] as i128 - 1;
            let (low, high) =
                if distance < 0 { (shift - distance, end) } else { (shift, end - distance) };
            let position = match ranges.least_from(low) {
                Some(position) if position <= high => position,
                _ => return Differing::None,
            };
            first[axis] = (position + distance - shift) as usize;
            second[axis] = (position - shift) as usize;
        }
    });
    Differing::Pair((first, second))
}

/// The least value of a digit whose partner differs by this.
const fn lowest(difference: i128) -> usize {
    if difference < 0 { -difference as usize } else { 0 }
}

impl Layout {
    /// Returns an error if two coordinates of a layout of given strides share an offset, unless they differ only on
    /// broadcast axes.
    pub(crate) const fn overlap(&self) -> Option<LayoutError> {
        self.overlap_within(MOST_STEPS)
    }

    /// The same for a view with given strides. If it has blocks, their digits may have stride 0.
    pub(crate) const fn overlap_of_view(&self) -> Option<LayoutError> {
        let (mut values, digits) = (1usize, self.digits());
        each!(i, 0..self.digit_count(), {
            values = values.saturating_mul(digits.list[i].size);
        });
        if self.digit_count() == self.rank() || values > MOST_VALUES {
            return self.overlap_within(MOST_STEPS_OF_VIEW);
        }
        match self.check_open() {
            Ok(()) => None,
            Err(error) => Some(error),
        }
    }

    const fn overlap_within(&self, steps: usize) -> Option<LayoutError> {
        match cancelling(self.digits().as_slice(), self.extents(), steps) {
            Cancelling::Never => None,
            Cancelling::At((first, second)) => Some(self.overlap_error(&first, &second)),
            Cancelling::Unknown => Some(LayoutError(Rule::OverlapUnknown { steps })),
        }
    }

    /// An axis with digits of strides other than 0 by which coordinates may share offsets.
    pub(in crate::algebra) const fn overlapping_axis(&self) -> Option<usize> {
        match cancelling(self.digits().as_slice(), self.extents(), MOST_STEPS) {
            Cancelling::Never => None,
            Cancelling::At((first, second)) => {
                let mut axis = 0;
                while first[axis] == second[axis] {
                    axis += 1;
                }
                Some(axis)
            }
            Cancelling::Unknown => Some(self.digits().as_slice()[0].axis),
        }
    }

    /// Returns an error if two coordinates share an offset and differ in a digit of a stride other than 0, or if that
    /// takes too long to find out.
    pub(crate) const fn check_open(&self) -> Result<(), LayoutError> {
        let steps = MOST_STEPS;
        match cancelling(self.digits().as_slice(), self.extents(), steps) {
            Cancelling::Never => return Ok(()),
            Cancelling::At((first, second)) => return Err(self.overlap_error(&first, &second)),
            Cancelling::Unknown => {}
        }
        let mut axes = [AxisDigits::NONE; MAX_RANK];
        let mut extents = [1; MAX_RANK];
        let mut count = 1usize;
        each!(axis, 0..self.rank(), {
            axes[axis] = AxisDigits::of(self, axis);
            if !matches!(axes[axis].stride(), Some(0)) {
                extents[axis] = self.extent(axis);
                count = count.saturating_mul(extents[axis]);
            }
        });
        if count > MOST_COORDINATES {
            return Err(LayoutError(Rule::OverlapUnknown { steps }));
        }
        let mut next = Some([0; MAX_RANK]);
        while let Some(coordinate) = next {
            let offset = self.offset(coordinate.split_at(self.rank()).0);
            // Coordinates that share an offset all find the same coordinate.
            if let Some(found) = self.coordinate(offset) {
                let found = found.as_slice();
                each!(axis, 0..self.rank(), {
                    if !axes[axis].repeats(coordinate[axis], found[axis]) {
                        return Err(self.overlap_error(found, &coordinate));
                    }
                });
            }
            next = next_coordinate(&coordinate, &extents);
        }
        Ok(())
    }

    const fn overlap_error(&self, a: &[usize], b: &[usize]) -> LayoutError {
        let (mut first, mut second) = ([0; MAX_RANK], [0; MAX_RANK]);
        let mut exact = true;
        each!(axis, 0..self.rank(), {
            (first[axis], second[axis]) = (a[axis] as u32, b[axis] as u32);
            exact &= first[axis] as usize == a[axis] && second[axis] as usize == b[axis];
        });
        LayoutError(Rule::Overlap { axes: self.letters(), first, second, exact })
    }
}

impl AxisDigits {
    /// Whether two coordinates of the axis differ only in digits of stride 0.
    const fn repeats(&self, a: usize, b: usize) -> bool {
        let (mut a, mut b) = (self.shift + a, self.shift + b);
        each!(i, 0..self.count, {
            let size = if i + 1 < self.count { self.sizes[i] } else { usize::MAX };
            if self.strides[i] != 0 && a % size != b % size {
                return false;
            }
            (a, b) = (a / size, b / size);
        });
        true
    }

    /// Whether a digit of several values has stride 0.
    pub(in crate::algebra) const fn broadcasts(&self) -> bool {
        each!(i, 0..self.count, {
            if self.strides[i] == 0 && self.sizes[i] > 1 {
                return true;
            }
        });
        false
    }

    /// Whether coordinates that share an offset differ only in digits of stride 0. False if that would take too long
    /// to find out.
    pub(in crate::algebra) const fn is_open(&self) -> bool {
        /// About 32000 pairs.
        const LONGEST: usize = 256;
        const STEPS: usize = 1000;
        let mut digits = [Digit::NONE; MAX_FACTORS];
        let mut weight = 1;
        each!(i, 0..self.count, {
            let (size, stride) = (self.sizes[i], self.strides[i]);
            let digit = Digit { axis: 0, size, weight, stride, shift: self.shift };
            weight *= size;
            let mut at = i;
            while at > 0 && digits[at - 1].distance() < digit.distance() {
                digits[at] = digits[at - 1];
                at -= 1;
            }
            digits[at] = digit;
        });
        match cancelling(digits.split_at(self.count).0, &[self.extent], STEPS) {
            Cancelling::Never => return true,
            Cancelling::At(_) => return false,
            Cancelling::Unknown => {}
        }
        if self.extent > LONGEST {
            return false;
        }
        each!(a, 0..self.extent, {
            let offset = self.offset(a);
            let mut b = a + 1;
            while b < self.extent {
                if self.offset(b) == offset && !self.repeats(a, b) {
                    return false;
                }
                b += 1;
            }
        });
        true
    }
}
