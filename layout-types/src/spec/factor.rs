//! Axes and factors: the words in which a layout is written down.

use core::fmt::{self, Write};

/// The most axes a layout can have.
pub const MAX_RANK: usize = 8;

/// The most digits a layout can have: one for each axis and each block. Alignments are no
/// digits.
#[doc(hidden)]
pub const MAX_FACTORS: usize = 16;

/// One axis of a tensor: the letter that names it and its length.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct AxisExtent {
    /// An upper-case letter.
    pub letter: char,
    /// How many coordinates the axis has.
    pub extent: Length,
}

/// The length of an axis.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Length {
    /// Written in the program. Must not be 0.
    Fixed(usize),
    /// Found while the program runs. May be 0: a batch can be empty.
    Runtime(usize),
    /// Not known yet: rules that need its value wait for it.
    Unknown,
}

impl Length {
    /// The value, where it is known.
    pub const fn value(self) -> Option<usize> {
        match self {
            Self::Fixed(value) | Self::Runtime(value) => Some(value),
            Self::Unknown => None,
        }
    }
}

/// One step of a memory order. A list of factors runs from the slowest to the fastest.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Factor {
    /// What remains of an axis after its blocks and lanes.
    Axis(char),
    /// So many consecutive positions of an axis; of several blocks of one axis the slower is the
    /// outer.
    Block(char, usize),
    /// A block of an axis, and how many coordinates of the axis one step of it is: of an axis whose blocks
    /// are not listed from the outer to the inner.
    Weighted(char, usize, usize),
    /// What is faster than this point is rounded up to a multiple of so many bytes.
    Align(usize),
    /// An axis with a stride in elements of its own: replaces the memory order.
    Stride(char, isize),
    /// An axis that takes no memory: all its coordinates share one element.
    Broadcast(char),
    /// An axis distributed over so many lanes of an accelerator, from a start lane on: what its blocks
    /// leave of coordinate c lies in lane `(start + c) % lanes`, row `(start + c) / lanes`. The
    /// slowest factor of all: the image of the memory is an array of lanes.
    Lanes(char, usize, usize),
    /// Storage is an array of so many lanes, which the slowest factors count. The first of all factors.
    LaneArray(usize),
    /// An XOR of bits of the offset, after all strides. The last of all factors.
    Swizzle(Swizzling),
}

impl Factor {
    /// The axis that the factor belongs to, if it belongs to one.
    pub const fn letter(self) -> Option<char> {
        match self {
            Self::Axis(letter)
            | Self::Block(letter, _)
            | Self::Weighted(letter, ..)
            | Self::Stride(letter, _)
            | Self::Broadcast(letter)
            | Self::Lanes(letter, ..) => Some(letter),
            Self::Align(_) | Self::LaneArray(_) | Self::Swizzle(_) => None,
        }
    }

    /// Whether the factor holds what remains of `letter`: each axis has exactly one of these.
    pub const fn is_rest_of(self, letter: char) -> bool {
        match self {
            Self::Axis(own) | Self::Stride(own, _) | Self::Broadcast(own) => {
                own as u32 == letter as u32
            }
            Self::Block(..)
            | Self::Weighted(..)
            | Self::Align(_)
            | Self::Lanes(..)
            | Self::LaneArray(_)
            | Self::Swizzle(_) => false,
        }
    }

    /// Whether the factor is a block of an axis.
    pub const fn is_block(self) -> bool {
        matches!(self, Self::Block(..) | Self::Weighted(..))
    }
}

/// A swizzle as it is written down, which may depend on the element and the extents.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Swizzling {
    /// CuTe's `B`, `M` and `S` of offsets in elements.
    Elements(usize, usize, isize),
    /// CuTe's `B`, `M` and `S` of addresses in bytes.
    Bytes(usize, usize, isize),
    /// Triton's `vec`, `perPhase` and `maxPhase`, in elements and rows.
    Phases(usize, usize, usize),
}

/// Up to [`MAX_RANK`] axis letters, in an order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Letters {
    letters: [u8; MAX_RANK],
    count: u8,
}

impl Letters {
    /// No letters.
    #[doc(hidden)]
    pub const EMPTY: Self = Self { letters: [b'A'; MAX_RANK], count: 0 };

    /// How many.
    pub const fn count(&self) -> usize {
        self.count as usize
    }

    /// The letter at `index`; panics if there is none.
    pub const fn at(&self, index: usize) -> char {
        assert!(index < self.count as usize, "letter out of range");
        self.letters[index] as char
    }

    /// Where `letter` stands.
    pub const fn position(&self, letter: char) -> Option<usize> {
        let mut i = 0;
        while i < self.count as usize {
            if self.letters[i] as u32 == letter as u32 {
                return Some(i);
            }
            i += 1;
        }
        None
    }

    /// The letters with `letter` after them; panics past [`MAX_RANK`], and outside ASCII.
    #[doc(hidden)]
    pub const fn with(mut self, letter: char) -> Self {
        let count = self.count as usize;
        assert!(count < MAX_RANK, "more letters than a layout can have axes");
        assert!(letter.is_ascii(), "an axis is an ASCII letter");
        self.letters[count] = letter as u8;
        self.count += 1;
        self
    }

    /// The letters with `letter` at `index`; panics past the end, past [`MAX_RANK`], and outside
    /// ASCII.
    pub(crate) const fn inserted(&self, index: usize, letter: char) -> Self {
        let mut new = Self::EMPTY;
        let mut i = 0;
        while i <= self.count() {
            if i == index {
                new = new.with(letter);
            }
            if i < self.count() {
                new = new.with(self.at(i));
            }
            i += 1;
        }
        new
    }

    /// The letters without the one at `index`.
    pub(crate) const fn removed(&self, index: usize) -> Self {
        let mut new = Self::EMPTY;
        let mut i = 0;
        while i < self.count() {
            if i != index {
                new = new.with(self.at(i));
            }
            i += 1;
        }
        new
    }
}

/// As text: `"NCHW"`.
impl fmt::Debug for Letters {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_char('"')?;
        (0..self.count()).try_for_each(|i| formatter.write_char(self.at(i)))?;
        formatter.write_char('"')
    }
}
