//! The tree of a record in a fixed array, and how to walk it in a `const fn`.

use layout_core::ElementType;
use layout_core::reading::{ElementCode, same_text};
use layout_core::spec::{ListText, Name};

use crate::error::Broken;
use crate::item::{
    DigitChange, MOST_ITEMS, MOST_TEXT, MarkKind, NodeContent, TextPart, WrittenDigit, WrittenItem,
    WrittenMark,
};
use crate::record_rules::RecordRule;

/// The most digits on the way to a field.
pub(crate) const MOST_DIGITS: usize = 24;

/// A record without extents.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct RecordTree {
    items: [WrittenItem; MOST_ITEMS],
    text: [u8; MOST_TEXT],
    count: u8,
    text_length: u8,
}

/// Items by their positions: those of digits, the outermost first.
#[derive(Clone, Copy)]
pub(crate) struct ItemList {
    list: [u8; MOST_DIGITS],
    pub(crate) count: usize,
}

impl ItemList {
    pub(crate) const EMPTY: Self = Self { list: [0; MOST_DIGITS], count: 0 };

    pub(crate) const fn at(&self, i: usize) -> usize {
        self.list[i] as usize
    }

    pub(crate) const fn push(&mut self, item: usize) -> Result<(), Broken> {
        if self.count == MOST_DIGITS {
            return Err((RecordRule::TooManyDigits, item));
        }
        self.list[self.count] = item as u8;
        self.count += 1;
        Ok(())
    }
}

impl RecordTree {
    pub(crate) const EMPTY: Self = Self {
        items: [WrittenItem::NONE; MOST_ITEMS],
        text: [0; MOST_TEXT],
        count: 0,
        text_length: 0,
    };

    pub(crate) const fn count(&self) -> usize {
        self.count as usize
    }

    /// Adds an item, and returns its position.
    pub(crate) const fn push(&mut self, item: WrittenItem) -> Result<usize, RecordRule> {
        let at = self.count();
        if at == MOST_ITEMS {
            return Err(RecordRule::TooManyItems);
        }
        self.items[at] = item;
        self.count += 1;
        Ok(at)
    }

    /// Keeps a text.
    pub(crate) const fn keep(&mut self, text: &str) -> Result<TextPart, RecordRule> {
        let bytes = text.as_bytes();
        let start = self.text_length as usize;
        if bytes.len() > MOST_TEXT - start {
            return Err(RecordRule::TooMuchText);
        }
        layout_core::each!(i, 0..bytes.len(), {
            self.text[start + i] = bytes[i];
        });
        self.text_length += bytes.len() as u8;
        Ok(TextPart {
            start: if bytes.is_empty() { 0 } else { start as u8 },
            length: bytes.len() as u8,
        })
    }

    /// Puts the texts in the order of their items, so that equal records have equal bytes.
    pub(crate) const fn order_texts(&mut self) {
        let old = *self;
        (self.text, self.text_length) = ([0; MOST_TEXT], 0);
        let mut item = 0;
        while item < self.count() {
            if let WrittenItem::Node { name: part, .. }
            | WrittenItem::Mark(WrittenMark { text: part, .. }) = &mut self.items[item]
            {
                let text = old.text(*part);
                let start = self.text_length as usize;
                let mut i = 0;
                while i < text.len() {
                    self.text[start + i] = text.as_bytes()[i];
                    i += 1;
                }
                part.start = if i == 0 { 0 } else { start as u8 };
                self.text_length += i as u8;
            }
            item += 1;
        }
    }

    pub(crate) const fn text(&self, part: TextPart) -> &str {
        let (before, _) = self.text.split_at(part.start as usize + part.length as usize);
        match core::str::from_utf8(before.split_at(part.start as usize).1) {
            Ok(text) => text,
            // Only whole texts are kept.
            Err(_) => "",
        }
    }

