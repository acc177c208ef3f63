//! Two layouts of one tensor, whose axes are matched by letter.

use crate::layout::Layout;
use crate::spec::{AxisExtent, ElementType, LayoutError, Letters, MAX_RANK, Rule};

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
        let (from, to) = (source.axes_and_extents(), destination.axes_and_extents());
        let (from, to) = (from.split_at(source.rank()).0, to.split_at(destination.rank()).0);
        let axes = match matched_axes(from, to) {
            Ok(axes) => axes,
            Err(error) => return Err(error),
        };
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
        match (
            Self::new(source, destination),
            equal_elements(source.element(), destination.element()),
        ) {
            (Ok(pair), Ok(())) => Ok(pair),
            (Err(error), _) | (_, Err(error)) => Err(error),
        }
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

/// Errors unless elements keep their type. The order of elements within a byte may change.
pub const fn equal_elements(
    source: ElementType,
    destination: ElementType,
) -> Result<(), LayoutError> {
    match source.low_first().same(destination.low_first()) {
        true => Ok(()),
        false => Err(LayoutError(Rule::RelayoutElement { source, destination })),
    }
}

/// For each axis of a destination the same axis of the source, matched by letter.
///
/// # Errors
/// Different axes, or extents that are known of both and differ.
pub const fn matched_axes(
    source: &[AxisExtent],
    destination: &[AxisExtent],
) -> Result<[usize; MAX_RANK], LayoutError> {
    let (from, to) = (letters(source), letters(destination));
    let error_of_axes = LayoutError(Rule::RelayoutAxes { source: from, destination: to });
    if source.len() != destination.len() {
        return Err(error_of_axes);
    }
    let mut axes = [0; MAX_RANK];
    let mut i = 0;
    while i < destination.len() {
        let AxisExtent { letter, extent } = destination[i];
        axes[i] = match from.position(letter) {
            Some(axis) => axis,
            None => return Err(error_of_axes),
        };
        match (source[axes[i]].extent.value(), extent.value()) {
            (Some(source), Some(destination)) if source != destination => {
                return Err(LayoutError(Rule::RelayoutExtent { letter, source, destination }));
            }
            _ => {}
        }
        i += 1;
    }
    Ok(axes)
}

const fn letters(axes: &[AxisExtent]) -> Letters {
    let mut letters = Letters::EMPTY;
    let mut i = 0;
    while i < axes.len() {
        letters = letters.with(axes[i].letter);
        i += 1;
    }
    letters
}
