//! Whether two axes have the same steps.

use super::{AxisDigits, to_last};

impl AxisDigits {
    /// Whether every coordinate has the same offset in both axes, up to a constant.
    ///
    /// **Statement.** Two axes that begin with a block have the same steps if their digits are equal. Any two axes
    /// have the same steps if there is no coordinate at which the slowest changing digits of the two have different
    /// steps.
    ///
    /// **Reason.** The step to a coordinate depends only on the slowest digit that changes there (see
    /// [`inference`](super::inference)). Digit `k` of weight `w` is that digit at the positions that `w` divides and
    /// the next weight does not. Positions count from where all digits are 0.
    pub(crate) const fn runs_like(&self, other: &Self) -> bool {
        if self.extent != other.extent {
            return false;
        }
        if self.extent < 2 {
            return true;
        }
        if self.shift == 0 && other.shift == 0 {
            let mut same = self.count == other.count;
            let mut i = 0;
            while same && i < self.count {
                same = self.sizes[i] == other.sizes[i] && self.strides[i] == other.strides[i];
                i += 1;
            }
            return same;
        }
        let (mut back, mut weight) = (0isize, 1);
        each!(i, 0..self.count, {
            let step = self.strides[i].wrapping_sub(back);
            let (mut other_back, mut other_weight) = (0isize, 1);
            each!(k, 0..other.count, {
                let differ = step != other.strides[k].wrapping_sub(other_back);
                let changes = Changes { axis: self, digit: i, weight };
                let other_changes = Changes { axis: other, digit: k, weight: other_weight };
                if differ && changes.meet(&other_changes) {
                    return false;
                }
                other_back = other_back.wrapping_add(to_last(other.sizes[k], other.strides[k]));
                other_weight *= other.sizes[k];
            });
            back = back.wrapping_add(to_last(self.sizes[i], self.strides[i]));
            weight *= self.sizes[i];
        });
        true
    }
}

/// The coordinates of an axis at which one of its digits is the slowest to change.
struct Changes<'a> {
    axis: &'a AxisDigits,
    digit: usize,
    weight: usize,
}

impl Changes<'_> {
    /// Whether a coordinate above 0 is in both sets, for axes of the same extent.
    ///
    /// The positions that both weights divide are evenly spaced. Every `p`th of them is excluded, where the next
    /// weight of the first axis divides the position, and every `q`th, where that of the other axis does. This
    /// excludes all of them only if `p == q == 2`. Otherwise it leaves at least one of any four in a row.
    const fn meet(&self, other: &Self) -> bool {
        let extent = self.axis.extent as u128;
        let Some((first, every)) = common(
            (self.weight as u128, self.axis.shift as u128),
            (other.weight as u128, other.axis.shift as u128),
        ) else {
            return false;
        };
        let mut coordinate = if first == 0 { every } else { first };
        let mut i = 0;
        while i < 4 && coordinate < extent {
            if self.has(coordinate as usize) && other.has(coordinate as usize) {
                return true;
            }
            coordinate += every;
            i += 1;
        }
        false
    }

    /// Whether no slower digit changes at a coordinate at which this one does.
    const fn has(&self, coordinate: usize) -> bool {
        self.digit + 1 == self.axis.count
            || (self.axis.shift + coordinate) % (self.weight * self.axis.sizes[self.digit]) != 0
    }
}

/// The lowest number that is a multiple of `weight` after adding `shift`, for both pairs, and the distance to the next
/// such number. `None` if there is none.
const fn common(one: (u128, u128), other: (u128, u128)) -> Option<(u128, u128)> {
    let ((weight, shift), (other_weight, other_shift)) = (one, other);
    // Multiples of the first weight alone are `lowest + i * weight`.
    let lowest = (weight - shift % weight) % weight;
    // Euclid's algorithm. Invariant: `divisor == factor * weight`, modulo the other weight.
    let (mut divisor, mut next) = (weight, other_weight);
    let (mut factor, mut next_factor) = (1i128, 0i128);
    while next > 0 {
        let quotient = divisor / next;
        (divisor, next) = (next, divisor % next);
        (factor, next_factor) = (next_factor, factor - quotient as i128 * next_factor);
    }
    let wanted = (other_weight - (lowest + other_shift) % other_weight) % other_weight;
    if wanted % divisor != 0 {
        return None;
    }
    let modulus = other_weight / divisor;
    let factor = factor.rem_euclid(modulus as i128) as u128;
    let times = wanted / divisor % modulus * factor % modulus;
    Some((lowest + times * weight, weight * modulus))
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::layout::Layout;
    use crate::spec::ElementType;

    /// An axis with blocks of several depths, some of which share elements.
    fn axis(extents: &[usize], strides: &[isize]) -> AxisDigits {
        let letters = &"ABCD"[..extents.len()];
        let axes = Layout::from_strides(letters, extents, strides, ElementType::U8).unwrap();
        AxisDigits::of(&axes.merge(letters, 'X').unwrap(), 0)
    }

    /// All slices of an axis of this length, forward and backward.
    fn slices(axis: &AxisDigits, length: usize) -> impl Iterator<Item = AxisDigits> + '_ {
        (0..(axis.extent + 1).saturating_sub(length)).flat_map(move |start| {
            let slice = axis.slice(start, 1, length).ok().unwrap();
            [slice, slice.flip()]
        })
    }

    #[test]
    fn axes_are_alike_where_their_steps_are() {
        let axes = [
            axis(&[3, 2, 2, 2], &[16, 2, 8, 1]),
            axis(&[2, 2, 3, 2], &[30, 2, 5, 1]),
            axis(&[6, 2], &[6, 1]),
            axis(&[6, 2], &[6, 5]),
            axis(&[5, 2, 3], &[1, 0, 5]),
            axis(&[3, 2, 4], &[0, 7, 1]),
            axis(&[3, 3, 3], &[-1, 4, 20]),
            axis(&[4, 6], &[9, 1]),
        ];
        let (mut alike, mut cut_otherwise) = (0, 0);
        for length in 2..27 {
            let all: Vec<AxisDigits> =
                axes.iter().flat_map(|axis| slices(axis, length).collect::<Vec<_>>()).collect();
            let steps: Vec<Vec<isize>> = all
                .iter()
                .map(|axis| (1..length).map(|i| axis.offset(i) - axis.offset(i - 1)).collect())
                .collect();
            for (i, one) in all.iter().enumerate() {
                for (k, other) in all.iter().enumerate() {
                    let same = steps[i] == steps[k];
                    assert_eq!(one.runs_like(other), same, "{:?} and {:?}", steps[i], steps[k]);
                    alike += usize::from(same && i != k);
                    cut_otherwise += usize::from(same && one.sizes != other.sizes);
                }
            }
        }
        assert!(alike > 1000 && cut_otherwise > 50, "{alike}, {cut_otherwise}");
    }
}
