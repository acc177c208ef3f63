//! What macros read: a text with expressions, and names of records that only the program has.

use core::ops::Range;

use layout_core::spec::{ListText, MAX_RANK};
use layout_core::{ElementType, Span, Writing};

use crate::error::RecordError;
use crate::item::{MOST_ITEMS, MarkKind};
use crate::read::Names;
use crate::record::RecordTemplate;
use crate::whole_text::read;

/// A record as a macro reads it.
pub struct MacroRecord {
    /// The record. An extent that is an expression is not known.
    pub template: RecordTemplate,
    /// Where the extent of each axis stands, if it is written, and how.
    pub extents: [Option<(Range<usize>, Writing)>; MAX_RANK],
    spans: [Span; MOST_ITEMS],
}

/// A field as a macro reads it.
pub struct MacroField<'a> {
    /// The name, with those of the groups around it.
    pub name: ListText,
    /// The element type.
    pub element: ElementType,
    /// The value rule as written.
    pub value: Option<&'a str>,
    /// Where the name stands: its own, or that of a record of the library.
    pub span: Span,
}

impl MacroRecord {
    /// Reads a text, with the fields of records that have names.
    ///
    /// # Errors
    /// The text is not a record, or it breaks a rule whatever the extents are that are not known.
    #[allow(clippy::result_large_err, reason = "the error of all texts")]
    pub fn read(text: &str, names: Names<'_>) -> Result<Self, RecordError> {
        let read = read(text, Some(names)).map_err(|fault| RecordError::at(text, fault))?;
        let template = RecordTemplate::of(&read);
        match template.record() {
            Err(broken) if template.unknown().count() == 0 => {
                return Err(RecordError::at(text, read.fault(broken)));
            }
            _ => {}
        }
        let mut extents = [const { None }; MAX_RANK];
        for (extent, axis) in extents.iter_mut().zip(template.axes()) {
            let place = read.extent_place(axis.letter);
            *extent = place.map(|(span, writing)| (span.start..span.end, writing));
        }
        Ok(Self { template, extents, spans: read.spans })
    }
    /// The fields.
    pub fn fields(&self) -> impl Iterator<Item = MacroField<'_>> {
        let tree = self.template.tree();
        let nodes = (0..tree.count()).filter(|node| tree.is_first_piece(*node));
        nodes.filter_map(|node| {
            let value = tree.own_mark(node, MarkKind::Value, 0);
            let value = value.map(|(mark, _)| tree.text(mark.text));
            let (name, element) = (tree.name(node), tree.element(node)?);
            Some(MacroField { name, element, value, span: self.spans[node] })
        })
    }
}
