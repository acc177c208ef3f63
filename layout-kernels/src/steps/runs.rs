//! Runs of bytes and the step that copies them, and rows of 4-bit elements.

use super::loops::Loop;

/// Runs of `bytes` bytes in two loops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs {
    pub(crate) bytes: usize,
    pub(crate) inner: Loop,
    pub(crate) outer: Loop,
}

/// Copies of runs, whose length has a class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copies {
    pub(crate) class: usize,
    pub(crate) runs: Runs,
}

/// Pairs of rows whose bytes are contiguous: the low halves of both go to `to`, the high halves behind all of those.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Halves {
    pub(crate) pairs: usize,
    pub(crate) bytes: usize,
    /// From one row to the next, and from one pair to the next.
    pub(crate) row: isize,
    pub(crate) pair: isize,
}
