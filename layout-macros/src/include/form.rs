//! The axes of the array in a file and the order of its elements, and the layout that is packed: what the macro must know
//! without const evaluation.

use super::syntax::{FileSource, FormatText};
use super::texts;
use crate::errors::Errors;
use crate::model::Model;
use layout_core::spec::{AxisExtent, Factor, Letters, Rule, Spec};
use layout_core::{ElementType, Layout, LayoutError, Site};
use quote::ToTokens;

/// A layout without its element type.
pub(super) struct FileForm {
    axes: Vec<AxisExtent>,
    factors: Vec<Factor>,
}

impl FileForm {
    /// Applies `format`, as written, to the extents of the destination. In Fortran order, the memory order of the
    /// axes is reversed.
    pub(super) fn new(
        format: &FormatText,
        axes: Vec<AxisExtent>,
        is_fortran: bool,
        errors: &mut Errors,
    ) -> Option<Self> {
        let understood = format.format(errors)?;
        let mut factors = understood.factors().to_vec();
        if is_fortran {
            if factors.iter().any(|factor| factor.is_block()) {
                errors.on(&format.tokens, texts::FORTRAN_OF_BLOCKS);
                return None;
            }
            factors.reverse();
        }
        let needed = axes.iter().fold(Letters::EMPTY, |letters, axis| letters.with(axis.letter));
        let given = understood.axes();
        let is_there = |i| needed.position(given.at(i)).is_some();
        if given.count() != needed.count() || !(0..given.count()).all(is_there) {
            errors.on(
                &format.tokens,
                LayoutError(Rule::RelayoutAxes { source: given, destination: needed }),
            );
            return None;
        }
        Some(Self { axes, factors })
    }

    /// Returns the layout with elements of this type.
    pub(super) fn layout(&self, element: ElementType) -> Result<Layout, LayoutError> {
        Layout::new(&Spec { element, axes: &self.axes, factors: &self.factors, fill: None })
    }
}

/// Returns the element type of the file, if it is written. Files cannot hold elements of the user's own types.
pub(super) fn source_element(source: &FileSource, errors: &mut Errors) -> Option<ElementType> {
    let ty = source.element.as_ref()?;
    let name = ty.to_token_stream().to_string();
    let is_plain = name.contains(|c: char| !matches!(c, 'a'..='z' | '0'..='9' | '_'));
    match name.parse() {
        Ok(element) => return Some(element),
        Err(_) if is_plain => errors.on(ty, texts::PLAIN_ELEMENT),
        Err(error) => errors.on(ty, error),
    }
    None
}

/// Returns the layout of `model`, which must break no rule.
pub(super) fn layout(model: &Model, errors: &mut Errors) -> Option<Layout> {
    let unknown: Vec<_> = model.unknown().collect();
    for span in &unknown {
        errors.on(model.text.mark(*span), texts::UNKNOWN_NUMBER);
    }
    if model.element().is_none() {
        model.report(Site::Element, texts::PLAIN_ELEMENT, errors);
        return None;
    }
    if !unknown.is_empty() {
        return None;
    }
    match model.draft.template.layout() {
        Ok(layout) => Some(layout),
        Err((error, site)) => {
            model.report(site, error, errors);
            None
        }
    }
}
