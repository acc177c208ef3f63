//! Questions about the fields of a record.

use layout_core::reading::same_text;
use layout_core::spec::{ListText, MAX_RANK, Name};

use crate::error::RecordError;
use crate::field::RecordField;
use crate::field_padding::{FieldPadding, padding};
use crate::item::MarkKind;
use crate::record::Record;
use crate::record_rules::RecordRule;

impl Record {
    /// A field by its name. The field of a record without braces has the empty name.
    ///
    /// # Errors
    /// There is no such field.
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
    pub const fn field(&self, name: &str) -> Result<RecordField, RecordError> {
        match RecordField::at(self, ok!(self.node_of(name))) {
            Ok(field) => Ok(field),
            Err((rule, _)) => Err(RecordError::new(rule)),
        }
    }

    /// Where the element of a field at a coordinate of the record begins in its buffer, in bits. A field that lacks an
    /// axis has one element for all its coordinates.
    ///
    /// It finds the field each time. For many coordinates, take [`RecordField::bit_offset`].
    ///
    /// # Errors
    /// There is no such field, or the coordinate is not in the record.
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
    pub const fn bit_offset(&self, field: &str, coordinate: &[usize]) -> Result<u64, RecordError> {
        let field = ok!(self.field(field));
        let axes = self.letters().count();
        if coordinate.len() != axes {
            let given = coordinate.len();
            return Err(RecordError::new(RecordRule::IndexCount { axes, given }));
        }
        let mut own = [0; MAX_RANK];
        layout_core::each!(i, 0..axes, {
            let (letter, extent, index) = (self.letters().at(i), self.extents()[i], coordinate[i]);
            if index >= extent {
                let rule = RecordRule::IndexRange { axis: letter, extent, index };
                return Err(RecordError::new(rule));
            }
            if let Some(axis) = field.letters().position(letter) {
                own[axis] = index / field.shared(axis);
            }
        });
        field.bit_offset(own.split_at(field.letters().count()).0)
    }

    /// What a move writes to the padding of a field along an axis, or `None` if the axis has no padding there.
    ///
    /// # Errors
    /// There is no such field.
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
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
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
    pub const fn field_value(&self, field: &str) -> Result<Option<&str>, RecordError> {
        let node = ok!(self.node_of(field));
        match self.tree().own_mark(node, MarkKind::Value, 0) {
            Some((mark, _)) => Ok(Some(self.tree().text(mark.text))),
            None => Ok(None),
        }
    }

    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
    const fn node_of(&self, field: &str) -> Result<usize, RecordError> {
        let tree = self.tree();
        layout_core::each!(node, 0..tree.count(), {
            let is_own = same_text(tree.name(node).as_str(), field);
            if is_own && tree.is_first_piece(node) {
                return Ok(node);
            }
        });
        let name = Name::new(field);
        Err(RecordError::new(RecordRule::UnknownField { name, fields: names(self) }))
    }
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
