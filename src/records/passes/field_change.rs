//! What differs between the fields of two records.

use layout_records::Record;
use layout_types::{Element, ElementType, numbers};

/// A field that only one of two records has.
#[derive(Clone, Copy, Debug)]
pub enum FieldChange<'a> {
    /// A field of the source is left out.
    Drop(&'a str),
    /// A field of the destination, with elements of this type, gets this value at all coordinates: the bits of an element.
    /// A name that is not a field there stands for the value in the rules of its fields, such as `izp` in `= izp * sum(q)`.
    Add(&'a str, ElementType, u64),
}

impl<'a> FieldChange<'a> {
    /// Adds a field with a value at all coordinates.
    pub fn add<E: Element>(field: &'a str, value: E) -> Self {
        Self::Add(field, E::TYPE, numbers::bits_of(value))
    }

    /// Whether the change is a value of this name.
    pub(crate) fn adds(&self, name: &str) -> bool {
        matches!(self, Self::Add(own, ..) if *own == name)
    }

    /// Whether the change leaves out a field of this name.
    pub(crate) fn drops(&self, name: &str) -> bool {
        matches!(self, Self::Drop(own) if *own == name)
    }

    pub(crate) const fn field(&self) -> &'a str {
        match self {
            Self::Drop(field) | Self::Add(field, ..) => field,
        }
    }
}

/// Whether a record has a field of this name.
pub(crate) fn has(record: &Record, name: &str) -> bool {
    (0..record.field_count()).any(|i| record.field_name(i).as_str() == name)
}

/// Whether the rule of a field of the destination that is computed names something: a field of the source, or a value.
pub(crate) fn is_operand(
    [from, to]: [&Record; 2],
    changes: &[FieldChange<'_>],
    name: &str,
) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let names = (0..to.field_count()).map(|i| to.field_name(i));
    names.filter(|own| is_computed(from, changes, own.as_str())).any(|own| {
        let rule = to.field_value(own.as_str()).ok().flatten().unwrap_or("");
        rule.split(|c| !is_word(c)).any(|word| word == name)
    })
}

/// Whether a field of the destination is neither moved nor added.
pub(crate) fn is_computed(from: &Record, changes: &[FieldChange<'_>], name: &str) -> bool {
    let is_away = !has(from, name) || changes.iter().any(|change| change.drops(name));
    is_away && !changes.iter().any(|change| change.adds(name))
}
