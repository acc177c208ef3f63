//! Why a tensor cannot be moved to another layout in its own buffer, and the text for each reason.

use super::element::ElementType;
use super::phrases::{push_axis, push_count};
use super::text::{Message, Name};

use InPlaceError::*;

/// What keeps a relayout from being a permutation of bytes that loops can follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum InPlaceError {
    /// Elements of 4 bits, two of which share a byte.
    FourBits {
        /// The element type.
        element: ElementType,
    },
    /// Coordinates share elements of the source.
    Shared {
        /// An axis along which they do.
        letter: char,
    },
    /// Padding or gaps.
    Gaps {
        /// Which layout has them: `source`, `destination`.
        side: Name,
        /// The bytes that it takes.
        bytes: usize,
        /// The bytes of its elements alone.
        elements: usize,
    },
    /// An axis that runs backwards in one of the layouts.
    Reversed {
        /// The axis.
        letter: char,
    },
    /// Blocks of an axis that do not divide each other.
    Blocks {
        /// The axis.
        letter: char,
        /// How many coordinates the smaller one holds.
        smaller: usize,
        /// How many the larger one holds.
        larger: usize,
    },
    /// Elements that one set of loops does not go through in the order of the destination.
    TooManyLoops {
        /// How many loops a set has at most.
        most: usize,
    },
}

impl InPlaceError {
    /// The fact, then what to write instead.
    pub(super) const fn write(&self, m: &mut Message) {
        match *self {
            FourBits { element } => {
                m.push("elements of `");
                m.push(element.name().as_str());
                m.push("` take 4 bits, and a relayout in place moves whole bytes");
            }
            Shared { letter } => {
                m.push("coordinates along axis `");
                m.push_char(letter);
                m.push(
                    "` share elements of the source, which has too few of them for the destination",
                );
            }
            Gaps { side, bytes, elements } => {
                m.push(side.as_str());
                m.push(" takes ");
                push_count(m, bytes, "byte", "bytes");
                m.push(" but its elements alone ");
                m.push_number(elements);
                m.push(", and a relayout in place leaves no room for padding or gaps");
            }
            Reversed { letter } => {
                push_axis(m, letter);
                m.push(" is reversed, and a relayout in place goes forwards only");
            }
            Blocks { letter, smaller, larger } => {
                push_axis(m, letter);
                m.push(" is cut into blocks of ");
                m.push_number(smaller);
                m.push(" and of ");
                m.push_number(larger);
                m.push(
                    ", which do not divide each other; move the tensor in place to a format \
                     without blocks of this axis and from there, or",
                );
                return m.push(ELSEWHERE);
            }
            TooManyLoops { most } => {
                m.push("going through all elements in the order of the destination takes more than one set of up to ");
                m.push_number(most);
                m.push(" nested loops");
            }
        }
        m.push("; move the tensor");
        m.push(ELSEWHERE);
    }
}

/// What always helps.
const ELSEWHERE: &str = " to another buffer with `run` or `relayout`";
