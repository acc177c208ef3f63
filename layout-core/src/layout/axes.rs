//! The digits of each axis, and their order in memory.
//!
//! An index names a digit in the lists of sizes and strides. The slowest digit of axis `a` has index `a`, and the
//! extent in place of its size, which follows: it has as many values as the extent needs. The blocks come after the
//! axes, axis by axis, of each the fastest first. So the weight of a digit is the product of the sizes before it, and
//! an axis without blocks is its extent and its stride.
//!
//! `NCHW4c<1, 64, 7, 7>` has the sizes 1 64 7 7 4, and the order of its indices from the slowest is 0 1 2 3 4.

use super::{Digit, Digits, Layout, distance};
use crate::spec::{MAX_FACTORS, MAX_RANK};

/// Number `i` of a list of numbers of four bits.
const fn nibble(list: u64, i: usize) -> usize {
    (list >> (4 * i) & 15) as usize
}

/// The numbers before number `i`.
const fn below(i: usize) -> u64 {
    (1 << (4 * i)) - 1
}

/// The list with a number inserted as number `i`.
const fn inserted(list: u64, i: usize, number: usize) -> u64 {
    list & below(i) | (list & !below(i)) << 4 | (number as u64) << (4 * i)
}

/// The list without number `i`.
const fn removed(list: u64, i: usize) -> u64 {
    list & below(i) | list >> 4 & !below(i)
}

/// One axis of a layout, with its digits as they are stored, the fastest first.
#[derive(Clone, Copy)]
pub(crate) struct StoredAxis<'a> {
    layout: &'a Layout,
    axis: usize,
    /// The index of the fastest block.
    first: usize,
    /// The number of axes before this one that have blocks.
    blocked: usize,
    /// The number of blocks.
    pub(crate) blocks: usize,
    /// The position of coordinate 0. It is 0 without blocks.
    pub(crate) shift: usize,
}

impl StoredAxis<'_> {
    /// The extent of the axis.
    pub(crate) const fn extent(&self) -> usize {
        self.layout.sizes[self.axis]
    }

    /// The stride of digit `i`.
    pub(crate) const fn stride(&self, i: usize) -> isize {
        self.layout.strides[if i < self.blocks { self.first + i } else { self.axis }]
    }

    /// The number of values of digit `i`.
    pub(crate) const fn size(&self, i: usize) -> usize {
        if i < self.blocks {
            return self.block(i);
        }
        match (self.extent(), self.blocks) {
            (0, _) => 0,
            (extent, 0) => extent,
            (extent, blocks) => (self.shift + extent).div_ceil(self.weight(blocks)),
        }
    }

    /// The number of values of block `i`.
    #[inline(always)]
    pub(crate) const fn block(&self, i: usize) -> usize {
        self.layout.sizes[self.first + i]
    }

    /// The number of coordinates in one step of digit `i`: the product of the sizes before it.
    pub(crate) const fn weight(&self, i: usize) -> usize {
        let mut weight = 1;
        each!(k, 0..i, {
            weight *= self.block(k);
        });
        weight
    }

    /// Digit `i`.
    pub(super) const fn digit(&self, i: usize) -> Digit {
        let (axis, shift) = (self.axis, self.shift);
        Digit { axis, size: self.size(i), weight: self.weight(i), stride: self.stride(i), shift }
    }

    /// What the axis adds to the offset of a coordinate. It wraps if a stride is negative.
    #[inline]
    pub(crate) const fn place(&self, coordinate: usize) -> usize {
        let (mut rest, mut place, mut i) = (coordinate + self.shift, 0usize, 0);
        while i < self.blocks {
            let size = self.block(i);
            place = place.wrapping_add((rest % size).wrapping_mul(self.stride(i) as usize));
            rest /= size;
            i += 1;
        }
        place.wrapping_add(rest.wrapping_mul(self.stride(i) as usize))
    }
}

