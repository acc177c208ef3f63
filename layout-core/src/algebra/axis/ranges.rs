//! The least position of an axis whose digits lie in ranges.

use crate::spec::MAX_FACTORS;

/// The digits of an axis with the range in which each has to be, slowest first.
pub(in crate::algebra) struct Ranges {
    /// The weight, the lowest and the highest value of each digit.
    list: [(usize, usize, usize); MAX_FACTORS],
    count: usize,
}

impl Ranges {
    pub(in crate::algebra) const NONE: Self = Self { list: [(1, 0, 0); MAX_FACTORS], count: 0 };

    /// Adds a digit of this weight, which has to be `from` to `to`.
    pub(in crate::algebra) const fn insert(&mut self, weight: usize, from: usize, to: usize) {
        let mut at = self.count;
        while at > 0 && self.list[at - 1].0 < weight {
            self.list[at] = self.list[at - 1];
            at -= 1;
        }
        self.list[at] = (weight, from, to);
        self.count += 1;
    }

    /// The least position, from `low` on, all of whose digits are in their ranges, if there is one.
    ///
    /// **Reason.** Such a position has the digits of `low` down to some digit, which is larger, and below it the least
    /// ones. The lower that digit, the less the position.
    ///
    /// **Example.** Blocks of 3, from position 1 on, the slow digit 0 to 2 and the fast one 2: the slow digit of 1 may
    /// stay 0, and 2 is larger than the fast one, so the position is 2. From 3 on it is 5. With a slow digit of 0 alone
    /// there is none from 3 on: it would have to be 1.
    pub(in crate::algebra) const fn least_from(&self, low: i128) -> Option<i128> {
        let mut least = 0i128;
        each!(i, 0..self.count, {
            least += self.list[i].1 as i128 * self.list[i].0 as i128;
        });
        // The least position so far, and the digits of `low` down to here.
        let (mut found, mut same) = (None, 0i128);
        each!(i, 0..self.count, {
            let (weight, from, to) = self.list[i];
            let (weight, from, to) = (weight as i128, from as i128, to as i128);
            least -= from * weight;
            let value = (low - same) / weight;
            let larger = if value + 1 > from { value + 1 } else { from };
            if larger <= to {
                found = Some(same + larger * weight + least);
            }
            if value < from || value > to {
                return found;
            }
            same += value * weight;
        });
        Some(low)
    }
}
