//! Slices of any axis as a record over the same buffers: what lies outside of them is unused bits.

#![allow(clippy::result_large_err, reason = "as of constants")]

use core::fmt::{self, Write};
use core::ops::Range;

use layout_core::LayoutError;
use layout_core::spec::{MAX_RANK, Name, Rule, Text, greatest_divisor};

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
    /// - No record has its elements where they lie: fields have no name, words cut strings of bits along the axis, the axis
    ///   stands before the braces of buffers, or more than 2^32 units of 63 bits lie outside of the slice.
    /// - The record would have too many items.
    pub fn slice(&self, axis: char, range: Range<usize>) -> Result<Self, RecordError> {
        let (axis, letters, tree) = (axis.to_ascii_uppercase(), self.letters(), self.tree());
        let Some(position) = letters.position(axis) else {
            let mut name = Name::EMPTY;
            name.push_char(axis);
            return Err(LayoutError(Rule::UnknownAxis { name, axes: letters }).into());
        };
        let (start, end, extent) = (range.start, range.end, self.extents()[position]);
        for node in (0..tree.count()).filter(|node| tree.is_element(*node)) {
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
        let mut slice = RecordSlice {
            record: self,
            placement,
            position,
            range,
            is_of_bits: false,
            is_common: true,
        };
        let mut fault = RecordRule::SliceMoved { axis };
        // Unused bytes that do not begin at a byte are unused bits.
        for way in 0..4 {
            (slice.is_of_bits, slice.is_common) = (way % 2 == 1, way < 2);
            let mut text = Text::<4096>::EMPTY;
            if write!(text, "{slice}").is_err() || text.is_cut() {
                return Err(RecordError::new(RecordRule::TooManyItems));
            }
            match Self::parse(text.as_str()) {
                Ok(part) if self.has_at(&part, position, start) => return Ok(part),
                Err(RecordError { rule: rule @ RecordRule::TooManyItems, .. }) => {
                    return Err(RecordError::new(rule));
                }
                Err(RecordError { rule: RecordRule::WideNumber, .. }) => {
                    fault = RecordRule::SliceWide { axis, bytes: self.bytes(0) };
                }
                _ => {}
            }
        }
        Err(RecordError::new(fault))
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
    /// Whether a group has the least common multiple of its alignments, and not the largest.
    is_common: bool,
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
        f.write_str(if is_after { "" } else { "{ " })?;
        self.write_bits(f, bits, if is_after { (", ", "") } else { ("", ", ") })?;
        f.write_str(if is_after { " }" } else { "" })
    }

    /// Writes unused bits, if there are any: as bytes, or bits, or wider units if their number is too large.
    fn write_bits(
        &self,
        f: &mut fmt::Formatter<'_>,
        bits: u64,
        (before, after): (&str, &str),
    ) -> fmt::Result {
        let unit = if bits % 8 == 0 && !self.is_of_bits { 8 } else { 1 };
        let fits = |bit: &u64| bits % bit == 0 && bits / bit <= u64::from(u32::MAX);
        // Of no unit alone: wide ones, which are not whole bytes either, and the rest.
        let wide = if unit == 8 { 64 } else { 63 };
        let bit = (unit..=64).step_by(unit as usize).find(fits).unwrap_or(wide);
        for (count, bit) in [(bits / bit, bit), (bits % bit / unit, unit)] {
            if count > 0 {
                write!(f, "{before}_: {count} u{bit}{after}")?;
            }
        }
        Ok(())
    }

    /// The alignment of elements in a slice, or 0. A mark would be about the end of the slice too: unused bits before it
    /// and a mark of the group around it stand for it.
    pub(crate) fn align_of(&self, node: usize) -> usize {
        match self.record.tree().own_mark(node, MarkKind::Align, 0) {
            Some((mark, _)) if self.record.tree().is_element(node) && self.cut(node).is_some() => {
                mark.bytes
            }
            _ => 0,
        }
    }

    /// What stands for these alignments at the braces around them, whose own mark it replaces, or 0. It is their least common
    /// multiple, or the largest if the end of a group would move.
    pub(crate) fn align_in(&self, node: usize) -> usize {
        let tree = self.record.tree();
        if tree.is_element(node) {
            return 0;
        }
        let is_own = |item: &usize| tree.is_node(*item) && tree.parent(*item) == node;
        let items = (node + 1..tree.end(node)).filter(is_own).map(|item| self.align_of(item));
        let mut items = items.filter(|bytes| *bytes > 0).peekable();
        if items.peek().is_none() {
            return 0;
        }
        let own = tree.own_mark(node, MarkKind::Align, 0).map_or(1, |own| own.0.bytes);
        items.fold(own, |all, bytes| match self.is_common {
            true => (bytes / greatest_divisor(all, bytes)).saturating_mul(all),
            false => all.max(bytes),
        })
    }

    /// Writes the unused bits that align an element in a slice.
    pub(crate) fn write_gap(&self, f: &mut fmt::Formatter<'_>, node: usize) -> fmt::Result {
        let is_aligned = self.align_of(node) > 0;
        let bits = if is_aligned { self.placement.gap(self.record.tree(), node) } else { 0 };
        self.write_bits(f, bits, ("", ", "))
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
            MarkKind::Align | MarkKind::Pitch => {
                (node + 1..rest).any(|item| tree.digit(item).is_some_and(is_step))
            }
            _ => false,
        }
    }
}
