//! Loops over bytes of a source and a destination.

/// One loop: so many steps, each so many bytes in the source and in the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    pub(crate) size: usize,
    pub(crate) source: isize,
    pub(crate) destination: isize,
}

impl Loop {
    /// A loop of one step.
    pub(crate) const ONCE: Self = Self { size: 1, source: 0, destination: 0 };
}