    /// Sets what a node holds and where it ends: after the last item.
    pub(crate) const fn close(&mut self, node: usize, held: NodeContent) {
        let last = self.count;
        if let WrittenItem::Node { content, end, .. } = &mut self.items[node] {
            (*content, *end) = (held, last);
        }
    }

    pub(crate) const fn digit(&self, item: usize) -> Option<WrittenDigit> {
        if item == MOST_ITEMS {
            return None;
        }
        // What follows the last item is a node.
        match self.items[item] {
            WrittenItem::Digit(digit) => Some(digit),
            _ => None,
        }
    }

    pub(crate) const fn set_digit(&mut self, item: usize, digit: WrittenDigit) {
        self.items[item] = WrittenItem::Digit(digit);
    }

    pub(crate) const fn item(&self, at: usize) -> WrittenItem {
        self.items[at]
    }

    /// Adds an item of a tree that has been one before.
    pub(crate) const fn set_next(&mut self, item: WrittenItem) {
        self.items[self.count()] = item;
        self.count += 1;
    }

    /// All texts, one after another.
    pub(crate) const fn all_text(&self) -> &str {
        self.text(TextPart { start: 0, length: self.text_length })
    }

    /// Sets all texts from words of 16 bytes.
    pub(crate) const fn set_text(&mut self, words: &[u128], length: usize) {
        self.text_length = length as u8;
        let mut rest: &mut [u8] = &mut self.text;
        let mut word = 0;
        while let Some((chunk, after)) = rest.split_first_chunk_mut() {
            if word == words.len() {
                return;
            }
            *chunk = words[word].to_le_bytes();
            (rest, word) = (after, word + 1);
        }
    }

    pub(crate) const fn is_node(&self, item: usize) -> bool {
        item < self.count() && matches!(self.items[item], WrittenItem::Node { .. })
    }

    pub(crate) const fn mark(&self, item: usize) -> Option<WrittenMark> {
        match self.items[item] {
            WrittenItem::Mark(mark) => Some(mark),
            _ => None,
        }
    }

    /// Whether the item before this one is the value rule of a node, and not of one in it.
    pub(crate) const fn follows_value(&self, node: usize, item: usize) -> bool {
        let mut inner = node + 1;
        while inner < item {
            if matches!(self.items[inner], WrittenItem::Node { end, .. } if end as usize == item) {
                return false;
            }
            inner += 1;
        }
        matches!(self.mark(item - 1), Some(WrittenMark { kind: MarkKind::Value, .. }))
    }

    pub(crate) const fn swap(&mut self, a: usize, b: usize) {
        (self.items[a], self.items[b]) = (self.items[b], self.items[a]);
    }

    pub(crate) const fn parent(&self, node: usize) -> usize {
        match self.items[node] {
            WrittenItem::Node { parent, .. } => parent as usize,
            _ => 0,
        }
    }

    /// The item after all of a node.
    pub(crate) const fn end(&self, node: usize) -> usize {
        match self.items[node] {
            WrittenItem::Node { end, .. } => end as usize,
            _ => node + 1,
        }
    }

    pub(crate) const fn content(&self, node: usize) -> NodeContent {
        match self.items[node] {
            WrittenItem::Node { content, .. } => content,
            _ => NodeContent::Group,
        }
    }

    /// The element type of a node that has one.
    pub(crate) const fn element(&self, node: usize) -> Option<ElementType> {
        match self.items[node] {
            WrittenItem::Node { content: NodeContent::Element(code), .. } => {
                Some(ElementCode::element(code, 0))
            }
            _ => None,
        }
    }

    /// Whether two nodes hold different elements.
    pub(crate) const fn content_differs(&self, a: usize, b: usize) -> bool {
        let (Some(a), Some(b)) = (self.element(a), self.element(b)) else { return true };
        !same_text(a.name().as_str(), b.name().as_str())
    }

