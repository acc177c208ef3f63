//! What two layouts have in common.

use crate::algebra::{AxisDigits, Digit};
use crate::layout::Layout;
use crate::spec::Factor;

impl Layout {
    /// Whether axes and blocks of the two follow one another in memory in the same order. Extents,
    /// element types, gaps and directions have no say.
    ///
    /// A view, and a layout out of strides, has no order of what it has one of: where it has one
    /// coordinate of an axis, or no more than a block, it has the same format as layouts that place
    /// these anywhere.
    ///
    /// ```
    /// use layout_types::{ElementType, Format, Layout};
    ///
    /// let nhwc = Format::parse("NHWC")?;
    /// let small = Layout::of(&nhwc, &[1, 3, 2, 2], ElementType::U8)?;
    /// let large = Layout::of(&nhwc, &[4, 8, 5, 5], ElementType::F32)?;
    /// assert!(small.same_format(&large) && small.same_format(&large.slice('W', 4, -2, 2)?));
    /// assert!(!small.same_format(&Layout::of(&Format::parse("NCHW")?, &[1, 3, 2, 2], ElementType::U8)?));
    ///
    /// let blocks = Layout::of(&Format::parse("NCHW4")?, &[2, 8, 3, 3], ElementType::I8)?;
    /// assert!(blocks.same_format(&blocks.slice('C', 4, 1, 4)?)); // one block
    /// # Ok::<(), layout_types::LayoutError>(())
    /// ```
    pub const fn same_format(&self, other: &Self) -> bool {
        let mut same = self.digits().len() == other.digits().len();
        let mut i = 0;
        while same && i < self.digits().len() {
            same = same_factor(self.factor(i), other.factor(i));
            i += 1;
        }
        same || (self.explicit && self.lies_like(other))
            || (other.explicit && other.lies_like(self))
    }

    /// A digit as one writes it down.
    const fn factor(&self, i: usize) -> Factor {
        let digit: &Digit = &self.digits()[i];
        let letter = self.letters().at(digit.axis);
        match self.is_rest(digit) {
            true if digit.stride == 0 && digit.size > 1 => Factor::Broadcast(letter),
            true => Factor::Axis(letter),
            false => Factor::Block(letter, digit.size),
        }
    }

    /// Whether the axes have strides for all digits of `other` of which they have several values, and
    /// these in the same order.
    const fn lies_like(&self, other: &Self) -> bool {
        let mut slower = usize::MAX;
        let mut same = self.rank() == other.rank();
        let mut i = 0;
        while same && i < other.digits().len() {
            let digit = &other.digits()[i];
            let Some(axis) = self.letters().position(other.letters().at(digit.axis)) else {
                return false;
            };
            let own = AxisDigits::of(self, axis);
            let end = match other.is_rest(digit) {
                true => usize::MAX,
                false => digit.weight * digit.size,
            };
            if own.extent > digit.weight {
                let way = match own.stride_between(digit.weight, end) {
                    Some(stride) if digit.shift == 0 => stride.unsigned_abs(),
                    _ => 0,
                };
                same = way > 0 && way < slower && digit.stride != 0;
                slower = way;
            }
            i += 1;
        }
        same
    }

    /// Whether the two have the same axes and extents, and every coordinate at the same offset.
    /// Axes are matched by letter, so coordinate orders may differ.
    ///
    /// Law: `offset(self, c) == offset(other, c)` for all coordinates.
    pub const fn same_map(&self, other: &Self) -> bool {
        if self.rank() != other.rank() {
            return false;
        }
        let (mut first, mut second) = (self.base as isize, other.base as isize);
        let mut same = true;
        let mut axis = 0;
        while axis < self.rank() {
            let Some(position) = other.letters().position(self.letters().at(axis)) else {
                return false;
            };
            let (a, b) = (AxisDigits::of(self, axis), AxisDigits::of(other, position));
            if a.extent != b.extent {
                return false;
            }
            if self.count() > 0 {
                same &= a.runs_like(&b);
                first = first.wrapping_add(a.place(0));
                second = second.wrapping_add(b.place(0));
            }
            axis += 1;
        }
        self.count() == 0 || (same && first == second)
    }

    /// Whether the element of every coordinate is the same bytes of a buffer in both: the same map
    /// and elements of the same width. Then the one can be read as the other, and a relayout
    /// between the two moves nothing.
    ///
    /// ```
    /// use layout_types::{ElementType, Format, Layout};
    ///
    /// let of = |format, element| Layout::of(&Format::parse(format)?, &[2, 8, 1, 1], element);
    /// let (nchw, nhwc) = (of("NCHW", ElementType::F32)?, of("NHWC", ElementType::F32)?);
    /// assert!(nchw.same_bytes(&nhwc) && nchw.same_bytes(&of("NCHW", ElementType::I32)?));
    /// assert!(!nchw.same_bytes(&of("NCHW", ElementType::F16)?));
    /// # Ok::<(), layout_types::LayoutError>(())
    /// ```
    pub const fn same_bytes(&self, other: &Self) -> bool {
        self.element().bits() == other.element().bits() && self.same_map(other)
    }
}

