//! Merges several axes into one.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, Rule};

impl Layout {
    /// Merges several axes into one axis `into`. `axes` names them from the slowest to the fastest, by letters or by
    /// positions as digits.
    ///
    /// The new axis takes the position of the first named one. It is strided if the strides allow it. Otherwise it has
    /// blocks, such as the rows of each plane.
    ///
    /// Law: `offset(merge, c) == offset(self, d)`, where the index of the merged axis is
    /// `(i0 * extent1 + i1) * extent2 + i2 ..` of the indices `i0, i1, i2, ..` in `d` of the named axes.
    ///
    /// # Errors
    /// - The layout does not have one of the axes.
    /// - An axis is named twice, or none is named.
    /// - Another axis has the letter `into`.
    /// - An axis other than the first named one begins or ends inside a block.
    /// - The result would have more than 16 axes and blocks.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let act = Layout::of("NCHW4", &[1, 8, 7, 7], ElementType::I8)?;
    /// let pixels = act.merge("HW", 'P')?;
    /// assert_eq!((pixels.extents(), pixels.offset(&[0, 0, 48])), (&[1, 8, 49][..], 48 * 4));
    /// let all = act.merge("NCHW", 'X')?; // in coordinate order, whatever the memory order
    /// assert_eq!(all.offset(&[5 * 49 + 8]), act.offset(&[0, 5, 1, 1]));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[doc(alias = "flatten")]
    pub const fn merge(&self, axes: &str, into: char) -> Result<Self, LayoutError> {
        changed!(self, view => view.merge_in_place(axes, into))
    }

    const fn merge_in_place(&mut self, axes: &str, into: char) -> Result<(), LayoutError> {
        let axes = ok!(self.axes_named(axes));
        let axes = axes.as_slice();
        if axes.is_empty() {
            return Err(LayoutError(Rule::NoAxes));
        }
        let letters = self.letters();
        let mut position = axes[0];
        let mut merged = self.take(axes[0]);
        each!(i, 1..axes.len(), {
            let letter = letters.at(axes[i]);
            position -= (axes[i] < axes[0]) as usize;
            let Some(axis) = self.letters().position(letter) else { unreachable!() };
            let inner = self.take(axis);
            merged = ok!(self.joined_axis(letter, &merged, &inner));
        });
        self.buffer.become_view();
        let into = ok!(self.new_letter(into));
        self.put(position, into, &merged)
    }
}

impl AxisDigits {
    /// Merges `inner` into this axis as its faster part. Returns `None` if `inner` begins or ends inside a block, unless
    /// this axis continues its blocks. There must be a [`joined_end`](Self::joined_end).
    ///
    /// Law: `offset(join, a * inner.extent + b) == offset(self, a) + offset(inner, b)`.
    pub(in crate::algebra) const fn join(&self, inner: &Self) -> Option<Self> {
        let extent = self.extent * inner.extent;
        let start = self.start.wrapping_add(inner.start);
        let overflow = self.overflow || inner.overflow;
        if self.extent == 1 {
            return Some(Self { start, overflow, ..*inner });
        }
        if extent == 0 {
            return Some(Self::single(0, inner.strides[0]));
        }
        if let (Some(stride), Some(step)) = (inner.stride(), self.stride()) {
            if matches!(stride.checked_mul(inner.extent as isize), Some(way) if way == step) {
                return Some(Self { start, overflow, ..Self::single(extent, stride) });
            }
        }
        let none = Self { start, overflow, ..Self::NONE };
        let (mut new, shift) = if inner.is_whole() {
            (none.with_all(inner).with_all(self), self.shift * inner.extent)
        } else if self.continues(inner) {
            (none.with_all(inner), inner.shift)
        } else {
            return None;
        };
        new.normalize(shift, extent);
        Some(new)
    }

    /// The position after the last coordinate of a join, or `None` beyond `isize::MAX`. An axis over lanes may begin after
    /// any number of positions, and each of them takes the extent of `inner`.
    pub(in crate::algebra) const fn joined_end(&self, inner: &Self) -> Option<usize> {
        let end = match self.shift.checked_add(self.extent) {
            Some(end) => end.checked_mul(inner.extent),
            None => None,
        };
        match end {
            Some(end) if end <= isize::MAX as usize => Some(end),
            _ => None,
        }
    }

    /// Adds all digits of `slower`.
    const fn with_all(mut self, slower: &Self) -> Self {
        each!(i, 0..slower.count, {
            self.push(slower.sizes[i], slower.strides[i]);
        });
        self
    }

    /// Whether each step of this axis is the number of blocks that `inner` has, which begins inside one: then the blocks
    /// go on from one step to the next, wherever the first one begins.
    ///
    /// **Example.** `inner` has blocks of 3 that are 12 apart, and 6 coordinates from the second on. Steps of 24 are two
    /// blocks: five of them make 30 coordinates in blocks of 3, from the second on.
    const fn continues(&self, inner: &Self) -> bool {
        let block = inner.block();
        if self.count != 1 || inner.extent % block != 0 {
            return false;
        }
        match inner.strides[inner.count - 1].checked_mul((inner.extent / block) as isize) {
            Some(distance) => distance == self.strides[0],
            None => false,
        }
    }
}
