//! A checked model as Rust.

use layout_types::Format;
use layout_types::spec::Factor;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::Type;

use crate::check::check;
use crate::errors::Errors;
use crate::model::{Model, ModelElement, ModelFactor};
use crate::parse::{FormatName, Input, NamedFormat};

/// `layout!`: parse, model, check, expand.
pub(crate) fn layout(input: TokenStream) -> TokenStream {
    try_layout(input).unwrap_or_else(Errors::into_place)
}

fn try_layout(input: TokenStream) -> Result<TokenStream, Errors> {
    let input: Input = syn::parse2(input)?;
    if let FormatName::Macro(path, rest) = input.format {
        return Ok(quote!(#path! { #rest }));
    }
    let krate = input.krate.clone();
    let model = check(Model::new(input)?)?;
    Ok(static_type(&krate, &model))
}

fn static_type(krate: &TokenStream, model: &Model) -> TokenStream {
    let element = element(krate, &model.element);
    let extents = model.axes.iter().map(|axis| {
        let (letter, extent) = (axis.letter, &axis.extent.tokens);
        quote!(#krate::typed::Extent<#letter, #extent>)
    });
    let factors = model.factors.iter().map(|model| factor(krate, model));
    let mut order = quote!((#(#factors,)*));
    if let Some(pad) = &model.pad {
        let bits = &pad.bits;
        order = quote!(#krate::typed::Padded<#order, { use #krate::typed::fill; #bits }>);
    }
    let rank = Literal::usize_unsuffixed(model.axes.len());
    quote!(#krate::Static<#element, (#(#extents,)*), #order, #rank>)
}

/// Names of layout-types mean its types, whatever is in scope.
fn element(krate: &TokenStream, element: &ModelElement) -> TokenStream {
    match (&element.known, &element.ty) {
        (Some(_), Type::Path(name)) => quote!(#krate::__private::elements::#name),
        (_, ty) => ty.to_token_stream(),
    }
}

fn factor(krate: &TokenStream, model: &ModelFactor) -> TokenStream {
    let number = |literal: TokenStream| model.number.clone().unwrap_or(literal);
    let marker = match model.factor {
        Factor::Axis(letter) => quote!(Axis<#letter>),
        Factor::Block(letter, size) => {
            let size = number(Literal::usize_unsuffixed(size).to_token_stream());
            quote!(Block<#letter, #size>)
        }
        Factor::Align(bytes) => {
            let bytes = number(Literal::usize_unsuffixed(bytes).to_token_stream());
            quote!(Align<#bytes>)
        }
        Factor::Stride(letter, stride) => {
            let stride = number(Literal::isize_unsuffixed(stride).to_token_stream());
            quote!(Stride<#letter, { #stride }>)
        }
        Factor::Broadcast(letter) => quote!(Broadcast<#letter>),
    };
    quote!(#krate::typed::#marker)
}

/// `named_format!`: a macro that puts the format in front of what it is given.
pub(crate) fn named_format(input: TokenStream) -> TokenStream {
    try_named_format(input).unwrap_or_else(Errors::into_items)
}

fn try_named_format(input: TokenStream) -> Result<TokenStream, Errors> {
    let NamedFormat { krate, attributes, name, format } = syn::parse2(input)?;
    if let Err(error) = Format::parse(&format.to_string()) {
        let mut errors = Errors::default();
        errors.on(&format, error);
        return Err(errors);
    }
    Ok(quote! {
        #(#attributes)*
        #[allow(unused_macros)]
        macro_rules! #name {
            ($($rest:tt)*) => { #krate::layout! { #format $($rest)* } };
        }
    })
}
