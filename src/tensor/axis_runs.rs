//! The coordinates of a layout in order, one run of evenly spaced coordinates at a time.

use layout_types::{LastAxis, Layout, LayoutType};

/// Runs along the last axis.
///
/// At the end of a run, the offset of the next run is computed from its coordinate. For constant layouts the compiler
/// folds that arithmetic, and nested loops remain.
pub(super) struct Runs<'a, L: LayoutType> {
    layout: &'a L,
    /// The last axis of a layout that is not a constant.
    last: LastAxis,
    /// The first coordinate after the run.
    coordinate: L::Coordinate,
    offset: usize,
    /// The number of coordinates of the run.
    pub(super) length: usize,
    /// The number of coordinates after the run.
    pub(super) rest: usize,
}

impl<L: LayoutType> Clone for Runs<'_, L> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<'a, L: LayoutType> Runs<'a, L> {
    /// Returns the state before the first run.
    #[inline]
    pub(super) fn new(layout: &'a L) -> Self {
        let (last, rest) = match const { static_last_axis::<L>() } {
            Some(known) => known,
            None => last_axis(&layout.layout()),
        };
        Self { layout, last, coordinate: L::ORIGIN, offset: 0, length: 0, rest }
    }

    #[inline(always)]
    fn last(&self) -> LastAxis {
        match const { static_last_axis::<L>() } {
            Some((last, _)) => last,
            None => self.last,
        }
    }

    /// Moves on to the next run. Returns false at the end.
    #[inline]
    pub(super) fn advance(&mut self) -> bool {
        if self.rest == 0 {
            return false;
        }
        let last = self.last();
        let coordinate = self.coordinate.as_mut();
        let mut from = 0;
        if let Some(mut axis) = coordinate.len().checked_sub(1) {
            while axis > 0 && coordinate[axis] >= self.layout.extent_of(axis) {
                coordinate[axis] = 0;
                axis -= 1;
                coordinate[axis] += 1;
            }
            from = coordinate[coordinate.len() - 1];
        }
        self.offset = self.layout.offset_of(self.coordinate);
        self.length = last.run(from);
        self.rest -= self.length;
        true
    }

    /// Returns the next coordinate of the run with its offset. The run must have one.
    #[inline(always)]
    pub(super) fn step(&mut self) -> (L::Coordinate, usize) {
        let now = (self.coordinate, self.offset);
        if let Some(index) = self.coordinate.as_mut().last_mut() {
            *index += 1;
        }
        self.offset = self.offset.wrapping_add(self.last().stride);
        now
    }

    /// Calls `fold` for the next `count` coordinates of the run with their offsets.
    #[inline(always)]
    pub(super) fn fold<A>(
        &mut self,
        count: usize,
        mut folded: A,
        mut fold: impl FnMut(A, L::Coordinate, usize) -> A,
    ) -> A {
        let stride = self.last().stride;
        let first = self.coordinate.as_ref().last().copied().unwrap_or(0);
        let mut coordinate = self.coordinate;
        for i in 0..count {
            if let Some(index) = coordinate.as_mut().last_mut() {
                *index = first + i;
            }
            folded = fold(folded, coordinate, self.offset.wrapping_add(i.wrapping_mul(stride)));
        }
        if let Some(index) = self.coordinate.as_mut().last_mut() {
            *index = first + count;
        }
        folded
    }
}

const fn last_axis(layout: &Layout) -> (LastAxis, usize) {
    (LastAxis::of(layout), layout.numel())
}

/// Returns the last axis of a constant layout, and the number of coordinates.
const fn static_last_axis<L: LayoutType>() -> Option<(LastAxis, usize)> {
    match L::STATIC {
        Some(layout) => Some(last_axis(&layout)),
        None => None,
    }
}
