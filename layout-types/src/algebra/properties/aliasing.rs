//! Aliasing: coordinates that share an offset, and the rule that they look like it.
//!
//! **Invariant.** Coordinates of a layout that share an offset differ in nothing but digits of stride
//! 0. Such a layout is *open*, and every layout is: uniqueness, gaps, plans and what may be changed on
//! two threads are read off the digits alone. Each operation has its reason:
//!
//! - *Memory orders*: the stride of a digit is larger than all that the faster ones add up to, so an
//!   offset has one value of each digit, as a number has one of each decimal. Broadcast digits have
//!   stride 0.
//! - *Strides that are given*: [`cancelling`] finds no other differences that add up to 0, or they are refused.
//! - *Slices, indices, flips, permutations, new axes, merges*: a digit of the view is one of the layout,
//!   or counts every n-th of its values, up or down; its stride is 0 where that digit's is. Axes that
//!   are broadcast are new digits of stride 0.
//! - *Tiles and reshapes*: a digit of stride `s` becomes two of strides `s` and `n * s`, both 0 or
//!   neither. Tiles of whole blocks that begin inside a block are the exception: their digits must have
//!   the same number of distinct offsets as the axis.
//! - *Diagonals*: coordinates that share an offset differ in digits of stride 0 of both axes, whose sum
//!   is 0.
//! - *Normal form*: a digit that follows another has stride 0 where that one has. A digit of two values
//!   in place of several has stride 0 where two coordinates share an offset, since all of those digits
//!   change between the two. Blocks whose halves share elements are not cut into pairs.
//! - *Inference* chooses digits that need not be those of the layout: [`AxisDigits::is_open`] is asked of
//!   each such axis. One axis is enough, since coordinates of a view that share an offset already look
//!   like it on all other axes.
//! - *Composition*: with two unique layouts there is nothing to share. Else the composition is asked,
//!   by [`Layout::check_open`].
//! - *Complements*: strides nest, as in memory orders.
//! - *Windows* are the exception: neighbors share elements. Such a layout says of itself that it overlaps, as do
//!   all views of it, and [`cancelling`] is asked whether they still do where uniqueness matters.
//!
//! **The question.** Two coordinates share an offset where the differences of their digits, times the
//! strides, add up to 0. [`cancelling`] searches for such differences, for strides that are given, for
//! an axis and for a composition alike. It does not know which digits coordinates at the ends of an axis
//! have, so what it finds may be no two coordinates; a few coordinates are compared then.

use crate::algebra::AxisDigits;
use crate::algebra::composition::carry_chain::next_coordinate;
use crate::layout::Digit;
use crate::layout::Layout;
use crate::spec::{LayoutError, MAX_FACTORS, MAX_RANK, Rule};

/// The most steps of a search among the digits of a layout.
const MOST_STEPS: usize = 10_000;

/// The most coordinates that are compared one by one.
const MOST_COORDINATES: usize = 2048;

/// Differences of digits, not all of them 0, whose strides add up to 0.
#[allow(clippy::large_enum_variant, reason = "returned once, by a search that cannot allocate")]
enum Cancelling {
    /// There are none, but for digits of stride 0.
    Never,
    /// These.
    With([i128; MAX_FACTORS]),
    /// None were found in the steps that there were.
    Unknown,
}

