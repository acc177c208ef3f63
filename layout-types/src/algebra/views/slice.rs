//! Some of the coordinates of an axis.

use super::AxisDigits;
use crate::algebra::places::Places;
use crate::layout::Layout;
use crate::spec::{LayoutError, Rule};

impl Layout {
    /// Every `step`th coordinate of an axis, `length` of them, from `start` on; backwards where
    /// the step is negative.
    ///
    /// Law: `offset(slice, c) == offset(self, d)` where `d` is `c` with `start + i * step` in place
    /// of the axis' index `i`.
    ///
    /// # Errors
    /// An axis that there is not, a step of 0, a slice that leaves the extent, or one whose steps
    /// fall into the blocks so unevenly that no digits describe them.
    ///
    /// ```
    /// use layout_types::{ElementType, Format, Layout};
    ///
    /// let act = Layout::of(&Format::parse("NCHW4")?, &[1, 16, 2, 2], ElementType::I8)?;
    /// let some = act.slice('C', 3, 1, 7)?; // from the middle of one block to that of another
    /// assert_eq!(some.offset(&[0, 2, 0, 1]), act.offset(&[0, 5, 0, 1]));
    /// let even = act.slice('C', 14, -2, 8)?;
    /// assert_eq!(even.offset(&[0, 1, 0, 0]), act.offset(&[0, 12, 0, 0]));
    ///
    /// let act = Layout::of(&Format::parse("NCHW8")?, &[1, 64, 2, 2], ElementType::I8)?;
    /// let error = act.slice('C', 0, 3, 21).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "axis `C` has blocks of 8, and steps of 3 land at different positions in each block; write \
    ///      a step that divides the block or is a multiple of it, or move the tensor to another format \
    ///      first",
    /// );
    /// # Ok::<(), layout_types::LayoutError>(())
    /// ```
    pub const fn slice(
        &self,
        axis: char,
        start: usize,
        step: isize,
        length: usize,
    ) -> Result<Self, LayoutError> {
        let axis = ok!(self.axis(axis));
        let (letter, extent) = (self.letters().at(axis), self.extents()[axis]);
        if step == 0 {
            return Err(LayoutError(Rule::ZeroStep { letter }));
        }
        let Some(lowest) = lowest(extent, start, step, length) else {
            let error = Rule::Slice { letter, extent, start, step, length };
            return Err(LayoutError(error));
        };
        let mut view = self.view();
        let whole = view.take(axis);
        let slice = match whole.slice(lowest, step.unsigned_abs(), length) {
            Some(slice) if step < 0 => Some(slice.flip()),
            other => other,
        };
        let Some(slice) = slice else {
            let block = match whole.block_beside(step.unsigned_abs()) {
                Some(block) => block,
                None => whole.block(),
            };
            return Err(LayoutError(Rule::SliceBlock { letter, block, step }));
        };
        ok!(view.put(axis, letter, &slice));
        Ok(view)
    }

    /// The coordinates of an axis below `at`, and those from it on. The two have no coordinate in
    /// common.
    ///
    /// Law: `offset(split.0, c) == offset(self, c)`, and `offset(split.1, c) == offset(self, d)`
    /// where `d` is `c` with `at` more on the axis.
    ///
    /// # Errors
    /// An axis that there is not, or one that is not as long.
    pub const fn split(&self, axis: char, at: usize) -> Result<(Self, Self), LayoutError> {
        let position = ok!(self.axis(axis));
        let (letter, extent) = (self.letters().at(position), self.extents()[position]);
        if at > extent {
            return Err(LayoutError(Rule::Split { letter, extent, at }));
        }
        Ok((ok!(self.slice(axis, 0, 1, at)), ok!(self.slice(axis, at, 1, extent - at))))
    }
}

/// The lowest coordinate of a slice, or `None` where it leaves the extent.
const fn lowest(extent: usize, start: usize, step: isize, length: usize) -> Option<usize> {
    if length == 0 {
        return if start <= extent { Some(0) } else { None };
    }
    let Some(way) = (length - 1).checked_mul(step.unsigned_abs()) else { return None };
    let last = if step < 0 { start.checked_sub(way) } else { start.checked_add(way) };
    match last {
        Some(last) if start < extent && last < extent => Some(if step < 0 { last } else { start }),
        _ => None,
    }
}

impl AxisDigits {
    /// Every `step`th coordinate from `start` on, or `None` where the steps fall too unevenly into
    /// blocks.
    ///
    /// Law: `place(slice, i) == place(self, start + i * step)`.
    pub(super) const fn slice(&self, start: usize, step: usize, length: usize) -> Option<Self> {
        let mut new = Self { start: self.start, overflow: self.overflow, ..Self::NONE };
        if length == 0 {
            return Some(new.with(0, self.strides[0]).settled(0, 0));
        }
        let first = self.shift + start;
        if length == 1 {
            new.start = self.place(start);
            let stride = self.strides[0].wrapping_mul(step as isize);
            return Some(new.with(1, stride).settled(0, 1));
        }
        // Digits that stay the same over the whole slice.
        let mut position = first;
        let mut last = first + (length - 1) * step;
        let mut count = self.count;
        let mut weight = self.block();
        while count > 1 && position / weight == last / weight {
            count -= 1;
            let way = self.strides[count].wrapping_mul((position / weight) as isize);
            new.start = new.start.wrapping_add(way);
            position %= weight;
            last %= weight;
            weight /= self.sizes[count - 1];
        }
        let first_step = step;
        let mut step = step;
        let mut i = 0;
        while i < count {
            let (size, stride) = (self.sizes[i], self.strides[i]);
            if i + 1 == count {
                let way = stride.wrapping_mul(position as isize);
                new.start = new.start.wrapping_add(way);
                let stride = stride.wrapping_mul(step as isize);
                return Some(new.with(length, stride).settled(0, length));
            }
            let way = stride.wrapping_mul((position % size) as isize);
            if step % size == 0 {
                new.start = new.start.wrapping_add(way);
                (position, step) = (position / size, step / size);
                i += 1;
                continue;
            }
            if size % step != 0 {
                let places = Places::Every { axis: self, start, step: first_step };
                return Self::of_places(&places, length);
            }
            let way = stride.wrapping_mul((position % step) as isize);
            new.start = new.start.wrapping_add(way);
            new = new.with(size / step, stride.wrapping_mul(step as isize));
            i += 1;
            while i < count {
                new = new.with(self.sizes[i], self.strides[i]);
                i += 1;
            }
            return Some(new.settled(position / step, length));
        }
        None
    }
}
