//! `#[derive(Relayout)]`: a pair of layouts as functions over arrays.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, DeriveInput, Expr, Ident, Meta, Path, Token, Type};

use crate::dependency;
use crate::errors::{self, Errors};
use crate::parse::span_of;

/// The content of `#[relayout(..)]`.
struct Pair {
    krate: Path,
    source: Type,
    destination: Type,
    /// What happens to elements that change their type.
    conversion: Option<Expr>,
    /// `Source => Destination`, to point at.
    tokens: TokenStream,
}

impl Parse for Pair {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let krate;
        if input.peek(Token![crate]) && input.peek2(Token![=]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            krate = input.call(Path::parse_mod_style)?;
            input.parse::<Token![,]>()?;
        } else {
            krate = default_crate();
        }
        if input.is_empty() {
            return Err(syn::Error::new(input.span(), errors::RELAYOUT_ARROW));
        }
        let source: Type = input.parse()?;
        let arrow_expected = |at: Span| syn::Error::new(at, errors::RELAYOUT_ARROW);
        let arrow: Token![=>] = match input.parse() {
            Ok(arrow) => arrow,
            Err(_) if input.is_empty() => return Err(arrow_expected(span_of(&source))),
            Err(_) => return Err(arrow_expected(input.span())),
        };
        if input.is_empty() {
            return Err(arrow_expected(arrow.span()));
        }
        let destination: Type = input.parse()?;
        let comma: Option<Token![,]> = input.parse()?;
        if comma.is_none() && !input.is_empty() {
            return Err(arrow_expected(input.span()));
        }
        let conversion = if input.is_empty() { None } else { Some(parse_conversion(input)?) };
        let mut tokens = source.to_token_stream();
        arrow.to_tokens(&mut tokens);
        destination.to_tokens(&mut tokens);
        Ok(Self { krate, source, destination, conversion, tokens })
    }
}

/// The crate by the name that its user gives it.
fn default_crate() -> Path {
    match dependency::name() {
        Some(name) => {
            let name = Ident::new(&name, Span::call_site());
            syn::parse_quote!(::#name)
        }
        None => syn::parse_quote!(::tensor_layout),
    }
}

/// `convert = CONVERSION`, and maybe a comma.
fn parse_conversion(input: ParseStream<'_>) -> syn::Result<Expr> {
    let expected = |at| syn::Error::new(at, errors::RELAYOUT_CONVERT);
    let start = input.span();
    let name: Ident = input.parse().map_err(|_| expected(start))?;
    if name != "convert" || !input.peek(Token![=]) {
        return Err(expected(start));
    }
    input.parse::<Token![=]>()?;
    if input.is_empty() {
        return Err(expected(start));
    }
    let conversion = input.parse()?;
    input.parse::<Option<Token![,]>>()?;
    if input.is_empty() { Ok(conversion) } else { Err(expected(input.span())) }
}

pub(crate) fn derive(input: TokenStream) -> TokenStream {
    try_derive(input).unwrap_or_else(Errors::into_items)
}

fn try_derive(input: TokenStream) -> Result<TokenStream, Errors> {
    let input: DeriveInput = syn::parse2(input)?;
    let mut errors = Errors::default();
    if !input.generics.params.is_empty() {
        errors.on(&input.generics, errors::RELAYOUT_GENERIC);
    }
    let attributes: Vec<&Attribute> =
        input.attrs.iter().filter(|attribute| attribute.path().is_ident("relayout")).collect();
    let pair = match attributes.as_slice() {
        [] => {
            errors.on(&input.ident, errors::RELAYOUT_ATTRIBUTE);
            return Err(errors);
        }
        [attribute] => match &attribute.meta {
            Meta::List(_) => attribute.parse_args::<Pair>(),
            other => Err(syn::Error::new_spanned(other, errors::RELAYOUT_ARROW)),
        },
        [_, second, ..] => Err(syn::Error::new_spanned(second, errors::RELAYOUT_TWICE)),
    };
    match pair {
        Ok(pair) => errors.gate(expand(&input, &pair)),
        Err(error) => {
            errors.push(error);
            Err(errors)
        }
    }
}

fn expand(input: &DeriveInput, pair: &Pair) -> TokenStream {
    let ident = &input.ident;
    let Pair { krate, source, destination, conversion, tokens } = pair;
    // A constant that no one uses is evaluated all the same: a mismatch of the two layouts is an
    // error even if nothing is ever moved, and stands on the pair.
    let (first, _) = ends_of(tokens);
    let function = quote_spanned!(first=> __plan::<__Source, __Destination>);
    // Where a side is not a layout, its tokens are what to point at.
    let from = quote_spanned!(span_of(source)=> __Source);
    let to = quote_spanned!(span_of(destination)=> __Destination);
    let (definitions, functions) = match conversion {
        None => expand_move(input, pair, (&function, &from, &to)),
        Some(conversion) => expand_conversion(input, pair, conversion, (&function, &from, &to)),
    };
    quote! {
        const _: () = {
            type __Source = #source;
            type __Destination = #destination;
            const __SOURCE: ::core::primitive::usize =
                <#from as #krate::StaticLayout>::LAYOUT.units();
            const __DESTINATION: ::core::primitive::usize =
                <#to as #krate::StaticLayout>::LAYOUT.units();

            #definitions

            #[automatically_derived]
            impl #ident {
                #functions
            }
        };
    }
}

