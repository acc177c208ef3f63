//! Runs of elements, and what turns the elements of one into those of another.

use super::prefetch;

/// A conversion of elements: plain loops, which the compiler turns into vectors of whichever instructions
/// the function has that they are inlined into. So each function here is `#[inline(always)]`.
pub trait Convert {
    /// An element of the source, as it lies in memory.
    type Source;

    /// An element of the destination.
    type Destination;

    /// What happens to the elements of some runs.
    type Arithmetic<'a>;

    /// Whether elements of the source and those of the destination are IEEE binary16.
    const HALVES: (bool, bool);

    /// Whether elements of the source and those of the destination are `f32`.
    const FLOATS: (bool, bool);

    /// What happens to the elements of run number `row`.
    fn of_row<'a>(arithmetic: &Self::Arithmetic<'a>, row: usize) -> Self::Arithmetic<'a>;

    /// The elements after which parameters begin anew, at most [`PERIOD`].
    fn period(arithmetic: &Self::Arithmetic<'_>) -> Option<usize>;

    /// Whether values stay what they are but for rounding.
    fn is_cast(arithmetic: &Self::Arithmetic<'_>) -> bool;

    /// Converts a run, or a part of one that begins with a period.
    fn run(
        arithmetic: &Self::Arithmetic<'_>,
        source: &[Self::Source],
        destination: &mut [Self::Destination],
    );

    /// [`run`](Self::run) for a source of halves that have become floats.
    fn run_from_f32(
        arithmetic: &Self::Arithmetic<'_>,
        source: &[f32],
        destination: &mut [Self::Destination],
    );

    /// [`run`](Self::run) for a destination of halves, as floats.
    fn run_to_f32(
        arithmetic: &Self::Arithmetic<'_>,
        source: &[Self::Source],
        destination: &mut [f32],
    );

    /// The floats of a source that has them.
    fn floats(source: &[Self::Source]) -> &[f32];

    /// The floats of a destination that has them.
    fn floats_mut(destination: &mut [Self::Destination]) -> &mut [f32];

    /// The halves of a source that has them.
    fn halves(source: &[Self::Source]) -> &[u16];

    /// The halves of a destination that has them.
    fn halves_mut(destination: &mut [Self::Destination]) -> &mut [u16];
}

/// Takes the first block off two parts of a run, or all that there is if it `is_split` into none, and prefetches what
/// comes after it where that is asked for `ahead`; `None` at the end.
#[inline(always)]
pub(super) fn next_block<'a, S, D>(
    (from, to): &mut (&'a [S], &'a mut [D]),
    block: usize,
    is_split: bool,
    ahead: bool,
) -> Option<(&'a [S], &'a mut [D])> {
    // No `chunks`, which divide: a run may be short.
    let length = if is_split { block.min(from.len()) } else { from.len() };
    if length == 0 {
        return None;
    }
    let (first, rest) = from.split_at(length);
    let (first_to, rest_to) = core::mem::take(to).split_at_mut(length);
    (*from, *to) = (rest, rest_to);
    if ahead {
        prefetch::behind(first);
    }
    Some((first, first_to))
}

/// Runs of one length, as far apart as each other; all in elements.
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    /// How many.
    pub count: usize,
    /// The elements of each.
    pub length: usize,
    /// Where the first one begins in the source.
    pub source: usize,
    /// From one to the next in the source.
    pub source_step: isize,
    /// Where the first one begins in the destination.
    pub destination: usize,
    /// From one to the next in the destination.
    pub destination_step: isize,
    /// Whether to ask for the source ahead, since no cache holds it.
    pub ahead: bool,
}

impl Runs {
    /// Run number `row`.
    ///
    /// # Panics
    /// If it lies outside the slices.
    #[inline(always)]
    pub(super) fn row<'a, S, D>(
        &self,
        row: usize,
        source: &'a [S],
        destination: &'a mut [D],
    ) -> (&'a [S], &'a mut [D]) {
        let from = self.source.wrapping_add_signed(self.source_step * row as isize);
        let to = self.destination.wrapping_add_signed(self.destination_step * row as isize);
        (&source[from..][..self.length], &mut destination[to..][..self.length])
    }
}

/// The most elements of a period, and the most runs with parameters of their own.
pub const PERIOD: usize = 256;
