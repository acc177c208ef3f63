//! Selects some coordinates of an axis.

use crate::algebra::AxisDigits;
use crate::algebra::axis::inference::{KnownOffsets, Unfit, greatest_common_divisor};
use crate::algebra::axis::to_last;
use crate::layout::Layout;
use crate::spec::{LayoutError, Rule, least};

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
        let own = self.stored(axis);
        if own.blocks == 0 {
            let stride = own.stride(0);
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
        let repeats = block / greatest_common_divisor(block, size);
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
