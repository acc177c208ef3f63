//! Composition where steps never carry from one digit of the outer layout into the next.
//!
//! **Statement.** An inner digit of `n` values whose step is `t` times the weight of an outer digit is one digit of
//! stride `t * stride`, if its values stay in that outer digit. If `t` divides the size `d` of the outer digit, the
//! values may exceed it: then the inner digit is one digit of `d / t` values, and another one that counts the next
//! outer digit up by 1.
//!
//! **Reason.** A step of `t` weights adds `t` to the outer digit and changes no other, unless it carries. After
//! `d / t` steps it has added `d`, which is exactly 1 in the next digit and 0 in this one. All inner axes move at
//! once, so their sum in an outer digit, with its start, must stay below its size. A negative step is the same digit
//! counted from its other end.

use crate::algebra::AxisDigits;
use crate::algebra::axis::to_last;
use crate::layout::Layout;
use crate::spec::{MAX_FACTORS, MAX_RANK};

impl Layout {
    /// Returns the axes of `inner` as steps through the coordinates of this layout, and the offset of the first.
    /// `None` if a step carries from one digit into another: then only the offsets show whether there are such axes.
    pub(in crate::algebra) const fn compose_digits(
        &self,
        inner: &Self,
    ) -> Option<(usize, [AxisDigits; MAX_RANK])> {
        let mut whole = AxisDigits::single(1, 0);
        each!(axis, 0..self.rank(), {
            let digits = AxisDigits::of(self, axis);
            if whole.joined_end(&digits).is_none() {
                return None;
            }
            whole = match whole.join(&digits) {
                Some(joined) if !joined.overflow => joined,
                _ => return None,
            };
        });
        let mut composition =
            Composition::new(&whole, inner.base() as isize + whole.shift as isize);
        let mut axes = [whole; MAX_RANK];
        each!(axis, 0..inner.rank(), {
            axes[axis] = match composition.axis(&AxisDigits::of(inner, axis)) {
                Some(digits) => digits,
                None => return None,
            };
        });
        if !composition.keeps() {
            return None;
        }
        let start = whole.start.wrapping_add(whole.distance(composition.position as usize));
        Some((self.base().wrapping_add_signed(start), axes))
    }
}

/// Steps through the digits of a whole layout. Each step stays inside the digits that it moves, so it never carries.
struct Composition<'a> {
    whole: &'a AxisDigits,
    /// The lowest position that the steps reach.
    position: isize,
    /// The largest sum of steps in each digit.
    used: [usize; MAX_FACTORS],
}

impl<'a> Composition<'a> {
    const fn new(whole: &'a AxisDigits, position: isize) -> Self {
        Self { whole, position, used: [0; MAX_FACTORS] }
    }

    /// One axis of the inner layout as steps through the whole, or `None` if a step moves digits unevenly.
    const fn axis(&mut self, steps: &AxisDigits) -> Option<AxisDigits> {
        self.position += steps.start;
        let mut new = AxisDigits { overflow: steps.overflow, ..AxisDigits::NONE };
        each!(i, 0..steps.count, {
            let top = i + 1 == steps.count;
            new = match self.digit(new, steps.sizes[i], steps.strides[i], top) {
                Some(new) => new,
                None => return None,
            };
        });
        Some(new.normalized(steps.shift, steps.extent))
    }

    /// Adds one digit of the inner layout to `new`.
    const fn digit(
        &mut self,
        mut new: AxisDigits,
        size: usize,
        stride: isize,
        top: bool,
    ) -> Option<AxisDigits> {
        if size < 2 || stride == 0 {
            // An axis of one coordinate, whose stride no coordinate uses, or a broadcast axis.
            return Some(new.with(size, 0));
        }
        let step = stride.unsigned_abs();
        let backwards = stride < 0;
        let (mut left, mut weight, mut level) = (size, 1usize, 0);
        let last = self.whole.count - 1;
        while level < last && step >= weight * self.whole.sizes[level] {
            weight *= self.whole.sizes[level];
            level += 1;
        }
        if step % weight != 0 {
            return None;
        }
        let mut step = step / weight;
        loop {
            let values = self.whole.sizes[level];
            let fits = level == last || (left - 1) <= (values - 1) / step;
            let part = if fits { left } else { values / step };
            // For a negative step, all values of the digit count. Otherwise the slowest digit may end early.
            let even = left % part == 0 || (top && !backwards);
            if !fits && (values % step != 0 || !even) {
                return None;
            }
            let distance = self.whole.strides[level].wrapping_mul(step as isize);
            self.used[level] += (part - 1) * step;
            if backwards {
                // Count from the other end.
                self.position -= ((part - 1) * step * weight) as isize;
            }
            new = new.with(part, if backwards { distance.wrapping_neg() } else { distance });
            if backwards {
                new.start = new.start.wrapping_add(to_last(part, distance));
            }
            if fits {
                return Some(new);
            }
            left = left.div_ceil(part);
            weight *= values;
            step = 1;
            level += 1;
        }
    }

    /// Whether all steps together keep every digit except the slowest in its range.
    const fn keeps(&self) -> bool {
        if self.position < 0 {
            return false;
        }
        let mut rest = self.position as usize;
        let mut i = 0;
        while i + 1 < self.whole.count {
            let size = self.whole.sizes[i];
            if rest % size + self.used[i] >= size {
                return false;
            }
            rest /= size;
            i += 1;
        }
        true
    }
}
