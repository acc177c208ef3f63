//! What a record is written of: nodes, digits and marks, in the order of the text.

use layout_core::reading::{ElementCode, same_text};

/// The most items of a record.
pub(crate) const MOST_ITEMS: usize = 44;

/// The most bytes of the names and the value rules of a record.
pub(crate) const MOST_TEXT: usize = 224;

/// The letter of a number of unused elements, which are of no axis: `_: 16 u8`.
pub(crate) const NO_AXIS: u8 = b'#';

/// A part of the text that a record keeps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TextPart {
    pub(crate) start: u8,
    pub(crate) length: u8,
}

impl TextPart {
    pub(crate) const NONE: Self = Self { start: 0, length: 0 };
}

/// What a node holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum NodeContent {
    /// Items one after the other.
    Group,
    /// Items in a buffer each. Only the first node holds them.
    Buffers,
    /// An element.
    Element(ElementCode),
}

/// How the step of a digit that is stored differs from the digit.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DigitChange {
    /// Not at all.
    None,
    /// Only this step is stored here: `2k[0]`.
    Fixed,
    /// The digit less another one: `4k-8n`.
    Minus,
    /// The sum with another digit.
    Plus,
    /// The XOR with another digit.
    Xor,
}

impl DigitChange {
    /// Whether another digit takes part.
    pub(crate) const fn has_operand(self) -> bool {
        matches!(self, Self::Minus | Self::Plus | Self::Xor)
    }
}

/// A digit as written, with its weight.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct WrittenDigit {
    /// The axis, an upper-case letter.
    pub(crate) letter: u8,
    pub(crate) change: DigitChange,
    /// The axis of the other digit.
    pub(crate) operand: u8,
    /// The number of values, or 0 for what remains of the axis.
    pub(crate) size: u32,
    pub(crate) weight: u32,
    /// The step that is stored, or the size of the other digit.
    pub(crate) number: u32,
    /// The weight of the other digit.
    pub(crate) operand_weight: u32,
}

impl WrittenDigit {
    pub(crate) const fn is_rest(&self) -> bool {
        self.size == 0
    }
}

/// The kinds of marks after a field or a group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum MarkKind {
    /// `align(BYTES)`, or `align(AXIS = BYTES)`.
    Align,
    /// `pitch(AXIS = BYTES)`
    Pitch,
    /// `pad`, or `pad(AXIS = POLICY)`.
    Pad,
    /// `high_first`
    HighFirst,
    /// `words(AXIS = BYTES)`
    Words,
    /// `= VALUE`
    Value,
}

impl MarkKind {
    /// Whether a word is the name of a mark.
    pub(crate) const fn is_name(word: &str) -> bool {
        same_text(word, "align")
            || same_text(word, "pitch")
            || same_text(word, "pad")
            || same_text(word, "words")
            || same_text(word, "high_first")
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Align => "align",
            Self::Pitch => "pitch",
            Self::Pad => "pad",
            Self::HighFirst => "high_first",
            Self::Words => "words",
            Self::Value => "=",
        }
    }
}

/// A mark after a field or a group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct WrittenMark {
    pub(crate) kind: MarkKind,
    /// The axis, or 0 if it is about all.
    pub(crate) letter: u8,
    /// The policy of padding, or the value rule.
    pub(crate) text: TextPart,
    /// The number of bytes.
    pub(crate) bytes: usize,
}

/// One item. A node comes before its digits, these before what it holds, and its marks come last.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum WrittenItem {
    Node {
        /// Empty without a name, `_` for bits that belong to no field.
        name: TextPart,
        content: NodeContent,
        /// The node around it. The first node is its own.
        parent: u8,
        /// The item after all of it.
        end: u8,
    },
    Digit(WrittenDigit),
    Mark(WrittenMark),
}

impl WrittenItem {
    /// Stands for items that are not there.
    pub(crate) const NONE: Self =
        Self::Node { name: TextPart::NONE, content: NodeContent::Group, parent: 0, end: 0 };
}
