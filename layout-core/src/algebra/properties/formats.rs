//! The formats that a layout matches, and whether it is contiguous in one: without gaps, in the memory order of its axes.
//!
//! As in PyTorch, axes of extent 1 do not matter, so a layout can match several formats. The position of the first
//! element in the buffer does not matter either.

use core::iter::FusedIterator;

use crate::algebra::AxisDigits;
use crate::layout::{Digit, Layout};
use crate::spec::{AsFormat, Factor, Format, LayoutError, MAX_RANK, NAMED_FORMATS, Spec};

/// The largest number of coordinates of a swizzled layout that are checked one by one.
const MOST: usize = 4096;

impl Layout {
    /// Whether each element directly follows the one before it, in coordinate order with the last axis fastest.
    ///
    /// A broadcast axis of more than one coordinate is not contiguous. An empty tensor is contiguous.
    ///
    /// A swizzle can make a layout contiguous that is not so without it. This is found for up to 4096 coordinates.
    ///
    /// Law: `offset(c) == offset(0) + i` for each coordinate `c`, where `i` coordinates precede `c`.
    pub const fn is_contiguous(&self) -> bool {
        if self.swizzle().is_some() && self.numel() <= MOST {
            return self.is_contiguous_one_by_one();
        }
        let mut space = 1;
        let mut axis = self.rank();
        while axis > 0 && self.numel() > 0 {
            axis -= 1;
            let digits = AxisDigits::of(self, axis);
            if digits.extent > 1 && !matches!(digits.stride(), Some(stride) if stride == space) {
                return false;
            }
            space *= digits.extent as isize;
        }
        self.numel() == 0 || self.is_moved_as_one()
    }

    /// [`is_contiguous`](Self::is_contiguous), by the offset of every coordinate.
    const fn is_contiguous_one_by_one(&self) -> bool {
        let mut first = 0;
        each!(before, 0..self.numel(), {
            let offset = self.offset_of_index(before);
            if before == 0 {
                first = offset;
            }
            if offset != first.wrapping_add(before) {
                return false;
            }
        });
        true
    }

    /// Whether the elements have the order of this format: PyTorch's `is_contiguous(memory_format=..)`, for any
    /// format. NHWC is PyTorch's `torch.channels_last`.
    ///
    /// The first element may be anywhere in the buffer. If the format has blocks, their padding need not belong to
    /// this layout. An empty tensor matches its coordinate order. It matches another format if it has the strides of
    /// that format, up to those of an axis of extent 0, as in PyTorch. Text that is not a format matches no layout.
    ///
    /// Law, unless the tensor is empty: `offset(c) - offset(0)` is the same in the padded layout of the format, for
    /// every coordinate `c`.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let tensor = Layout::of("NHWC", &[2, 3, 4, 4], ElementType::F32)?;
    /// assert!(tensor.matches("NHWC") && !tensor.matches("NCHW"));
    /// // With one pixel for each channel, both orders are the same.
    /// let both = Layout::of("NHWC", &[2, 3, 1, 1], ElementType::F32)?;
    /// assert!(both.matches("NHWC") && both.matches("NCHW"));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn matches(&self, format: impl AsFormat) -> bool {
        matches!(format.as_format(), Ok(format) if self.is_in(&format))
    }

    /// [`matches`](Self::matches) in a `const fn`.
    pub(crate) const fn is_in(&self, format: &Format) -> bool {
        // These bits are an element of any type.
        let Ok(dense) = self.placed_in(format, Some(0)) else { return false };
        if self.numel() > 0 && !self.is_moved_as_one() {
            return false;
        }
        if self.numel() == 0 {
            // Every empty layout matches its coordinate order.
            let is_plain = format.factors().len() == self.rank();
            return is_plain && format.axes().same(self.letters()) || self.strides_of(&dense);
        }
        each!(axis, 0..self.rank(), {
            if !AxisDigits::of(self, axis).runs_like(&AxisDigits::of(&dense, axis)) {
                return false;
            }
        });
        true
    }

    /// Whether the digits of an empty layout have the same strides as in `dense`, from the fastest digit to the one of
    /// an axis of extent 0.
    const fn strides_of(&self, dense: &Self) -> bool {
        let digits = dense.digits();
        each!(rev i, 0..digits.count, {
            let digit = &digits.list[i];
            if digit.size == 1 {
                continue;
            }
            let same = match self.digit_of(digit.axis, digit.weight) {
                Some(same_weight) => same_weight.size == digit.size && same_weight.stride == digit.stride,
                None => false,
            };
            if !same || digit.size == 0 {
                return same;
            }
        });
        true
    }

    /// The format that the layout [`matches`](Self::matches), or `None` if there is none. Blocks are found if the
    /// strides show them, or if the format has a name.
    ///
    /// If several formats match, this is the one that orders axes of extent 1 by their strides.
    /// [`formats`](Self::formats) lists the others.
    pub const fn format(&self) -> Option<Format> {
        let format = self.factors(true);
        if self.is_in(&format) {
            return Some(format);
        }
        // The strides of an axis that ends in its only block do not show the block.
        each!(i, 0..NAMED_FORMATS.len(), {
            if let Ok(format) = Format::parse(NAMED_FORMATS[i].1) {
                if self.is_in(&format) {
                    return Some(format);
                }
            }
        });
        None
    }

    /// Returns a layout of the same axes in a buffer of its own, in this format. A relayout can move a view to it.
    ///
    /// # Errors
    /// - The text is not a format.
    /// - The axes of the format are not those of this layout.
    /// - An extent is not a multiple of its block. [`LayoutBuilder::extents_of`](crate::LayoutBuilder::extents_of)
    ///   takes options such as padding.
    ///
    /// ```
    /// use tensor_layout::Layout;
    ///
    /// let image = Layout::parse("NHWC<N = 1, C = 2, H = 1, W = 3>, u8")?;
    /// let reversed = image.flip('W')?;
    /// let planes = reversed.in_format("NCHW")?;
    /// assert_eq!(planes.to_string(), "NCHW<1, 2, 1, 3>, u8");
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn in_format(&self, format: impl AsFormat) -> Result<Self, LayoutError> {
        self.placed_in(&format.as_format()?, None)
    }

    const fn placed_in(&self, format: &Format, fill: Option<u64>) -> Result<Self, LayoutError> {
        let (axes, element) = (self.axes_and_extents(), self.element());
        let axes = axes.split_at(self.rank()).0;
        Self::new(&Spec { element, axes, factors: format.factors(), fill })
    }
}

