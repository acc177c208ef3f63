//! The coordinates of a layout in their order, a run of evenly spaced ones at a time.

use layout_types::{LastAxis, Layout, LayoutType};

/// Runs along the last axis.
///
/// At the end of a run the offset of the next is found anew. For layouts that are constants that is
/// arithmetic with literals, so that nested loops are what is left.
pub(super) struct Runs<'a, L: LayoutType> {
    layout: &'a L,
    /// Of a layout that is no constant.
    last: LastAxis,
    /// Where the run goes on.
    coordinate: L::Coordinate,
    offset: usize,
    /// How many coordinates the run has.
    pub(super) length: usize,
    /// How many coordinates come after it.
    pub(super) rest: usize,
}

impl<'a, L: LayoutType> Runs<'a, L> {
    /// Before the first run.
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

    /// Goes on to the next run; false where there is none.
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

    /// The next coordinate of the run with its offset. There must be one.
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
    (LastAxis::of(layout), layout.count())
}

/// The last axis of a layout that is a constant, and how many coordinates there are.
const fn static_last_axis<L: LayoutType>() -> Option<(LastAxis, usize)> {
    match L::STATIC {
        Some(layout) => Some(last_axis(&layout)),
        None => None,
    }
}
