//! Two layouts of one tensor, with axes matched by letter.

use crate::layout::Layout;
use crate::spec::{AxisExtent, ElementType, LayoutError, Letters, MAX_RANK, Rule, permuted};

/// A source layout and a destination layout of the same axes and extents.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub(crate) source: Layout,
    pub(crate) destination: Layout,
    /// For each axis of the destination, the same axis of the source.
    pub(super) axes: [usize; MAX_RANK],
}

impl Pair {
    /// Returns the pair of two layouts, with axes matched by letter.
    ///
    /// # Errors
    /// - Axes or extents differ.
    /// - Coordinates of the destination share an element.
    pub const fn new(source: &Layout, destination: &Layout) -> Result<Self, LayoutError> {
        Ok(Self::matched(source, destination, ok!(axes_between(source, destination))))
    }

    /// [`new`](Self::new) for a tensor whose element type does not change.
    ///
    /// # Errors
    /// - The errors of [`new`](Self::new).
    /// - The element types differ.
    pub const fn of_equal_elements(
        source: &Layout,
        destination: &Layout,
    ) -> Result<Self, LayoutError> {
        let axes = ok!(axes_between(source, destination));
        ok!(equal_elements(source.element(), destination.element()));
        Ok(Self::matched(source, destination, axes))
    }

    /// Returns the pair of layouts whose axes match so. The compiler makes it in place, since it is all that this
    /// function returns.
    #[inline(never)]
    const fn matched(source: &Layout, destination: &Layout, axes: [usize; MAX_RANK]) -> Self {
        Self { source: *source, destination: *destination, axes }
    }

    /// The layout that is read.
    #[inline(always)]
    pub const fn source(&self) -> &Layout {
        &self.source
    }

    /// The layout that is written.
    #[inline(always)]
    pub const fn destination(&self) -> &Layout {
        &self.destination
    }

    /// Whether a side has a swizzle, so that its nests are not affine.
    pub const fn is_swizzled(&self) -> bool {
        self.source.swizzle().is_some() || self.destination.swizzle().is_some()
    }

    /// The pair for `length` coordinates of the axis of the destination at this position, beginning at `start`.
    ///
    /// # Errors
    /// There is no such axis, or it does not have these coordinates.
    pub const fn narrowed(
        &self,
        axis: usize,
        start: usize,
        length: usize,
    ) -> Result<Self, LayoutError> {
        let axes = self.destination.letters();
        if axis >= axes.count() {
            return Err(LayoutError(Rule::UnknownPosition { position: axis, axes }));
        }
        let (letter, extent) = (axes.at(axis), self.destination.extent(axis));
        if start > extent || length > extent - start {
            return Err(LayoutError(Rule::Window { letter, start, length, extent }));
        }
        let source = self.source.narrowed(self.axes[axis], start, length);
        let destination = self.destination.narrowed(axis, start, length);
        Ok(Self { source, destination, axes: self.axes })
    }
}

/// Returns the axis of the source for each axis of the destination.
const fn axes_between(
    source: &Layout,
    destination: &Layout,
) -> Result<[usize; MAX_RANK], LayoutError> {
    let (from, to) = (source.axes_and_extents(), destination.axes_and_extents());
    let axes = matched((&from, source.rank()), (&to, destination.rank()));
    if axes.is_ok() && !destination.is_unique() {
        return Err(LayoutError(Rule::RelayoutOverlap));
    }
    axes
}

/// Returns an error unless the element type is the same. The order of elements within a byte may differ.
pub const fn equal_elements(
    source: ElementType,
    destination: ElementType,
) -> Result<(), LayoutError> {
    match source.low_first().same(destination.low_first()) {
        true => Ok(()),
        false => Err(LayoutError(Rule::RelayoutElement { source, destination })),
    }
}

/// Returns the axis of the source for each axis of a destination, matched by letter.
///
/// # Errors
/// - Axes differ.
/// - Two known extents differ.
pub const fn matched_axes(
    source: &[AxisExtent],
    destination: &[AxisExtent],
) -> Result<[usize; MAX_RANK], LayoutError> {
    matched((source, source.len()), (destination, destination.len()))
}

/// [`matched_axes`] for the first axes of each list, as many as its number says.
const fn matched(
    (source, source_rank): (&[AxisExtent], usize),
    (destination, rank): (&[AxisExtent], usize),
) -> Result<[usize; MAX_RANK], LayoutError> {
    let mut axes = [0; MAX_RANK];
    let mut i = 0;
    while i < rank && source_rank == rank {
        let AxisExtent { letter, extent } = destination[i];
        let mut axis = 0;
        while axis < rank && source[axis].letter != letter {
            axis += 1;
        }
        if axis == rank {
            break;
        }
        match (source[axis].extent.value(), extent.value()) {
            (Some(extent), Some(other)) if extent != other => {
                let known = (source.split_at(rank).0, destination.split_at(rank).0);
                let permuted = permuted(known.0, known.1).count() > 0;
                let (source, destination) = (extent, other);
                return Err(LayoutError(Rule::RelayoutExtent {
                    letter,
                    source,
                    destination,
                    permuted,
                }));
            }
            _ => axes[i] = axis,
        }
        i += 1;
    }
    if i == rank && source_rank == rank {
        return Ok(axes);
    }
    let source = Letters::of(source.split_at(source_rank).0);
    let destination = Letters::of(destination.split_at(rank).0);
    Err(LayoutError(Rule::RelayoutAxes { source, destination }))
}
