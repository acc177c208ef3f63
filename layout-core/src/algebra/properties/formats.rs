//! All formats that a layout matches.

use core::iter::FusedIterator;

use crate::algebra::AxisDigits;
use crate::layout::{Digit, Layout};
use crate::spec::{Factor, Format, MAX_RANK, NAMED_FORMATS};

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
        Formats { layout: *self, order, orders: 0, strides, named: 0, own: true }
    }
}

impl Layout {
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
    own: bool,
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
            let own = self.strides[order[i]];
            own > 0 && strides.clone().skip(i + 1).any(|stride| stride >= own)
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
        let own = self.layout.format().filter(|_| core::mem::take(&mut self.own))?;
        let is_named = NAMED_FORMATS.iter().any(|(_, text)| Format::parse(text) == Ok(own));
        (has_blocks(&own) && !is_named).then_some(own)
    }
}

impl FusedIterator for Formats {}
