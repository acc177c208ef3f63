//! `#[derive(Relayout)]`: a pair of layouts as functions over arrays.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, DeriveInput, Path, Token, Type};

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
        let source: Type = input.parse()?;
        let Ok(arrow) = input.parse::<Token![=>]>() else {
            return Err(syn::Error::new_spanned(source, errors::RELAYOUT_ARROW));
        };
        let destination: Type = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        if !input.is_empty() {
            return Err(input.error(errors::RELAYOUT_ARROW));
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
        [attribute] => attribute.parse_args::<Pair>(),
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
    // The plan is a constant of the user's own here, so that a mismatch is an error on the pair;
    // where a side is not a layout, its tokens are what to point at.
    let plan = quote_spanned! {span_of(tokens)=>
        const PLAN: #krate::Plan = #krate::__private::plan::<__Source, __Destination>();
    };
    let from = quote_spanned!(span_of(source)=> __Source);
    let to = quote_spanned!(span_of(destination)=> __Destination);
    quote! {
        const _: () = {
            type __Source = #source;
            type __Destination = #destination;
            const __SOURCE: usize = <#from as #krate::StaticLayout>::LAYOUT.units();
            const __DESTINATION: usize = <#to as #krate::StaticLayout>::LAYOUT.units();

            #[automatically_derived]
            impl #krate::Relayout for #ident {
                type Source = #from;
                type Destination = #to;
                #plan
            }

            #[automatically_derived]
            impl #ident {
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
fn span_of(tokens: &impl ToTokens) -> proc_macro2::Span {
    syn::Error::new_spanned(tokens, "").span()
}
