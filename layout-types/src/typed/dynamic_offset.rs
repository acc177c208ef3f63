//! Offsets of layouts that run time decides, by what each axis adds: where a loop changes one index, the optimizer
//! keeps what the others add.

use crate::layout::Layout;
use crate::spec::MAX_RANK;

/// What each axis adds to the offset of a layout.
#[derive(Clone, Copy)]
pub(super) enum AxisPlaces<const RANK: usize> {
    /// Each axis has one stride, in elements.
    Strides([isize; RANK]),
    /// Each axis has one stride, or blocks of a power of two.
    Blocks([Blocks; RANK]),
    /// There are other blocks, or a swizzle.
    Digits,
}

/// An axis in blocks of a power of two; of one coordinate each where there are none.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    /// The coordinates of a block are two to this power.
    shift: u32,
    /// From one block to the next, in elements.
    outer: isize,
    /// From one coordinate of a block to the next, in elements.
    inner: isize,
}

impl Blocks {
    const NONE: Self = Self { shift: 0, outer: 0, inner: 0 };

    /// What a coordinate adds to the offset; wraps where a stride is negative.
    #[inline(always)]
    pub(super) const fn place(&self, coordinate: usize) -> usize {
        let outer = (coordinate >> self.shift).wrapping_mul(self.outer as usize);
        let inner = coordinate & ((1 << self.shift) - 1);
        outer.wrapping_add(inner.wrapping_mul(self.inner as usize))
    }
}

impl<const RANK: usize> AxisPlaces<RANK> {
    pub(super) const fn of(layout: &Layout) -> Self {
        let Some((blocks, is_strided)) = blocks(layout) else { return Self::Digits };
        let (mut strides, mut own) = ([0; RANK], [Blocks::NONE; RANK]);
        let mut axis = 0;
        while axis < RANK {
            (strides[axis], own[axis]) = (blocks[axis].outer, blocks[axis]);
            axis += 1;
        }
        if is_strided { Self::Strides(strides) } else { Self::Blocks(own) }
    }
}

/// The blocks of each axis, and whether there are none; `None` for other blocks, and for a swizzle.
const fn blocks(layout: &Layout) -> Option<([Blocks; MAX_RANK], bool)> {
    if layout.swizzle.is_some() {
        return None;
    }
    let mut slowest = [usize::MAX; MAX_RANK];
    let mut i = 0;
    while i < layout.digit_count {
        let (digits, axis) = (&layout.digits, layout.digits[i].axis);
        if slowest[axis] == usize::MAX || digits[i].weight > digits[slowest[axis]].weight {
            slowest[axis] = i;
        }
        i += 1;
    }
    let mut blocks = [Blocks::NONE; MAX_RANK];
    // The coordinates of a block whose place inside is not known.
    let mut inside = [1; MAX_RANK];
    let mut i = 0;
    while i < layout.rank() {
        if slowest[i] != usize::MAX {
            let digit = &layout.digits[slowest[i]];
            let takes_all = digit.weight.saturating_mul(digit.size) >= layout.extents[i];
            if digit.shift != 0 || !digit.weight.is_power_of_two() || !takes_all {
                return None;
            }
            let shift = digit.weight.trailing_zeros();
            blocks[i] = Blocks { shift, outer: digit.stride, inner: 0 };
            inside[i] = digit.weight;
        }
        i += 1;
    }
    let mut is_strided = true;
    let mut i = 0;
    while i < layout.digit_count {
        let digit = &layout.digits[i];
        if slowest[digit.axis] != i {
            if digit.weight != 1 || digit.size != inside[digit.axis] {
                return None;
            }
            blocks[digit.axis].inner = digit.stride;
            inside[digit.axis] = 1;
            is_strided = false;
        }
        i += 1;
    }
    let mut i = 0;
    while i < layout.rank() {
        if inside[i] != 1 {
            return None;
        }
        i += 1;
    }
    Some((blocks, is_strided))
}