    /// Whether two nodes are pieces of one field.
    pub(crate) const fn are_one(&self, a: usize, b: usize) -> bool {
        a == b
            || same_text(self.own_name(a), self.own_name(b))
                && same_text(self.name(a).as_str(), self.name(b).as_str())
    }

    /// Whether a node has an element type.
    pub(crate) const fn is_element(&self, node: usize) -> bool {
        matches!(self.items[node], WrittenItem::Node { content: NodeContent::Element(_), .. })
    }

    /// Whether a node has one step of a digit, so that other nodes have the rest of its field.
    pub(crate) const fn is_piece(&self, node: usize) -> bool {
        let Ok(path) = self.path(node) else { return false };
        layout_core::each!(i, 0..path.count, {
            if let Some(WrittenDigit { change: DigitChange::Fixed, .. }) = self.digit(path.at(i)) {
                return true;
            }
        });
        false
    }

    /// Whether a node of a checked tree is a field, or the first piece of one.
    pub(crate) const fn is_first_piece(&self, node: usize) -> bool {
        let mut is_first = self.is_element(node) && !self.is_unused(node);
        let mut other = if is_first && self.is_piece(node) { 0 } else { node };
        while is_first && other < node {
            is_first = !self.is_element(other) || !self.are_one(node, other);
            other += 1;
        }
        is_first
    }

    /// Whether a node has a name, with those of the groups around it.
    pub(crate) const fn is_named(&self, node: usize, name: &str) -> bool {
        match (self.own_name(node).as_bytes().last(), name.as_bytes().last()) {
            // Most names end in other letters, and need not be put together.
            (Some(own), Some(other)) if *own != *other => false,
            _ => same_text(self.name(node).as_str(), name),
        }
    }

    /// The tree without the digits of the first node, and without the marks about their steps.
    pub(crate) const fn without_outermost_digits(&self) -> Self {
        let (mut new, fewer) = (*self, self.digits_end(0) - 1);
        new.count = 0;
        let mut at = 0;
        while at < self.count() {
            let mut item = self.items[at];
            if let WrittenItem::Node { parent, end, .. } = &mut item {
                *parent -= if *parent > 0 { fewer as u8 } else { 0 };
                *end -= fewer as u8;
            }
            let is_digit = at > 0 && at <= fewer;
            let is_step = self.is_of_outermost(at)
                && matches!(
                    item,
                    WrittenItem::Mark(WrittenMark {
                        kind: MarkKind::Align | MarkKind::Pitch,
                        letter: 1..,
                        ..
                    })
                );
            if !is_digit && !is_step {
                new.items[new.count()] = item;
                new.count += 1;
            }
            at += 1;
        }
        new.close(0, self.content(0));
        while at > new.count() {
            at -= 1;
            new.items[at] = WrittenItem::NONE;
        }
        new
    }

    /// Whether an item is a mark of the first node.
    const fn is_of_outermost(&self, item: usize) -> bool {
        let mut at = self.digits_end(0);
        while at < item {
            at = self.end(at);
        }
        at == item
    }

    /// The item after the digits of a node.
    pub(crate) const fn digits_end(&self, node: usize) -> usize {
        let mut at = node + 1;
        while self.digit(at).is_some() {
            at += 1;
        }
        at
    }

    /// Whether a node itself has a digit of an axis, or what remains of it.
    pub(crate) const fn has_digit(&self, node: usize, letter: u8, is_rest: bool) -> bool {
        let mut item = node + 1;
        while let Some(digit) = self.digit(item) {
            if digit.letter == letter && (digit.is_rest() || !is_rest) {
                return true;
            }
            item += 1;
        }
        false
    }

    /// The name of a node alone: empty without one.
    pub(crate) const fn own_name(&self, node: usize) -> &str {
        match self.items[node] {
            WrittenItem::Node { name, .. } => self.text(name),
            _ => "",
        }
    }

    /// Whether a node is bits that belong to no field.
    pub(crate) const fn is_unused(&self, node: usize) -> bool {
        same_text(self.own_name(node), "_")
    }

