//! The layout that is packed, which must be known before constants are.

use layout_types::Layout;
use layout_types::spec::Spec;
use proc_macro2::{TokenStream, TokenTree};
use syn::Lit;

use super::texts;
use crate::errors::Errors;
use crate::model::Model;
use crate::numbers::literal;
use crate::parse::single;

/// What was written as the argument of a const parameter, which stands in braces.
fn unbraced(argument: &TokenStream) -> TokenStream {
    match single(argument) {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => argument.clone(),
    }
}

/// The layout that `model`, which breaks no rule, stands for.
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
    let Some(element) = model.element.known else {
        errors.on(&model.element.ty, texts::PLAIN_ELEMENT);
        return None;
    };
    if !is_known {
        return None;
    }
    let axes = model.axis_extents();
    let factors: Vec<_> = model.factors.iter().map(|factor| factor.factor).collect();
    let layout = Layout::new(&Spec { element, axes: &axes, factors: &factors, fill });
    layout.map_err(|error| errors.on(&model.format, error)).ok()
}
