//! The lengths of buffers, in the units of their layouts.

use layout_types::nests::Pair;
use layout_types::spec::{LayoutError, Rule, broken};

/// The lengths of two buffers in units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    pub(crate) source: usize,
    pub(crate) destination: usize,
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

    /// Panics unless the buffers have these lengths.
    #[inline]
    #[track_caller]
    pub(crate) fn expect(self, source: usize, destination: usize) {
        if source != self.source {
            refuse_length("source", self.source, source)
        }
        if destination != self.destination {
            refuse_length("destination", self.destination, destination)
        }
    }
}

/// Returns an error unless a buffer has the length of its layout, in units.
#[inline]
pub(crate) const fn check_length(
    buffer: &'static str,
    needed: usize,
    given: usize,
) -> Result<(), LayoutError> {
    if given == needed { Ok(()) } else { Err(wrong_length(buffer, needed, given)) }
}

/// Returns the error of a buffer whose length differs from that of its layout.
#[cold]
pub(crate) const fn wrong_length(buffer: &'static str, needed: usize, given: usize) -> LayoutError {
    LayoutError(Rule::BufferLength { buffer, needed, given })
}

/// Panics because the length of a buffer differs from that of its layout, in units.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn refuse_length(buffer: &'static str, needed: usize, given: usize) -> ! {
    panic!("{}", broken::BufferLength { buffer, needed, given })
}
