//! Checks the rules of layout-core and puts each error on its tokens.

use layout_core::spec::Subject;
use quote::ToTokens;

use crate::errors::Errors;
use crate::model::Model;

/// Reports every rule that `model` breaks, as far as it can be checked without const evaluation.
pub(crate) fn report(model: &Model, errors: &mut Errors) {
    let format = || model.format.to_token_stream();
    for violation in model.violations() {
        let tokens = match violation.subject {
            Subject::Format => format(),
            Subject::Size if model.extents.is_empty() => format(),
            Subject::Size => model.extents.clone(),
            Subject::Factor(i) => model.factors[i].tokens.clone(),
            Subject::Option(i) => model.factors[i].option.clone(),
            Subject::Start(i) => match &model.factors[i].start {
                Some(start) => start.tokens.clone(),
                None => model.factors[i].tokens.clone(),
            },
            Subject::Extent(letter) => match model.axes.iter().find(|axis| axis.letter == letter) {
                Some(axis) => axis.extent.number.tokens.clone(),
                None => format(),
            },
            Subject::Strides => model.strides.clone().unwrap_or_else(format),
            Subject::Fill => model.pad.as_ref().map_or_else(format, |pad| pad.tokens.clone()),
        };
        errors.on(tokens, violation.error);
    }
}
