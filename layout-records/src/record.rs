//! Records and templates of records as values.

#![allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]

use layout_core::LayoutError;
use layout_core::spec::{
    AxisExtent, Length, Letters, ListText, MAX_RANK, Open, Rule, complete, greatest_divisor,
    unknown_letters,
};

use crate::checked_tree::reach;
use crate::error::{Broken, RecordError};
use crate::field_padding::check_extent;
use crate::item::{MarkKind, WrittenMark};
use crate::record_places::{Extents, Placement};
use crate::record_rules::RecordRule;
use crate::tree::RecordTree;
use crate::whole_text::{ReadRecord, read};

/// Several tensors that share axes and lie in one buffer, or belong together in several: a checked line of text.
///
/// ```
/// use tensor_layout::records::Record;
///
/// // A block of 32 weights in GGUF files: a scale, then 16 bytes with two codes each.
/// let weights = Record::parse("MK<4096, 4096>, { d: f16, q: 16k 2k/16 u4 } = d * (q - 8)")?;
/// assert_eq!(weights.bytes(0), 4096 * 4096 / 32 * 18);
///
/// // Where the code of row 1 and column 50 lies, in bits: block 1 of the row, byte 2 of its codes, the high half.
/// assert_eq!(weights.bit_offset("q", &[1, 50])?, (128 + 1) * 144 + 16 + 2 * 8 + 4);
///
/// // A field is a layout, with the extents that it has: one scale for 32 columns.
/// let scales = weights.field("d")?.layout()?.elements().unwrap();
/// assert_eq!(scales.extents(), [4096, 128]);
/// assert_eq!(scales.strides().unwrap(), [128 * 9, 9]);
/// # Ok::<(), tensor_layout::records::RecordError>(())
/// ```
///
/// No two fields share a bit: fields follow one another, and blocks repeat what they stand before. Coordinates share an
/// element where a field has a block of a weight above 1 alone, or no digit of an axis.
///
/// All functions but those that print are `const fn`s, and none allocates. A record takes at most 1.5 KB.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Record {
    tree: RecordTree,
    letters: Letters,
    extents: [usize; MAX_RANK],
    /// The bytes of the first buffer.
    bytes: usize,
}

const _: () = assert!(size_of::<Record>() <= 1536);

/// A record whose extents are not all known yet: text with `_`, or a record of the library.
///
/// ```
/// use tensor_layout::records::RecordTemplate;
///
/// let rows = RecordTemplate::parse("MK<_, 4096>, { d: f16, q: 32k i8 }")?;
/// assert_eq!(rows.unknown().as_str(), "M");
/// assert_eq!(rows.with_extents(&[('M', 2)])?.bytes(0), 2 * 128 * 34);
/// # Ok::<(), tensor_layout::records::RecordError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecordTemplate {
    tree: RecordTree,
    letters: Letters,
    axes: [AxisExtent; MAX_RANK],
}

impl RecordTemplate {
    /// Parses the notation of records, with `_` for extents that are not known. A text without `_` is a template too.
    ///
    /// Law: `RecordTemplate::parse(&template.to_string()) == Ok(template)`.
    ///
    /// # Errors
    /// The text is not a record, or it breaks a rule whatever its unknown extents are.
    pub const fn parse(text: &str) -> Result<Self, RecordError> {
        let read = match read(text, None) {
            Ok(read) => read,
            Err(fault) => return Err(RecordError::at(text, fault)),
        };
        let new = Self::of(&read);
        match new.record() {
            Err((rule, item)) if new.unknown().count() == 0 => {
                Err(RecordError::at(text, read.fault((rule, item))))
            }
            _ => Ok(new),
        }
    }

    pub(crate) const fn of(read: &ReadRecord<'_>) -> Self {
        Self { tree: read.tree, letters: read.letters, axes: read.axes }
    }

    /// A tree with these axes, which are in coordinate order.
    pub(crate) const fn with_tree(tree: RecordTree, axes: &[AxisExtent]) -> Self {
        let mut letters = Letters::EMPTY;
        let mut all = [AxisExtent { letter: 'A', extent: Length::Unknown }; MAX_RANK];
        layout_core::each!(i, 0..axes.len(), {
            letters = letters.with(axes[i].letter);
            all[i] = axes[i];
        });
        Self { tree, letters, axes: all }
    }

    /// The letters of the axes in coordinate order.
    pub const fn letters(&self) -> Letters {
        self.letters
    }

    /// The axes whose extents are not known, in coordinate order.
    pub const fn unknown(&self) -> Letters {
        unknown_letters(self.axes())
    }

    /// Returns the record with these extents for the axes that are not known, by their letters, in any order.
    ///
    /// # Errors
    /// - An axis is named twice, is not one of [`unknown`](Self::unknown), or is missing.
    /// - The record breaks a rule.
    pub const fn with_extents(&self, extents: &[(char, usize)]) -> Result<Record, RecordError> {
        let mut new = *self;
        let axes = new.axes.split_at_mut(self.letters.count()).0;
        if let Err(error) = complete(axes, Open::Extent, extents) {
            return Err(RecordError::new(RecordRule::Layout(error)));
        }
        RecordError::without_place(new.record())
    }

    pub(crate) const fn tree(&self) -> &RecordTree {
        &self.tree
    }

    /// The axes in coordinate order, with their extents.
    pub const fn axes(&self) -> &[AxisExtent] {
        self.axes.split_at(self.letters.count()).0
    }

