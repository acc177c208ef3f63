//! Selects some coordinates of an axis, or windows of them, which may overlap.

use crate::algebra::AxisDigits;
use crate::algebra::axis::inference::{KnownOffsets, Unfit};
use crate::algebra::axis::to_last;
use crate::layout::Layout;
use crate::spec::{LayoutError, Rule, greatest, greatest_divisor, least};

impl Layout {
    /// Selects `length` coordinates of an axis: `start`, `start + step`, `start + 2 * step` and so on. A negative step
    /// goes backward.
    ///
    /// Law: `offset(slice, c) == offset(self, d)`, where `d` is `c` with index `start + i * step` on the axis instead
    /// of `i`.
    ///
    /// # Errors
    /// - The layout does not have the axis.
    /// - The step is 0.
    /// - The slice is out of bounds.
    /// - The steps land at different positions in each block, so no digits describe them.
    /// - The slice has more than 1024 coordinates, and their positions in the blocks repeat after more coordinates
    ///   than are searched.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let act = Layout::of("NCHW4", &[1, 16, 2, 2], ElementType::I8)?;
    /// let some = act.slice('C', 3, 1, 7)?; // from the middle of one block to that of another
    /// assert_eq!(some.offset(&[0, 2, 0, 1]), act.offset(&[0, 5, 0, 1]));
    /// let even = act.slice('C', 14, -2, 8)?;
    /// assert_eq!(even.offset(&[0, 1, 0, 0]), act.offset(&[0, 12, 0, 0]));
    ///
    /// let act = Layout::of("NCHW8", &[1, 64, 2, 2], ElementType::I8)?;
    /// let error = act.slice('C', 0, 3, 21).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "axis `C` has blocks of 8, and steps of 3 land at different positions in each block; write \
    ///      a step that divides the block or is a multiple of it, or move the tensor to another format \
    ///      first",
    /// );
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[doc(alias = "narrow")]
    pub const fn slice(
        &self,
        axis: char,
        start: usize,
        step: isize,
        length: usize,
    ) -> Result<Self, LayoutError> {
        changed!(self, view => view.slice_in_place(axis, start, step, length))
    }

    pub(in crate::algebra) const fn slice_in_place(
        &mut self,
        axis: char,
        start: usize,
        step: isize,
        length: usize,
    ) -> Result<(), LayoutError> {
        let axis = ok!(self.axis(axis));
        let (letter, extent) = (self.letters().at(axis), self.extent(axis));
        if step == 0 {
            return Err(LayoutError(Rule::ZeroStep { letter }));
        }
        let Some(lowest) = lowest(extent, start, step, length) else {
            let error = Rule::Slice { letter, extent, start, step, length };
            return Err(LayoutError(error));
        };
        self.buffer.become_view();
        let stored = self.stored(axis);
        if stored.blocks == 0 {
            let stride = stored.stride(0);
            if length > 0 {
                let distance = stride.wrapping_mul(start as isize);
                self.buffer.base = self.buffer.base.wrapping_add_signed(distance);
            }
            let stride = match length {
                0 => stride,
                // No coordinate uses the stride.
                1 => stride.wrapping_mul(step.unsigned_abs() as isize),
                _ => stride.wrapping_mul(step),
            };
            self.set_axis(axis, (length, 0), (&[], &[stride]));
            return Ok(());
        }
        let whole = AxisDigits::of(self, axis);
        let slice = match whole.slice(lowest, step.unsigned_abs(), length) {
            Ok(slice) if step < 0 => slice.flip(),
            Ok(slice) => slice,
            Err(unfit) => {
                let block = match whole.block_beside(step.unsigned_abs()) {
                    Some(block) => block,
                    None => whole.block(),
                };
                return Err(unfit.error(letter, Rule::SliceBlock { letter, block, step }));
            }
        };
        self.replace(axis, &slice)
    }

