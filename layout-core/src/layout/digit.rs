//! Digits: an axis with blocks is a number in mixed radix, and each of its digits has a stride.

use core::ops::Deref;

use super::Layout;
use crate::spec::MAX_FACTORS;

/// One digit of an axis. Its value is `(coordinate + shift) / weight % size`, and each step moves by `stride`
/// elements. The slowest digit of an axis needs no `% size`.
///
/// In `NCHW4c`, axis `C` has the digits `C / 4` (weight 4) and `C % 4` (weight 1). If it is distributed over 64 lanes
/// from lane 2, its digits are the lane `(C + 2) % 64` and the row `(C + 2) / 64`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Digit {
    /// The position of the axis in the coordinate.
    pub axis: usize,
    /// The number of values of the digit.
    pub size: usize,
    /// The number of coordinates in one step of the digit.
    pub weight: usize,
    /// The distance of one step, in elements.
    pub stride: isize,
    /// The position of coordinate 0 among the digits. All digits of an axis have the same shift. It is 0 unless the
    /// axis begins inside one of its blocks or rows of lanes.
    pub shift: usize,
}

/// `stride.unsigned_abs()` in one call instead of three, for which const evaluation pays.
pub(crate) const fn distance(stride: isize) -> usize {
    if stride < 0 { (stride as usize).wrapping_neg() } else { stride as usize }
}

impl Digit {
    #[doc(hidden)]
    pub const NONE: Self = Self { axis: 0, size: 0, weight: 1, stride: 0, shift: 0 };

    /// Whether the digit precedes `other`, listed before it, in the order of digits: larger strides first. Of two
    /// equal strides, a digit of several values precedes a digit of one value. A digit of one value takes no space, so
    /// a memory order gives it the stride of the next slower digit.
    pub(crate) const fn is_slower(&self, stride: usize, other: &Self, other_stride: usize) -> bool {
        stride > other_stride || (stride == other_stride && self.size > 1 && other.size == 1)
    }

    /// The distance of one step in either direction, in elements.
    pub(crate) const fn distance(&self) -> usize {
        distance(self.stride)
    }

    /// What a step of the digit towards higher offsets adds to the coordinate; it wraps.
    #[inline(always)]
    pub(crate) const fn up(&self) -> usize {
        if self.stride < 0 { self.weight.wrapping_neg() } else { self.weight }
    }

    /// The digit's value in `coordinate`, a coordinate of an axis of `extent` coordinates.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn value(&self, coordinate: usize, extent: usize) -> usize {
        let mut value = coordinate + self.shift;
        if self.weight > 1 {
            value /= self.weight;
        }
        // A coordinate below the extent never carries beyond the slowest digit.
        if extent.saturating_add(self.shift) > self.weight.saturating_mul(self.size) {
            value %= self.size;
        }
        value
    }

    /// What the digit adds to the offset of `coordinate`.
    ///
    /// The result wraps if the stride is negative. The sum over all digits is right all the same.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn place(&self, coordinate: usize, extent: usize) -> usize {
        self.value(coordinate, extent).wrapping_mul(self.stride as usize)
    }
}

/// The digits of a layout from the slowest to the fastest, broadcast digits last. It dereferences to a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Digits {
    pub(crate) list: [Digit; MAX_FACTORS],
    pub(crate) count: usize,
}

impl Digits {
    /// No digits. A copy of it is one step of const evaluation.
    pub(crate) const NONE: Self = Self { list: [Digit::NONE; MAX_FACTORS], count: 0 };

    /// The digit at this position, or one that is always 0.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn at(&self, i: usize) -> &Digit {
        &self.list[i]
    }

    /// The digits as a slice, in a `const fn`.
    pub const fn as_slice(&self) -> &[Digit] {
        self.list.split_at(self.count).0
    }
}

impl Layout {
    /// The digits of the axis at this position, from the fastest to the slowest.
    #[doc(hidden)]
    pub const fn digits_along(&self, axis: usize) -> Digits {
        let (stored, mut new) = (self.stored(axis), Digits::NONE);
        while new.count <= stored.blocks {
            new.list[new.count] = stored.digit(new.count);
            new.count += 1;
        }
        new
    }

    /// The size of the only block of the axis at this position, the distance of its blocks, and that of the coordinates
    /// in one. Without blocks, each coordinate is one. `None` if there are several, or coordinate 0 is inside one.
    #[doc(hidden)]
    #[inline]
    pub const fn only_block(&self, axis: usize) -> Option<(usize, isize, isize)> {
        let stored = self.stored(axis);
        match stored.blocks {
            0 => Some((1, stored.stride(0), stored.stride(0))),
            1 if stored.shift == 0 => Some((stored.block(0), stored.stride(1), stored.stride(0))),
            _ => None,
        }
    }

    /// The digit of the axis at this position with this weight.
    #[doc(hidden)]
    pub const fn digit_of(&self, axis: usize, weight: usize) -> Option<Digit> {
        let stored = self.stored(axis);
        let mut i = 0;
        while i <= stored.blocks {
            if stored.weight(i) == weight {
                return Some(stored.digit(i));
            }
            i += 1;
        }
        None
    }
}

impl Deref for Digits {
    type Target = [Digit];

    fn deref(&self) -> &[Digit] {
        self.as_slice()
    }
}

impl<'a> IntoIterator for &'a Digits {
    type Item = &'a Digit;
    type IntoIter = core::slice::Iter<'a, Digit>;

    fn into_iter(self) -> core::slice::Iter<'a, Digit> {
        self.as_slice().iter()
    }
}
