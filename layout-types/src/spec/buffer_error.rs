//! What can be wrong with a buffer and with the use of its elements, and the text for it.

use super::phrases::{push_axis, push_count};
use super::text::{Message, Name};

use BufferError::*;

/// A buffer, or a use of its elements, that does not fit the layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BufferError {
    /// Buffers of units of another size than the layouts'.
    UnitSize {
        /// The bytes of a unit: an element, or two 4-bit elements.
        needed: usize,
        /// The bytes of the buffers' units.
        given: usize,
    },
    /// A buffer whose length is not the layout's.
    Length {
        /// Which buffer: `source`, `destination`, `buffer`.
        buffer: Name,
        /// The units that the layout takes.
        needed: usize,
        /// The units that there are.
        given: usize,
    },
    /// Bytes that are not as many as the layout takes.
    Bytes {
        /// The bytes that the layout takes.
        needed: usize,
        /// The bytes that there are.
        given: usize,
    },
    /// Bytes that do not begin where elements can.
    Alignment {
        /// What their address must be a multiple of.
        needed: usize,
        /// How many bytes it lies past one.
        past: usize,
    },
    /// Elements to be changed one by one that coordinates share.
    SharedElements {
        /// An axis along which they do.
        letter: char,
    },
}

impl BufferError {
    /// The fact, then what to write instead.
    pub(super) const fn write(&self, m: &mut Message) {
        match *self {
            UnitSize { needed, given } => {
                m.push("buffers are made of units of ");
                push_count(m, given, "byte", "bytes");
                m.push(" but the layouts of units of ");
                push_count(m, needed, "byte", "bytes");
                m.push("; pass buffers of the element type, or of `u8` for 4-bit elements");
            }
            Length { buffer, needed, given } => {
                m.push(buffer.as_str());
                m.push(" has length ");
                m.push_number(given);
                m.push(" but its layout takes ");
                m.push_number(needed);
                m.push("; pass a buffer of exactly that length");
            }
            Bytes { needed, given } => {
                m.push("buffer has ");
                push_count(m, given, "byte", "bytes");
                m.push(" but its layout takes ");
                m.push_number(needed);
                m.push("; pass exactly as many");
            }
            Alignment { needed, past } => {
                m.push("buffer begins ");
                push_count(m, past, "byte", "bytes");
                m.push(" past a multiple of ");
                m.push_number(needed);
                m.push(", where no element can; pass memory that is aligned for its elements, or copy it there");
            }
            SharedElements { letter } => {
                m.push("coordinates along ");
                push_axis(m, letter);
                m.push(" share elements, each of which would be changed more than once; index the axis, or change the elements before it is broadcast");
            }
        }
    }
}