    /// The number of cuts of an axis into chunks of `size` coordinates, from the first on, that must be checked: if
    /// none of them makes two parts share memory, no cut does. `None` if there are too many to check.
    ///
    /// A cut that keeps the parts separate still does so when all blocks are counted up: the part before it moves by
    /// the stride of the slowest digit, and the part after it is a subset of what it was, moved by the same distance.
    /// So of all cuts at one position in a block, only the first needs a check. If each coordinate is farther away
    /// than everything before it reaches, one cut stands for all.
    #[doc(hidden)]
    pub const fn different_cuts(&self, axis: usize, size: usize) -> Option<usize> {
        const MOST: usize = 256;
        let digits = AxisDigits::of(self, axis);
        if self.numel() == 0 || digits.extent <= size {
            return Some(0);
        }
        if self.swizzle().is_some() {
            let cuts = (digits.extent - 1) / size;
            return if cuts > MOST { None } else { Some(cuts) };
        }
        let all = self.range();
        let (low, high) = digits.range();
        let others = (all.end - 1 - all.start) - high.abs_diff(low);
        // If elements share a byte, the last element before a cut and the first after it must not.
        let per_byte = self.element().per_byte();
        if digits.steps_beyond(others + per_byte - 1) {
            return Some(1);
        }
        let block = digits.block();
        let repeats = block / greatest_divisor(block, size);
        // This many blocks end at a byte, whatever their stride is.
        let repeats = repeats.saturating_mul(per_byte);
        let cuts = (digits.extent - 1) / size;
        let different = least(repeats, cuts);
        if different > MOST { None } else { Some(different) }
    }

    /// Splits an axis in two: returns the view of the coordinates below `at` and the view of the rest.
    ///
    /// Law: `offset(split.0, c) == offset(self, c)`, and `offset(split.1, c) == offset(self, d)`, where `d` is `c`
    /// with `at` added on the axis.
    ///
    /// # Errors
    /// - The layout does not have the axis.
    /// - `at` is larger than the extent.
    #[doc(hidden)]
    pub const fn split(&self, axis: char, at: usize) -> Result<(Self, Self), LayoutError> {
        let position = ok!(self.axis(axis));
        let (letter, extent) = (self.letters().at(position), self.extent(position));
        if at > extent {
            return Err(LayoutError(Rule::Split { letter, extent, at }));
        }
        Ok((ok!(self.slice(axis, 0, 1, at)), ok!(self.slice(axis, at, 1, extent - at))))
    }
}

/// The lowest coordinate of a slice, or `None` if the slice is out of bounds.
const fn lowest(extent: usize, start: usize, step: isize, length: usize) -> Option<usize> {
    if length == 0 {
        return if start <= extent { Some(0) } else { None };
    }
    let Some(distance) = (length - 1).checked_mul(step.unsigned_abs()) else { return None };
    let last = if step < 0 { start.checked_sub(distance) } else { start.checked_add(distance) };
    match last {
        Some(last) if start < extent && last < extent => Some(if step < 0 { last } else { start }),
        _ => None,
    }
}

impl AxisDigits {
    /// Whether each coordinate is farther than `distance` from all coordinates before it, always in the same direction.
    const fn steps_beyond(&self, distance: usize) -> bool {
        let (mut up, mut down) = (true, true);
        let mut back = 0isize;
        each!(i, 0..self.count, {
            // The step to a position at which this digit changes and no slower one does.
            let step = self.strides[i].wrapping_sub(back);
            up &= step > 0 && step.unsigned_abs() > distance;
            down &= step < 0 && step.unsigned_abs() > distance;
            back = back.wrapping_add(to_last(self.sizes[i], self.strides[i]));
        });
        up || down
    }

