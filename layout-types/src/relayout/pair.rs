//! Two layouts of one tensor, whose axes are matched by letter.

use core::fmt;

use crate::kernel::Stores;
use crate::layout::Layout;
use crate::spec::{LayoutError, MAX_RANK, Name, Rule};

/// A layout that is read and one that is written, of the same axes and extents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) source: Layout,
    pub(crate) destination: Layout,
    /// For each axis of the destination, the same axis of the source.
    pub(super) axes: [usize; MAX_RANK],
}

impl Pair {
    /// # Errors
    /// Different axes or extents; a destination in which coordinates share an element.
    pub(super) const fn new(source: &Layout, destination: &Layout) -> Result<Self, LayoutError> {
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

    /// What is moved where, how many bytes that is, and which stores go past the caches.
    pub(super) fn write_moved(
        &self,
        formatter: &mut fmt::Formatter<'_>,
        stores: Stores,
    ) -> fmt::Result {
        let Self { source, destination, .. } = self;
        write!(formatter, "{source} -> {destination}: {} bytes", destination.moved_bytes())?;
        formatter.write_str(match stores {
            Stores::Cached => "",
            Stores::Past => ", stored past the caches",
            Stores::Either => ", stored past the caches of CPUs that gain by it",
        })
    }

    /// The pair for `extent` coordinates of an axis of the destination, from `from` on.
    pub(crate) const fn narrowed(&self, axis: usize, from: usize, extent: usize) -> Self {
        let source = self.source.narrowed(self.axes[axis], from, extent);
        let destination = self.destination.narrowed(axis, from, extent);
        Self { source, destination, axes: self.axes }
    }

    /// The lengths that the layouts take.
    pub(super) const fn lengths(&self) -> Lengths {
        Lengths { source: self.source.units(), destination: self.destination.units() }
    }

    /// Errors unless the buffers have the lengths, in units, that the layouts take.
    #[inline]
    pub(super) const fn check_lengths(
        &self,
        source: usize,
        destination: usize,
    ) -> Result<(), LayoutError> {
        self.lengths().check(source, destination)
    }
}

/// Lengths of two buffers in units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    source: usize,
    destination: usize,
}

impl Lengths {
    /// Errors unless the buffers have these lengths.
    #[inline]
    pub(super) const fn check(self, source: usize, destination: usize) -> Result<(), LayoutError> {
        match check_length("source", self.source, source) {
            Ok(()) => check_length("destination", self.destination, destination),
            Err(error) => Err(error),
        }
    }
}

/// Errors unless a buffer has the length in units that its layout takes.
#[inline]
pub(crate) const fn check_length(
    buffer: &str,
    needed: usize,
    given: usize,
) -> Result<(), LayoutError> {
    if given == needed { Ok(()) } else { Err(wrong_length(buffer, needed, given)) }
}

/// The error of a buffer of another length.
#[cold]
pub(crate) const fn wrong_length(buffer: &str, needed: usize, given: usize) -> LayoutError {
    LayoutError(Rule::BufferLength { buffer: Name::new(buffer), needed, given })
}
