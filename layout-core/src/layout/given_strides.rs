//! Digits with given strides: their order, and the part of a buffer that has the elements.

use super::{Digit, Layout};
use crate::spec::{Factor, LayoutError, MAX_FACTORS, MAX_RANK, Rule, Spec, Subject, Summary};

impl Layout {
    /// Puts digits with given strides in order, and the elements into the buffer.
    #[inline(never)]
    pub(super) const fn place_strides(
        &mut self,
        spec: &Spec<'_>,
        summary: &Summary,
        (mut digits, count): ([Digit; MAX_FACTORS], usize),
    ) -> Result<(), (LayoutError, Subject)> {
        sort(&mut digits, count, summary.is_view);
        self.set_digits(&digits, count);
        self.buffer.overlapping = summary.overlaps;
        let part = match summary.part {
            Summary::NONE => None,
            i => match spec.factors[i] {
                Factor::Part(start, length) => Some((start, length)),
                _ => None,
            },
        };
        if self.numel() == 0 {
            if let Some((start, length)) = part {
                (self.buffer.base, self.buffer.length) = (start as usize, length);
            }
            return Ok(());
        }
        ok!(self.place_in_buffer(digits.split_at(count).0));
        if let Some((start, length)) = part {
            let first = self.offset([0; MAX_RANK].split_at(self.rank()).0);
            let distance = start as i128 - first as i128;
            if distance < 0 || distance + self.buffer.length as i128 > length as i128 {
                let error = LayoutError(Rule::OutsideOfBuffer { length });
                return Err((error, Subject::Option(summary.part)));
            }
            self.buffer.base = (self.base() as i128 + distance) as usize;
            self.buffer.length = length;
        }
        let overlap = match (summary.overlaps, summary.is_view) {
            (true, _) => None,
            (false, true) => self.overlap_of_view(),
            (false, false) => self.overlap(),
        };
        match overlap {
            Some(error) => Err((error, Subject::Strides)),
            None => Ok(()),
        }
    }

    /// Makes the buffer as large as the digits reach, whose strides may be negative.
    const fn place_in_buffer(&mut self, digits: &[Digit]) -> Result<(), (LayoutError, Subject)> {
        let (mut below, mut reach) = (0usize, 0usize);
        each!(i, 0..digits.len(), {
            let Digit { size, stride, .. } = digits[i];
            let Some(way) = (size - 1).checked_mul(stride.unsigned_abs()) else {
                return Err(self.too_large());
            };
            reach = match reach.checked_add(way) {
                Some(reach) if reach < isize::MAX as usize => reach,
                _ => return Err(self.too_large()),
            };
            below += if stride < 0 { way } else { 0 };
        });
        self.buffer.base = below;
        self.buffer.length = reach + 1;
        if digits.len() > self.rank() {
            // An axis may begin and end inside its blocks.
            let reached = self.reach();
            self.buffer.base = below.wrapping_sub(reached.start);
            self.buffer.length = reached.end - reached.start;
        }
        Ok(())
    }
}

/// Sorts digits with given strides from the largest to the smallest. Of two equal strides, that of a digit of several
/// values comes before that of one value, unless `as_listed` keeps their order. No coordinate uses the stride of a
/// digit of one value, so one of stride 0 stays beside the digit that follows it.
const fn sort(digits: &mut [Digit; MAX_FACTORS], count: usize, as_listed: bool) {
    let mut keys = [0; MAX_FACTORS];
    let mut following = 0;
    each!(rev i, 0..count, {
        let Digit { size, stride, .. } = digits[i];
        let distance = stride.unsigned_abs();
        keys[i] = if distance == 0 && size < 2 { following } else { distance };
        if as_listed {
            following = keys[i];
        } else if distance > 0 && size > 1 {
            following = distance.saturating_mul(size);
        }
    });
    each!(i, 1..count, {
        let (digit, key) = (digits[i], keys[i]);
        let mut k = i;
        while k > 0
            && match as_listed {
                true => key > keys[k - 1],
                false => digit.is_slower(key, &digits[k - 1], keys[k - 1]),
            }
        {
            (digits[k], keys[k]) = (digits[k - 1], keys[k - 1]);
            k -= 1;
        }
        (digits[k], keys[k]) = (digit, key);
    });
}
