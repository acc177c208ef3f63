//! One axis as a number in mixed radix.
//!
//! The position of a coordinate, counted from where all digits are 0, is written in digits of these sizes as a
//! time is in seconds, minutes and hours. Each digit has a stride, positive, negative or 0, and the offset is
//! the sum of all values times their strides. Blocks of a format, merged axes and steps of a slice all are such
//! digits, so every operation on one axis is one on its digits, and takes time in their number.
//!
//! [`normal_form`] says in which of several forms an axis is kept; [`span`], [`distinct`]
//! and [`equality`] what follows from it; [`inference`] finds the digits of an axis that only its offsets are
//! known of. What views do to an axis stands with the views.

mod distinct;
mod equality;
pub(in crate::algebra) mod inference;
mod normal_form;
mod span;

use crate::layout::Layout;
use crate::spec::MAX_FACTORS;

/// The digits of one axis, fastest first.
///
/// The weight of a digit is the product of the sizes below it; the sizes multiply up to at least
/// `shift + extent`. In normal form no digit is constant (an axis of extent 1 or 0 has a digit all
/// the same), and none follows the one below it.
#[derive(Clone, Copy)]
pub(crate) struct AxisDigits {
    pub(crate) extent: usize,
    /// The position of coordinate 0, counted from where all digits are 0.
    pub(crate) shift: usize,
    /// What constant digits add to every offset, in elements.
    pub(crate) start: isize,
    pub(crate) sizes: [usize; MAX_FACTORS],
    pub(crate) strides: [isize; MAX_FACTORS],
    pub(crate) count: usize,
    /// Whether there were more digits than a layout can have.
    pub(crate) overflow: bool,
}

impl AxisDigits {
    /// No digits yet.
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
        Self::NONE.with(extent, stride).normalized(0, extent)
    }

    /// The axis of `layout` at this position.
    pub(crate) const fn of(layout: &Layout, axis: usize) -> Self {
        let mut new = Self::NONE;
        let mut shift = 0;
        let mut weight = 1;
        loop {
            let mut next = None;
            let mut i = 0;
            while i < layout.digit_count {
                let digit = &layout.digits[i];
                if digit.axis == axis && digit.weight == weight {
                    next = Some(digit);
                }
                i += 1;
            }
            let Some(digit) = next else { break };
            shift = digit.shift;
            new = new.with(digit.size, digit.stride);
            // Digits of one value are the slowest of their axis.
            if digit.size < 2 {
                break;
            }
            weight = weight.saturating_mul(digit.size);
        }
        new.normalized(shift, layout.extents[axis])
    }

    /// The product of all sizes but the slowest.
    pub(crate) const fn block(&self) -> usize {
        let mut block = 1usize;
        let mut i = 0;
        while i + 1 < self.count {
            block = block.saturating_mul(self.sizes[i]);
            i += 1;
        }
        block
    }

    /// The smallest block, with those inside it, that neither divides `size` nor is divided by it.
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

    /// The smallest block, with those inside it, that is a multiple of `size`, or the largest.
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

    /// How far from where all digits are 0 `position` lies.
    pub(in crate::algebra) const fn distance(&self, position: usize) -> isize {
        let mut distance = 0isize;
        let mut rest = position;
        let mut i = 0;
        while i < self.count {
            let value = if i + 1 < self.count { rest % self.sizes[i] } else { rest };
            distance = distance.wrapping_add(self.strides[i].wrapping_mul(value as isize));
            rest /= if self.sizes[i] == 0 { 1 } else { self.sizes[i] };
            i += 1;
        }
        distance
    }

    /// How far from the layout's base `coordinate` lies.
    pub(crate) const fn offset(&self, coordinate: usize) -> isize {
        self.start.wrapping_add(self.distance(self.shift + coordinate))
    }

    /// The axis of one stride, if it has one.
    pub(crate) const fn stride(&self) -> Option<isize> {
        if self.count == 1 { Some(self.strides[0]) } else { None }
    }
}
