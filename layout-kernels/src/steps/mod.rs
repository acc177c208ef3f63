//! Steps as data, which planners make and micro-kernels take.
//!
//! [`loops`] has loops, runs, and the classes of runs. [`tiles`] and [`permutation`] are the other steps. [`sub_byte`]
//! describes elements of less than a byte. `consts` has macros for `const fn`s.
#![cfg_attr(not(vectors), allow(dead_code, reason = "without vectors steps have fewer forms"))]

#[cfg(all(feature = "alloc", feature = "records"))]
mod bit_vectors;
mod consts;
pub(crate) mod loops;
mod permutation;
mod sub_byte;
pub(crate) mod tiles;

#[cfg(all(feature = "alloc", feature = "records"))]
pub(crate) use bit_vectors::{
    BitPart, BitVector, BitWindow, BlockMoves, BlockSources, BlockSquares, BlockWords,
    LEAST_BLOCKS, MOST_SOURCES, SquarePart, SquareTable, WINDOW,
};
pub(crate) use consts::{blank, each, sort};
pub(crate) use loops::{
    Copies, MAX_OUTER_LOOPS, OuterLoop, OuterLoops, Runs, balanced, distance, extended, greater,
    least,
};
pub use loops::{Loop, MAX_LOOPS};
pub(crate) use permutation::{
    Align, COPIED, Form, MAX_LOADS, MAX_OUTPUTS, MAX_PLANES, MAX_TABLES, MAX_WINDOWS, NONE,
    Permutation,
};
pub(crate) use sub_byte::Planes;
pub use sub_byte::SubByte;
pub(crate) use tiles::{MAX_OFFSETS, Matrix, Starts, Tiles, each_group};

/// The bytes of a cache line.
pub const LINE: usize = 64;

/// The step inside the loops of a plan.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant, reason = "a plan allocates nothing")]
pub(crate) enum Step {
    Copies(Copies),
    Tiles(Tiles),
    Permute(Permutation),
}

impl Step {
    /// Returns a step that copies nothing. Inlined, since a constant would be copied with the bytes of all steps.
    #[inline(always)]
    pub(crate) const fn nothing() -> Self {
        let runs = Runs { bytes: 0, inner: Loop::ONCE, outer: Loop::ONCE };
        Self::Copies(Copies { class: 0, streamed: 0, runs })
    }
}
