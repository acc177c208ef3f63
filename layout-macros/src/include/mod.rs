//! `include_tensor!`: an array from a file, in the layout of the program.
//!
//! `syntax` parses the macro's input, and `file` reads the file. `pack` moves the array to its layout with
//! layout-types' plans and kernels, and `expand` writes it as Rust code.

mod array;
mod change;
mod expand;
mod file;
mod form;
mod gguf;
mod json;
mod network;
mod npy;
mod pack;
#[cfg(feature = "records")]
mod record_file;
mod safetensors;
mod scales;
mod syntax;
mod texts;
mod tflite;

use layout_core::Layout;
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::LitStr;

use crate::errors::Errors;
use crate::model::Model;
use crate::parse::{Forwarded, WrittenLayout};
#[cfg(feature = "records")]
use crate::record_types::Input;

pub(crate) use layout_types::numbers::ByteOrder;

use array::FileArray;
use change::ChangeOption;
use form::FileForm;
use syntax::{FormatText, Include};
use texts::Problem;

/// `include_tensor!` for a target of this byte order.
pub(crate) fn include_tensor(input: TokenStream, target: ByteOrder) -> TokenStream {
    let parsed = syn::parse2(input).and_then(|Forwarded { krate, tokens }: Forwarded| {
        syn::parse2::<Include>(tokens.clone()).map(|include| (krate, tokens, include))
    });
    match parsed {
        // The macro that `named_format!` defined calls this one again, with the format instead of its name.
        Ok((_, tokens, Include { destination: WrittenLayout::Macro(name, rest), .. })) => {
            let before = before_layout(tokens);
            quote!(#name! { @include [#before] #rest })
        }
        Ok((krate, _, include)) => {
            try_include(&krate, &include, target).unwrap_or_else(|errors| match include.item {
                Some(_) => errors.into_items(),
                None => errors.into_expression(),
            })
        }
        Err(error) => error.into_compile_error(),
    }
}

fn try_include(
    krate: &TokenStream,
    include: &Include,
    target: ByteOrder,
) -> Result<TokenStream, Errors> {
    let Include { item, path, name, source, destination, .. } = include;
    let WrittenLayout::Layout(destination) = destination else {
        unreachable!("a macro as format is expanded, not read");
    };
    let mut destination = destination.clone();
    #[cfg(feature = "records")]
    if let Some(input) =
        Input::of_record([include.known.0.clone(), destination.clone()].into_iter().collect())
    {
        return match input.unknown_asked("include_tensor", &include.known.1) {
            Some(asked) => Ok(asked),
            None => record_file::included(krate, include, &input),
        };
    }
    let mut errors = Errors::default();
    let option = ChangeOption::take_from(&mut destination, &mut errors);
    let Some(model) = Model::new(destination, change::OPTIONS, &mut errors) else {
        return Err(errors);
    };
    let mut errors = errors.gate(Errors::default())?;
    let Some(layout) = form::layout(&model, &mut errors) else { return Err(errors) };
    let change = option.map(|option| option.over(layout.letters(), &mut errors));
    let needed = form::source_element(source, &mut errors);
    let mut errors = errors.gate(Errors::default())?;
    let (written, file, bytes) = file::read(path, layout.bytes())?;
    let array = file::array_of(include, &written, &bytes, needed, layout.element())?;
    let format = source.format.text.text.clone();
    if array.shape.is_none() && source.element.is_none() && change.is_some() {
        return Err(Errors::one(&source.format.tokens, texts::raw_element(array.path, &format)));
    }
    let axes = model.draft.template.axes().to_vec();
    let Some(form) = FileForm::new(&source.format, axes, array.is_fortran, &mut errors) else {
        return Err(errors);
    };
    let from =
        form.layout(array.element).map_err(|error| Errors::one(&source.format.tokens, error))?;
    check(&array, item.is_some(), &format, &from, &layout)
        .map_err(|message| Errors::one(path, message))?;
    let stored = array.stored.as_ref();
    if let (Some(item), Some(stored)) = (item, stored.filter(|stored| stored.is_activation)) {
        return Ok(expand::activation(item, stored, &file));
    }
    let packed = pack::pack(&array, &form, &layout, change.as_ref(), target);
    let at_change = change.as_ref().map_or(&source.format.tokens, |change| &change.tokens);
    let packed = packed.map_err(|problem| reported(problem, path, at_change))?;
    let stored = stored.filter(|_| change.is_none()).zip(item.as_ref());
    let quantized = stored.map(|(stored, item)| {
        let letter = letter(&source.format, stored.axis, &mut errors);
        expand::quantized(krate, item, stored, letter).map_err(|message| Errors::one(name, message))
    });
    let (item, quantized) = (item.as_ref(), quantized.transpose()?);
    Ok(expand::expand(krate, item, &model, &layout, &packed, quantized, &file))
}

/// The letter of an axis of the file, which is a digit of the format.
fn letter(format: &FormatText, axis: usize, errors: &mut Errors) -> Option<char> {
    format.format(errors)?.factors().get(axis)?.letter()
}

/// Puts a problem on the path or on the tokens at fault.
fn reported(problem: Problem, path: &LitStr, at_fault: &TokenStream) -> Errors {
    match problem {
        Problem::File(message) => Errors::one(path, message),
        Problem::Change(message) => Errors::one(at_fault, message),
        Problem::Layouts(error) => Errors::one(at_fault, error),
    }
}

/// Returns an error unless the array has the shape and the size of `from`. An activation has a shape alone, and only an
/// item takes it.
fn check(
    array: &FileArray<'_>,
    is_item: bool,
    format: &str,
    from: &Layout,
    layout: &Layout,
) -> Result<(), String> {
    if let Some(blocks) = array.blocks {
        return Err(texts::needs_record(array.path, blocks));
    }
    let is_activation = array.stored.as_ref().is_some_and(|stored| stored.is_activation);
    match is_activation {
        false => array.check(format, from, layout),
        true if !is_item => Err(texts::activation(array.path)),
        true if array.element != layout.element() => {
            Err(texts::element(array.path, array.element.name(), layout.element().name()))
        }
        true => array.check_shape(format, from, layout),
    }
}

/// Returns everything before the layout, up to the last `=>`.
fn before_layout(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is =
        |tree: &TokenTree, sign| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == sign);
    let arrow = tokens.windows(2).rposition(|pair| is(&pair[0], '=') && is(&pair[1], '>'));
    let end = arrow.map_or(0, |arrow| arrow + 2);
    tokens.into_iter().take(end).collect()
}
