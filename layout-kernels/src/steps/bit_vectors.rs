//! What a block of a destination is made of, as data: words of a source, or vectors of its bits.
#![cfg_attr(not(vectors), allow(dead_code, reason = "there are no vectors"))]

use alloc::vec::Vec;

/// The bytes of a vector and of a window.
pub(crate) const WINDOW: usize = 16;

/// Bytes of the source of which a vector takes some.
#[derive(Clone, Debug)]
pub(crate) struct BitWindow {
    /// Where the bytes begin in the source.
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

/// Words of the source that lie side by side in the destination, at most 16 bytes: or, of 16 words of four bytes, four
/// times four words side by side in the source, which are transposed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockWords {
    /// The bytes of a word, and the number of words.
    pub(crate) bytes: usize,
    pub(crate) count: usize,
    /// Where words begin in the source, and in the destination.
    pub(crate) from: [usize; 8],
    pub(crate) to: [usize; 4],
    /// The bits that are flipped in each 16 bytes.
    pub(crate) flip: [u8; WINDOW],
}
