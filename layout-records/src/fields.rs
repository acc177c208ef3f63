//! Questions about the fields of a record.

#![allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]

use layout_core::spec::{ListText, MAX_RANK, Name};

use crate::error::RecordError;
use crate::field::RecordField;
use crate::field_padding::{FieldPadding, padding};
use crate::item::MarkKind;
use crate::record::Record;
use crate::record_places::{Placement, check_index};
use crate::record_rules::RecordRule;
use crate::tree::RecordTree;

impl Record {
    /// A field by its name. The field of a record without braces has the empty name.
    ///
    /// # Errors
    /// There is no such field.
    pub const fn field(&self, name: &str) -> Result<RecordField, RecordError> {
        let node = ok!(self.node_of(name));
        RecordError::without_place(RecordField::at(self, &self.placement(), node))
    }

    /// Where the element of a field at a coordinate of the record begins in its buffer, in bits. A field that lacks an
    /// axis has one element for all its coordinates.
    ///
    /// It finds the field each time. For many coordinates, take [`RecordField::bit_offset`].
    ///
    /// # Errors
    /// There is no such field, or the coordinate is not in the record.
    pub const fn bit_offset(&self, field: &str, coordinate: &[usize]) -> Result<u64, RecordError> {
        let field = ok!(self.field(field));
        ok!(check_index(self.sizes(), coordinate));
        let mut own = [0; MAX_RANK];
        layout_core::each!(i, 0..coordinate.len(), {
            if let Some(axis) = field.letters().position(self.letters().at(i)) {
                own[axis] = coordinate[i] / field.shared(axis);
            }
        });
        Ok(field.first_bit(&own) as u64)
    }

    /// What a move writes to the padding of a field along an axis, or `None` if the axis has no padding there.
    ///
    /// # Errors
    /// There is no such field.
    pub const fn padding(
        &self,
        field: &str,
        axis: char,
    ) -> Result<Option<FieldPadding<'_>>, RecordError> {
        let node = ok!(self.node_of(field));
        Ok(padding(self.tree(), node, axis.to_ascii_uppercase() as u8))
    }

    /// The value rule of a field as written, or `None` without one.
    ///
    /// # Errors
    /// There is no such field.
    pub const fn field_value(&self, field: &str) -> Result<Option<&str>, RecordError> {
        let node = ok!(self.node_of(field));
        match self.tree().own_mark(node, MarkKind::Value, 0) {
            Some((mark, _)) => Ok(Some(self.tree().text(mark.text))),
            None => Ok(None),
        }
    }

    const fn node_of(&self, field: &str) -> Result<usize, RecordError> {
        match find(self.tree(), field, 0) {
            Some(node) => Ok(node),
            None => {
                let name = Name::new(field);
                Err(RecordError::new(RecordRule::UnknownField { name, fields: names(self) }))
            }
        }
    }
}

/// A record with the places of its items, which all its fields share. Fields are known by their nodes.
#[doc(hidden)]
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "the words say it")]
pub struct PlacedRecord {
    pub record: Record,
    placement: Placement,
}

impl PlacedRecord {
    /// A record and its places.
    pub const fn new(record: Record) -> Self {
        Self { placement: record.placement(), record }
    }

    /// The first field from a node on.
    pub const fn next(&self, mut node: usize) -> Option<usize> {
        while node < self.record.tree().count() {
            if self.record.tree().is_first_piece(node) {
                return Some(node);
            }
            node += 1;
        }
        None
    }

    /// The field of a name, which is looked for from a node on, and then before it.
    pub const fn find(&self, name: &str, first: usize) -> Option<usize> {
        find(self.record.tree(), name, first)
    }

    /// The name of a field.
    pub const fn name(&self, node: usize) -> ListText {
        self.record.tree().name(node)
    }

    /// A field.
    ///
    /// # Errors
    /// It has too many digits.
    pub const fn field(&self, node: usize) -> Result<RecordField, RecordError> {
        RecordError::without_place(RecordField::at(&self.record, &self.placement, node))
    }
}

/// The node of a field of this name, which is looked for from a node on, and then before it.
const fn find(tree: &RecordTree, name: &str, first: usize) -> Option<usize> {
    layout_core::each!(i, 0..tree.count(), {
        let node = (first + i) % tree.count();
        if tree.is_element(node) && tree.is_named(node, name) && tree.is_first_piece(node) {
            return Some(node);
        }
    });
    None
}

/// The names of the fields, as an error lists them.
const fn names(record: &Record) -> ListText {
    let mut text = ListText::EMPTY;
    layout_core::each!(field, 0..record.field_count(), {
        text.push(if field > 0 { ", " } else { "" });
        text.push(record.field_name(field).as_str());
    });
    text
}
