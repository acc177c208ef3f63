//! `#[derive(Relayout)]`: a pair of layouts as functions over arrays.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, DeriveInput, Meta, Path, Token, Type};

use crate::errors::{self, Errors};

/// The content of `#[relayout(..)]`.
struct Pair {
    krate: Path,
    source: Type,
    destination: Type,
    /// `Source => Destination`, to point at.
    tokens: TokenStream,
}

impl Parse for Pair {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut krate = syn::parse_quote!(::tensor_layout);
        if input.peek(Token![crate]) && input.peek2(Token![=]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            krate = input.call(Path::parse_mod_style)?;
            input.parse::<Token![,]>()?;
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
        input.parse::<Option<Token![,]>>()?;
        if !input.is_empty() {
            return Err(arrow_expected(input.span()));
        }
        let mut tokens = source.to_token_stream();
        arrow.to_tokens(&mut tokens);
        destination.to_tokens(&mut tokens);
        Ok(Self { krate, source, destination, tokens })
    }
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
    let DeriveInput { ident, vis, .. } = input;
    let Pair { krate, source, destination, tokens } = pair;
    // A constant that no one uses is evaluated all the same: a mismatch of the two layouts is an
    // error even if nothing is ever moved, and stands on the pair.
    let (first, last) = ends_of(tokens);
    let function = quote_spanned!(first=> __plan::<__Source, __Destination>);
    let call = quote_spanned!(last=> ());
    // Where a side is not a layout, its tokens are what to point at.
    let from = quote_spanned!(span_of(source)=> __Source);
    let to = quote_spanned!(span_of(destination)=> __Destination);
    quote! {
        const _: () = {
            use #krate::__private::plan as __plan;
            const _: #krate::Plan = #function #call;
            type __Source = #source;
            type __Destination = #destination;
            const __SOURCE: ::core::primitive::usize =
                <#from as #krate::StaticLayout>::LAYOUT.units();
            const __DESTINATION: ::core::primitive::usize =
                <#to as #krate::StaticLayout>::LAYOUT.units();

            #[automatically_derived]
            impl #krate::Relayout for #ident {
                type Source = #from;
                type Destination = #to;
            }

            #[automatically_derived]
            impl #ident {
                /// How the tensor is moved.
                #[allow(dead_code)]
                #vis const PLAN: #krate::Plan = __plan::<__Source, __Destination>();

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

                /// The tensor in `source`, moved while the program compiles.
                #[allow(dead_code)]
                #vis const fn constant(
                    source: &[#krate::UnitOf<#from>; __SOURCE],
                ) -> [#krate::UnitOf<#to>; __DESTINATION] {
                    #krate::__private::constant::<Self, __SOURCE, __DESTINATION>(source)
                }
            }
        };
    }
}

/// The span from the first token to the last.
fn span_of(tokens: &impl ToTokens) -> Span {
    syn::Error::new_spanned(tokens, "").span()
}

/// The spans of the first token and of the last.
fn ends_of(tokens: &TokenStream) -> (Span, Span) {
    let mut spans = tokens.clone().into_iter().map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    (first, spans.last().unwrap_or(first))
}
