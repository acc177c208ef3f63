//! Values of digits that add up to an offset: a branch and bound.
//!
//! **Statement.** [`Sums::next`] finds the next values, in ascending order with the slowest digit first, such that the
//! steps of all digits, counted forward in either direction, add up to the total. Digits of stride 0 keep the value 0.
//!
//! **Reason.** The search tries digits from the slowest to the fastest. The faster digits together reach at most `sum of
//! (size - 1) * |stride|`, so a digit begins at the least value that they can complete. Larger values are tried as long
//! as they leave something to complete.
//!
//! **Cost.** If strides nest, each larger than the sum that all faster digits reach, there is one step for each digit.
//! Strides that interleave may take exponentially many.
//!
//! **Example.** Sizes 3 and 4 with strides 4 and 2, and total 8: the fast digit reaches 6, so the slow one begins at 1,
//! and values (1, 2) and (2, 0) are found.

use crate::layout::Digit;
use crate::spec::MAX_FACTORS;

pub(in crate::algebra) struct Sums<'a> {
    digits: &'a [Digit],
    /// The largest value of a digit is this many times its size less 1.
    times: usize,
    /// What the digits from each one on reach together, and what they have to add up to.
    spans: [usize; MAX_FACTORS + 1],
    rest: [usize; MAX_FACTORS + 1],
    pub(in crate::algebra) values: [usize; MAX_FACTORS],
    level: usize,
    back: bool,
    /// The number of steps that are left.
    pub(in crate::algebra) steps: usize,
}

impl<'a> Sums<'a> {
    /// Without a total, values are differences of two values of each digit, plus `size - 1`, and the differences add up
    /// to 0. The search begins after no difference at all, since those before are the negatives of those after it.
    pub(in crate::algebra) const fn new(
        digits: &'a [Digit],
        total: Option<usize>,
        steps: usize,
    ) -> Self {
        let (times, values, zeros) =
            (1 + total.is_none() as usize, [0; MAX_FACTORS], [0; MAX_FACTORS + 1]);
        let (spans, rest, level, back) = (zeros, zeros, 0, false);
        let mut new = Self { digits, times, spans, rest, values, level, back, steps };
        each!(rev level, 0..digits.len(), {
            let ((most, distance), faster) = (new.digit(level), new.spans[level + 1]);
            let fits = most <= (usize::MAX - faster) / distance;
            new.spans[level] = if fits { faster + most * distance } else { usize::MAX };
        });
        if let Some(total) = total {
            new.rest[0] = total;
            return new;
        }
        each!(level, 0..digits.len(), {
            (new.values[level], new.rest[level]) = (new.digit(level).0 / 2, new.spans[level] / 2);
        });
        (new.level, new.back) = (digits.len(), true);
        // No memory has such a layout.
        new.steps = if new.spans[0] == usize::MAX { 0 } else { steps };
        new
    }

    /// The largest value of a digit, and its distance.
    const fn digit(&self, level: usize) -> (usize, usize) {
        match &self.digits[level] {
            Digit { stride: 0, .. } | Digit { size: 0, .. } => (0, 1),
            digit if digit.size > usize::MAX / self.times => (usize::MAX, digit.distance()),
            digit => ((digit.size - 1) * self.times, digit.distance()),
        }
    }

    /// Finds the next values. False if there are none, or if no steps are left.
    pub(in crate::algebra) const fn next(&mut self) -> bool {
        while self.steps > 0 {
            self.steps -= 1;
            if !self.back && self.level == self.digits.len() {
                self.back = true;
                if self.rest[self.level] == 0 {
                    return true;
                }
                continue;
            }
            if self.back && self.level == 0 {
                return false;
            }
            self.level -= self.back as usize;
            let level = self.level;
            let (most, distance) = self.digit(level);
            let (value, rest) = (&mut self.values[level], self.rest[level]);
            // Const evaluation pays for calls of the standard library.
            let (span, largest) = (self.spans[level + 1], rest / distance);
            *value = match (self.back, rest > span) {
                (true, _) => *value + 1,
                (_, false) => 0,
                _ => (rest - span - 1) / distance + 1,
            };
            self.back = *value > most || *value > largest;
            if !self.back {
                self.rest[level + 1] = rest - *value * distance;
                self.level += 1;
            }
        }
        false
    }
}