/// The most orders of axes that are looked at: all of 8 axes.
const MAX_ORDERS: usize = 40320;

impl Layout {
    /// Returns the formats that the layout [`matches`](Self::matches): orders of its axes, the coordinate order first;
    /// then [`NAMED_FORMATS`] with blocks; then its own [`format`](Self::format), if it is not among them.
    ///
    /// Several formats match if an axis has one coordinate, or at most one block. PyTorch then takes the first one
    /// that an operation asks for.
    ///
    /// `names::of`, with feature `names`, lists the names of the layout in other systems.
    ///
    /// Orders of axes are tried as far as strides leave them open. Of more than 8 axes that may have any position, only
    /// some orders are listed: 12 axes have 479001600.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// // In PyTorch, this is contiguous and channels_last at once.
    /// let one = Layout::from_strides("NCHW", &[2, 3, 1, 1], &[3, 1, 1, 1], ElementType::F32)?;
    /// assert!(one.formats().any(|format| format == "NCHW".parse().unwrap()));
    /// assert!(one.formats().any(|format| format == "NHWC".parse().unwrap()));
    /// let block = Layout::of("NCHW4", &[2, 4, 5, 5], ElementType::I8)?;
    /// let formats: Vec<_> = block.formats().map(|format| format.to_string()).collect();
    /// assert_eq!(formats, ["NHWC", "NCHW4c", "NHCW4c"]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn formats(&self) -> Formats {
        let mut order = [0; MAX_RANK];
        let mut strides = [0; MAX_RANK];
        let mut is_strided = true;
        each!(axis, 0..MAX_RANK, {
            order[axis] = axis;
            if axis < self.rank() && self.numel() > 0 && self.extent(axis) > 1 {
                match AxisDigits::of(self, axis).stride() {
                    Some(stride) if stride > 0 => strides[axis] = stride as usize,
                    _ => is_strided = false,
                }
            }
        });
        let digits = self.digits();
        let mut i = 0;
        while i < digits.count && self.numel() == 0 {
            let Digit { axis, stride, .. } = digits.list[i];
            // An axis of several digits has the stride of none.
            let is_first = strides[axis] == 0 && stride > 0;
            strides[axis] = if is_first { stride as usize } else { usize::MAX };
            i += 1;
        }
        if self.numel() > 0 {
            is_strided &= self.are_dense(&strides) && self.is_moved_as_one();
        }
        let order = if is_strided { Some(order) } else { None };
        Formats { layout: *self, order, orders: 0, strides, named: 0, has_written: true }
    }

    /// Whether axes of these strides lie without gaps in some order: each stride is what the faster axes take. Then any
    /// order from the largest stride to the smallest is that of a format, and else none is, which would take long to
    /// find out one by one where axes of extent 1 may stand anywhere.
    const fn are_dense(&self, strides: &[usize; MAX_RANK]) -> bool {
        let (mut space, mut left) = (1usize, 0);
        each!(axis, 0..self.rank(), {
            left += (strides[axis] > 0) as usize;
        });
        while left > 0 {
            let mut next = 0;
            while next < self.rank() && strides[next] != space {
                next += 1;
            }
            if next == self.rank() {
                return false;
            }
            space = space.saturating_mul(self.extent(next));
            left -= 1;
        }
        true
    }
}

