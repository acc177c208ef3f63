//! Where the nodes of a record lie, in bits.
//!
//! Items of a group follow one another, digits repeat what they stand before, and a pitch is at least what it steps
//! over. So no two coordinates of fields share a bit, but for those that share an element by a weight or without a
//! digit.

use layout_core::spec::{Letters, Name, gcd};

use crate::digit_weights::digit_in;
use crate::error::{Broken, RecordError};
use crate::item::{DigitChange, MOST_ITEMS, MarkKind, NodeContent, WrittenDigit};
use crate::record_rules::RecordRule;
use crate::tree::RecordTree;

/// Places and distances of the items of a record, in bits.
#[derive(Clone, Copy)]
pub(crate) struct Placement {
    /// The size of each node with its digits.
    size: [u64; MOST_ITEMS],
    /// The start of each node in what its parent repeats.
    start: [u64; MOST_ITEMS],
    /// The distance between steps of each digit.
    stride: [u64; MOST_ITEMS],
    /// The bits of which the start of each node is a multiple.
    aligned: [u64; MOST_ITEMS],
    /// The bits of which the starts and the steps of each node are multiples, since it has words of so many.
    words: [u64; MOST_ITEMS],
    /// A bit for each node that begins at bytes, whatever is written after it.
    whole: u64,
    /// A bit for each node with a written alignment of it or in it.
    written: u64,
    /// A bit for each field whose elements are no whole bytes: of those that begin with the lowest bit, and the others.
    orders: [u64; 2],
}

/// The most bits of a buffer, whose distances have a sign.
const MOST_BITS: u64 = match (isize::MAX as u64).checked_mul(8) {
    Some(bits) if bits < i64::MAX as u64 => bits,
    _ => i64::MAX as u64,
};

const fn checked(bits: Option<u64>, item: usize) -> Result<u64, Broken> {
    match bits {
        Some(bits) if bits <= MOST_BITS => Ok(bits),
        _ => Err((RecordRule::TooLarge, item)),
    }
}

const fn round_up(bits: u64, step: u64, item: usize) -> Result<u64, Broken> {
    if step <= 1 {
        return Ok(bits);
    }
    checked(bits.div_ceil(step).checked_mul(step), item)
}

/// The extents of a record with the letters of their axes.
#[derive(Clone, Copy)]
pub(crate) struct Extents<'a> {
    pub(crate) letters: Letters,
    pub(crate) values: &'a [usize],
}

impl Extents<'_> {
    pub(crate) const fn of(&self, letter: u8) -> usize {
        match self.letters.position(letter as char) {
            Some(axis) => self.values[axis],
            None => 1,
        }
    }

    /// The number of values of a digit.
    pub(crate) const fn count(&self, digit: &WrittenDigit) -> usize {
        match digit.size {
            0 => self.of(digit.letter).div_ceil(digit.weight as usize),
            size => size as usize,
        }
    }
}

/// Checks that a coordinate lies within extents.
#[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
pub(crate) const fn check_index(all: Extents<'_>, at: &[usize]) -> Result<(), RecordError> {
    if at.len() != all.values.len() {
        let (axes, given) = (all.values.len(), at.len());
        return Err(RecordError::new(RecordRule::IndexCount { axes, given }));
    }
    layout_core::each!(i, 0..at.len(), {
        let (extent, index) = (all.values[i], at[i]);
        if index >= extent {
            let axis = all.letters.at(i);
            return Err(RecordError::new(RecordRule::IndexRange { axis, extent, index }));
        }
    });
    Ok(())
}

impl Placement {
    /// Places all nodes.
    ///
    /// # Errors
    /// An element of whole bytes begins inside a byte, a pitch is short, or the record is too large.
    pub(crate) const fn of(tree: &RecordTree, extents: Extents<'_>) -> Result<Self, Broken> {
        let (none, one) = ([0; MOST_ITEMS], [1; MOST_ITEMS]);
        let mut new = Self {
            size: none,
            start: none,
            stride: none,
            aligned: one,
            words: one,
            whole: 0,
            written: 0,
            orders: [0; 2],
        };
        layout_core::each!(rev node, 0..tree.count(), {
            if !tree.is_node(node) {
                continue;
            }
            let own = match tree.content(node) {
                NodeContent::Element(_) => new.place_element(tree, node),
                NodeContent::Group => ok!(new.place_items(tree, node)),
                // What is before the braces repeats each buffer alone.
                NodeContent::Buffers => continue,
            };
            new.size[node] = ok!(new.repeat(tree, node, node, own, extents));
        });
        if let NodeContent::Buffers = tree.content(0) {
            let mut buffer = tree.digits_end(0);
            while buffer < tree.end(0) {
                if tree.is_node(buffer) {
                    ok!(new.repeat(tree, 0, buffer, new.size[buffer], extents));
                }
                buffer = tree.end(buffer);
            }
        }
        Ok(new)
    }

