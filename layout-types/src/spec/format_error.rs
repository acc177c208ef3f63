//! What can be wrong with a format, and the text for it.

use super::factor::{Letters, MAX_FACTORS, MAX_RANK};
use super::phrases::{Reader, push_axis, push_letters, push_named};
use super::text::{Message, Name};

use FormatError::*;

/// A format that means nothing, or axes without one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FormatError {
    /// A format contains something other than letters and digits.
    Character {
        /// The format as written.
        format: Name,
        /// The first such character.
        character: char,
    },
    /// A format ends in a number: `NHWC4`.
    NumberWithoutLetter {
        /// The format as written.
        format: Name,
        /// The number.
        number: usize,
        /// The axis that is most likely meant.
        letter: char,
    },
    /// A block of no positions: `NCHW0c`.
    EmptyBlock {
        /// The axis of the block.
        letter: char,
    },
    /// An axis stands twice in a format.
    RepeatedAxis {
        /// The axis.
        letter: char,
    },
    /// A block of an axis that the format does not have.
    BlockWithoutAxis {
        /// The axis.
        letter: char,
        /// The block.
        size: usize,
    },
    /// An axis that no factor places in memory.
    AxisWithoutFactor {
        /// The axis.
        letter: char,
    },
    /// More than [`MAX_RANK`] axes.
    TooManyAxes,
    /// More than [`MAX_FACTORS`](super::MAX_FACTORS) axes and blocks.
    TooManyFactors,
    /// Positional extents for axes whose coordinate order is not known.
    UnknownOrder {
        /// The axes in memory order.
        axes: Letters,
    },
    /// A block that no machine can count.
    BlockTooLarge {
        /// The format as written.
        format: Name,
    },
}

impl FormatError {
    /// The fact, then what to write instead.
    pub(super) const fn write(&self, m: &mut Message, reader: Reader) {
        match *self {
            Character { format, character } => {
                m.push("format `");
                m.push(format.as_str());
                m.push("` contains `");
                m.push_char(character);
                m.push("`; write letters for axes and a number with a letter for each block, such as `NCHW4c`");
            }
            NumberWithoutLetter { format, number, letter } => {
                m.push("number ");
                m.push_number(number);
                m.push(" in `");
                m.push(format.as_str());
                m.push("` has no letter; name the axis it blocks, such as `");
                let mut whole = format;
                whole.push_char(letter.to_ascii_lowercase());
                if !format.is_cut() && super::format::Format::parse(whole.as_str()).is_ok() {
                    m.push(whole.as_str());
                } else {
                    // A block of no positions is a channel count that other notations leave open.
                    m.push_number(if number == 0 { 16 } else { number });
                    m.push_char(letter.to_ascii_lowercase());
                }
                m.push("`");
            }
            EmptyBlock { letter } => {
                m.push("block `0");
                m.push_char(letter.to_ascii_lowercase());
                m.push("` holds no positions; write a block of at least 1 or remove it");
            }
            RepeatedAxis { letter } => {
                push_axis(m, letter);
                m.push(" appears twice; keep one, and write a block of it as a number with a letter, such as `4");
                m.push_char(letter.to_ascii_lowercase());
                m.push("`");
            }
            BlockWithoutAxis { letter, size } => {
                m.push("block `");
                m.push_number(size);
                m.push_char(letter.to_ascii_lowercase());
                m.push("` has no axis; add `");
                m.push_char(letter);
                m.push("` where the rest of the axis lies, or block an axis that is there");
            }
            AxisWithoutFactor { letter } => {
                push_axis(m, letter);
                m.push(" has no place in memory; add it to the format");
            }
            TooManyAxes => {
                m.push("layout has more than ");
                m.push_number(MAX_RANK);
                m.push(" axes; merge axes that stay together");
            }
            TooManyFactors => {
                m.push("layout has more than ");
                m.push_number(MAX_FACTORS);
                m.push(" axes and blocks; merge those that stay together");
            }
            UnknownOrder { axes } => {
                m.push("the coordinate order of axes ");
                push_letters(m, axes);
                m.push(match reader {
                    Reader::Type => " is not known; name the extents in that order: `<",
                    Reader::Function => " is not known; name the extents in that order: `Layout::builder(..).named_extents(&[",
                });
                let mut i = 0;
                while i < axes.count() {
                    if i > 0 {
                        m.push(", ");
                    }
                    push_named(m, axes.at(i), reader);
                    i += 1;
                }
                m.push(match reader {
                    Reader::Type => ">`",
                    Reader::Function => "])`",
                });
            }
            BlockTooLarge { format } => {
                m.push("a block of `");
                m.push(format.as_str());
                m.push("` does not fit `usize`; write a smaller one");
            }
        }
    }
}
