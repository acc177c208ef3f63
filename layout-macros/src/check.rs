//! The rules of layout-types, with each error put on its tokens.

use layout_types::Layout;
use layout_types::spec::Place;
use quote::ToTokens;

use crate::errors::Errors;
use crate::model::Model;

/// Goes on with a layout that breaks no rule that can be checked without const evaluation.
pub(crate) fn check(model: Model) -> Result<Model, Errors> {
    let mut errors = Errors::default();
    let problems = model.with_spec(Layout::check);
    for found in problems.iter() {
        let tokens = match found.place {
            Place::Whole if model.extents.is_empty() => model.format.to_token_stream(),
            Place::Whole => model.extents.clone(),
            Place::Factor(i) => model.factors[i].tokens.clone(),
            Place::Extent(letter) => match model.axes.iter().find(|axis| axis.letter == letter) {
                Some(axis) => axis.extent.tokens.clone(),
                None => model.format.to_token_stream(),
            },
            Place::Strides => {
                model.strides.clone().unwrap_or_else(|| model.format.to_token_stream())
            }
            Place::Fill => match &model.pad {
                Some(pad) => pad.tokens.clone(),
                None => model.format.to_token_stream(),
            },
        };
        errors.on(tokens, found.error);
    }
    errors.gate(model)
}
