//! A field from bits to coordinates.

use layout_core::PerAxis;
use layout_core::spec::{MAX_RANK, gcd};

use crate::field::{FieldPlace, RecordField};
use crate::tree::MOST_DIGITS;

impl RecordField {
    /// The first coordinate of the record that has each element, the last axis the fastest.
    #[doc(hidden)]
    pub fn coordinates(&self) -> impl ExactSizeIterator<Item = PerAxis<usize>> + use<> {
        let (axes, shares, rank) = (self.record_axes, self.shares, self.record_rank);
        // An axis that the field lacks has one element.
        let steps = move |axis: usize| {
            let share = shares.get(axes[axis].1).copied().unwrap_or(axes[axis].0.max(1));
            (axes[axis].0.div_ceil(share), share)
        };
        let count = (0..rank).fold(1usize, |all, axis| all.saturating_mul(steps(axis).0));
        (0..count).map(move |mut element| {
            let mut at = [0; MAX_RANK];
            for axis in (0..rank).rev() {
                let (count, share) = steps(axis);
                at[axis] = element % count * share;
                element /= count;
            }
            PerAxis::new(at, rank)
        })
    }

    /// The coordinate of the field whose element has a bit of its buffer, or `None` if no element of the field has it.
    /// Bits count as those of [`bit_offset`](Self::bit_offset).
    ///
    /// ```
    /// use tensor_layout::records::Record;
    ///
    /// // XNNPACK's rotation: the block of k moves on with each column.
    /// let packed = Record::parse("<N = 8, K = 8>, { N { b: 8n i32, w: K 4k-8n 8n 2k i8 } }")?;
    /// let w = packed.field("w")?;
    /// let bit = w.bit_offset(&[3, 5])?;
    /// assert_eq!(w.coordinate(bit + 7).as_deref(), Some(&[3, 5][..]));
    /// assert!(w.coordinate(0).is_none()); // of `b`
    /// # Ok::<(), tensor_layout::records::RecordError>(())
    /// ```
    ///
    /// Law: `coordinate(bit_offset(c)) == c` for every coordinate `c` of the field.
    pub const fn coordinate(&self, bit: u64) -> Option<PerAxis<usize>> {
        let mut place = 0;
        while place < self.places().len() && bit / 8 < self.buffer_bytes() as u64 {
            let own = self.places()[place];
            if let Some(mut at) = self.coordinate_in(own, bit as i64) {
                if self.places().len() > 1 {
                    at[self.split().axis] += place * self.split().weight;
                }
                let (mut axis, mut inside) = (0, true);
                while axis < self.extents().len() {
                    inside &= at[axis] < self.extents()[axis];
                    axis += 1;
                }
                return if inside { Some(PerAxis::new(at, axis)) } else { None };
            }
            place += 1;
        }
        None
    }

    /// The coordinate of a bit in one of the places of the field, which may be one of padding.
    const fn coordinate_in(&self, place: FieldPlace, bit: i64) -> Option<[usize; MAX_RANK]> {
        let mut digits = self.digits_of(place);
        let (mut rest, mut i) = (bit - place.start, 0);
        // Pieces in falling order begin at their last step.
        while i < digits.len() {
            if digits[i].stride < 0 {
                rest -= (digits[i].size as i64 - 1) * digits[i].stride;
            }
            i += 1;
        }
        let (mut steps, mut done) = ([0; MOST_DIGITS], 0);
        while let Some(i) = self.longest(place, done) {
            done |= 1 << i;
            let (size, distance) = (digits[i].size, digits[i].stride.abs());
            let step = rest / distance;
            if rest < 0 || step >= size as i64 {
                return None;
            }
            rest -= step * distance;
            steps[i] = if digits[i].stride < 0 { size - 1 - step as usize } else { step as usize };
        }
        if let Some((word, jump)) = self.words() {
            if rest < 0 {
                return None;
            }
            // The last digit counts the words beside one another.
            i = digits.len();
            steps[i - 1] = (rest % jump / word) as usize;
            rest = rest / jump * word + rest % word;
            digits = self.all_digits(place);
            while i < digits.len() {
                let stride = digits[i].stride;
                if rest < 0 || stride == 0 || rest / stride >= digits[i].size as i64 {
                    return None;
                }
                (steps[i], rest, i) = ((rest / stride) as usize, rest % stride, i + 1);
            }
        }
        if rest < 0 || rest >= self.bits() as i64 {
            return None;
        }
        let mut at = [0; MAX_RANK];
        i = 0;
        // Digits that are added to others are plain ones, so these come first.
        while i < 2 * digits.len() {
            let digit = &digits[i % digits.len()];
            if digit.change.has_operand() == (i >= digits.len()) {
                at[digit.axis] += digit.step_of_stored(steps[i % digits.len()], &at) * digit.weight;
            }
            i += 1;
        }
        Some(at)
    }

    /// The digit of more than one step with the largest distance, of those without a bit in `done`.
    const fn longest(&self, place: FieldPlace, done: u32) -> Option<usize> {
        let digits = self.digits_of(place);
        let (mut found, mut most) = (None, 0);
        let least = if let Some((_, jump)) = self.words() { jump } else { 0 };
        layout_core::each!(i, 0..digits.len(), {
            let distance = digits[i].stride.abs();
            let is_longer = distance > most && distance >= least;
            if digits[i].size > 1 && done >> i & 1 == 0 && is_longer {
                (found, most) = (Some(i), distance);
            }
        });
        found
    }

    /// The largest number of bits that divides the width of an element and the distances between all of them.
    #[doc(hidden)]
    pub fn common_bits(&self) -> u64 {
        let starts = self.places().iter().map(|place| place.start.unsigned_abs());
        let words = self.words().map(|own| own.0 as u64);
        starts.chain(self.distances()).chain(words).fold(self.bits() as u64, gcd)
    }

    /// The distances between steps of digits in bits.
    #[doc(hidden)]
    pub fn distances(&self) -> impl Iterator<Item = u64> {
        let digits = self.places().iter().flat_map(|place| self.all_digits(*place));
        digits.filter(|digit| digit.size > 1).map(|digit| digit.stride.unsigned_abs())
    }
}
