//! Parts of a field that moves write: its elements, and the padding beside them.

#![allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]

use layout_core::spec::{Factor, MAX_RANK, Spec};
use layout_core::{Layout, LayoutError};

use crate::error::RecordError;
use crate::field::RecordField;
use crate::field_layout::FieldUnit;
use crate::field_move::MatchedFields;
use crate::field_padding::FieldPadding;
use crate::record::Record;
use crate::record_rules::RecordRule;

/// A relayout of a part of a field: of its elements, or of the padding beside them along some axes.
#[doc(hidden)]
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "the words say it")]
pub struct MovedPart {
    pub source: Layout,
    pub destination: Layout,
    /// The buffer of the source, unless one element is written everywhere.
    pub from: Option<usize>,
    /// The bits that are flipped, or those of that element.
    pub bits: u64,
}

impl MovedPart {
    /// The part beyond the extents of the axes of a set, by the bits of their positions, of a field that is matched or has
    /// these bits everywhere. `None` if nothing is written there.
    ///
    /// # Errors
    /// - Those of [`RecordField::layout`].
    /// - A value of padding is not a number that an element holds.
    pub const fn new(
        to: &Record,
        own: &RecordField,
        field: Result<&MatchedFields, u64>,
        unit: FieldUnit,
        set: usize,
    ) -> Result<Option<Self>, RecordError> {
        let (padded, mut axes) = (own.with_padding(), 0);
        layout_core::each!(axis, 0..own.letters().count(), {
            axes |= ((padded.extents()[axis] > own.extents()[axis]) as usize) << axis;
        });
        if set & !axes > 0 {
            return Ok(None);
        }
        let mut destination = ok!(if set == 0 { own } else { &padded }.moved_layout(unit));
        let mut source = match field {
            Ok(field) => Some(ok!(field.from.moved_layout(unit))),
            Err(_) => None,
        };
        let mut value = None;
        layout_core::each!(axis, 0..own.letters().count(), {
            let (letter, extent) = (own.letters().at(axis), own.extents()[axis]);
            let (is_in, more) = (set >> axis & 1 == 1, padded.extents()[axis] - extent);
            let (first, length) = if is_in { (extent, more) } else { (0, extent) };
            if length == 0 {
                return Ok(None);
            }
            if set > 0 {
                destination = ok!(viewed(destination.slice(letter, first, 1, length)));
            }
            if is_in {
                match (ok!(to.padding(own.name(), letter)), source, value) {
                    (Some(FieldPadding::Keep), ..) => return Ok(None),
                    (Some(FieldPadding::Last), Some(all), _) if extent > 0 => {
                        let last = ok!(viewed(all.slice(letter, extent - 1, 1, 1)));
                        source = Some(ok!(viewed(last.broadcast(letter, more))));
                    }
                    (Some(FieldPadding::Last), ..) if extent > 0 => {}
                    (Some(FieldPadding::Value(text)), _, None) => {
                        value = Some(ok!(own.bits_of(text)));
                    }
                    (_, _, None) => value = Some(0),
                    _ => {}
                }
            }
        });
        let (from, bits) = match (value, field) {
            (None, Ok(field)) => (Some(field.from.buffer()), field.flipped),
            (None, Err(bits)) | (Some(bits), _) => (None, bits),
        };
        let source = match (from, source) {
            (Some(_), Some(source)) => source,
            _ => ok!(viewed(constant(own, &destination))),
        };
        Ok(Some(Self { source, destination, from, bits }))
    }
}

const fn viewed(layout: Result<Layout, LayoutError>) -> Result<Layout, RecordError> {
    match layout {
        Ok(layout) => Ok(layout),
        Err(error) => Err(RecordError::new(RecordRule::Layout(error))),
    }
}

/// A layout of one element at all coordinates of another layout of a field. The bytes or bits of an element are an axis too.
#[doc(hidden)]
pub const fn constant(own: &RecordField, like: &Layout) -> Result<Layout, LayoutError> {
    let (axes, mut factors) = (like.axes_and_extents(), [Factor::Overlap; MAX_RANK]);
    let axes = axes.split_at(like.rank()).0;
    layout_core::each!(i, 0..axes.len(), {
        factors[i] = match own.letters().position(axes[i].letter) {
            Some(_) => Factor::Broadcast(axes[i].letter),
            None => Factor::Axis(axes[i].letter),
        };
    });
    let element = like.element().low_first();
    // Bits that fill no byte are followed by padding.
    let fill = if element.per_byte() > 1 { Some(0) } else { None };
    Layout::new(&Spec { element, axes, factors: factors.split_at(axes.len()).0, fill })
}
