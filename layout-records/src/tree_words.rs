//! A tree as numbers, which a Rust type can have as parameters: a word for each item, or two for a digit that differs
//! from what is stored, then the text.

use layout_core::ElementType;
use layout_core::reading::ElementCode;
use layout_core::spec::AxisExtent;

use crate::error::RecordError;
use crate::item::{
    DigitChange, MarkKind, NodeContent, TextPart, WrittenDigit, WrittenItem, WrittenMark,
};
use crate::record::{Record, RecordTemplate};
use crate::tree::RecordTree;

/// Numbers of a few bits each, the lowest first.
struct PackedWord(u128, u32);

impl PackedWord {
    fn of(parts: &[(u128, u32)]) -> u128 {
        let new = Self(0, 0);
        parts.iter().fold(new, |all, (part, bits)| Self(all.0 | part << all.1, all.1 + bits)).0
    }

    const fn take(&mut self, bits: u32) -> u64 {
        let part = (self.0 >> self.1) as u64;
        self.1 += bits;
        if bits < 64 { part & ((1 << bits) - 1) } else { part }
    }

    const fn text(&mut self) -> TextPart {
        TextPart { start: self.take(8) as u8, length: self.take(8) as u8 }
    }
}

const CHANGES: [DigitChange; 5] = {
    use DigitChange::{Fixed, Minus, None, Plus, Xor};
    [None, Fixed, Minus, Plus, Xor]
};
const MARKS: [MarkKind; 6] = {
    use MarkKind::{Align, HighFirst, Pad, Pitch, Value, Words};
    [Align, Pitch, Pad, HighFirst, Words, Value]
};

/// The kind of a content, and the number of its element.
fn content_numbers(content: NodeContent) -> (u128, u128) {
    match content {
        NodeContent::Group => (0, 0),
        NodeContent::Buffers => (1, 0),
        NodeContent::Element(code) => {
            let element = code.element(0);
            let is_signed = element.integer_range().is_some_and(|(low, _)| low < 0);
            let integer = (1 + u128::from(is_signed)) << 8 | element.value_bits() as u128;
            let named = ElementType::NAMED.iter().position(|named| *named == element);
            (2, named.map_or(integer, |at| at as u128))
        }
    }
}

/// The content of these numbers.
const fn content_of(kind: u64, element: usize) -> NodeContent {
    let element = match element >> 8 {
        0 => Some(ElementType::NAMED[element]),
        sign => ElementType::integer(element & 0xff, sign == 2),
    };
    match (kind, element) {
        (2, Some(element)) => NodeContent::Element(ElementCode::of(element).0),
        (1, _) => NodeContent::Buffers,
        _ => NodeContent::Group,
    }
}

impl RecordTemplate {
    /// The tree as numbers.
    pub fn words(&self) -> impl Iterator<Item = u128> {
        let tree = self.tree();
        let text = tree.all_text().as_bytes();
        let texts = text
            .chunks(16)
            .map(|chunk| chunk.iter().rev().fold(0, |word, byte| word << 8 | u128::from(*byte)));
        let text_of = |part: TextPart| [(u128::from(part.start), 8), (u128::from(part.length), 8)];
        let items = (0..tree.count()).flat_map(move |at| match tree.item(at) {
            WrittenItem::Node { name, content, parent, end } => {
                let ([start, length], (kind, element)) = (text_of(name), content_numbers(content));
                let (parent, end) = (u128::from(parent), u128::from(end));
                let parts =
                    [(0, 2), start, length, (kind, 2), (element, 16), (parent, 8), (end, 8)];
                [Some(PackedWord::of(&parts)), None]
            }
            WrittenItem::Digit(digit) => {
                let change = digit.change as u128;
                let (size, weight) = (u128::from(digit.size), u128::from(digit.weight));
                let first =
                    [(1, 2), (digit.letter.into(), 8), (change, 3), (size, 32), (weight, 32)];
                let (number, weight) = (digit.number.into(), digit.operand_weight.into());
                let second = [(digit.operand.into(), 8), (number, 32), (weight, 32)];
                [Some(PackedWord::of(&first)), (change > 0).then(|| PackedWord::of(&second))]
            }
            WrittenItem::Mark(WrittenMark { kind, letter, text, bytes }) => {
                let [start, length] = text_of(text);
                let (kind, bytes) = (kind as u128, bytes as u128);
                let parts = [(2, 2), (kind, 3), (letter.into(), 8), start, length, (bytes, 64)];
                [Some(PackedWord::of(&parts)), None]
            }
        });
        let count = u128::from(tree.count() as u8) | (text.len() as u128) << 8;
        core::iter::once(count).chain(items.flatten()).chain(texts)
    }
}

impl RecordTree {
    /// The tree of the numbers that [`RecordTemplate::words`] makes.
    const fn of_words(words: &[u128]) -> Self {
        let mut tree = Self::EMPTY;
        let mut head = PackedWord(words[0], 0);
        let (count, length) = (head.take(8) as usize, head.take(8) as usize);
        let mut at = 1;
        while tree.count() < count {
            let mut word = PackedWord(words[at], 0);
            at += 1;
            let item = match word.take(2) {
                0 => {
                    let name = word.text();
                    let content = content_of(word.take(2), word.take(16) as usize);
                    let (parent, end) = (word.take(8) as u8, word.take(8) as u8);
                    WrittenItem::Node { name, content, parent, end }
                }
                1 => {
                    let (letter, change) = (word.take(8) as u8, CHANGES[word.take(3) as usize]);
                    let (size, weight) = (word.take(32) as u32, word.take(32) as u32);
                    let mut other = PackedWord(0, 0);
                    if !matches!(change, DigitChange::None) {
                        other = PackedWord(words[at], 0);
                        at += 1;
                    }
                    let (operand, number) = (other.take(8) as u8, other.take(32) as u32);
                    let operand_weight = other.take(32) as u32;
                    WrittenItem::Digit(WrittenDigit {
                        letter,
                        change,
                        operand,
                        size,
                        weight,
                        number,
                        operand_weight,
                    })
                }
                _ => {
                    let (kind, letter) = (MARKS[word.take(3) as usize], word.take(8) as u8);
                    let (text, bytes) = (word.text(), word.take(64) as usize);
                    WrittenItem::Mark(WrittenMark { kind, letter, text, bytes })
                }
            };
            tree.set_next(item);
        }
        tree.set_text(words.split_at(at).1, length);
        tree
    }
}

impl RecordTemplate {
    /// The template of a type: of the numbers of its tree, and its axes in coordinate order.
    #[doc(hidden)]
    pub const fn of_type(words: &[u128], axes: &[AxisExtent]) -> Self {
        Self::with_tree(RecordTree::of_words(words), axes)
    }
}

impl Record {
    /// The record of a type: of the numbers of its tree, and its axes in coordinate order.
    ///
    /// # Errors
    /// An extent is missing, or the record breaks a rule.
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
    #[doc(hidden)]
    pub const fn of_type(words: &[u128], axes: &[AxisExtent]) -> Result<Self, RecordError> {
        RecordError::without_place(RecordTemplate::of_type(words, axes).record())
    }
}
