//! A checked model as Rust code.

use layout_core::ElementType;
use layout_core::spec::{Factor, Swizzling};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::Type;

use crate::element_type::element_type;
use crate::errors::Errors;
use crate::model::Model;
use crate::options::Options;
use crate::parse::{FormatName, Forwarded, Input, NamedFormat};
use crate::parts::{ModelElement, ModelFactor};
use crate::report::report;

/// `layout!`: parse, model, check, expand.
pub(crate) fn layout(input: TokenStream) -> TokenStream {
    match syn::parse2(input) {
        Ok(Forwarded { krate, tokens }) => {
            try_layout(&krate, tokens).unwrap_or_else(|errors| broken_type(&krate, errors))
        }
        Err(error) => error.into_compile_error(),
    }
}

fn try_layout(krate: &TokenStream, tokens: TokenStream) -> Result<TokenStream, Errors> {
    let input: Input = syn::parse2(tokens)?;
    if let FormatName::Macro(path, rest) = input.format {
        return Ok(quote!(#path! { #rest }));
    }
    let mut errors = Errors::default();
    let model = Model::new(krate, input, "", &mut errors);
    if let Some(model) = &model {
        report(model, &mut errors);
    }
    errors.gate(model.map(|model| layout_type(krate, &model)).unwrap_or_default())
}

/// Returns a layout type that contains the errors, so that uses of the type cause no further errors.
fn broken_type(krate: &TokenStream, errors: Errors) -> TokenStream {
    let errors = errors.into_items();
    quote!(#krate::Static::<::core::primitive::u8, (), (), { #errors }>)
}

/// Returns `Static`, or `Mixed` if some extents are written `_`.
pub(crate) fn layout_type(krate: &TokenStream, model: &Model) -> TokenStream {
    let element = element(krate, &model.element);
    let extents = model.axes.iter().map(|axis| {
        let (letter, extent) = (axis.letter, &axis.extent.number.tokens);
        match axis.extent.is_runtime {
            true => quote!(#krate::typed::Runtime<#letter>),
            false => quote!(#krate::typed::Extent<#letter, #extent>),
        }
    });
    let factors = model.factors.iter().map(|model| factor(krate, model));
    let mut order = quote!((#(#factors,)*));
    if let Some(pad) = &model.pad {
        let bits = &pad.bits;
        order = quote!(#krate::typed::Padded<#order, #bits>);
    }
    let rank = Literal::usize_unsuffixed(model.axes.len());
    let unknown = model.axes.iter().filter(|axis| axis.extent.is_runtime).count();
    // With `::` the tokens are a single path even in an expression, so there is only one error.
    if unknown == 0 {
        return quote!(#krate::Static::<#element, (#(#extents,)*), #order, #rank>);
    }
    let unknown = Literal::usize_unsuffixed(unknown);
    quote!(#krate::Mixed::<#element, (#(#extents,)*), #order, #rank, #unknown>)
}

/// The names of elements mean the types of `layout-types`, whatever is in scope.
fn element(krate: &TokenStream, element: &ModelElement) -> TokenStream {
    let ty = match (&element.known, &element.ty) {
        (Some(integer @ ElementType::Integer(_)), _) => element_type(krate, *integer),
        (Some(_), Type::Path(name)) => quote!(#krate::__private::elements::#name),
        (_, ty) => ty.to_token_stream(),
    };
    if element.is_high_first { quote!(#krate::HighFirst<#ty>) } else { ty }
}

fn factor(krate: &TokenStream, model: &ModelFactor) -> TokenStream {
    let number = |literal: TokenStream| model.number.clone().unwrap_or(literal);
    let marker = match model.factor {
        Factor::Axis(letter) => quote!(Axis<#letter>),
        Factor::Block(letter, size) => {
            let size = number(Literal::usize_unsuffixed(size).to_token_stream());
            quote!(Block<#letter, #size>)
        }
        Factor::Weighted(letter, size, weight) => {
            let size = Literal::usize_unsuffixed(size);
            let weight = Literal::usize_unsuffixed(weight);
            quote!(Weighted<#letter, #size, #weight>)
        }
        Factor::Align(bytes) => {
            let bytes = number(Literal::usize_unsuffixed(bytes).to_token_stream());
            quote!(Align<#bytes>)
        }
        Factor::Stride(letter, stride) => {
            let stride = number(Literal::isize_unsuffixed(stride).to_token_stream());
            quote!(Stride<#letter, { #stride }>)
        }
        Factor::Lanes(letter, lanes, _) => {
            let lanes = number(Literal::usize_unsuffixed(lanes).to_token_stream());
            let start = model.start.as_ref().map_or(quote!(0), |start| start.number.tokens.clone());
            quote!(Lanes<#letter, #lanes, #start>)
        }
        Factor::LaneArray(lanes) => {
            let lanes = number(Literal::usize_unsuffixed(lanes).to_token_stream());
            quote!(LaneArray<#lanes>)
        }
        Factor::Broadcast(letter) => quote!(Broadcast<#letter>),
        Factor::Swizzle(swizzling) => swizzle(swizzling, number),
    };
    quote!(#krate::typed::#marker)
}

/// The marker of a swizzle, whose numbers are `number` of these literals.
fn swizzle(swizzling: Swizzling, number: impl Fn(TokenStream) -> TokenStream) -> TokenStream {
    let unsigned = Literal::usize_unsuffixed;
    let three = |bits, base, shift| {
        let (bits, base) = (unsigned(bits), unsigned(base));
        let shift = Literal::isize_unsuffixed(shift);
        number(quote!(#bits, #base, { #shift }))
    };
    match swizzling {
        Swizzling::Elements(bits, base, shift) => {
            let numbers = three(bits, base, shift);
            quote!(Swizzle<#numbers>)
        }
        Swizzling::Bytes(bits, base, shift) => {
            let numbers = three(bits, base, shift);
            quote!(SwizzleBytes<#numbers>)
        }
        Swizzling::Phases(vec, per_phase, max_phase) => {
            let numbers = [vec, per_phase, max_phase].map(unsigned);
            let numbers = number(quote!(#(#numbers),*));
            quote!(SwizzlePhases<#numbers>)
        }
    }
}

/// `named_format!`: defines a macro that puts the format, or the layout, before its input and the options after it.
/// It does so for `layout!` and for `include_tensor!`, which cannot look up the name itself.
pub(crate) fn named_format(input: TokenStream) -> TokenStream {
    try_named_format(input).unwrap_or_else(Errors::into_items)
}

fn try_named_format(input: TokenStream) -> Result<TokenStream, Errors> {
    let Forwarded { krate, tokens } = syn::parse2(input)?;
    let NamedFormat { attributes, name, format, rest, options } = syn::parse2(tokens)?;
    let mut errors = Errors::default();
    if rest.is_empty() {
        if let Err((tokens, error)) = format.format() {
            errors.on(tokens, error);
        }
    } else {
        try_layout(&krate, quote!(#format #rest))?;
    }
    let written: Vec<_> = options.iter().map(|option| option.tokens.clone()).collect();
    let added = if written.is_empty() { quote!() } else { quote!(; #(, #written)*) };
    Options::new(options, "", &mut errors);
    errors.gate(quote! {
        #(#attributes)*
        #[allow(unused_macros)]
        macro_rules! #name {
            (@include [$($before:tt)*] $($rest:tt)*) => {
                #krate::include_tensor! { $($before)* #format #rest $($rest)* #added }
            };
            ($($rest:tt)*) => { #krate::layout! { #format #rest $($rest)* #added } };
        }
    })
}
