//! The lengths of buffers, in the units of their layouts.

use layout_types::nests::Pair;
use layout_types::spec::{LayoutError, Name, Rule};

/// The lengths of two buffers in units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    source: usize,
    destination: usize,
}

impl Lengths {
    /// Returns the lengths of the layouts of a pair.
    pub(crate) const fn of(pair: &Pair) -> Self {
        Self { source: pair.source().units(), destination: pair.destination().units() }
    }

    /// Returns an error unless the buffers have these lengths.
    #[inline]
    pub(crate) const fn check(self, source: usize, destination: usize) -> Result<(), LayoutError> {
        match check_length("source", self.source, source) {
            Ok(()) => check_length("destination", self.destination, destination),
            Err(error) => Err(error),
        }
    }
}

/// Returns an error unless a buffer has the length of its layout, in units.
#[inline]
pub(crate) const fn check_length(
    buffer: &str,
    needed: usize,
    given: usize,
) -> Result<(), LayoutError> {
    if given == needed { Ok(()) } else { Err(wrong_length(buffer, needed, given)) }
}

/// Returns the error of a buffer whose length differs from that of its layout.
#[cold]
pub(crate) const fn wrong_length(buffer: &str, needed: usize, given: usize) -> LayoutError {
    LayoutError(Rule::BufferLength { buffer: Name::new(buffer), needed, given })
}
