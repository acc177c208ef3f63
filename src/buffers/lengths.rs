//! The lengths of buffers, in the units of their layouts.

use layout_types::nests::Pair;
use layout_types::spec::{LayoutError, Name, Rule};

/// Lengths of two buffers in units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    source: usize,
    destination: usize,
}

impl Lengths {
    /// The lengths that the layouts of a pair take.
    pub(crate) const fn of(pair: &Pair) -> Self {
        Self { source: pair.source.units(), destination: pair.destination.units() }
    }

    /// Errors unless the buffers have these lengths.
    #[inline]
    pub(crate) const fn check(self, source: usize, destination: usize) -> Result<(), LayoutError> {
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
