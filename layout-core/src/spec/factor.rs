//! Axes and factors: the parts of a spec.

use core::fmt;

use super::bounds::least;
use super::text::same_text;

/// The largest number of axes of a layout.
pub const MAX_RANK: usize = 12;

/// The largest number of digits of a layout: one for each axis and each block. Alignments are not digits.
#[doc(hidden)]
pub const MAX_FACTORS: usize = 16;

/// The largest number of factors: digits, of each axis an alignment, a pitch and a first position, and once each the
/// lanes, their alignment, the start of the buffer, overlap, the part of the buffer, and a swizzle.
#[doc(hidden)]
pub const MAX_PARTS: usize = MAX_FACTORS + 3 * MAX_RANK + 6;

/// One axis of a tensor: its letter and its extent.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct AxisExtent {
    /// An upper-case letter.
    pub letter: char,
    /// The number of coordinates.
    pub extent: Length,
}

/// A number of an axis: its extent, or its pitch in bytes.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Length {
    /// A number in the program's source. Must not be 0.
    Fixed(usize),
    /// A number known at run time. An extent may be 0: a batch can be empty.
    Runtime(usize),
    /// A number that is not known yet. Rules that need its value are checked later.
    Unknown,
}

impl Length {
    /// The value, if it is known.
    pub const fn value(self) -> Option<usize> {
        match self {
            Self::Fixed(value) | Self::Runtime(value) => Some(value),
            Self::Unknown => None,
        }
    }
}

/// One part of a memory order. A list of factors runs from the slowest to the fastest.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Factor {
    /// What remains of an axis after its blocks and lanes.
    Axis(char),
    /// A block of consecutive positions of an axis. Of several blocks of one axis, the slower is the outer.
    Block(char, usize),
    /// A block of an axis and its weight, the number of coordinates in one of its steps. It is for axes whose blocks
    /// are not listed from the outer to the inner.
    Weighted(char, usize, usize),
    /// Rounds the space of the faster factors up to a multiple of this number of bytes.
    Align(usize),
    /// The next slower factor has a stride of exactly this number of bytes. Gaps, as beside strides, belong to somebody
    /// else: there is none after the last element.
    Pitch(Length),
    /// The buffer begins at a multiple of this number of bytes, whatever the alignments of axes are.
    Start(usize),
    /// What remains of an axis, with a given stride in elements, which replaces the memory order.
    Stride(char, isize),
    /// A block of an axis, with its size, its weight and a given stride in elements.
    StridedBlock(char, usize, usize, isize),
    /// A broadcast axis: all its coordinates share one element.
    Broadcast(char),
    /// An axis distributed over a number of lanes of an accelerator, from a start lane: position c, after the blocks
    /// of the axis, is in lane `(start + c) % lanes`, row `(start + c) / lanes`. It is the first factor: storage is an
    /// array of lanes.
    Lanes(char, usize, usize),
    /// Storage is an array of this number of lanes, which the slowest factors count. It is the first factor.
    LaneArray(usize),
    /// Coordinate 0 of an axis with strides is at this position of its blocks.
    Shift(char, usize),
    /// Coordinates with strides may share elements, as in overlapping windows.
    Overlap,
    /// The layout is a view with strides: the element of coordinate 0, and the length of the buffer in elements.
    Part(isize, usize),
    /// The buffer has this number of elements, and the gaps between its strides are padding. If there are several
    /// lanes, they have this stride.
    Whole(usize, isize),
    /// An XOR of bits of the offset, after all strides. It is the last factor.
    Swizzle(Swizzling),
}

impl Factor {
    /// The axis of which the factor is a digit, if it is one.
    pub const fn letter(self) -> Option<char> {
        match self {
            Self::Axis(letter)
            | Self::Block(letter, _)
            | Self::Weighted(letter, ..)
            | Self::Stride(letter, _)
            | Self::StridedBlock(letter, ..)
            | Self::Broadcast(letter)
            | Self::Lanes(letter, ..) => Some(letter),
            _ => None,
        }
    }

    /// Whether the factor is what remains of `letter` after its blocks. Each axis has exactly one such factor.
    pub const fn is_rest_of(self, letter: char) -> bool {
        match self {
            Self::Axis(axis) | Self::Stride(axis, _) | Self::Broadcast(axis) => {
                axis as u32 == letter as u32
            }
            _ => false,
        }
    }

