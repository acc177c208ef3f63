//! Reads text as a tree: nodes in this file, their digits and their marks in files of their own.

mod digit_texts;
pub(crate) mod marks;

use layout_core::Span;
use layout_core::reading::{Cursor, ElementCode, element, same_text};
use layout_core::spec::Name;
use layout_core::{ElementType, LayoutError};

use crate::error::MisplacedRule;
use crate::item::{MOST_ITEMS, MarkKind, NodeContent, TextPart, WrittenItem};
use crate::known_records::{find, nearest};
use crate::record_rules::RecordRule;
use crate::tree::RecordTree;

/// Returns a fault at a span.
macro_rules! fail {
    ($rule:expr, $span:expr) => {
        return Err(($rule, $span))
    };
}
use fail;

/// Names of records, and their fields as text.
pub(crate) type Names<'a> = &'a [(&'a str, &'a str)];

/// The text, and what has been read of it.
pub(crate) struct RecordReader<'a> {
    pub(crate) cursor: Cursor<'a>,
    pub(crate) tree: RecordTree,
    /// Where each item stands.
    pub(crate) spans: [Span; MOST_ITEMS],
    /// A bit for each digit whose weight is written.
    pub(crate) given: u64,
    /// The records that have names here, besides those of the library: a name and its fields each.
    names: Names<'a>,
    /// The letters that the axes of a named record get.
    renamed: [u8; 26],
    /// A bit for each letter of a named record that is read.
    used: u32,
    /// The name of a record of the library whose fields are being read.
    within: Option<Span>,
}

impl<'a> RecordReader<'a> {
    pub(crate) const fn new(text: &'a str, names: Names<'a>) -> Self {
        let mut renamed = [0; 26];
        layout_core::each!(i, 0..26, {
            renamed[i] = b'A' + i as u8;
        });
        Self {
            cursor: Cursor::new(text),
            tree: RecordTree::EMPTY,
            spans: [Span::EMPTY; MOST_ITEMS],
            given: 0,
            names,
            renamed,
            used: 0,
            within: None,
        }
    }

    /// Reads the digits before the extents, as those of the first node. Returns where they stand.
    pub(crate) const fn read_format(&mut self) -> Result<Span, MisplacedRule> {
        self.cursor.peek();
        let start = self.cursor.at;
        let root = WrittenItem::NONE;
        ok!(self.push(root, Span { start, end: start }));
        ok!(self.read_digits(0, true));
        Ok(Span { start, end: if self.tree.count() == 1 { start } else { self.cursor.at } })
    }

    /// Reads what follows the extents, up to the end of the text.
    pub(crate) const fn read_record(&mut self) -> Result<(), MisplacedRule> {
        ok!(self.read_content(0));
        if self.cursor.peek().is_some() {
            let text = self.word_here();
            fail!(RecordRule::AfterRecord { text }, self.cursor.here());
        }
        self.tree.order_texts();
        Ok(())
    }

    /// Adds an item that stands here.
    pub(super) const fn push(
        &mut self,
        item: WrittenItem,
        span: Span,
    ) -> Result<usize, MisplacedRule> {
        let span = self.place(span);
        match self.tree.push(item) {
            Ok(at) => {
                self.spans[at] = span;
                Ok(at)
            }
            Err(rule) => Err((rule, span)),
        }
    }

    /// Keeps a text of this span.
    pub(super) const fn keep(&mut self, span: Span) -> Result<TextPart, MisplacedRule> {
        match self.tree.keep(self.cursor.text(span)) {
            Ok(part) => Ok(part),
            Err(rule) => Err((rule, self.place(span))),
        }
    }

    /// Where a part stands in the text that the caller has, without white space after it. A part of a record of the
    /// library stands at its name.
    const fn place(&self, mut span: Span) -> Span {
        if let Some(name) = self.within {
            return name;
        }
        let bytes = self.cursor.text(span).as_bytes();
        span.end = span.start + bytes.trim_ascii_end().len();
        span
    }

    pub(super) const fn word_here(&self) -> Name {
        let word = self.cursor.text(self.cursor.here());
        Name::new(if word.is_empty() { "the end" } else { word })
    }

    /// The letter that an axis gets, from the byte that is written.
    pub(super) const fn letter(&mut self, byte: u8) -> u8 {
        let at = (byte.to_ascii_uppercase() - b'A') as usize;
        self.used |= 1 << at;
        self.renamed[at]
    }

