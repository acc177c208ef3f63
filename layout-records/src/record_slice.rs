//! Slices of any axis as a record over the same buffers: what lies outside of them is unused bits.

#![allow(clippy::result_large_err, reason = "as of constants")]

use core::fmt::{self, Write};
use core::ops::Range;

use layout_core::LayoutError;
use layout_core::spec::{MAX_RANK, Name, Rule, Text};

use crate::checked_tree::reach;
use crate::error::RecordError;
use crate::item::{MarkKind, NodeContent, WrittenDigit, WrittenMark};
use crate::record::Record;
use crate::record_places::Placement;
use crate::record_rows::check_rows;
use crate::record_rules::RecordRule;

impl Record {
    /// A slice of an axis as a record over the same buffers. Its fields lie where they lie in this record, and bits outside
    /// of the slice are unused ones.
    ///
    /// ```
    /// use tensor_layout::records::Record;
    ///
    /// let matrix = Record::parse("MK<8, 128>, { d: f16, q: 32k i8 }")?;
    /// let columns = matrix.slice('K', 32..96)?;
    /// assert_eq!(columns.to_string(), "M<M = 8, K = 64>, { _: 34 u8, K { d: f16, q: 32k i8 }, _: 34 u8 }");
    /// assert_eq!(columns.bit_offset("q", &[3, 5])?, matrix.bit_offset("q", &[3, 37])?);
    /// # Ok::<(), tensor_layout::records::RecordError>(())
    /// ```
    ///
    /// # Errors
    /// - The record has no such axis, or the slice reaches outside of it.
    /// - The slice does not begin and end at whole blocks of each field.
    /// - No record has its elements where they lie: fields have no name, words cut strings of bits along the axis, its items have buffers of their
    ///   own, alignments or blocks of it that others are inside of, or more than 2^32 units outside of the slice.
    /// - The record would have too many items.
    pub fn slice(&self, axis: char, range: Range<usize>) -> Result<Self, RecordError> {
        let (axis, letters, tree) = (axis.to_ascii_uppercase(), self.letters(), self.tree());
        let Some(position) = letters.position(axis) else {
            let mut name = Name::EMPTY;
            name.push_char(axis);
            return Err(LayoutError(Rule::UnknownAxis { name, axes: letters }).into());
        };
        let (start, end, extent) = (range.start, range.end, self.extents()[position]);
        for node in (0..tree.count()).filter(|node| tree.element(*node).is_some()) {
            let path = RecordError::without_place(tree.path(node))?;
            let own = reach(tree, &path, axis as u8);
            if own.share > 0 {
                check_rows(axis, (start, end), extent, own.covered).map_err(RecordError::new)?;
            }
        }
        if (start, end) == (0, extent) {
            return Ok(*self);
        }
        let placement = self.placement();
        let mut slice = RecordSlice { record: self, placement, position, range, is_of_bits: false };
        // Unused bytes that do not begin at a byte are unused bits.
        for is_of_bits in [false, true] {
            slice.is_of_bits = is_of_bits;
            let mut text = Text::<4096>::EMPTY;
            if write!(text, "{slice}").is_err() || text.is_cut() {
                return Err(RecordError::new(RecordRule::TooManyItems));
            }
            match Self::parse(text.as_str()) {
                Ok(part) if self.has_at(&part, position, start) => return Ok(part),
                Err(RecordError { rule: rule @ RecordRule::TooManyItems, .. }) => {
                    return Err(RecordError::new(rule));
                }
                _ => {}
            }
        }
        Err(RecordError::new(RecordRule::SliceMoved { axis }))
    }

    /// Whether the first and the last elements of the fields of a slice lie where they lie here.
    fn has_at(&self, part: &Self, axis: usize, start: usize) -> bool {
        let bytes = |of: &Self| (0..of.buffers()).map(|buffer| of.bytes(buffer)).sum::<usize>();
        let rank = part.extents().len();
        let is_same = |is_end: bool| {
            let (mut own, mut first) = ([0; MAX_RANK], [0; MAX_RANK]);
            for (i, extent) in part.extents().iter().enumerate() {
                own[i] = if is_end { extent - 1 } else { 0 };
                first[i] = own[i] + if i == axis { start } else { 0 };
            }
            (0..part.field_count()).all(|field| {
                let name = part.field_name(field);
                let own = part.bit_offset(name.as_str(), &own[..rank]);
                own.is_ok() && own == self.bit_offset(name.as_str(), &first[..rank])
            })
        };
        let is_empty = part.extents().contains(&0);
        bytes(part) == bytes(self) && (is_empty || is_same(false) && is_same(true))
    }
}

/// A part of an axis of a record.
pub(crate) struct RecordSlice<'a> {
    pub(crate) record: &'a Record,
    placement: Placement,
    pub(crate) position: usize,
    pub(crate) range: Range<usize>,
    is_of_bits: bool,
}

impl RecordSlice<'_> {
    fn letter(&self) -> u8 {
        self.record.letters().at(self.position) as u8
    }

    /// The digit of a node that is what remains of the axis: that one and what follows is a slice in a group, between unused bits.
    pub(crate) fn cut(&self, node: usize) -> Option<usize> {
        let tree = self.record.tree();
        let is_own = |item: &usize| {
            tree.digit(*item).is_some_and(|own| own.is_rest() && own.letter == self.letter())
        };
        let has_buffers = matches!(tree.content(node), NodeContent::Buffers);
        (node + 1..tree.digits_end(node)).find(is_own).filter(|_| !has_buffers)
    }

    /// Writes the unused bits before the slice of a digit, or after it, and the brace around them.
    pub(crate) fn write_unused(
        &self,
        f: &mut fmt::Formatter<'_>,
        rest: usize,
        is_after: bool,
    ) -> fmt::Result {
        let Some(digit) = self.record.tree().digit(rest) else { return Ok(()) };
        let (block, Range { start, end }) = (digit.weight as usize, &self.range);
        let steps = match is_after {
            true => self.record.sizes().count(&digit) - end.div_ceil(block),
            false => start / block,
        };
        let bits = steps as u64 * self.placement.stride(rest);
        let (count, bit) =
            if bits % 8 == 0 && !self.is_of_bits { (bits / 8, 8) } else { (bits, 1) };
        match (is_after, count) {
            (true, 0) => f.write_str(" }"),
            (true, _) => write!(f, ", _: {count} u{bit} }}"),
            (false, 0) => f.write_str("{ "),
            (false, _) => write!(f, "{{ _: {count} u{bit}, "),
        }
    }

    /// Whether a mark of a node is about the digits before its slice, or about all of it.
    pub(crate) fn is_outside(&self, node: usize, mark: &WrittenMark) -> bool {
        let tree = self.record.tree();
        let Some(rest) = self.cut(node) else { return false };
        let is_step = |own: WrittenDigit| {
            own.letter == mark.letter && (own.is_rest() || !tree.has_digit(node, own.letter, true))
        };
        match mark.kind {
            MarkKind::Value => node == 0,
            MarkKind::Align if mark.letter == 0 => tree.element(node).is_some(),
            MarkKind::Align | MarkKind::Pitch => {
                (node + 1..rest).any(|item| tree.digit(item).is_some_and(is_step))
            }
            _ => false,
        }
    }
}
