//! The layout that is packed and the elements that are read. The macro must know them without const evaluation.

use layout_core::{ElementType, Layout, Site};
use quote::ToTokens;

use super::syntax::Source;
use super::texts;
use crate::errors::Errors;
use crate::model::Model;

/// Returns the element type of the file, if it is written. Files cannot hold elements of the user's own types.
pub(super) fn source_element(source: &Source, errors: &mut Errors) -> Option<ElementType> {
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
    match model.draft.layout() {
        Ok(layout) => Some(layout),
        Err((error, site)) => {
            model.report(site, error, errors);
            None
        }
    }
}