    /// Reads the content of a node after its digits: an element, a group, or a record of the library. Then its marks.
    const fn read_content(&mut self, node: usize) -> Result<(), MisplacedRule> {
        let content = match self.cursor.peek() {
            Some(b'{') => ok!(self.read_group(node)),
            Some(_) if self.sees_name() => return self.read_known(node),
            Some(byte) if byte.is_ascii_lowercase() => {
                let word = self.cursor.word();
                ok!(self.read_element(node, word))
            }
            Some(b',' | b';' | b'}') | None if !self.tree.own_name(node).is_empty() => {
                let field = self.tree.called(node);
                let start = self.spans[node].start;
                let rule = RecordRule::NoElement { field };
                fail!(rule, self.place(Span { start, end: self.cursor.at }));
            }
            _ => {
                let text = self.word_here();
                fail!(RecordRule::ContentExpected { text }, self.place(self.cursor.here()));
            }
        };
        ok!(self.read_marks(node));
        self.tree.close(node, content);
        Ok(())
    }

    /// The element of this name.
    const fn read_element(
        &mut self,
        node: usize,
        word: Span,
    ) -> Result<NodeContent, MisplacedRule> {
        let text = self.cursor.text(word);
        match element(text) {
            Ok(ElementType::Plain { .. }) => {
                fail!(RecordRule::ForeignElement { name: Name::new(text) }, self.place(word))
            }
            Ok(own) => Ok(NodeContent::Element(ElementCode::of(own).0)),
            // A mark or the end of the field follows its digits.
            Err(_) if MarkKind::is_name(text) => {
                fail!(RecordRule::NoElement { field: self.tree.called(node) }, self.place(word))
            }
            Err(error) if !ElementType::names_for_foreign(text).is_empty() => {
                Err((RecordRule::Layout(error), self.place(word)))
            }
            Err(_) => fail!(RecordRule::UnknownElement { name: Name::new(text) }, self.place(word)),
        }
    }

    /// Reads `{ d: f16, q: 32k i8 }`.
    const fn read_group(&mut self, node: usize) -> Result<NodeContent, MisplacedRule> {
        let open = self.cursor.here();
        self.cursor.eat(b'{');
        let mut content = None;
        if self.cursor.sees(b'}') {
            fail!(
                RecordRule::EmptyGroup,
                self.place(Span { start: open.start, end: self.cursor.at + 1 })
            );
        }
        loop {
            ok!(self.read_item(node));
            let here = self.cursor.here();
            let separator = match self.cursor.peek() {
                Some(b'}') => None,
                Some(b',') => Some(NodeContent::Group),
                Some(b';') if node == 0 => Some(NodeContent::Buffers),
                Some(b';') => fail!(RecordRule::InnerBuffers, self.place(here)),
                Some(_) => {
                    fail!(RecordRule::AfterItem { text: self.word_here() }, self.place(here))
                }
                None => fail!(RecordRule::OpenGroup, self.place(open)),
            };
            if let Some(separator) = separator {
                self.cursor.at += 1;
                match (content, separator) {
                    (Some(NodeContent::Buffers), NodeContent::Group)
                    | (Some(NodeContent::Group), NodeContent::Buffers) => {
                        fail!(RecordRule::MixedBuffers, self.place(here))
                    }
                    _ => content = Some(separator),
                }
            }
            // A separator may follow the last item.
            if self.cursor.eat(b'}') {
                return Ok(match content {
                    Some(content) => content,
                    None => NodeContent::Group,
                });
            }
            if separator.is_none() || self.cursor.peek().is_none() {
                fail!(RecordRule::OpenGroup, self.place(open));
            }
        }
    }

    /// Reads `q: 16k 2k/16 u4`, or a group with or without a name.
    const fn read_item(&mut self, parent: usize) -> Result<(), MisplacedRule> {
        self.cursor.peek();
        let start = self.cursor.at;
        let mut ahead = self.cursor;
        let word = ahead.word();
        let mut name = TextPart::NONE;
        let colon = ahead.eat(b':');
        let is_word = match self.cursor.text(word).as_bytes() {
            [first, ..] => !first.is_ascii_digit(),
            [] => false,
        };
        let is_name = is_word && colon && !ahead.sees(b':');
        if is_name {
            self.cursor = ahead;
            name = ok!(self.keep(word));
        }
        let content = NodeContent::Group;
        let item = WrittenItem::Node { name, content, parent: parent as u8, end: 0 };
        let node = ok!(self.push(item, Span { start, end: word.end }));
        if self.tree.name(node).is_cut() {
            fail!(
                RecordRule::LongName { name: Name::new(self.cursor.text(word)) },
                self.place(word)
            );
        }
        ok!(self.read_digits(node, false));
        ok!(self.read_content(node));
        if !is_name && self.tree.element(node).is_some() {
            let span = Span { start, end: self.cursor.at };
            fail!(RecordRule::UnnamedField, self.place(span));
        }
        Ok(())
    }

