//! One axis as a number in mixed radix.
//!
//! The position of a coordinate counts from where all digits are 0. Its digits in these sizes are like the seconds,
//! minutes and hours of a time. Each digit has a stride, positive, negative or 0, and the offset is the sum of all
//! values times their strides. Blocks of a format, merged axes and steps of a slice are all such digits. So every
//! operation on one axis is an operation on its digits, and its cost depends on their number.
//!
//! [`normal_form`] defines the form in which an axis is kept. [`span`], [`distinct`] and [`equality`] follow from it.
//! [`inference`] finds the digits of an axis of which only the offsets are known, [`ranges`] a position whose digits
//! are in ranges. The operations of views on an axis are in the folder `views`.

mod distinct;
mod equality;
pub(in crate::algebra) mod inference;
mod normal_form;
pub(in crate::algebra) mod ranges;
mod span;
pub(in crate::algebra) mod sums;

use crate::layout::Layout;
use crate::spec::{MAX_FACTORS, greatest};

/// The digits of one axis, fastest first.
///
/// The weight of a digit is the product of the sizes of the faster digits. The product of all sizes is at least
/// `shift + extent`. In normal form, no digit is constant and none continues the one below it. An axis of extent 1 or
/// 0 still has one digit.
#[derive(Clone, Copy)]
pub(crate) struct AxisDigits {
    pub(crate) extent: usize,
    /// The position of coordinate 0, counted from where all digits are 0.
    pub(crate) shift: usize,
    /// The sum that constant digits add to every offset, in elements.
    pub(crate) start: isize,
    pub(crate) sizes: [usize; MAX_FACTORS],
    pub(crate) strides: [isize; MAX_FACTORS],
    pub(crate) count: usize,
    /// Whether there were more digits than a layout can have.
    pub(crate) overflow: bool,
}

impl AxisDigits {
    /// An axis without digits.
    pub(in crate::algebra) const NONE: Self = Self {
        extent: 0,
        shift: 0,
        start: 0,
        sizes: [1; MAX_FACTORS],
        strides: [0; MAX_FACTORS],
        count: 0,
        overflow: false,
    };

    /// An axis of one digit.
    pub(crate) const fn single(extent: usize, stride: isize) -> Self {
        let mut new = Self { extent, count: 1, ..Self::NONE };
        (new.sizes[0], new.strides[0]) = (extent, stride);
        new
    }

    /// The axis of `layout` at this position.
    pub(crate) const fn of(layout: &Layout, axis: usize) -> Self {
        let stored = layout.stored(axis);
        if stored.blocks == 0 {
            return Self::single(stored.extent(), stored.stride(0));
        }
        let mut new = Self::NONE;
        let mut i = 0;
        while i <= stored.blocks {
            new.push(stored.size(i), stored.stride(i));
            i += 1;
        }
        new.normalize(stored.shift, stored.extent());
        new
    }

    /// The sizes and the strides.
    pub(in crate::algebra) const fn lists(&self) -> (&[usize], &[isize]) {
        (&self.sizes, &self.strides)
    }

    /// The product of all sizes except the slowest.
    pub(crate) const fn block(&self) -> usize {
        let mut block = 1usize;
        let mut i = 0;
        while i + 1 < self.count {
            block = block.saturating_mul(self.sizes[i]);
            i += 1;
        }
        block
    }

    /// The size of the smallest block that neither divides `size` nor is a multiple of it.
    pub(in crate::algebra) const fn block_beside(&self, size: usize) -> Option<usize> {
        let mut block = 1usize;
        let mut i = 0;
        while i + 1 < self.count {
            block *= self.sizes[i];
            if block % size != 0 && size % block != 0 {
                return Some(block);
            }
            i += 1;
        }
        None
    }

    /// The size of the smallest block that is a multiple of `size`, or of the largest block.
    pub(in crate::algebra) const fn block_around(&self, size: usize) -> usize {
        let mut block = 1usize;
        let mut i = 0;
        while i + 1 < self.count && block % size != 0 {
            block *= self.sizes[i];
            i += 1;
        }
        block
    }

    /// Whether the axis begins and ends with a block.
    pub(crate) const fn is_whole(&self) -> bool {
        self.shift == 0 && self.extent % self.block() == 0
    }

    /// The offset of `position` from where all digits are 0.
    pub(in crate::algebra) const fn distance(&self, position: usize) -> isize {
        let mut distance = 0isize;
        let mut rest = position;
        each!(i, 0..self.count, {
            // Any digit of an axis without coordinates may have no value.
            let size = greatest(self.sizes[i], 1);
            let value = if i + 1 < self.count { rest % size } else { rest };
            distance = distance.wrapping_add(self.strides[i].wrapping_mul(value as isize));
            rest /= size;
        });
        distance
    }

    /// The offset of `coordinate` from the layout's base.
    pub(crate) const fn offset(&self, coordinate: usize) -> isize {
        self.start.wrapping_add(self.distance(self.shift + coordinate))
    }

    /// The stride of the axis, if it has only one.
    pub(crate) const fn stride(&self) -> Option<isize> {
        if self.count == 1 { Some(self.strides[0]) } else { None }
    }
}

/// The distance from the first value of a digit to the last. Only a digit of stride 0 can have more values than an
/// `isize` counts, so the result may wrap.
pub(in crate::algebra) const fn to_last(size: usize, stride: isize) -> isize {
    stride.wrapping_mul(size.wrapping_sub(1) as isize)
}

impl Layout {
    /// The number of coordinates in a block of the axis at position `axis`.
    #[doc(hidden)]
    pub const fn block(&self, axis: usize) -> usize {
        AxisDigits::of(self, axis).block()
    }
}