/// Searches for differences of `digits`, from the largest stride to the smallest, that cancel out.
///
/// **Statement.** Differences `x[i]` with `|x[i]| < size[i]` and `sum of x[i] * stride[i] == 0` are found,
/// if there are any, with every digit of stride 0 left at 0.
///
/// **Reason.** Digits are tried from the slowest on. What the first ones add up to can be made up for by
/// the faster ones only as far as these go together, `sum of (size - 1) * |stride|`: every other
/// difference is left out. The negative of a solution is one, so the first difference is not negative.
///
/// **Cost.** Of strides that nest, each larger than all faster ones go together, the slowest digit can
/// only be 0, and so on: one step a digit. Strides that interleave take up to exponentially many, so the
/// search ends after `most` of them.
///
/// **Example.** Sizes 3 and 4 with strides 4 and 2: the second goes 3 * 2 = 6 far, so the first may differ
/// by 0 or 1. By 1, 4 is made up for by -2 steps of the second: coordinates (1, 0) and (0, 2) share
/// offset 4.
const fn cancelling(digits: &[Digit], most: usize) -> Cancelling {
    let count = digits.len();
    // How far the digits from each one on go together.
    let mut span = [0i128; MAX_FACTORS + 1];
    let mut i = count;
    while i > 0 {
        i -= 1;
        let values = digits[i].size.saturating_sub(1) as i128;
        span[i] = span[i + 1] + values * digits[i].stride.unsigned_abs() as i128;
    }
    let (mut difference, mut last) = ([0i128; MAX_FACTORS], [0i128; MAX_FACTORS]);
    let mut sum = [0i128; MAX_FACTORS + 1];
    // Whether all differences before each level are 0.
    let mut zero = [true; MAX_FACTORS + 1];
    let (mut level, mut back, mut left) = (0, false, most);
    while left > 0 {
        left -= 1;
        if back {
            if level == 0 {
                return Cancelling::Never;
            }
            level -= 1;
            difference[level] += 1;
        } else if level == count {
            if sum[level] == 0 && !zero[level] {
                return Cancelling::With(difference);
            }
            back = true;
            continue;
        } else {
            (difference[level], last[level]) =
                differences(&digits[level], sum[level], span[level + 1], zero[level]);
        }
        back = difference[level] > last[level];
        if !back {
            sum[level + 1] = sum[level] + difference[level] * digits[level].stride as i128;
            zero[level + 1] = zero[level] && difference[level] == 0;
            level += 1;
        }
    }
    Cancelling::Unknown
}

/// The lowest and the highest difference of a digit after which faster ones that go `span` far can make up
/// for the sum; not negative where it is the `first`.
const fn differences(digit: &Digit, sum: i128, span: i128, first: bool) -> (i128, i128) {
    if digit.stride == 0 {
        return (0, 0);
    }
    let stride = digit.stride.unsigned_abs() as i128;
    // |sum + difference * stride| <= span
    let (a, b) = (quotient(-sum - span, stride), quotient(-sum + span, stride));
    let (low, high) = if digit.stride > 0 { (a, b) } else { (-b, -a) };
    let most = digit.size.saturating_sub(1) as i128;
    let lowest = if first { 0 } else { -most };
    (if low > lowest { low } else { lowest }, if high < most { high } else { most })
}

/// `a / b` rounded down, of a positive `b`. The search divides at each step, and most numbers are short.
const fn quotient(a: i128, b: i128) -> i128 {
    let (short, divisor) = (a as i64, b as i64);
    match short as i128 == a && divisor as i128 == b {
        true => short.div_euclid(divisor) as i128,
        false => a.div_euclid(b),
    }
}

impl Layout {
    /// An error if two coordinates of a layout out of strides share an offset although they differ on
    /// more than broadcast axes.
    pub(crate) const fn overlap(&self) -> Option<LayoutError> {
        match cancelling(self.digits(), MOST_STEPS) {
            Cancelling::Never => None,
            // Each digit is a whole axis, so both coordinates are there.
            Cancelling::With(differences) => Some(self.witness(&differences)),
            Cancelling::Unknown => Some(LayoutError(Rule::OverlapUnknown { steps: MOST_STEPS })),
        }
    }

    /// Two coordinates whose digits, each a whole axis, have these differences.
    const fn witness(&self, differences: &[i128; MAX_FACTORS]) -> LayoutError {
        let (mut first, mut second) = ([0; MAX_RANK], [0; MAX_RANK]);
        let mut i = 0;
        while i < self.digit_count {
            let side = if differences[i] > 0 { &mut first } else { &mut second };
            // Below the extent.
            side[self.digits[i].axis] = differences[i].unsigned_abs() as usize;
            i += 1;
        }
        self.overlap_error(&first, &second)
    }

    /// The slowest axis with digits of strides other than 0 by which coordinates may share offsets.
    pub(in crate::algebra) const fn overlapping_axis(&self) -> Option<usize> {
        let mut digit = 0;
        match cancelling(self.digits(), MOST_STEPS) {
            Cancelling::Never => return None,
            Cancelling::With(differences) => {
                while differences[digit] == 0 {
                    digit += 1;
                }
            }
            Cancelling::Unknown => {}
        }
        Some(self.digits[digit].axis)
    }

