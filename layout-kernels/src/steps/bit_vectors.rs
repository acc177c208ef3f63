//! Vectors of a destination that are made of bits of a source, as data.

use alloc::vec::Vec;

/// The bytes of a vector and of a window.
pub(crate) const WINDOW: usize = 16;

/// Bytes of the source of which a vector takes some.
#[derive(Clone, Debug)]
pub(crate) struct BitWindow {
    /// Where the bytes begin in the source.
    pub(crate) offset: usize,
    /// For each byte of the vector the byte of the window, or [`NONE`](super::NONE).
    pub(crate) table: [u8; WINDOW],
}

/// Bits that move by one distance within their bytes.
#[derive(Clone, Debug)]
pub(crate) struct BitPart {
    /// The distance, towards higher bits.
    pub(crate) shift: i32,
    /// The bits of the vector that the part has.
    pub(crate) mask: [u8; WINDOW],
    pub(crate) windows: Vec<BitWindow>,
}

/// Contiguous bytes of the destination.
#[derive(Clone, Debug)]
pub(crate) struct BitVector {
    /// Where they begin in the destination.
    pub(crate) destination: usize,
    /// Their number: 1, 2, 4, 8 or 16.
    pub(crate) bytes: usize,
    /// The bits that keep what they are, and those that are flipped.
    pub(crate) keep: [u8; WINDOW],
    pub(crate) flip: [u8; WINDOW],
    pub(crate) parts: Vec<BitPart>,
}

impl BitVector {
    /// The windows of a vector of whole bytes that keep their bits.
    pub(crate) fn whole_bytes(&self) -> Option<&[BitWindow]> {
        match &self.parts[..] {
            [part] if part.shift == 0 && part.mask == [0xff; WINDOW] => Some(&part.windows),
            _ => None,
        }
    }
}

/// The bytes of a long vector.
pub(crate) const LONG: usize = 64;

/// The most sources of a group, and the most vectors of one with at most half as many.
pub(crate) const MOST_SOURCES: usize = 8;
pub(crate) const MOST_VECTORS: usize = 4;

/// The table index of a byte that a source does not have: the last one of two windows.
pub(crate) const NOWHERE: u8 = 0xff;

/// Long vectors of whole bytes that are made of the same bytes of the source.
#[derive(Clone, Debug)]
pub(crate) struct BitGroup {
    /// Whether windows are as long as a vector, and not half as long.
    pub(crate) is_wide: bool,
    /// Where the two windows begin in the source that one permute has bytes of.
    pub(crate) sources: Vec<[usize; 2]>,
    pub(crate) vectors: Vec<LongVector>,
}

/// Up to [`LONG`] contiguous bytes of the destination.
#[derive(Clone, Debug)]
pub(crate) struct LongVector {
    /// Where they begin in the destination.
    pub(crate) destination: usize,
    pub(crate) bytes: usize,
    /// The bits that are flipped.
    pub(crate) flip: [u8; LONG],
    /// For each source its byte for each byte of the vector, or [`NOWHERE`]. The second window begins at byte [`LONG`].
    pub(crate) tables: Vec<[u8; LONG]>,
}