    /// The end of a name that begins here and what follows it: `ggml::Q8_0`, or `Q8_0!`.
    const fn name(&self) -> Option<(Span, Cursor<'a>)> {
        let mut ahead = self.cursor;
        let mut name = ahead.word();
        let mut is_path = false;
        while !ahead.text(name).is_empty() && ahead.eat(b':') {
            // A field has one colon after its name.
            if !ahead.eat(b':') {
                return None;
            }
            (name.end, is_path) = (ahead.word().end, true);
        }
        let is_name = !name.is_empty() && (ahead.eat(b'!') || is_path);
        if is_name { Some((name, ahead)) } else { None }
    }

    pub(super) const fn sees_name(&self) -> bool {
        self.name().is_some()
    }

    /// The fields of a record with a name.
    const fn fields_of(&self, name: &str) -> Option<&'a str> {
        layout_core::each!(i, 0..self.names.len(), {
            if same_text(self.names[i].0, name) {
                return Some(self.names[i].1);
            }
        });
        match find(name) {
            Some(found) => Some(found.fields()),
            None => None,
        }
    }

    /// Reads `ggml::Q8_0` or `ggml::Q8_0(k = d)`, whose fields become those of the node.
    const fn read_known(&mut self, node: usize) -> Result<(), MisplacedRule> {
        let Some((name, after)) = self.name() else { return Ok(()) };
        let text = self.cursor.text(name);
        let found = match self.fields_of(text) {
            Some(found) if self.within.is_none() => found,
            _ => {
                let (own, near) = (Name::new(text), Name::new(nearest(text)));
                fail!(RecordRule::UnknownRecord { name: own, near }, name)
            }
        };
        self.cursor = after;
        let before = self.renamed;
        if self.cursor.eat(b'(') {
            ok!(self.read_renaming());
        }
        self.used = 0;
        let outer = self.cursor;
        self.cursor = Cursor::new(found);
        self.within = Some(name);
        ok!(self.read_content(node));
        layout_core::each!(i, 0..26, {
            if self.renamed[i] != before[i] && self.used >> i & 1 == 0 {
                let axis = (b'A' + i as u8) as char;
                fail!(RecordRule::RenamedAxis { name: Name::new(text), axis }, name);
            }
        });
        (self.cursor, self.within, self.renamed) = (outer, None, before);
        ok!(self.read_marks(node));
        self.tree.close(node, self.tree.content(node));
        Ok(())
    }

    /// Reads `k = d)`: axes of the record of the library, and the axes that they become.
    const fn read_renaming(&mut self) -> Result<(), MisplacedRule> {
        let form = RecordRule::MarkForm { name: "rename", form: "`(k = d)`" };
        loop {
            let from = self.cursor.word();
            let equals = self.cursor.eat(b'=');
            let to = self.cursor.word();
            let ([from_byte], [to_byte]) =
                (self.cursor.text(from).as_bytes(), self.cursor.text(to).as_bytes())
            else {
                fail!(form, from)
            };
            if !equals || !from_byte.is_ascii_alphabetic() || !to_byte.is_ascii_alphabetic() {
                fail!(form, from);
            }
            let at = (from_byte.to_ascii_uppercase() - b'A') as usize;
            self.renamed[at] = to_byte.to_ascii_uppercase();
            if self.cursor.eat(b')') {
                return Ok(());
            }
            if !self.cursor.eat(b',') {
                fail!(form, self.cursor.here());
            }
        }
    }

    /// Whether a word is this text.
    pub(super) const fn is(&self, word: Span, text: &str) -> bool {
        same_text(self.cursor.text(word), text)
    }

    /// A fault that is one of every layout.
    pub(super) const fn of_layout(&self, error: LayoutError, span: Span) -> MisplacedRule {
        (RecordRule::Layout(error), self.place(span))
    }
}
