//! Two layouts of one tensor, whose axes are matched by letter.

use crate::layout::Layout;
use crate::spec::{LayoutError, MAX_RANK, Rule};

/// A layout that is read and one that is written, of the same axes and extents.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The layout that is read.
    pub source: Layout,
    /// The layout that is written.
    pub destination: Layout,
    /// For each axis of the destination, the same axis of the source.
    pub(super) axes: [usize; MAX_RANK],
}

impl Pair {
    /// The pair of two layouts, whose axes are matched by letter.
    ///
    /// # Errors
    /// Different axes or extents; a destination in which coordinates share an element.
    pub const fn new(source: &Layout, destination: &Layout) -> Result<Self, LayoutError> {
        let error_of_axes = LayoutError(Rule::RelayoutAxes {
            source: source.letters(),
            destination: destination.letters(),
        });
        if source.rank() != destination.rank() {
            return Err(error_of_axes);
        }
        let (rank, mut axes) = (destination.rank(), [0; MAX_RANK]);
        let mut i = 0;
        while i < rank {
            let letter = destination.letters().at(i);
            axes[i] = match source.letters().position(letter) {
                Some(axis) => axis,
                None => return Err(error_of_axes),
            };
            let (from, to) = (source.extents[axes[i]], destination.extents[i]);
            if from != to {
                return Err(LayoutError(Rule::RelayoutExtent {
                    letter,
                    source: from,
                    destination: to,
                }));
            }
            i += 1;
        }
        if !destination.is_unique() {
            return Err(LayoutError(Rule::RelayoutOverlap));
        }
        Ok(Self { source: *source, destination: *destination, axes })
    }

    /// [`new`](Self::new) for a tensor whose elements stay as they are.
    ///
    /// # Errors
    /// As [`new`](Self::new), and different element types.
    pub const fn of_equal_elements(
        source: &Layout,
        destination: &Layout,
    ) -> Result<Self, LayoutError> {
        let pair = match Self::new(source, destination) {
            Ok(pair) => pair,
            Err(error) => return Err(error),
        };
        if !source.element().same(destination.element()) {
            return Err(LayoutError(Rule::RelayoutElement {
                source: source.element(),
                destination: destination.element(),
            }));
        }
        Ok(pair)
    }

    /// Whether a side has a swizzle, so that its nests are not affine.
    pub const fn is_swizzled(&self) -> bool {
        self.source.swizzle().is_some() || self.destination.swizzle().is_some()
    }

    /// The pair for `extent` coordinates of an axis of the destination, from `from` on.
    pub const fn narrowed(&self, axis: usize, from: usize, extent: usize) -> Self {
        let source = self.source.narrowed(self.axes[axis], from, extent);
        let destination = self.destination.narrowed(axis, from, extent);
        Self { source, destination, axes: self.axes }
    }
}