    /// Selects every `step`th coordinate from `start`, unless the steps land in the blocks too unevenly.
    ///
    /// Law: `offset(slice, i) == offset(self, start + i * step)`.
    pub(in crate::algebra) const fn slice(
        &self,
        start: usize,
        step: usize,
        length: usize,
    ) -> Result<Self, Unfit> {
        let mut new = Self { start: self.start, overflow: self.overflow, ..Self::NONE };
        if length == 0 {
            return Ok(new.with(0, self.strides[0]).normalized(0, 0));
        }
        let first = self.shift + start;
        if length == 1 {
            new.start = self.offset(start);
            let stride = self.strides[0].wrapping_mul(step as isize);
            return Ok(new.with(1, stride).normalized(0, 1));
        }
        // Digits that are constant over the whole slice.
        let (constant, mut position, count) =
            self.constant_digits(first, first + (length - 1) * step);
        new.start = new.start.wrapping_add(constant);
        let first_step = step;
        let mut step = step;
        let mut i = 0;
        loop {
            let (size, stride) = (self.sizes[i], self.strides[i]);
            if i + 1 == count {
                let distance = stride.wrapping_mul(position as isize);
                new.start = new.start.wrapping_add(distance);
                let stride = stride.wrapping_mul(step as isize);
                return Ok(new.with(length, stride).normalized(0, length));
            }
            let distance = stride.wrapping_mul((position % size) as isize);
            if step % size == 0 {
                new.start = new.start.wrapping_add(distance);
                (position, step) = (position / size, step / size);
                i += 1;
                continue;
            }
            if size % step != 0 {
                let offsets = KnownOffsets::Every { axis: self, start, step: first_step };
                return Self::from_offsets(&offsets, length);
            }
            let distance = stride.wrapping_mul((position % step) as isize);
            new.start = new.start.wrapping_add(distance);
            new = new.with(size / step, stride.wrapping_mul(step as isize));
            i += 1;
            while i < count {
                new = new.with(self.sizes[i], self.strides[i]);
                i += 1;
            }
            return Ok(new.normalized(position / step, length));
        }
    }

    /// Splits off the slowest digits that have the same value at all positions from `first` to `last`. Returns what
    /// they add to the offset, the first position without them, and the number of other digits.
    const fn constant_digits(&self, first: usize, last: usize) -> (isize, usize, usize) {
        let (mut first, mut last) = (first, last);
        let (mut count, mut weight) = (self.count, self.block());
        let mut start = 0isize;
        while count > 1 && first / weight == last / weight {
            count -= 1;
            let distance = self.strides[count].wrapping_mul((first / weight) as isize);
            start = start.wrapping_add(distance);
            first %= weight;
            last %= weight;
            weight /= self.sizes[count - 1];
        }
        (start, first, count)
    }
}

impl Layout {
    /// Reverses axis `axis`.
    ///
    /// Law: `offset(flip, c) == offset(self, d)`, where `d` is `c` with index `extent - 1 - i` on the axis instead of
    /// `i`.
    ///
    /// # Errors
    /// - The layout does not have the axis.
    /// - Part of the axis is broadcast, and the axis ends inside a block.
    pub const fn flip(&self, axis: char) -> Result<Self, LayoutError> {
        let extent = self.extent(ok!(self.axis(axis)));
        self.slice(axis, extent.saturating_sub(1), -1, extent)
    }
}

impl AxisDigits {
    /// The axis in reverse.
    ///
    /// Law: `offset(flip, i) == offset(self, extent - 1 - i)`.
    pub(in crate::algebra) const fn flip(mut self) -> Self {
        if self.extent < 2 {
            return self;
        }
        each!(i, 0..self.count, {
            self.start = self.start.wrapping_add(to_last(self.sizes[i], self.strides[i]));
            self.strides[i] = self.strides[i].wrapping_neg();
        });
        // The padding of the last block, which comes first now.
        let block = self.block();
        let over = (self.shift + self.extent) % block;
        self.normalized(if over > 0 { block - over } else { 0 }, self.extent)
    }
}

impl Layout {
    /// The same storage with `extent` coordinates of `axis`, beginning at `from`.
    ///
    /// Law: `offset(narrowed, c) == offset(self, d)`, where `d` is `c` with `from` added on the axis.
    pub(crate) const fn narrowed(mut self, axis: usize, from: usize, extent: usize) -> Self {
        self.set_range(axis, from, extent);
        self
    }