    /// Whether the factor is a block of an axis.
    pub const fn is_block(self) -> bool {
        matches!(self, Self::Block(..) | Self::Weighted(..) | Self::StridedBlock(..))
    }
}

/// A swizzle as written. It may depend on the element type and the extents.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Swizzling {
    /// CuTe's `B`, `M` and `S` for offsets in elements.
    Elements(usize, usize, isize),
    /// CuTe's `B`, `M` and `S` for addresses in bytes.
    Bytes(usize, usize, isize),
    /// Triton's `vec`, `perPhase` and `maxPhase`, in elements and rows.
    Phases(usize, usize, usize),
}

/// Up to [`MAX_RANK`] axis letters, in order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Letters {
    letters: [u8; MAX_RANK],
    count: u8,
}

impl Letters {
    /// No letters.
    #[doc(hidden)]
    pub const EMPTY: Self = Self { letters: [b'A'; MAX_RANK], count: 0 };

    /// The letters of the first [`MAX_RANK`] axes. Panics if a letter is not ASCII.
    pub(crate) const fn of(axes: &[AxisExtent]) -> Self {
        let mut new = Self::EMPTY;
        let count = least(axes.len(), MAX_RANK);
        each!(i, 0..count, {
            assert!((axes[i].letter as u32) < 128, "an axis is an ASCII letter");
            new.letters[i] = axes[i].letter as u8;
        });
        new.count = count as u8;
        new
    }

    /// The number of letters.
    pub const fn count(&self) -> usize {
        self.count as usize
    }

    /// The letters as text: `"NCHW"`.
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.letters.split_at(self.count()).0) {
            Ok(text) => text,
            // `with` takes ASCII letters alone.
            Err(_) => unreachable!(),
        }
    }

    /// The letter at `index`. Panics if `index` is out of range.
    pub const fn at(&self, index: usize) -> char {
        assert!(index < self.count as usize, "letter out of range");
        self.letters[index] as char
    }

    /// The index of `letter`, if it is in the list.
    pub const fn position(&self, letter: char) -> Option<usize> {
        each!(i, 0..self.count as usize, {
            if self.letters[i] as u32 == letter as u32 {
                return Some(i);
            }
        });
        None
    }

    /// Whether both have the same letters in the same order.
    pub(crate) const fn same(&self, other: Self) -> bool {
        same_text(self.as_str(), other.as_str())
    }

    /// Appends `letter`. Panics beyond [`MAX_RANK`] letters, and if the letter is not ASCII.
    #[doc(hidden)]
    pub const fn with(mut self, letter: char) -> Self {
        let count = self.count as usize;
        assert!(count < MAX_RANK, "more letters than a layout can have axes");
        assert!(letter.is_ascii(), "an axis is an ASCII letter");
        self.letters[count] = letter as u8;
        self.count += 1;
        self
    }

    /// Inserts `letter` at `index`. Panics beyond the end, beyond [`MAX_RANK`] letters, and if the letter is not ASCII.
    pub(crate) const fn inserted(mut self, index: usize, letter: char) -> Self {
        let mut i = self.count();
        self = self.with(letter);
        while i > index {
            (self.letters[i], self.letters[i - 1]) = (self.letters[i - 1], self.letters[i]);
            i -= 1;
        }
        self
    }

    /// Removes the letter at `index`.
    pub(crate) const fn remove(&mut self, index: usize) {
        let mut i = index + 1;
        while i < self.count() {
            self.letters[i - 1] = self.letters[i];
            i += 1;
        }
        self.count -= 1;
        self.letters[self.count()] = b'A';
    }

    /// Takes the letters of `old` in another order. `positions` lists each position once.
    pub(crate) const fn pick(&mut self, old: &Self, positions: &[usize]) {
        each!(i, 0..positions.len(), {
            self.letters[i] = old.at(positions[i]) as u8;
        });
    }
}

/// Writes the letters: `NCHW`.
impl fmt::Display for Letters {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), formatter)
    }
}

/// Writes the letters in quotes: `"NCHW"`.
impl fmt::Debug for Letters {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}
