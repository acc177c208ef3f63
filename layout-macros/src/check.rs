//! The rules of layout-types, with each error put on its tokens.

use layout_types::LayoutError;
use layout_types::spec::Place;
use quote::ToTokens;

use crate::errors::Errors;
use crate::model::Model;

/// Reports every rule that `model` breaks and that can be checked without const evaluation.
pub(crate) fn check(model: &Model, errors: &mut Errors) {
    let format = || model.format.to_token_stream();
    for found in model.problems().iter() {
        let tokens = match found.place {
            Place::Format => format(),
            Place::Size if model.extents.is_empty() => format(),
            Place::Size => model.extents.clone(),
            Place::Factor(i) => match found.error {
                LayoutError::StridesWith { .. } => model.factors[i].option.clone(),
                LayoutError::StartLane { .. } => match &model.factors[i].start {
                    Some(start) => start.tokens.clone(),
                    None => model.factors[i].tokens.clone(),
                },
                _ => model.factors[i].tokens.clone(),
            },
            Place::Extent(letter) => match model.axes.iter().find(|axis| axis.letter == letter) {
                Some(axis) => axis.extent.number.tokens.clone(),
                None => format(),
            },
            Place::Strides => model.strides.clone().unwrap_or_else(format),
            Place::Fill => model.pad.as_ref().map_or_else(format, |pad| pad.tokens.clone()),
        };
        errors.on(tokens, found.error);
    }
}