/// What a pair whose elements keep their type has: the items of its plan, and its functions.
fn expand_move(
    input: &DeriveInput,
    pair: &Pair,
    (function, from, to): (&TokenStream, &TokenStream, &TokenStream),
) -> (TokenStream, TokenStream) {
    let DeriveInput { ident, vis, .. } = input;
    let krate = &pair.krate;
    let (_, last) = ends_of(&pair.tokens);
    let call = quote_spanned!(last=> ());
    let definitions = quote! {
        use #krate::__private::plan as __plan;
        const __PLAN: #krate::Plan = #function #call;

        #[automatically_derived]
        impl #krate::Relayout for #ident {
            type Source = #from;
            type Destination = #to;
            const PLAN: &'static #krate::Plan = &__PLAN;
        }
    };
    let functions = quote! {
        /// How the tensor is moved.
        #[allow(dead_code)]
        #vis const PLAN: #krate::Plan = __PLAN;

        /// Moves the tensor in `source` to `destination`, padding included. Nothing can
        /// fail: the lengths, in units, are part of the types.
        #[inline]
        #[allow(dead_code)]
        #vis fn run(
            source: &[#krate::UnitOf<#from>; __SOURCE],
            destination: &mut [#krate::UnitOf<#to>; __DESTINATION],
        ) {
            #krate::__private::run::<Self, __SOURCE, __DESTINATION>(source, destination)
        }

        /// Moves the tensor in `buffer` to the other layout in the same place. A pair that does
        /// not just permute elements is a compile error.
        #[inline]
        #[allow(dead_code)]
        #vis fn run_in_place(buffer: &mut [#krate::UnitOf<#to>; __DESTINATION]) {
            #krate::__private::run_in_place::<Self, __DESTINATION>(buffer)
        }

        /// The tensor in `source`, moved while the program compiles.
        #[inline]
        #[allow(dead_code)]
        #vis const fn constant(
            source: &[#krate::UnitOf<#from>; __SOURCE],
        ) -> [#krate::UnitOf<#to>; __DESTINATION] {
            #krate::__private::constant::<Self, __SOURCE, __DESTINATION>(source)
        }
    };
    (definitions, functions)
}

/// What a pair with a conversion has in place of what other pairs have.
fn expand_conversion(
    input: &DeriveInput,
    pair: &Pair,
    conversion: &Expr,
    (function, from, to): (&TokenStream, &TokenStream, &TokenStream),
) -> (TokenStream, TokenStream) {
    let DeriveInput { ident, vis, .. } = input;
    let krate = &pair.krate;
    let call = quote_spanned!(span_of(conversion)=> (&__CONVERSION));
    let elements = quote! {
        <__Source as #krate::LayoutType>::Element, <__Destination as #krate::LayoutType>::Element
    };
    let definitions = quote! {
        use #krate::__private::conversion_plan as __plan;
        const __CONVERSION: #krate::Conversion<'static> = #conversion;
        const __PLAN: #krate::ConversionPlan<'static, #elements> = #function #call;

        #[automatically_derived]
        impl #krate::__private::Converts<#elements> for #ident {
            const PLAN: #krate::ConversionPlan<'static, #elements> = __PLAN;
        }

        #[automatically_derived]
        impl #krate::Relayout for #ident {
            type Source = #from;
            type Destination = #to;

            fn run_slices(
                source: &[#krate::UnitOf<#from>],
                destination: &mut [#krate::UnitOf<#to>],
            ) -> ::core::result::Result<(), #krate::LayoutError> {
                #krate::convert(const { &__PLAN }, source, destination)
            }
        }
    };
    let functions = quote! {
        /// How the tensor is moved and its elements converted.
        #[allow(dead_code)]
        #vis const PLAN: #krate::ConversionPlan<'static, #elements> = __PLAN;

        /// Moves the tensor in `source` to `destination` and converts its elements, padding
        /// included. Nothing can fail: the lengths, in units, are part of the types.
        #[inline]
        #[allow(dead_code)]
        #vis fn run(
            source: &[#krate::UnitOf<#from>; __SOURCE],
            destination: &mut [#krate::UnitOf<#to>; __DESTINATION],
        ) {
            #krate::__private::run_conversion::<Self, #elements, __SOURCE, __DESTINATION>(
                source,
                destination,
            )
        }
    };
    (definitions, functions)
}

/// The spans of the first token and of the last.
fn ends_of(tokens: &TokenStream) -> (Span, Span) {
    let mut spans = tokens.clone().into_iter().map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    (first, spans.last().unwrap_or(first))
}
