//! The layout that is packed and the elements that are read. The macro must know them without const evaluation.

use layout_core::spec::Spec;
use layout_core::{ElementType, Layout};
use proc_macro2::{TokenStream, TokenTree};
use syn::Lit;

use super::syntax::Source;
use super::texts;
use crate::errors::Errors;
use crate::model::Model;
use crate::numbers::literal;
use crate::parse::single;
use crate::parts::ModelElement;

/// Removes the braces from the argument of a const parameter.
fn unbraced(argument: &TokenStream) -> TokenStream {
    match single(argument) {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => argument.clone(),
    }
}

/// Returns the element type. Files cannot hold elements of the user's own types.
fn element(element: &ModelElement, errors: &mut Errors) -> Option<ElementType> {
    if element.could_be_a_type && element.known.is_none() {
        errors.on(&element.ty, texts::PLAIN_ELEMENT);
    }
    element.known
}

/// Returns the element type of the file, if it is written.
pub(super) fn source_element(source: &Source, errors: &mut Errors) -> Option<ElementType> {
    element(&ModelElement::new(source.element.clone()?, errors), errors)
}

/// Returns the layout of `model`, which must break no rule.
pub(super) fn layout(model: &Model, errors: &mut Errors) -> Option<Layout> {
    let mut is_known = true;
    let mut unknown = |tokens: &TokenStream, errors: &mut Errors| {
        errors.on(tokens, texts::UNKNOWN_NUMBER);
        is_known = false;
    };
    for axis in &model.axes {
        if axis.extent.number.value.is_none() {
            unknown(&unbraced(&axis.extent.number.tokens), errors);
        }
    }
    for factor in &model.factors {
        if factor.number.is_some() {
            unknown(&factor.tokens, errors);
        }
        match &factor.start {
            Some(start) if literal(&start.tokens).is_none() => unknown(&start.tokens, errors),
            _ => {}
        }
    }
    let fill = match &model.pad {
        None => None,
        Some(pad) => match literal(&pad.bits) {
            Some((_, Lit::Int(bits))) => bits.base10_parse().ok(),
            _ => {
                unknown(&pad.tokens, errors);
                None
            }
        },
    };
    let element = element(&model.element, errors)?;
    if !is_known {
        return None;
    }
    let axes = model.axis_extents();
    let factors: Vec<_> = model.factors.iter().map(|factor| factor.factor).collect();
    let layout = Layout::new(&Spec { element, axes: &axes, factors: &factors, fill });
    layout.map_err(|error| errors.on(&model.format, error)).ok()
}
