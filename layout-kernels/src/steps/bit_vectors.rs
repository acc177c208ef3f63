//! What a block of a destination is made of, as data: squares of words of a source, words, or vectors of its bits.

use alloc::vec::Vec;

/// The bytes of a vector and of a window, unless a permute has longer lanes.
pub(crate) const WINDOW: usize = 16;

/// The most sources of a block.
pub(crate) const MOST_SOURCES: usize = 8;

/// Where a block begins in each source, and the bytes from there to the next block.
pub(crate) type BlockSources = [(*const u8, isize); MOST_SOURCES];

/// The least number of blocks for which a step is worth its start.
pub(crate) const LEAST_BLOCKS: usize = 32;

/// Bytes of the source of which a vector takes some.
#[derive(Clone, Debug)]
pub(crate) struct BitWindow {
    /// The source, and where the bytes begin in it.
    pub(crate) source: usize,
    pub(crate) offset: usize,
    /// For each byte of the vector the byte of the window, or [`NONE`](super::NONE), as tables of all vectors have it.
    pub(crate) table: [u8; 64],
}

/// Bits that move by one distance within their bytes.
#[derive(Clone, Debug)]
pub(crate) struct BitPart {
    /// The distance, towards higher bits.
    pub(crate) shift: i32,
    /// The bits of the vector that the part has.
    pub(crate) mask: [u8; 64],
    /// Whether it has whole bytes, which move as they are, and the vector no bits that are flipped.
    pub(crate) is_whole: bool,
    pub(crate) windows: Vec<BitWindow>,
}

/// Contiguous bytes of the destination.
#[derive(Clone, Debug)]
pub(crate) struct BitVector {
    /// Where they begin in the destination.
    pub(crate) destination: usize,
    /// Their number: 1, 2, 4, 8 or 16, or any up to 64.
    pub(crate) bytes: usize,
    /// The bits that keep what they are, and those that are flipped.
    pub(crate) keep: [u8; 64],
    pub(crate) flip: [u8; 64],
    pub(crate) parts: Vec<BitPart>,
}

/// Words of the source that lie side by side in the destination, at most 16 bytes, or four apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockWords {
    /// The bytes of a word, and the number of words.
    pub(crate) bytes: usize,
    pub(crate) count: usize,
    /// Where words begin in the source, and all of them in the destination.
    pub(crate) from: [usize; WINDOW],
    pub(crate) to: usize,
    /// The bits that are flipped.
    pub(crate) flip: [u8; WINDOW],
    /// Where each of four words lies in the destination, if they lie apart. None of their bits are flipped.
    pub(crate) apart: Option<[usize; 4]>,
}

/// Bits that move by one distance within their bytes, in each of several vectors.
#[derive(Clone, Debug)]
pub(crate) struct SquarePart {
    /// The distance, towards higher bits.
    pub(crate) shift: i32,
    pub(crate) vectors: Vec<SquareTable>,
}

/// The bytes of a vector that a part takes, as a table, and the bits that it has of them: in each lane.
pub(crate) type SquareTable = ([u8; 64], [u8; 64]);

/// Squares of words: vectors of 16 bytes, of `side` words each. Word `i` of vector `j` of a square becomes word `j` of its
/// vector `i`. Bits move within each vector before it is transposed, and after that.
#[derive(Clone, Default, Debug)]
pub(crate) struct BlockSquares {
    /// The words of a vector, which are 2, 4, 8 or 16, and the number of vectors of all squares.
    pub(crate) side: usize,
    pub(crate) count: usize,
    /// Where vectors begin in the source, and in the destination: the first ones of all squares, then the second ones.
    pub(crate) from: [usize; WINDOW],
    pub(crate) to: [usize; WINDOW],
    /// The bytes of each vector that are stored, 8 to 16, and the bits that are flipped in it, in each lane.
    pub(crate) bytes: usize,
    pub(crate) flip: Vec<[u8; 64]>,
    /// The bytes of the word before each vector of the destination, if it moves too, and where it lies in the source.
    pub(crate) head: usize,
    pub(crate) heads: [usize; WINDOW],
    /// Whether bits move. If not, there are no parts, and each vector has 16 bytes, of which the same bits are flipped; if so,
    /// it is one square without heads.
    pub(crate) has_bits: bool,
    /// Without parts, vectors stay as they are.
    pub(crate) before: Vec<SquarePart>,
    pub(crate) after: Vec<SquarePart>,
}

/// What moves a block.
#[derive(Clone, Default, Debug)]
pub(crate) struct BlockMoves {
    pub(crate) squares: Vec<BlockSquares>,
    pub(crate) words: Vec<BlockWords>,
    pub(crate) vectors: Vec<BitVector>,
    /// Whether blocks have several sources: vectors have the longest lanes, and are made one block after another.
    pub(crate) are_apart: bool,
}
