//! Moves: loops around a unit of bytes, and what can be wrong with them.

use core::fmt;

use crate::steps::{Loop, MAX_LOOPS, SubByte, each, least};

/// A move: every iteration of the loops copies a unit from the source to the destination.
///
/// Each byte of the destination should belong to at most one iteration. Otherwise, the bytes between the first and
/// the last byte written are unspecified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub(super) loops: [Loop; MAX_LOOPS],
    /// The number of loops. If there are too many, only the first ones are kept, and one without iterations.
    pub(super) count: usize,
    /// The elements that the unit, the strides and the offsets count; `None` if they count bytes.
    pub(crate) elements: Option<SubByte>,
    /// The size of the unit that one iteration copies.
    pub unit: usize,
    /// The offset in the source of the unit of all first iterations.
    pub source: usize,
    /// The offset in the destination of the unit of all first iterations.
    pub destination: usize,
    /// The padding after groups, if the move fills any.
    pub padding: Option<Padding>,
}

/// Padding after groups: each group begins with contiguous units, and its remaining bytes are filled.
///
/// [`Plan::pads`](crate::Plan::pads) says whether a plan fills it; if not, the caller does. A plan fills nothing
/// unless groups are those of the loops: some fastest loops are contiguous, and the next ones step over whole groups. A
/// group that is smaller than a unit is an [error](Error::SmallGroup).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padding {
    /// The bytes of a group with its padding: the stride of the loops around it.
    pub group: usize,
    /// Eight bytes that repeat from the start of the group.
    pub fill: [u8; 8],
}

impl Move {
    /// Makes a move of units of `unit` bytes, whose first unit begins at offset 0 on both sides.
    pub const fn new(loops: &[Loop], unit: usize) -> Self {
        let mut own = Self {
            loops: [Loop::ONCE; MAX_LOOPS],
            count: 0,
            elements: None,
            unit,
            source: 0,
            destination: 0,
            padding: None,
        };
        each!(i, 0..loops.len(), {
            own.push(loops[i]);
        });
        own
    }

    /// Makes a move of elements of less than a byte. The unit, the strides and the offsets count elements. The move
    /// leaves padding unchanged.
    pub const fn of_elements(elements: SubByte, loops: &[Loop], unit: usize) -> Self {
        Self { elements: Some(elements), ..Self::new(loops, unit) }
    }

    /// Adds a loop. The order of loops does not matter.
    #[must_use]
    pub const fn and(mut self, own: Loop) -> Self {
        self.push(own);
        self
    }

    /// [`and`](Self::and), in place.
    pub const fn push(&mut self, own: Loop) {
        if own.size == 1 {
            return;
        }
        if self.count < MAX_LOOPS {
            self.loops[self.count] = own;
        } else if own.size == 0 {
            // A loop without iterations is kept in any case, since then nothing moves.
            self.loops[MAX_LOOPS - 1] = own;
        }
        self.count += 1;
    }

    /// Sets the offsets of the first unit.
    #[must_use]
    pub const fn from(mut self, source: usize, destination: usize) -> Self {
        (self.source, self.destination) = (source, destination);
        self
    }

    /// Adds padding after groups.
    #[must_use]
    pub const fn padded(mut self, padding: Padding) -> Self {
        self.padding = Some(padding);
        self
    }

    /// Whether the move counts elements of less than a byte.
    pub const fn is_of_elements(&self) -> bool {
        self.elements.is_some()
    }

    /// Returns the loops, without those of one iteration.
    pub const fn loops(&self) -> &[Loop] {
        self.loops.split_at(least(self.count, MAX_LOOPS)).0
    }
}

/// A side of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The bytes that are read.
    Source,
    /// The bytes that are written.
    Destination,
}

/// Why no [`Plan`](crate::Plan) can be made. Offsets and strides count bytes, or elements of less than a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A unit lies before the start of a side.
    BeforeStart {
        /// The side.
        side: Side,
        /// The least offset of a unit, or [`isize::MIN`] if a loop alone is out of range.
        offset: isize,
    },
    /// The units of a side, or its groups with their padding, end after offset [`isize::MAX`].
    TooLong {
        /// The side.
        side: Side,
    },
    /// The units have more than [`usize::MAX`] bytes, so they overlap in the destination.
    TooManyBytes,
    /// A loop has destination stride 0, so its units overlap.
    Overlap {
        /// The number of iterations of the loop.
        size: usize,
        /// The stride of the loop in the source.
        source: isize,
    },
    /// More than [`MAX_LOOPS`] loops have other than one iteration.
    TooManyLoops {
        /// Their number.
        count: usize,
    },
    /// A group with its padding has fewer bytes than a unit.
    SmallGroup {
        /// The bytes of the group.
        group: usize,
        /// The bytes of the unit.
        unit: usize,
    },
}

impl Error {
    /// Returns the fact and the remedy without numbers, which const evaluation cannot format.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::BeforeStart { side: Side::Source, .. } => {
                "a unit lies before the start of the source; begin later or reverse a loop"
            }
            Self::BeforeStart { side: Side::Destination, .. } => {
                "a unit lies before the start of the destination; begin later or reverse a loop"
            }
            Self::TooLong { side: Side::Source } => {
                "the source ends after offset `isize::MAX`; shorten loops or strides"
            }
            Self::TooLong { side: Side::Destination } => {
                "the destination ends after offset `isize::MAX`; shorten loops, strides or groups"
            }
            Self::TooManyBytes => {
                "the units have more than `usize::MAX` bytes, so they overlap in the destination; shorten loops"
            }
            Self::Overlap { .. } => {
                "units overlap, since a loop has destination stride 0; leave the loop out"
            }
            Self::TooManyLoops { .. } => {
                "the move has too many loops of more than one iteration; merge some or move in parts"
            }
            Self::SmallGroup { .. } => {
                "a group with its padding is smaller than a unit; set `Padding::group` to the destination stride between groups"
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (fact, remedy) = self.text().split_once("; ").unwrap_or_default();
        f.write_str(fact)?;
        match self {
            Self::BeforeStart { offset: isize::MIN, .. } => f.write_str(" (out of range)"),
            Self::BeforeStart { offset, .. } => write!(f, " (at offset {offset})"),
            Self::Overlap { size, source } => {
                write!(f, " ({size} iterations, source stride {source})")
            }
            Self::TooManyLoops { count } => write!(f, " ({count}, of at most {MAX_LOOPS})"),
            Self::SmallGroup { group, unit } => write!(f, " ({group} and {unit} bytes)"),
            Self::TooLong { .. } | Self::TooManyBytes => Ok(()),
        }?;
        write!(f, "; {remedy}")
    }
}

impl core::error::Error for Error {}
