//! Runs of bytes, and the step that copies them.

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