impl Layout {
    /// The number of digits.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn digit_count(&self) -> usize {
        self.digit_count as usize
    }

    /// The axis at this position.
    pub(crate) const fn stored(&self, axis: usize) -> StoredAxis<'_> {
        // Const evaluation pays for calls, so none are made without blocks.
        if self.blocks == 0 {
            let first = self.digit_count as usize;
            return StoredAxis { layout: self, axis, first, blocked: 0, blocks: 0, shift: 0 };
        }
        let (mut first, mut blocked, mut i) = (self.rank(), 0, 0);
        while i < axis {
            let count = (self.blocks >> (4 * i) & 15) as usize;
            (first, blocked, i) = (first + count, blocked + (count > 0) as usize, i + 1);
        }
        let blocks = (self.blocks >> (4 * axis) & 15) as usize;
        let shift = if blocks > 0 { self.shifts[blocked] } else { 0 };
        StoredAxis { layout: self, axis, first, blocked, blocks, shift }
    }

    /// The axis of the digit at this index.
    const fn axis_of(&self, index: usize) -> usize {
        let (mut axis, mut end) = (index, self.rank());
        if index >= end {
            axis = 0;
            loop {
                end += nibble(self.blocks, axis);
                if index < end {
                    break;
                }
                axis += 1;
            }
        }
        axis
    }

    /// The axes and blocks as digits with strides, from the slowest to the fastest.
    pub const fn digits(&self) -> Digits {
        // The position of the digit at each index: four bits for each. Const evaluation pays for calls, so few are
        // made.
        let (count, mut positions, mut order, mut i) = (self.digit_count(), 0, self.order, 0);
        while i < count {
            positions |= (i as u64) << (4 * (order & 15));
            (order, i) = (order >> 4, i + 1);
        }
        let mut new = Digits::NONE;
        new.count = count;
        let (rank, mut axis) = (self.rank(), 0);
        let (mut all, mut next, mut blocked) = (self.blocks, rank, 0);
        while axis < rank {
            let (end, mut weight, mut size) = (next + (all & 15) as usize, 1, self.sizes[axis]);
            let mut shift = 0;
            if next < end {
                shift = self.shifts[blocked];
                blocked += 1;
                while next < end {
                    let (size, stride) = (self.sizes[next], self.strides[next]);
                    let at = (positions >> (4 * next) & 15) as usize;
                    new.list[at] = Digit { axis, size, weight, stride, shift };
                    (weight, next) = (weight * size, next + 1);
                }
                size = if size == 0 { 0 } else { (shift + size).div_ceil(weight) };
            }
            let at = (positions >> (4 * axis) & 15) as usize;
            new.list[at] = Digit { axis, size, weight, stride: self.strides[axis], shift };
            (all, axis) = (all >> 4, axis + 1);
        }
        new
    }

    /// Whether coordinate 0 of an axis is inside a block or a row of lanes.
    pub(crate) const fn has_shift(&self) -> bool {
        let (mut blocks, mut i) = (self.blocks, 0);
        while blocks != 0 && self.shifts[i] == 0 && i + 1 < self.shifts.len() {
            (blocks, i) = (blocks >> 4, i + 1);
        }
        blocks != 0 && self.shifts[i] > 0
    }

    /// Whether a digit has stride 0.
    pub(crate) const fn has_stride_0(&self) -> bool {
        let mut i = 0;
        while i < self.digit_count() && self.strides[i] != 0 {
            i += 1;
        }
        i < self.digit_count()
    }

    /// The sum of all digits of a coordinate, before what happens to it after the strides.
    #[inline]
    pub(crate) const fn sum(&self, coordinate: &[usize]) -> usize {
        let (rank, mut sum, mut axis) = (self.rank(), self.buffer.base, 0);
        if self.blocks == 0 {
            while axis < rank {
                let place = coordinate[axis].wrapping_mul(self.strides[axis] as usize);
                sum = sum.wrapping_add(place);
                axis += 1;
            }
            return sum;
        }
        // One pass, so that only arithmetic with literals is left of a constant layout.
        let (mut first, mut blocked, mut all) = (rank, 0, self.blocks);
        while axis < rank {
            let (blocks, mut shift) = ((all & 15) as usize, 0);
            if blocks > 0 {
                shift = self.shifts[blocked];
                blocked += 1;
            }
            let stored = StoredAxis { layout: self, axis, first, blocked, blocks, shift };
            sum = sum.wrapping_add(stored.place(coordinate[axis]));
            (first, all) = (first + blocks, all >> 4);
            axis += 1;
        }
        sum
    }

    /// Sets the digits: the first `count` of a list from the slowest to the fastest. Letters and extents are set
    /// already.
    pub(crate) const fn set_digits(&mut self, digits: &[Digit; MAX_FACTORS], count: usize) {
        let (before, rank) = (self.digit_count(), self.rank());
        (self.order, self.blocks, self.digit_count) = (0, 0, count as u8);
        // The index of the fastest block of each axis, and the number of axes before it that have blocks.
        let mut firsts = [(rank, 0); MAX_RANK];
        let mut i = 0;
        if count > rank {
            // The slowest digit of each axis is not a block.
            self.blocks = (0x1111_1111_1111 & below(rank)).wrapping_neg();
            while i < count {
                self.blocks = self.blocks.wrapping_add(1 << (4 * digits[i].axis));
                i += 1;
            }
            each!(axis, 1..rank, {
                let (first, blocked) = firsts[axis - 1];
                let count = (self.blocks >> (4 * (axis - 1)) & 15) as usize;
                firsts[axis] = (first + count, blocked + (count > 0) as usize);
            });
        }
        i = count;
        while i > 0 {
            i -= 1;
            let Digit { axis, size, weight, stride, shift } = digits[i];
            let (mut index, blocks) = (axis, (self.blocks >> (4 * axis) & 15) as usize);
            if blocks > 0 {
                let (first, blocked) = firsts[axis];
                let mut faster = 0;
                each!(k, 0..count, {
                    faster += (digits[k].axis == axis && digits[k].weight < weight) as usize;
                });
                self.shifts[blocked] = shift;
                if faster < blocks {
                    index = first + faster;
                    self.sizes[index] = size;
                }
            } else if shift > 0 {
                let distance = (shift as isize).wrapping_mul(stride);
                self.buffer.base = self.buffer.base.wrapping_add_signed(distance);
            }
            self.strides[index] = stride;
            self.order = self.order << 4 | index as u64;
        }
        i = count;
        while i < before {
            (self.sizes[i], self.strides[i]) = (0, 0);
            i += 1;
        }
    }

    /// Removes an axis with its digits.
    pub(crate) const fn remove_axis(&mut self, axis: usize) {
        let (count, StoredAxis { first, blocked, blocks, .. }) =
            (self.digit_count(), self.stored(axis));
        self.take_from_order(axis, (first, blocks));
        let (kept, order, mut i) = (self.digit_count(), self.order, 0);
        self.order = 0;
        while i < kept {
            let index = nibble(order, i);
            let after = if index < first { 0 } else { blocks };
            self.order |= ((index - (index > axis) as usize - after) as u64) << (4 * i);
            i += 1;
        }
        let mut i = axis;
        while i < count {
            let from = if i + 1 < first { i + 1 } else { i + 1 + blocks };
            (self.sizes[i], self.strides[i]) =
                if i < kept { (self.sizes[from], self.strides[from]) } else { (0, 0) };
            i += 1;
        }
        let mut i = blocked;
        while i < self.shifts.len() && blocks > 0 {
            self.shifts[i] = if i + 1 < self.shifts.len() { self.shifts[i + 1] } else { 0 };
            i += 1;
        }
        self.letters.remove(axis);
        self.blocks = removed(self.blocks, axis);
    }

    /// Takes the digits of an axis from the order.
    const fn take_from_order(&mut self, axis: usize, (first, blocks): (usize, usize)) {
        let (order, count, mut i) = (self.order, self.digit_count(), 0);
        (self.order, self.digit_count) = (0, 0);
        while i < count {
            let index = nibble(order, i);
            if index != axis && (index < first || index >= first + blocks) {
                self.order |= (index as u64) << (4 * self.digit_count());
                self.digit_count += 1;
            }
            i += 1;
        }
    }

    /// Inserts an axis with `blocks` blocks and these digits, the fastest first. There must be room for it.
    pub(crate) const fn insert_axis(
        &mut self,
        axis: usize,
        letter: char,
        blocks: usize,
        (extent, shift): (usize, usize),
        (sizes, strides): (&[usize], &[isize]),
    ) {
        let (count, StoredAxis { first, blocked, .. }) = (self.digit_count(), self.stored(axis));
        let (mut order, mut i) = (0, 0);
        while i < count {
            let index = nibble(self.order, i);
            let after = if index < first { 0 } else { blocks };
            order |= ((index + (index >= axis) as usize + after) as u64) << (4 * i);
            i += 1;
        }
        while i > axis {
            i -= 1;
            let to = if i < first { i + 1 } else { i + 1 + blocks };
            (self.sizes[to], self.strides[to]) = (self.sizes[i], self.strides[i]);
        }
        if blocks > 0 {
            let mut i = self.shifts.len() - 1;
            while i > blocked {
                self.shifts[i] = self.shifts[i - 1];
                i -= 1;
            }
            self.shifts[blocked] = shift;
        }
        self.letters = self.letters.inserted(axis, letter);
        (self.order, self.blocks) = (order, inserted(self.blocks, axis, blocks));
        self.fill_axis(axis, extent, (first + 1, blocks), (sizes, strides));
    }

    /// Puts the digit at this index where its stride belongs in the order. If either order is valid, the axis that
    /// comes first is the slower one, and of an axis the digit that is placed later.
    const fn place_in_order(&mut self, index: usize) {
        let (axis, near) = (self.axis_of(index), distance(self.strides[index]));
        let mut at = self.digit_count();
        while at > 0 {
            let before = nibble(self.order, at - 1);
            let far = distance(self.strides[before]);
            let precedes = if far != near {
                far > near
            } else if self.axis_of(before) < axis {
                // A digit of one value takes no space.
                !(self.size_at(index) > 1 && self.size_at(before) == 1)
            } else {
                self.size_at(before) > 1 && self.size_at(index) == 1
            };
            if precedes {
                break;
            }
            at -= 1;
        }
        self.order = inserted(self.order, at, index);
        self.digit_count += 1;
    }

    /// Sorts the digits as a layout made from their strides has them.
    pub(crate) const fn sort_by_strides(&mut self) {
        (self.order, self.digit_count) = (0, 0);
        each!(axis, 0..self.rank(), {
            let StoredAxis { first, blocks, .. } = self.stored(axis);
            each!(i, 0..blocks, {
                self.place_in_order(first + i);
            });
            self.place_in_order(axis);
        });
    }

    /// The size of the digit at this index.
    const fn size_at(&self, index: usize) -> usize {
        if index < self.rank() {
            let stored = self.stored(index);
            return stored.size(stored.blocks);
        }
        self.sizes[index]
    }

    /// Changes the digits of an axis, the fastest first. It has as many as before.
    pub(crate) const fn set_axis(
        &mut self,
        axis: usize,
        (extent, shift): (usize, usize),
        (sizes, strides): (&[usize], &[isize]),
    ) {
        let StoredAxis { first, blocked, blocks, .. } = self.stored(axis);
        self.take_from_order(axis, (first, blocks));
        if blocks > 0 {
            self.shifts[blocked] = shift;
        }
        self.fill_axis(axis, extent, (first, blocks), (sizes, strides));
    }

    /// Writes the digits of an axis, and puts them into the order.
    const fn fill_axis(
        &mut self,
        axis: usize,
        extent: usize,
        (first, blocks): (usize, usize),
        (sizes, strides): (&[usize], &[isize]),
    ) {
        (self.sizes[axis], self.strides[axis]) = (extent, strides[blocks]);
        each!(i, 0..blocks, {
            (self.sizes[first + i], self.strides[first + i]) = (sizes[i], strides[i]);
            self.place_in_order(first + i);
        });
        self.place_in_order(axis);
    }

    /// Takes the axes of a layout in another order. This layout is a copy of it. `axes` lists each position once.
    pub(crate) const fn reorder_axes(&mut self, old: &Self, axes: &[usize]) {
        let rank = axes.len();
        let (mut moved, mut next, mut blocked) = (0u64, rank, 0);
        self.blocks = 0;
        self.letters.pick(&old.letters, axes);
        each!(axis, 0..rank, {
            let from = axes[axis];
            let stored = old.stored(from);
            (self.sizes[axis], self.strides[axis]) = (old.sizes[from], old.strides[from]);
            moved |= (axis as u64) << (4 * from);
            self.blocks |= (stored.blocks as u64) << (4 * axis);
            let mut i = 0;
            while i < stored.blocks {
                (self.sizes[next], self.strides[next]) = (stored.size(i), stored.stride(i));
                moved |= (next as u64) << (4 * (stored.first + i));
                (next, i) = (next + 1, i + 1);
            }
            if stored.blocks > 0 {
                self.shifts[blocked] = stored.shift;
                blocked += 1;
            }
        });
        let mut order = 0;
        each!(i, 0..self.digit_count(), {
            order |= (nibble(moved, nibble(old.order, i)) as u64) << (4 * i);
        });
        self.order = order;
    }

    /// The same layout with `extent` coordinates of an axis, from coordinate `from` on.
    pub(crate) const fn set_range(&mut self, axis: usize, from: usize, extent: usize) {
        let StoredAxis { blocks, blocked, .. } = self.stored(axis);
        if blocks > 0 {
            self.shifts[blocked] += from;
        } else {
            let distance = self.strides[axis].wrapping_mul(from as isize);
            self.buffer.base = self.buffer.base.wrapping_add_signed(distance);
        }
        self.sizes[axis] = extent;
    }
}
