//! One layout walked in the order of another.

use super::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, MAX_FACTORS, MAX_RANK, ViewError};

impl Layout {
    /// The coordinates of this layout, counted with the last axis fastest, at the offsets of
    /// `inner`: CuTe's composition. The result has the axes of `inner` and the buffer of this
    /// layout.
    ///
    /// Law: `offset(compose, c) == offset(self, d)` for the coordinate `d` that
    /// `offset(inner, c)` others come before.
    ///
    /// # Errors
    /// Offsets that there are no coordinates for, and steps of `inner` that do not keep to the
    /// blocks in which this layout lies, so that no digits describe the result.
    ///
    /// ```
    /// use layout_types::{ElementType, Format, Layout};
    ///
    /// // Every other column of a matrix, from a layout that knows nothing of rows and columns.
    /// let matrix = Layout::of(&Format::parse("KM")?, &[4, 6], ElementType::F32)?;
    /// let pairs = Layout::from_strides("XY", &[4, 3], &[6, 2], ElementType::F32)?;
    /// let composed = matrix.compose(&pairs)?;
    /// assert_eq!(composed.offset(&[3, 2]), matrix.offset(&[3, 4]));
    ///
    /// let fours = Layout::from_strides("XY", &[4, 6], &[1, 4], ElementType::F32)?;
    /// assert_eq!(
    ///     matrix.compose(&fours).unwrap_err().to_string(),
    ///     "steps along axis `Y` of the inner layout leave the blocks of 6 in which the outer lies; \
    ///      write strides and extents that divide them, or move the tensor to another format first",
    /// );
    /// # Ok::<(), layout_types::LayoutError>(())
    /// ```
    pub const fn compose(&self, inner: &Self) -> Result<Self, LayoutError> {
        let mut view = self.origin();
        let (count, span) = (self.count(), inner.span());
        if span > count {
            return Err(LayoutError::View(ViewError::ComposeSpan { span, count }));
        }
        if inner.count() == 0 {
            let mut axis = 0;
            while axis < inner.rank() {
                let digits = AxisDigits::single(inner.extents()[axis], 0);
                ok!(view.put(axis, inner.letters().at(axis), &digits));
                axis += 1;
            }
            return Ok(view);
        }
        let mut whole = AxisDigits::single(1, 0);
        let mut axis = 0;
        while axis < self.rank() {
            let letter = self.letters().at(axis);
            whole = ok!(self.joined_axis(letter, &whole, &AxisDigits::of(self, axis)));
            axis += 1;
        }
        let mut walk = Walk::new(&whole, inner.base as isize + whole.shift as isize);
        let mut walked = [whole; MAX_RANK];
        let mut axis = 0;
        while axis < inner.rank() {
            let letter = inner.letters().at(axis);
            let steps = AxisDigits::of(inner, axis);
            walked[axis] = match walk.axis(&steps) {
                Some(digits) => digits,
                None => {
                    let block = whole.block();
                    return Err(LayoutError::View(ViewError::ComposeBlock { letter, block }));
                }
            };
            axis += 1;
        }
        if !walk.keeps() {
            let letter = self.letters().at(self.rank() - 1);
            let block = whole.block();
            return Err(LayoutError::View(ViewError::ComposeBlock { letter, block }));
        }
        let start = whole.start.wrapping_add(whole.way(walk.position as usize));
        view.base = view.base.wrapping_add_signed(start);
        let mut axis = 0;
        while axis < inner.rank() {
            ok!(view.put(axis, inner.letters().at(axis), &walked[axis]));
            axis += 1;
        }
        Ok(view)
    }
}

/// Steps through the digits of a whole layout, each of which stays inside of the digits that it
/// moves, so that they never carry.
struct Walk<'a> {
    whole: &'a AxisDigits,
    /// Where the walk is lowest.
    position: isize,
    /// How far steps move each digit at most.
    used: [usize; MAX_FACTORS],
}

impl<'a> Walk<'a> {
    const fn new(whole: &'a AxisDigits, position: isize) -> Self {
        Self { whole, position, used: [0; MAX_FACTORS] }
    }

    /// One axis of the inner layout, whose digits step through the whole; or `None` where a step
    /// moves digits unevenly.
    const fn axis(&mut self, steps: &AxisDigits) -> Option<AxisDigits> {
        self.position += steps.start;
        let mut new = AxisDigits { overflow: steps.overflow, ..AxisDigits::NONE };
        let mut i = 0;
        while i < steps.count {
            let top = i + 1 == steps.count;
            new = match self.digit(new, steps.sizes[i], steps.strides[i], top) {
                Some(new) => new,
                None => return None,
            };
            i += 1;
        }
        Some(new.settled(steps.shift, steps.extent))
    }

    /// `new` with one more digit of the inner layout.
    const fn digit(
        &mut self,
        mut new: AxisDigits,
        size: usize,
        stride: isize,
        top: bool,
    ) -> Option<AxisDigits> {
        if size < 2 || stride == 0 {
            // An axis of one coordinate, whose stride nobody takes, or a broadcast one.
            return Some(new.with(size, 0));
        }
        let step = stride.unsigned_abs();
        let backwards = stride < 0;
        let (mut left, mut weight, mut level) = (size, 1usize, 0);
        let last = self.whole.count - 1;
        while level < last && step >= weight * self.whole.sizes[level] {
            weight *= self.whole.sizes[level];
            level += 1;
        }
        if step % weight != 0 {
            return None;
        }
        let mut step = step / weight;
        loop {
            let room = self.whole.sizes[level];
            let fits = level == last || (left - 1) <= (room - 1) / step;
            let part = if fits { left } else { room / step };
            // Backwards, every value of the digit counts; else the slowest may end early.
            let even = left % part == 0 || (top && !backwards);
            if !fits && (room % step != 0 || !even) {
                return None;
            }
            let way = self.whole.strides[level].wrapping_mul(step as isize);
            self.used[level] += (part - 1) * step;
            if backwards {
                // Counted from the other end.
                self.position -= ((part - 1) * step * weight) as isize;
            }
            new = new.with(part, if backwards { way.wrapping_neg() } else { way });
            if backwards {
                new.start = new.start.wrapping_add(way.wrapping_mul(part as isize - 1));
            }
            if fits {
                return Some(new);
            }
            left = left.div_ceil(part);
            weight *= room;
            step = 1;
            level += 1;
        }
    }

    /// Whether all steps together leave every digit but the slowest in its range.
    const fn keeps(&self) -> bool {
        if self.position < 0 {
            return false;
        }
        let mut rest = self.position as usize;
        let mut i = 0;
        while i + 1 < self.whole.count {
            let size = self.whole.sizes[i];
            if rest % size + self.used[i] >= size {
                return false;
            }
            rest /= size;
            i += 1;
        }
        true
    }
}