/// `==` in a `const fn`.
const fn same_factor(a: Factor, b: Factor) -> bool {
    match (a, b) {
        (Factor::Axis(a), Factor::Axis(b)) | (Factor::Broadcast(a), Factor::Broadcast(b)) => {
            a as u32 == b as u32
        }
        (Factor::Block(a, size), Factor::Block(b, other)) => a as u32 == b as u32 && size == other,
        _ => false,
    }
}

impl AxisDigits {
    /// The one stride of all steps of `weight` coordinates that stay between multiples of `end`, if
    /// there is one.
    const fn stride_between(&self, weight: usize, end: usize) -> Option<isize> {
        if self.shift > 0 {
            return None;
        }
        let mut own = 1usize;
        let mut i = 0;
        while i + 1 < self.count && own * self.sizes[i] <= weight {
            own *= self.sizes[i];
            i += 1;
        }
        let last = if self.extent < end { self.extent } else { end };
        let fits = i + 1 == self.count || last <= own * self.sizes[i];
        if !fits || weight % own != 0 {
            return None;
        }
        Some(self.strides[i].wrapping_mul((weight / own) as isize))
    }

    /// Whether every coordinate has the same place in both but for a constant.
    ///
    /// **Statement.** Two axes that begin with a block are alike if their digits are. Any two are, if no
    /// coordinate has a slowest changing digit in the one and one in the other whose steps differ.
    ///
    /// **Reason.** The step to a coordinate depends on the slowest digit that changes there alone (see
    /// [`AxisDigits::of_places`]). The coordinates at which digit `k` of weight `w` is that digit are those
    /// that `w` divides, counted from where the axis begins, and the next weight does not.
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
        let mut i = 0;
        while i < self.count {
            let step = self.strides[i].wrapping_sub(back);
            let (mut other_back, mut other_weight) = (0isize, 1);
            let mut k = 0;
            while k < other.count {
                let differ = step != other.strides[k].wrapping_sub(other_back);
                let changes = Changes { axis: self, digit: i, weight };
                let other_changes = Changes { axis: other, digit: k, weight: other_weight };
                if differ && changes.meet(&other_changes) {
                    return false;
                }
                other_back = other_back.wrapping_add(other.full(k));
                other_weight *= other.sizes[k];
                k += 1;
            }
            back = back.wrapping_add(self.full(i));
            weight *= self.sizes[i];
            i += 1;
        }
        true
    }

    /// What a digit adds with its last value.
    const fn full(&self, digit: usize) -> isize {
        self.strides[digit].wrapping_mul(self.sizes[digit] as isize - 1)
    }
}

/// The coordinates of an axis at which one of its digits is the slowest to change.
struct Changes<'a> {
    axis: &'a AxisDigits,
    digit: usize,
    weight: usize,
}

impl Changes<'_> {
    /// Whether a coordinate above 0 is in both, of axes of one extent.
    ///
    /// The two weights divide the position of every so many coordinates. Of these, some are out where
    /// the next weight of the one divides the position, every `p`th of them, and some where that of the
    /// other does, every `q`th. Where that does not rule out all of them, which takes `p == q == 2`, it
    /// leaves one of any four in a row.
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

/// The lowest number that, with `shift` more, is a multiple of `weight`, for both pairs of these, and
/// after how many numbers the next one comes; `None` if there is none.
const fn common(one: (u128, u128), other: (u128, u128)) -> Option<(u128, u128)> {
    let ((weight, shift), (other_weight, other_shift)) = (one, other);
    // The multiples of the first alone are `lowest + i * weight`.
    let lowest = (weight - shift % weight) % weight;
    // Euclid's algorithm: `divisor == factor * weight` but for a multiple of the other weight.
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
    use crate::spec::ElementType;

    /// Blocks of several depths, some of which share elements, as one axis.
    fn axis(extents: &[usize], strides: &[isize]) -> AxisDigits {
        let letters = &"ABCD"[..extents.len()];
        let axes = Layout::from_strides(letters, extents, strides, ElementType::U8).unwrap();
        AxisDigits::of(&axes.merge(letters, 'X').unwrap(), 0)
    }

    /// The slices of an axis, from anywhere to anywhere, and these backwards.
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
                .map(|axis| (1..length).map(|i| axis.place(i) - axis.place(i - 1)).collect())
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
