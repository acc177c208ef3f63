//! Offsets of layouts known at run time, as a sum over the axes. If a loop changes one index, the optimizer keeps the
//! sum of the others.

use layout_core::Layout;

/// What each axis adds to the offset of a layout.
#[derive(Clone, Copy)]
pub(super) enum AxisPlaces<const RANK: usize> {
    /// Each axis has one stride, in elements.
    Strides([isize; RANK]),
    /// Each axis has one stride, or blocks of a power of two.
    Blocks([PowerBlocks; RANK]),
    /// An axis has other blocks, or the layout has a swizzle.
    Digits,
}

/// An axis in blocks of a power of two. Without blocks, each block is one coordinate.
///
/// The offset of coordinate `i` is `i / block * outer + i % block * inner`. Since `i % block` equals `i - i / block * block`,
/// the offset is also `i * inner + i / block * rest`, where `rest = outer - block * inner` is computed once. Example: blocks
/// of 4 have the stride 100, and coordinates have the stride 1. Coordinate 6 has the offset `6 * 1 + 1 * 96`, which is
/// `100 + 2`.
#[derive(Clone, Copy)]
pub(super) struct PowerBlocks {
    /// The number of coordinates of a block, as a power of two.
    shift: u32,
    /// The distance from one block to the next, in elements.
    outer: isize,
    /// The distance from one coordinate of a block to the next, in elements.
    inner: isize,
    /// What a block adds beside its coordinates.
    rest: isize,
}

impl PowerBlocks {
    const NONE: Self = Self { shift: 0, outer: 0, inner: 0, rest: 0 };

    /// The same blocks with what follows from their strides, which wraps where one is negative.
    const fn with_rest(mut self) -> Self {
        if self.shift == 0 {
            // Without blocks, the stride is that of coordinates.
            self.inner = self.outer;
        }
        self.rest = self.outer.wrapping_sub(self.inner.wrapping_shl(self.shift));
        self
    }

    /// What a coordinate adds to the offset. It wraps if the stride is negative.
    #[inline(always)]
    pub(super) const fn place(&self, coordinate: usize) -> usize {
        let block = coordinate >> self.shift;
        coordinate
            .wrapping_mul(self.inner as usize)
            .wrapping_add(block.wrapping_mul(self.rest as usize))
    }

    /// [`place`](Self::place) of the last axis, whose index changes most often in loops. Without blocks, a loop only adds
    /// the stride. The condition does not change in the loop, so the optimizer makes two loops of it. If every axis had
    /// it, they would not fit the registers.
    #[inline(always)]
    pub(super) const fn place_of_last(&self, coordinate: usize) -> usize {
        if self.shift == 0 {
            return coordinate.wrapping_mul(self.inner as usize);
        }
        self.place(coordinate)
    }
}

impl<const RANK: usize> AxisPlaces<RANK> {
    pub(super) const fn of(layout: &Layout) -> Self {
        if layout.swizzle().is_some() {
            return Self::Digits;
        }
        let (mut strides, mut blocks) = ([0; RANK], [PowerBlocks::NONE; RANK]);
        layout_core::each!(axis, 0..RANK, {
            let (shift, outer, inner) = match layout.only_block(axis) {
                Some((block, outer, inner)) if block.is_power_of_two() => {
                    (block.trailing_zeros(), outer, inner)
                }
                _ => return Self::Digits,
            };
            strides[axis] = outer;
            blocks[axis] = PowerBlocks { shift, outer, inner, rest: 0 }.with_rest();
        });
        if layout.digit_count() == RANK { Self::Strides(strides) } else { Self::Blocks(blocks) }
    }
}
