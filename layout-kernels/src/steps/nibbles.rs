//! Rows of 4-bit elements.

/// Pairs of rows whose bytes are contiguous: the low halves of both go to `to`, the high halves behind all of those.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Halves {
    pub(crate) pairs: usize,
    pub(crate) bytes: usize,
    /// From one row to the next, and from one pair to the next.
    pub(crate) row: isize,
    pub(crate) pair: isize,
}
