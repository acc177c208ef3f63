//! All coordinates of a layout, in memory order.

use core::iter::FusedIterator;

use crate::layout::Layout;
use crate::spec::{MAX_FACTORS, MAX_RANK};

/// The coordinates of a layout from the first address to the last, padding left out.
///
/// Strides that interleave (`[3, 2]` over extents `[2, 3]`) have no nesting to follow: then the
/// axis of the largest stride counts as the slowest. Coordinates that share an element follow
/// one another.
#[derive(Clone, Debug)]
pub struct Coordinates<const RANK: usize>(MemoryOrder);

impl<const RANK: usize> Coordinates<RANK> {
    /// The coordinates of `layout`.
    ///
    /// # Panics
    /// If the layout has another rank.
    pub const fn new(layout: Layout) -> Self {
        assert!(layout.rank() == RANK, "the layout has another rank than its coordinates");
        Self(MemoryOrder::new(layout))
    }
}

impl<const RANK: usize> Iterator for Coordinates<RANK> {
    type Item = [usize; RANK];

    fn next(&mut self) -> Option<[usize; RANK]> {
        self.0.next()?[..RANK].try_into().ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<const RANK: usize> ExactSizeIterator for Coordinates<RANK> {}

impl<const RANK: usize> FusedIterator for Coordinates<RANK> {}

/// [`Coordinates`] of a layout whose rank is not a type.
#[derive(Clone, Debug)]
pub(crate) struct MemoryOrder {
    layout: Layout,
    /// The digits of the next coordinate, counted from the lowest address.
    values: [usize; MAX_FACTORS],
    /// How many coordinates are left.
    left: usize,
}

impl MemoryOrder {
    pub(crate) const fn new(layout: Layout) -> Self {
        Self { layout, values: [0; MAX_FACTORS], left: layout.count() }
    }

    /// Steps to the next digits, padding or not.
    fn advance(&mut self) {
        for (value, digit) in self.values.iter_mut().zip(self.layout.digits()).rev() {
            *value += 1;
            if *value < digit.size {
                return;
            }
            *value = 0;
        }
    }
}

impl Iterator for MemoryOrder {
    type Item = [usize; MAX_RANK];

    fn next(&mut self) -> Option<[usize; MAX_RANK]> {
        while self.left > 0 {
            let joined = self.layout.joined(&self.values);
            self.advance();
            if joined.is_some() {
                self.left -= 1;
                return joined;
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

/// The coordinates of a layout in coordinate order, the last axis fastest.
#[derive(Clone, Debug)]
pub(crate) struct CoordinateOrder {
    layout: Layout,
    next: [usize; MAX_RANK],
    /// How many coordinates are left.
    left: usize,
}

impl CoordinateOrder {
    pub(crate) const fn new(layout: Layout) -> Self {
        Self { layout, next: [0; MAX_RANK], left: layout.count() }
    }
}

impl Iterator for CoordinateOrder {
    type Item = [usize; MAX_RANK];

    fn next(&mut self) -> Option<[usize; MAX_RANK]> {
        self.left = self.left.checked_sub(1)?;
        let coordinate = self.next;
        for (index, &extent) in self.next.iter_mut().zip(self.layout.extents()).rev() {
            *index += 1;
            if *index < extent {
                break;
            }
            *index = 0;
        }
        Some(coordinate)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}
