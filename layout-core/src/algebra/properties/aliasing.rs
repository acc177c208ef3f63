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
//! [`cancelling`] searches for such differences, for given strides, for an axis and for a composition alike. It
//! ignores that the ends of an axis may not have all digits, so the differences it finds may belong to no two
//! coordinates. Then a few coordinates are compared one by one.

use crate::algebra::AxisDigits;
use crate::algebra::composition::carry_chain::next_coordinate;
use crate::layout::Digit;
use crate::layout::Layout;
use crate::spec::{LayoutError, MAX_FACTORS, MAX_RANK, Rule};

/// The largest number of steps in a search among the digits of a layout.
const MOST_STEPS: usize = 10_000;

/// The largest number of coordinates that are compared one by one.
const MOST_COORDINATES: usize = 2048;

/// The result of a search for differences of digits, not all 0, whose strides add up to 0.
#[allow(clippy::large_enum_variant, reason = "returned once, by a search that cannot allocate")]
enum Cancelling {
    /// There are none, except in digits of stride 0.
    Never,
    /// These differences.
    With([i128; MAX_FACTORS]),
    /// The search ended before it found any.
    Unknown,
}

/// Searches for differences of `digits`, from the largest stride to the smallest, that cancel out.
///
/// **Statement.** The search finds differences `x[i]` with `|x[i]| < size[i]` and `sum of x[i] * stride[i] == 0`, if
/// there are any. Digits of stride 0 keep difference 0.
///
/// **Reason.** The search tries digits from the slowest to the fastest. The faster digits together can cancel a sum of
/// at most `sum of (size - 1) * |stride|`, so larger sums are skipped. The negative of a solution is also a solution,
/// so the first difference other than 0 may be taken as positive.
///
/// **Cost.** If strides nest, each larger than the sum that all faster digits reach, the slowest difference can only
/// be 0, then the next, and so on: one step for each digit. Strides that interleave may take exponentially many steps,
/// so the search ends after `most` steps.
///
/// **Example.** Sizes 3 and 4 with strides 4 and 2: the second digit reaches 3 * 2 = 6, so the first may differ by 0 or
/// 1. If it differs by 1, -2 steps of the second digit cancel the 4: coordinates (1, 0) and (0, 2) share offset 4.
const fn cancelling(digits: &[Digit], most: usize) -> Cancelling {
    let count = digits.len();
    // The sum that the digits from each one on can reach together.
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

/// The lowest and the highest difference of a digit after which faster digits, which reach `span`, can cancel the sum.
/// Not negative if the digit is the `first` that differs.
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

/// `a / b` rounded down, for a positive `b`. The search divides at each step, and most numbers fit in 64 bits.
const fn quotient(a: i128, b: i128) -> i128 {
    let (short, divisor) = (a as i64, b as i64);
    match short as i128 == a && divisor as i128 == b {
        true => short.div_euclid(divisor) as i128,
        false => a.div_euclid(b),
    }
}

impl Layout {
    /// Returns an error if two coordinates of a layout of given strides share an offset, unless they differ only on
    /// broadcast axes.
    pub(crate) const fn overlap(&self) -> Option<LayoutError> {
        match cancelling(self.digits(), MOST_STEPS) {
            Cancelling::Never => None,
            // Each digit is a whole axis, so both coordinates exist.
            Cancelling::With(differences) => Some(self.witness(&differences)),
            Cancelling::Unknown => Some(LayoutError(Rule::OverlapUnknown { steps: MOST_STEPS })),
        }
    }

    /// Two coordinates with these differences of their digits, each of which is a whole axis.
    const fn witness(&self, differences: &[i128; MAX_FACTORS]) -> LayoutError {
        let (mut first, mut second) = ([0; MAX_RANK], [0; MAX_RANK]);
        let mut i = 0;
        while i < self.digits().len() {
            let side = if differences[i] > 0 { &mut first } else { &mut second };
            // This is below the extent.
            side[self.digits()[i].axis] = differences[i].unsigned_abs() as usize;
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

    /// Returns an error if two coordinates share an offset and differ in a digit of a stride other than 0, or if that
    /// takes too long to find out.
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
            // Coordinates that share an offset all find the same coordinate.
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
    /// Whether two coordinates of the axis differ only in digits of stride 0.
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

    /// Whether coordinates that share an offset differ only in digits of stride 0. False if that would take too long
    /// to find out.
    pub(in crate::algebra) const fn is_open(&self) -> bool {
        /// About 32000 pairs.
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