    const fn place_element(&mut self, tree: &RecordTree, node: usize) -> u64 {
        let bits = match tree.element(node) {
            Some(element) => element.value_bits() as u64,
            None => 0,
        };
        if bits % 8 > 0 && !tree.is_unused(node) {
            self.orders[tree.is_high_first(node) as usize] |= 1 << node;
        }
        self.align(tree, node, if bits % 8 == 0 { 8 } else { 1 });
        bits
    }

    /// Sets the alignment of a node: what is in it needs this number of bits, and more may be written.
    const fn align(&mut self, tree: &RecordTree, node: usize, inside: u64) {
        self.whole |= ((inside >= 8) as u64) << node;
        let written = (own_alignment(tree, node) as u64).saturating_mul(8);
        self.written |= ((written > 0) as u64) << node;
        self.aligned[node] = if written > inside { written } else { inside };
    }

    /// Places the items of a group. Returns their size.
    const fn place_items(&mut self, tree: &RecordTree, node: usize) -> Result<u64, Broken> {
        let (mut size, mut aligned, mut written) = (0, 1, false);
        // Where the last field that fills no bytes ends, and whether it is high first.
        let (mut end, mut last) = (0, None);
        let mut item = tree.digits_end(node);
        while item < tree.end(node) {
            if tree.is_node(item) {
                let (own, is_written) = (self.aligned[item], self.written >> item & 1 == 1);
                let start = ok!(round_up(size, own, item));
                let orders = self.orders_in(tree, item);
                let differs = match (last, orders) {
                    (Some(last), Some((first, _))) => last != first && start < end,
                    _ => false,
                };
                if differs || start > size && own == 8 && !is_written {
                    return Err((inside_byte(tree, item, size, false), item));
                }
                if start % self.words[item] > 0 {
                    return Err(inside_word(tree, item, self.words[item], start));
                }
                let words = self.words[node] / gcd(self.words[node], self.words[item]);
                self.words[node] = ok!(checked(words.checked_mul(self.words[item]), item));
                (self.start[item], size) = (start, start);
                written |= is_written;
                size = ok!(checked(size.checked_add(self.size[item]), item));
                aligned = if own > aligned { own } else { aligned };
                if let Some((_, order)) = orders {
                    (end, last) = (size.next_multiple_of(8), Some(order));
                }
            }
            item = tree.end(item);
        }
        // Which fields meet in a byte must not depend on where the group begins.
        let has_both = self.fields_of(tree, node, 0) > 0 && self.fields_of(tree, node, 1) > 0;
        aligned = if has_both && aligned < 8 { 8 } else { aligned };
        self.written |= (written as u64) << node;
        self.align(tree, node, aligned);
        // As of a struct: the size is a multiple of an alignment that is written.
        if self.written >> node & 1 == 1 {
            round_up(size, self.aligned[node], node)
        } else {
            Ok(size)
        }
    }

    /// The fields in a node that fill no bytes and have this order.
    const fn fields_of(&self, tree: &RecordTree, node: usize, order: usize) -> u64 {
        self.orders[order] & u64::MAX << node & !(u64::MAX << tree.end(node))
    }

    /// Whether the first and the last field of a node that fill no bytes are high first.
    const fn orders_in(&self, tree: &RecordTree, node: usize) -> Option<(bool, bool)> {
        let (low, high) = (self.fields_of(tree, node, 0), self.fields_of(tree, node, 1));
        if low | high == 0 {
            return None;
        }
        Some((high.trailing_zeros() < low.trailing_zeros(), high > low))
    }

    /// Repeats what takes `size` bits for the digits of a node, and returns the size of all. `node` is the one that is
    /// repeated: that of the digits, or a buffer.
    const fn repeat(
        &mut self,
        tree: &RecordTree,
        digits: usize,
        node: usize,
        mut size: u64,
        extents: Extents<'_>,
    ) -> Result<u64, Broken> {
        let (mut item, has_marks) = (tree.digits_end(digits), tree.has_marks(digits));
        while item > digits + 1 {
            item -= 1;
            let Some(digit) = tree.digit(item) else { continue };
            if let DigitChange::Fixed = digit.change {
                continue;
            }
            let word = if has_marks { word_bits(tree, digits, item) } else { 0 };
            if word == TOO_LONG {
                return Err((RecordRule::TooLarge, digits));
            }
            if word > 0 {
                self.words[node] = word;
            } else if has_marks && (digit.is_rest() || !tree.has_digit(digits, digit.letter, true))
            {
                size = ok!(step(tree, digits, digit.letter, size));
            }
            if size % self.words[node] > 0 {
                return Err(inside_word(tree, node, self.words[node], size));
            }
            if self.whole >> node & 1 == 1 && size % 8 > 0 {
                return Err((inside_byte(tree, node, size, true), item));
            }
            self.stride[item] = if word > 0 { word } else { size };
            size = ok!(checked(size.checked_mul(extents.count(&digit) as u64), item));
        }
        Ok(size)
    }