/// An iterator over the formats that a layout matches. [`Layout::formats`] returns it.
#[derive(Clone, Debug)]
pub struct Formats {
    layout: Layout,
    /// The next order of axes, as positions.
    order: Option<[usize; MAX_RANK]>,
    /// The number of orders that were tried.
    orders: usize,
    /// The strides of the axes, or 0 for an axis that may have any position.
    strides: [usize; MAX_RANK],
    /// The index of the next named format.
    named: usize,
    /// Whether the layout's own format is still to come.
    has_written: bool,
}

impl Formats {
    /// The format of the next order of axes from the largest to the smallest stride.
    fn next_order(&mut self) -> Option<Format> {
        let rank = self.layout.rank();
        loop {
            let mut order = self.order.filter(|_| self.orders < MAX_ORDERS)?;
            self.orders += 1;
            let is_empty = self.layout.numel() == 0;
            let misplaced = if is_empty { None } else { self.first_misplaced(&order[..rank]) };
            let is_left_out = is_empty && !self.may_be_in(&order[..rank]);
            if let Some(position) = misplaced {
                // All orders that begin like this one are wrong, so take the last of them.
                let (first, last) = order[..rank].split_at_mut(position + 1);
                let left = (0..rank).rev().filter(|axis| !first.contains(axis));
                last.iter_mut().zip(left).for_each(|(place, axis)| *place = axis);
            }
            // The next order in lexicographic order: the last position that can grow takes the next larger axis after
            // it, and the rest is sorted.
            let mut next = order;
            let grows = (1..rank).rev().find(|&i| next[i - 1] < next[i]);
            self.order = grows.map(|i| {
                let larger = (i..rank).rev().find(|&k| next[k] > next[i - 1]);
                next.swap(i - 1, larger.unwrap_or(i));
                next[i..rank].reverse();
                next
            });
            if misplaced.is_none() && !is_left_out {
                let mut factors = [Factor::Axis('A'); MAX_RANK];
                for (factor, &axis) in factors.iter_mut().zip(&order[..rank]) {
                    *factor = Factor::Axis(self.layout.letters().at(axis));
                }
                return Some(Format::of(&factors[..rank]));
            }
        }
    }

    /// The first position of an axis that is followed by one of a larger stride.
    fn first_misplaced(&self, order: &[usize]) -> Option<usize> {
        let strides = order.iter().map(|&axis| self.strides[axis]);
        (0..order.len()).find(|&i| {
            let stride_here = self.strides[order[i]];
            stride_here > 0 && strides.clone().skip(i + 1).any(|stride| stride >= stride_here)
        })
    }

    /// Whether an empty layout can be in this order: it is the coordinate order, or the axes have its strides, from
    /// the fastest to one of extent 0. All orders of eight axes are asked.
    fn may_be_in(&self, order: &[usize]) -> bool {
        let mut space = 1usize;
        for &axis in order.iter().rev() {
            let extent = self.layout.extent(axis);
            if extent == 1 {
                continue;
            }
            if self.strides[axis] != space {
                return order.is_sorted();
            }
            if extent == 0 {
                return true;
            }
            space = space.saturating_mul(extent);
        }
        true
    }

    /// The next named format with blocks. If a format has several names, only the first counts.
    fn next_named(&mut self) -> Option<Format> {
        while let Some((_, text)) = NAMED_FORMATS.get(self.named) {
            let is_new = NAMED_FORMATS[..self.named].iter().all(|(_, other)| other != text);
            self.named += 1;
            let format = Format::parse(text).ok().filter(|format| is_new && has_blocks(format));
            if format.is_some() {
                return format;
            }
        }
        None
    }
}

fn has_blocks(format: &Format) -> bool {
    format.factors().len() > format.axes().count()
}

impl Iterator for Formats {
    type Item = Format;

    fn next(&mut self) -> Option<Format> {
        while let Some(format) = self.next_order().or_else(|| self.next_named()) {
            if self.layout.is_in(&format) {
                return Some(format);
            }
        }
        let written = self.layout.format().filter(|_| core::mem::take(&mut self.has_written))?;
        let is_named = NAMED_FORMATS.iter().any(|(_, text)| Format::parse(text) == Ok(written));
        (has_blocks(&written) && !is_named).then_some(written)
    }
}

impl FusedIterator for Formats {}
