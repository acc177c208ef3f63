//! Renames, reorders, inserts, repeats and removes axes.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, Letters, Rule};

impl Layout {
    /// Renames an axis. Padding, alignment and lanes are kept.
    ///
    /// Law: `offset(rename, c) == offset(self, c)`.
    ///
    /// # Errors
    /// - The layout does not have the axis.
    /// - Another axis has the letter `into`.
    ///
    /// ```
    /// use tensor_layout::Layout;
    ///
    /// let image = Layout::parse("HW<4, 6>, f32")?;
    /// assert_eq!(image.rename('H', 'R')?.to_string(), "RW<4, 6>, f32");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn rename(&self, axis: char, into: char) -> Result<Self, LayoutError> {
        let position = ok!(self.axis(axis));
        let letter = self.letters().at(position);
        if into.to_ascii_uppercase() as u32 == letter as u32 {
            return Ok(*self);
        }
        let into = ok!(self.new_letter(into));
        let mut letters = self.letters();
        letters.remove(position);
        let letters = letters.inserted(position, into);
        Ok(self.with_letters(letters))
    }

    /// Reorders the axes of coordinates. `order` names each axis once, by letters or by positions as digits.
    ///
    /// Law: `offset(permute, c) == offset(self, d)`, where `d` has the indices of `c` in the axis order of this layout.
    ///
    /// # Errors
    /// - The layout does not have one of the axes.
    /// - An axis is named twice, or not at all.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let image = Layout::of("NCHW", &[1, 3, 4, 5], ElementType::U8)?;
    /// let last = image.permute("NHWC")?;
    /// assert_eq!((last.extents(), last.offset(&[0, 2, 1, 2])), (&[1, 4, 5, 3][..], 40 + 10 + 1));
    /// assert_eq!(image.permute("0231")?, last);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[doc(alias("transpose", "swapaxes"))]
    pub const fn permute(&self, order: &str) -> Result<Self, LayoutError> {
        let named = self.axes_named(order);
        let positions = match &named {
            Ok(positions) => positions.as_slice(),
            Err(error) => return Err(*error),
        };
        if positions.len() < self.rank() {
            return Err(LayoutError(Rule::MissingAxis { letter: self.missing_from(positions) }));
        }
        let mut result = Ok(*self);
        if let Ok(view) = &mut result {
            view.buffer.become_view();
            view.reorder_axes(self, positions);
        }
        result
    }

    /// The first axis that is not among these.
    const fn missing_from(&self, positions: &[usize]) -> char {
        let (mut axis, mut i) = (0, 0);
        while i < positions.len() {
            if positions[i] == axis {
                (axis, i) = (axis + 1, 0);
            } else {
                i += 1;
            }
        }
        self.letters().at(axis)
    }

    /// Inserts an axis of extent 1 at `position` of the coordinate. [`index`](Self::index) at 0 removes it again.
    ///
    /// The stride of the new axis is the span of the axis that it precedes, or 1 at the end. So the result can be
    /// passed as a contiguous array if the layout could.
    ///
    /// Law: `offset(unsqueeze, c) == offset(self, d)`, where `d` is `c` without the new index.
    ///
    /// # Errors
    /// - Another axis has the letter.
    /// - `position` is larger than the rank.
    /// - The layout already has 12 axes.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let matrix = Layout::of("MK", &[4, 8], ElementType::F32)?;
    /// assert_eq!(matrix.unsqueeze('B', 0)?.extents(), [1, 4, 8]);
    /// assert_eq!(matrix.unsqueeze('B', 2)?.extents(), [4, 8, 1]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[doc(alias = "expand_dims")]
    pub const fn unsqueeze(&self, letter: char, position: usize) -> Result<Self, LayoutError> {
        let mut view = self.view();
        let letter = ok!(view.new_letter(letter));
        if position > self.rank() {
            let rank = self.rank();
            return Err(LayoutError(Rule::NewPosition { letter, position, rank }));
        }
        let stride = if position < self.rank() { AxisDigits::of(self, position).span() } else { 1 };
        ok!(view.put(position, letter, &AxisDigits::single(1, stride)));
        Ok(view)
    }
}

impl AxisDigits {
    /// The span of the axis, in elements: the largest stride times size of its digits.
    pub(in crate::algebra) const fn span(&self) -> isize {
        let mut span = 0;
        each!(i, 0..self.count, {
            // A size of 0 counts as 1.
            let size = if self.sizes[i] == 0 { 1 } else { self.sizes[i] };
            let reach = self.strides[i].unsigned_abs().saturating_mul(size);
            if reach > span {
                span = reach;
            }
        });
        if span > isize::MAX as usize { isize::MAX } else { span as isize }
    }
}

impl Layout {
    /// Expands an axis of extent 1 to `extent` coordinates, which share their elements: its stride becomes 0.
    ///
    /// [`unsqueeze`](Self::unsqueeze) inserts a new axis of extent 1.
    ///
    /// Law: `offset(broadcast, c) == offset(self, d)`, where `d` is `c` with index 0 on the axis.
    ///
    /// # Errors
    /// - The layout does not have the axis.
    /// - The extent of the axis is not 1.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let bias = Layout::of("NCHW", &[1, 64, 1, 1], ElementType::F32)?;
    /// let all = bias.broadcast('H', 56)?.broadcast('W', 56)?;
    /// assert_eq!(all.offset(&[0, 7, 33, 44]), 7);
    /// assert!(!all.is_unique() && !all.is_contiguous());
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[doc(alias("expand", "broadcast_to"))]
    pub const fn broadcast(&self, axis: char, extent: usize) -> Result<Self, LayoutError> {
        let axis = ok!(self.axis(axis));
        let (letter, given) = (self.letters().at(axis), self.extent(axis));
        if given != 1 {
            return Err(LayoutError(Rule::Broadcast { letter, extent: given }));
        }
        let mut view = self.view();
        let distance = view.take(axis).offset(0);
        view.buffer.base = view.base().wrapping_add_signed(distance);
        ok!(view.put(axis, letter, &AxisDigits::single(extent, 0)));
        Ok(view)
    }

    /// Selects one coordinate of an axis and removes the axis.
    ///
    /// Law: `offset(index, c) == offset(self, d)`, where `d` is `c` with `coordinate` inserted at the position of the
    /// axis.
    ///
    /// # Errors
    /// - The layout does not have the axis.
    /// - The coordinate is not below the extent.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let act = Layout::of("NCHW4", &[2, 8, 3, 3], ElementType::I8)?;
    /// let channel = act.index('C', 6)?.index('N', 1)?;
    /// assert_eq!(channel.to_string(), "HW<3, 3>, i8, strides = [12, 4], from 110 of 144");
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[doc(alias("select", "squeeze"))]
    pub const fn index(&self, axis: char, coordinate: usize) -> Result<Self, LayoutError> {
        changed!(self, view => view.index_in_place(axis, coordinate))
    }

    const fn index_in_place(&mut self, axis: char, coordinate: usize) -> Result<(), LayoutError> {
        let axis = ok!(self.axis(axis));
        let (letter, extent) = (self.letters().at(axis), self.extent(axis));
        if coordinate >= extent {
            let axes = Letters::EMPTY;
            return Err(LayoutError(Rule::Coordinate { axes, letter, extent, coordinate }));
        }
        self.buffer.become_view();
        self.buffer.base = self.buffer.base.wrapping_add(self.stored(axis).place(coordinate));
        self.remove_axis(axis);
        Ok(())
    }
}