    /// The distance, in elements, from coordinate `from` of `axis` to coordinate `from + width`; 0 if that is beyond
    /// the extent.
    #[doc(hidden)]
    pub const fn step_of(&self, axis: usize, from: usize, width: usize) -> isize {
        if from + width >= self.extent(axis) {
            return 0;
        }
        let digits = AxisDigits::of(self, axis);
        digits.offset(from + width).wrapping_sub(digits.offset(from))
    }

    /// The number of coordinates of `axis` from `from` of which each has the same distance from the one `width` before
    /// it; at least `width`. If `width` is a multiple of whole blocks, such a run ends at the next larger block.
    /// Otherwise it ends with the block.
    #[doc(hidden)]
    pub const fn even_run(&self, axis: usize, from: usize, width: usize) -> usize {
        let digits = AxisDigits::of(self, axis);
        let (position, rest) = (digits.shift + from, self.extent(axis) - from);
        let (mut weight, mut run) = (1usize, width);
        let mut i = 0;
        // Steps of whole blocks keep the faster digits as they are and count up the next digit.
        while i < digits.count && width % weight == 0 {
            weight = weight.saturating_mul(digits.sizes[i]);
            i += 1;
            let end = if i == digits.count { rest } else { weight - position % weight };
            run = greatest(run, end);
        }
        least(rest, run)
    }
}

impl Layout {
    /// Takes windows of `size` coordinates of an axis, one every `step` coordinates. The axis counts the windows, and
    /// a new last axis `into` counts the coordinates in a window. It is PyTorch's `unfold` and, for a step of 1,
    /// NumPy's `sliding_window_view`.
    ///
    /// Overlapping windows share elements. They can be read, and they can be the source of a relayout: im2col of
    /// convolutions is one. As a destination, they are an error. For dilated convolutions, [`slice`](Self::slice)
    /// takes every n-th coordinate of the windows.
    ///
    /// Law: `offset(windows, c) == offset(self, d)`, where `i` is the last index of `c`, and `d` is the rest of `c`
    /// with index `w * step + i` on the axis instead of `w`.
    ///
    /// # Errors
    /// - The layout does not have the axis.
    /// - Another axis has the letter `into`.
    /// - `size` is 0 or larger than the extent.
    /// - `step` is 0.
    /// - The axis has blocks.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Row = layout!(CW<C = 1, W = 5>, u8);
    ///
    /// let row: Tensor<Row, _> = [1, 2, 3, 4, 5].into();
    /// let windows = row.view::<3>(|layout| layout.windows('W', 3, 1, 'K'))?;
    /// assert_eq!(windows.to_string(), "[[[1, 2, 3],\n  [2, 3, 4],\n  [3, 4, 5]]]");
    ///
    /// let columns = windows.to_format("CKW")?; // a copy, in which no elements are shared
    /// assert_eq!(columns.buffer(), [1, 2, 3, 2, 3, 4, 3, 4, 5]);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    #[doc(alias("unfold", "sliding_window_view", "im2col"))]
    pub const fn windows(
        &self,
        axis: char,
        size: usize,
        step: usize,
        into: char,
    ) -> Result<Self, LayoutError> {
        let axis = ok!(self.axis(axis));
        let (letter, extent) = (self.letters().at(axis), self.extent(axis));
        if size == 0 || size > extent {
            return Err(LayoutError(Rule::WindowSize { letter, extent, size }));
        }
        if step == 0 {
            return Err(LayoutError(Rule::ZeroStep { letter }));
        }
        let mut view = self.view();
        let into = ok!(view.new_letter(into));
        let whole = view.take(axis);
        let Some(stride) = whole.stride() else {
            return Err(LayoutError(Rule::WindowBlock { letter, block: whole.block() }));
        };
        let count = (extent - size) / step + 1;
        let windows = match whole.slice(0, step, count) {
            Ok(windows) => windows,
            // An axis of one stride has no blocks.
            Err(_) => unreachable!(),
        };
        ok!(view.put(axis, letter, &windows));
        ok!(view.put(view.rank(), into, &AxisDigits::single(size, stride)));
        view.buffer.overlapping |= step < size && count > 1 && stride != 0;
        Ok(view)
    }
}