    /// The bytes of a buffer.
    pub(crate) const fn bytes(
        &self,
        tree: &RecordTree,
        extents: Extents<'_>,
        buffer: usize,
    ) -> usize {
        let bits = match tree.content(0) {
            NodeContent::Buffers => {
                let mut copy = *self;
                let node = buffer_node(tree, buffer);
                match copy.repeat(tree, 0, node, self.size[node], extents) {
                    Ok(bits) => bits,
                    Err(_) => 0,
                }
            }
            _ => self.size[0],
        };
        bits.div_ceil(8) as usize
    }

    /// The bits between an item of a group and what stands before it.
    pub(crate) const fn gap(&self, tree: &RecordTree, node: usize) -> u64 {
        let (mut item, mut end) = (tree.digits_end(tree.parent(node)), 0);
        while item < node {
            if tree.is_node(item) {
                end = self.start[item] + self.size[item];
            }
            item = tree.end(item);
        }
        // Buffers begin anew.
        self.start[node].saturating_sub(end)
    }

    /// The distances of the digits before a record of buffers, for one of the buffers.
    pub(crate) const fn for_buffer(
        &self,
        tree: &RecordTree,
        extents: Extents<'_>,
        buffer: usize,
    ) -> Self {
        let mut new = *self;
        if let NodeContent::Buffers = tree.content(0) {
            let node = buffer_node(tree, buffer);
            // It is checked already.
            let _ = new.repeat(tree, 0, node, self.size[node], extents);
        }
        new
    }

    /// The distance between steps of a digit, in bits.
    pub(crate) const fn stride(&self, item: usize) -> u64 {
        self.stride[item]
    }

    /// The start of a field in its buffer, in bits.
    pub(crate) const fn start(&self, tree: &RecordTree, node: usize) -> u64 {
        let (mut start, mut at) = (0, node);
        while at > 0 {
            start += self.start[at];
            at = tree.parent(at);
        }
        start
    }
}

/// The alignment in bytes that is written at a node, or 0.
const fn own_alignment(tree: &RecordTree, node: usize) -> usize {
    match tree.own_mark(node, MarkKind::Align, 0) {
        Some((mark, _)) => mark.bytes,
        None => 0,
    }
}

/// The bits of a word that no buffer holds.
const TOO_LONG: u64 = u64::MAX;

/// The bits of a word if a digit is the one after which words cut a string of bits, the first of its axis, or 0.
pub(crate) const fn word_bits(tree: &RecordTree, node: usize, item: usize) -> u64 {
    let Some(digit) = tree.digit(item) else { return 0 };
    match tree.own_mark(node, MarkKind::Words, digit.letter) {
        Some((mark, _)) if digit_in(tree, node, digit.letter) == item => {
            match (mark.bytes as u64).checked_mul(8) {
                Some(bits) if bits <= MOST_BITS => bits,
                _ => TOO_LONG,
            }
        }
        _ => 0,
    }
}

/// The distance from one step of an axis to the next, with the marks of the node.
const fn step(tree: &RecordTree, node: usize, letter: u8, size: u64) -> Result<u64, Broken> {
    if let Some((mark, item)) = tree.own_mark(node, MarkKind::Pitch, letter) {
        let pitch = ok!(checked((mark.bytes as u64).checked_mul(8), item));
        if pitch < size {
            let bytes = size.div_ceil(8) as usize;
            let rule = RecordRule::ShortStep { axis: letter as char, pitch: mark.bytes, bytes };
            return Err((rule, item));
        }
        return Ok(pitch);
    }
    match tree.own_mark(node, MarkKind::Align, letter) {
        Some((mark, item)) => round_up(size, (mark.bytes as u64).saturating_mul(8), item),
        None => Ok(size),
    }
}

/// The first field of whole bytes in a node, and its element type.
const fn whole_field(tree: &RecordTree, node: usize) -> Option<(Name, Name)> {
    let mut item = node;
    while item < tree.end(node) {
        match tree.element(item) {
            Some(element) if element.value_bits() % 8 == 0 => {
                return Some((tree.called(item), element.name()));
            }
            _ => item += 1,
        }
    }
    None
}

/// The error of a node that does not begin at a word, or whose steps do not.
const fn inside_word(tree: &RecordTree, node: usize, word: u64, bits: u64) -> Broken {
    let (bytes, bits) = ((word / 8) as usize, bits as usize);
    (RecordRule::WordBits { field: tree.called(node), bytes, bits }, node)
}

/// The error of a node that does not begin at a byte, or whose steps do not.
const fn inside_byte(tree: &RecordTree, node: usize, bits: u64, ends: bool) -> RecordRule {
    let (bits, fill) = (bits as usize, 8 - (bits % 8) as usize);
    match (whole_field(tree, node), ends) {
        (None, _) => RecordRule::BitOrders { field: tree.called(node), fill, ends },
        (Some((field, element)), true) => RecordRule::RepeatedBits { field, element, bits, fill },
        (Some((field, element)), false) => RecordRule::StartBit { field, element, bit: bits, fill },
    }
}

/// The node of a buffer.
const fn buffer_node(tree: &RecordTree, buffer: usize) -> usize {
    let mut node = tree.digits_end(0);
    while node < tree.end(0) && !(tree.is_node(node) && tree.buffer(node) == buffer) {
        node = tree.end(node);
    }
    node
}