    /// The record, whose extents are known.
    pub(crate) const fn record(&self) -> Result<Record, Broken> {
        let Self { tree, letters, axes } = *self;
        let mut extents = [0; MAX_RANK];
        layout_core::each!(i, 0..letters.count(), {
            extents[i] = match axes[i].extent.value() {
                Some(extent) => extent,
                None => {
                    let letter = letters.at(i);
                    let rule = Rule::MissingNumber { what: "extent", letter };
                    return Err((RecordRule::Layout(LayoutError(rule)), 0));
                }
            };
        });
        Record::of_tree(tree, letters, extents)
    }
}

impl Record {
    /// Parses the notation of records.
    ///
    /// Law: `Record::parse(&record.to_string()) == Ok(record)`.
    ///
    /// # Errors
    /// The text is not a record, or the record breaks a rule. The error names the part of the text and the remedy.
    pub const fn parse(text: &str) -> Result<Self, RecordError> {
        let fault = match read(text, None) {
            Ok(read) => match RecordTemplate::of(&read).record() {
                Ok(record) => return Ok(record),
                Err(broken) => match read.fault(broken) {
                    (RecordRule::Layout(LayoutError(Rule::MissingNumber { .. })), span) => {
                        (RecordRule::OpenExtent, span)
                    }
                    fault => fault,
                },
            },
            Err(fault) => fault,
        };
        Err(RecordError::at(text, fault))
    }

    /// The record of a tree with these axes and extents.
    pub(crate) const fn of_tree(
        tree: RecordTree,
        letters: Letters,
        extents: [usize; MAX_RANK],
    ) -> Result<Self, Broken> {
        let mut new = Record { tree, letters, extents, bytes: 0 };
        ok!(new.check_extents());
        let placement = ok!(Placement::of(&new.tree, new.sizes()));
        new.bytes = placement.bytes(&new.tree, new.sizes(), 0);
        Ok(new)
    }

    /// The record as a template, whose extents are all known.
    pub const fn template(&self) -> RecordTemplate {
        let mut axes = [AxisExtent { letter: 'A', extent: Length::Unknown }; MAX_RANK];
        layout_core::each!(i, 0..self.letters.count(), {
            let extent = Length::Runtime(self.extents[i]);
            axes[i] = AxisExtent { letter: self.letters.at(i), extent };
        });
        RecordTemplate { tree: self.tree, letters: self.letters, axes }
    }

    /// The letters of the axes in coordinate order: that of every layout with these letters, in the order in which the
    /// text names them first.
    pub const fn letters(&self) -> Letters {
        self.letters
    }

    /// The extents in coordinate order, without padding.
    pub const fn extents(&self) -> &[usize] {
        self.extents.split_at(self.letters.count()).0
    }

    /// The number of buffers: 1, or that of the items that `;` separates.
    pub const fn buffers(&self) -> usize {
        self.tree.buffers()
    }

    /// The number of bytes of a buffer. Panics if there is no such buffer.
    pub const fn bytes(&self, buffer: usize) -> usize {
        if buffer == 0 {
            return self.bytes;
        }
        assert!(buffer < self.buffers(), "record has fewer buffers");
        self.placement().bytes(&self.tree, self.sizes(), buffer)
    }

    /// The alignment of the start of each buffer, in bytes: the least common multiple of all in the record, which may be no
    /// power of two. `usize::MAX` if that is too large.
    pub const fn align(&self) -> usize {
        let mut all = 1;
        layout_core::each!(item, 0..self.tree.count(), {
            if let Some(WrittenMark { kind: MarkKind::Align, bytes: bytes @ 1.., .. }) =
                self.tree.mark(item)
            {
                all = (bytes / greatest_divisor(all, bytes)).saturating_mul(all);
            }
        });
        all
    }

    /// The number of fields with a name.
    pub const fn field_count(&self) -> usize {
        let mut count = 0;
        layout_core::each!(node, 0..self.tree.count(), {
            count += self.tree.is_first_piece(node) as usize;
        });
        count
    }

    /// The name of a field, in the order in which they are written: `k.d` if the group around it has a name. Panics if
    /// there is no such field.
    pub const fn field_name(&self, field: usize) -> ListText {
        let (mut count, mut node) = (0, 0);
        loop {
            assert!(node < self.tree.count(), "record has fewer fields");
            if self.tree.is_first_piece(node) {
                if count == field {
                    return self.tree.name(node);
                }
                count += 1;
            }
            node += 1;
        }
    }

    /// The value rule of the record as written, or `None` without one.
    pub const fn value(&self) -> Option<&str> {
        match self.tree.own_mark(0, MarkKind::Value, 0) {
            Some((mark, _)) => Some(self.tree.text(mark.text)),
            None => None,
        }
    }

    pub(crate) const fn tree(&self) -> &RecordTree {
        &self.tree
    }

    pub(crate) const fn sizes(&self) -> Extents<'_> {
        Extents { letters: self.letters, values: self.extents() }
    }

    /// The same record with another extent of an axis.
    pub(crate) const fn with_extent(mut self, axis: usize, extent: usize) -> Self {
        self.extents[axis] = extent;
        self.bytes = self.placement().bytes(&self.tree, self.sizes(), 0);
        self
    }

    pub(crate) const fn placement(&self) -> Placement {
        match Placement::of(&self.tree, self.sizes()) {
            Ok(placement) => placement,
            // It is checked when the record is made.
            Err(_) => unreachable!(),
        }
    }

    /// Checks that fields reach the extents, and that these end at blocks or are padded.
    const fn check_extents(&self) -> Result<(), Broken> {
        layout_core::each!(node, 0..self.tree.count(), {
            if self.tree.is_element(node) {
                let path = ok!(self.tree.path(node));
                layout_core::each!(axis, 0..self.letters.count(), {
                    let own = reach(&self.tree, &path, self.letters.at(axis) as u8);
                    ok!(check_extent(&self.tree, node, self.sizes(), axis, own));
                });
            }
        });
        Ok(())
    }
}
