//! Digits: an axis with blocks is a number in mixed radix, and each of its digits has a stride.

/// One digit of an axis: its value is `(coordinate + shift) / weight % size`, and a step of it
/// moves by `stride` elements. The slowest digit of an axis needs no `% size`.
///
/// In `NCHW4c` axis `C` has the digits `C / 4` (weight 4) and `C % 4` (weight 1). Distributed over 64
/// lanes from lane 2 on, it has the lane `(C + 2) % 64` and the row `(C + 2) / 64`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digit {
    /// The axis, as an index into the coordinate.
    pub axis: usize,
    /// How many values the digit takes.
    pub size: usize,
    /// How many coordinates of the axis one step is.
    pub weight: usize,
    /// How many elements one step is.
    pub stride: isize,
    /// Where coordinate 0 stands: the same for all digits of an axis, and 0 but for an axis that
    /// begins inside of what its digits count.
    pub shift: usize,
}

impl Digit {
    pub(crate) const NONE: Self = Self { axis: 0, size: 0, weight: 1, stride: 0, shift: 0 };

    /// Whether the digit comes before another, listed before it, in the order of digits: the one of
    /// the larger stride, or of two equal ones the one of several values. One value takes no space,
    /// so a memory order gives it the stride of what is slower than it.
    pub(crate) const fn is_slower(&self, stride: usize, other: &Self, other_stride: usize) -> bool {
        stride > other_stride || (stride == other_stride && self.size > 1 && other.size == 1)
    }

    /// The digit's value in `coordinate`, a coordinate of an axis that is `extent` long.
    #[inline(always)]
    pub(crate) const fn value(&self, coordinate: usize, extent: usize) -> usize {
        let mut value = coordinate + self.shift;
        if self.weight > 1 {
            value /= self.weight;
        }
        // Below its extent, a coordinate never carries past the slowest digit.
        if extent.saturating_add(self.shift) > self.weight.saturating_mul(self.size) {
            value %= self.size;
        }
        value
    }

    /// Whether the digit, the fastest of an axis that is `extent` long, is the only one that changes.
    pub(crate) const fn is_all_of(&self, extent: usize) -> bool {
        self.shift.saturating_add(extent) <= self.size
    }

    /// What the digit adds to the offset of `coordinate`.
    ///
    /// Wraps where the stride is negative; the sum over all digits comes right again.
    #[inline(always)]
    pub(crate) const fn place(&self, coordinate: usize, extent: usize) -> usize {
        self.value(coordinate, extent).wrapping_mul(self.stride as usize)
    }
}