    /// Errors where two coordinates share an offset and do not look like it, or where that takes too
    /// long to find out.
    pub(crate) const fn check_open(&self) -> Result<(), LayoutError> {
        let steps = MOST_STEPS;
        if let Cancelling::Never = cancelling(self.digits(), steps) {
            return Ok(());
        }
        let mut axes = [AxisDigits::NONE; MAX_RANK];
        let mut extents = [1; MAX_RANK];
        let mut count = 1usize;
        let mut axis = 0;
        while axis < self.rank() {
            axes[axis] = AxisDigits::of(self, axis);
            if !matches!(axes[axis].stride(), Some(0)) {
                extents[axis] = self.extents()[axis];
                count = count.saturating_mul(extents[axis]);
            }
            axis += 1;
        }
        if count > MOST_COORDINATES {
            return Err(LayoutError(Rule::OverlapUnknown { steps }));
        }
        let mut next = Some([0; MAX_RANK]);
        while let Some(coordinate) = next {
            let offset = self.offset(coordinate.split_at(self.rank()).0);
            // Of those that share an offset, all find the same one.
            if let Some(found) = self.coordinate(offset) {
                let found = found.as_slice();
                let mut axis = 0;
                while axis < self.rank() {
                    if !axes[axis].repeats(coordinate[axis], found[axis]) {
                        return Err(self.overlap_error(found, &coordinate));
                    }
                    axis += 1;
                }
            }
            next = next_coordinate(&coordinate, &extents);
        }
        Ok(())
    }

    const fn overlap_error(&self, a: &[usize], b: &[usize]) -> LayoutError {
        let (mut first, mut second) = ([0; MAX_RANK], [0; MAX_RANK]);
        let mut exact = true;
        let mut axis = 0;
        while axis < self.rank() {
            (first[axis], second[axis]) = (a[axis] as u32, b[axis] as u32);
            exact &= first[axis] as usize == a[axis] && second[axis] as usize == b[axis];
            axis += 1;
        }
        LayoutError(Rule::Overlap { axes: self.letters(), first, second, exact })
    }
}

impl AxisDigits {
    /// Whether two coordinates of the axis differ in nothing but digits of stride 0.
    const fn repeats(&self, a: usize, b: usize) -> bool {
        let (mut a, mut b) = (self.shift + a, self.shift + b);
        let mut i = 0;
        while i < self.count {
            let size = if i + 1 < self.count { self.sizes[i] } else { usize::MAX };
            if self.strides[i] != 0 && a % size != b % size {
                return false;
            }
            (a, b) = (a / size, b / size);
            i += 1;
        }
        true
    }

    /// Whether a digit of several values has stride 0.
    pub(in crate::algebra) const fn broadcasts(&self) -> bool {
        let mut i = 0;
        while i < self.count {
            if self.strides[i] == 0 && self.sizes[i] > 1 {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether coordinates that share a place differ in nothing but digits of stride 0. False where that
    /// would take too long to find out.
    pub(in crate::algebra) const fn is_open(&self) -> bool {
        /// Some ten thousand pairs.
        const LONGEST: usize = 256;
        const STEPS: usize = 1000;
        let mut digits = [Digit::NONE; MAX_FACTORS];
        let mut i = 0;
        while i < self.count {
            let digit = Digit { size: self.sizes[i], stride: self.strides[i], ..Digit::NONE };
            let mut at = i;
            while at > 0 && digits[at - 1].stride.unsigned_abs() < digit.stride.unsigned_abs() {
                digits[at] = digits[at - 1];
                at -= 1;
            }
            digits[at] = digit;
            i += 1;
        }
        if let Cancelling::Never = cancelling(digits.split_at(self.count).0, STEPS) {
            return true;
        }
        if self.extent > LONGEST {
            return false;
        }
        let mut a = 0;
        while a < self.extent {
            let own = self.offset(a);
            let mut b = a + 1;
            while b < self.extent {
                if self.offset(b) == own && !self.repeats(a, b) {
                    return false;
                }
                b += 1;
            }
            a += 1;
        }
        true
    }
}