    /// The name of a field, with those of the groups around it: `k.d`.
    pub(crate) const fn name(&self, node: usize) -> ListText {
        let (nodes, mut count) = self.around(node);
        let mut name = ListText::EMPTY;
        while count > 0 {
            count -= 1;
            let own = self.own_name(nodes[count]);
            name.push(if name.is_empty() || own.is_empty() { "" } else { "." });
            name.push(own);
        }
        name
    }

    /// A node and those around it, the innermost first, and how many there are.
    const fn around(&self, node: usize) -> ([usize; MOST_ITEMS], usize) {
        let (mut nodes, mut count) = ([node; MOST_ITEMS], 1);
        while nodes[count - 1] > 0 {
            nodes[count] = self.parent(nodes[count - 1]);
            count += 1;
        }
        (nodes, count)
    }

    /// What an error calls a node.
    pub(crate) const fn called(&self, node: usize) -> Name {
        let name = self.name(node);
        Name::new(if name.is_empty() { "the group" } else { name.as_str() })
    }

    /// Whether a node or its last item has marks: they come last.
    pub(crate) const fn has_marks(&self, node: usize) -> bool {
        matches!(self.items[self.end(node) - 1], WrittenItem::Mark(_))
    }

    /// A mark of a node: about an axis, or about all if `letter` is 0.
    pub(crate) const fn own_mark(
        &self,
        node: usize,
        wanted: MarkKind,
        axis: u8,
    ) -> Option<(WrittenMark, usize)> {
        let end = self.end(node);
        if !self.has_marks(node) {
            return None;
        }
        let mut at = self.digits_end(node);
        while at < end {
            match self.items[at] {
                WrittenItem::Mark(mark)
                    if mark.kind as u8 == wanted as u8 && mark.letter == axis =>
                {
                    return Some((mark, at));
                }
                WrittenItem::Node { end, .. } => at = end as usize,
                _ => at += 1,
            }
        }
        None
    }

    /// The mark of a node or of the innermost group around it that has one: about an axis, or about all.
    pub(crate) const fn mark_around(
        &self,
        node: usize,
        wanted: MarkKind,
        axis: u8,
    ) -> Option<WrittenMark> {
        let mut at = node;
        loop {
            let own = match self.own_mark(at, wanted, axis) {
                None if axis > 0 => self.own_mark(at, wanted, 0),
                own => own,
            };
            match own {
                Some((mark, _)) => return Some(mark),
                None if at == 0 => return None,
                None => at = self.parent(at),
            }
        }
    }

    /// Whether a mark of a node or of a group around it says so.
    pub(crate) const fn is_high_first(&self, node: usize) -> bool {
        self.mark_around(node, MarkKind::HighFirst, 0).is_some()
    }

    /// The digits on the way to a node, the outermost first.
    pub(crate) const fn path(&self, node: usize) -> Result<ItemList, Broken> {
        let (nodes, mut count) = self.around(node);
        let mut path = ItemList::EMPTY;
        while count > 0 {
            count -= 1;
            let (mut item, end) = (nodes[count] + 1, self.digits_end(nodes[count]));
            while item < end {
                ok!(path.push(item));
                item += 1;
            }
        }
        Ok(path)
    }

    /// The buffer of a node: its place in a record of buffers, else 0.
    pub(crate) const fn buffer(&self, node: usize) -> usize {
        if !matches!(self.content(0), NodeContent::Buffers) {
            return 0;
        }
        let (mut at, mut buffer) = (self.digits_end(0), 0);
        while at < self.end(0) && !(at <= node && node < self.end(at)) {
            buffer += self.is_node(at) as usize;
            at = self.end(at);
        }
        buffer
    }

    /// The number of buffers.
    pub(crate) const fn buffers(&self) -> usize {
        match self.content(0) {
            NodeContent::Buffers => self.buffer(MOST_ITEMS),
            _ => 1,
        }
    }
}
