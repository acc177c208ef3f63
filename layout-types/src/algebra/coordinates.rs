//! All coordinates of a layout, in memory order.

use core::iter::FusedIterator;

use crate::layout::Layout;
use crate::spec::MAX_FACTORS;

/// The coordinates of a layout from the first address to the last, padding left out.
///
/// Strides that interleave (`[3, 2]` over extents `[2, 3]`) have no nesting to follow: then the
/// axis of the largest stride counts as the slowest. Coordinates that share an element follow
/// one another.
#[derive(Clone, Debug)]
pub struct Coordinates<const RANK: usize> {
    layout: Layout,
    /// The digits of the next coordinate, counted from the lowest address.
    values: [usize; MAX_FACTORS],
    /// How many coordinates are left.
    left: usize,
}

impl<const RANK: usize> Coordinates<RANK> {
    /// The coordinates of `layout`.
    ///
    /// # Panics
    /// If the layout has another rank.
    pub const fn new(layout: Layout) -> Self {
        assert!(layout.rank() == RANK, "the layout has another rank than its coordinates");
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

impl<const RANK: usize> Iterator for Coordinates<RANK> {
    type Item = [usize; RANK];

    fn next(&mut self) -> Option<[usize; RANK]> {
        while self.left > 0 {
            let joined = self.layout.joined(&self.values);
            self.advance();
            if let Some(all) = joined {
                self.left -= 1;
                let mut coordinate = [0; RANK];
                coordinate.copy_from_slice(&all[..RANK]);
                return Some(coordinate);
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<const RANK: usize> ExactSizeIterator for Coordinates<RANK> {}

impl<const RANK: usize> FusedIterator for Coordinates<RANK> {}
