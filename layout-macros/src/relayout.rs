//! `#[derive(Relayout)]`: functions that move a tensor between two layouts.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, DeriveInput, Expr, Ident, Meta, Path, Token, Type};

use crate::dependency;
use crate::errors::{self, Errors};
use crate::model::span_of;
use crate::parse::expect;
use crate::relayout_items::{RelayoutSides, expand};

impl Parse for RelayoutSides {
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
        let are_records = input.peek2(Token![,])
            && input.fork().parse().is_ok_and(|word: Ident| word == "records");
        if are_records {
            input.parse::<Ident>()?;
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
        let comma: Option<Token![,]> = input.parse()?;
        if comma.is_none() && !input.is_empty() {
            return Err(arrow_expected(input.span()));
        }
        if are_records && !input.is_empty() {
            return Err(syn::Error::new(input.span(), errors::RELAYOUT_RECORDS));
        }
        let conversion = if input.is_empty() { None } else { Some(parse_conversion(input)?) };
        let mut tokens = source.to_token_stream();
        arrow.to_tokens(&mut tokens);
        destination.to_tokens(&mut tokens);
        Ok(Self { krate, source, destination, conversion, are_records, tokens })
    }
}

/// Returns the crate by the name that its user gives it.
pub(crate) fn default_crate() -> Path {
    match dependency::name() {
        Some(name) => {
            let name = Ident::new(&name, Span::call_site());
            syn::parse_quote!(::#name)
        }
        None => syn::parse_quote!(::tensor_layout),
    }
}

/// Parses `convert = CONVERSION` with an optional comma.
fn parse_conversion(input: ParseStream<'_>) -> syn::Result<Expr> {
    let expected = |at| syn::Error::new(at, errors::RELAYOUT_CONVERT);
    let start = input.span();
    let name: Ident = expect(input, errors::RELAYOUT_CONVERT)?;
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

pub(crate) use crate::relayout_items::Memory;

pub(crate) fn derive(input: TokenStream, memory: Memory) -> Result<TokenStream, Errors> {
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
            Meta::List(_) => attribute.parse_args::<RelayoutSides>(),
            other => Err(syn::Error::new_spanned(other, errors::RELAYOUT_ARROW)),
        },
        [_, second, ..] => Err(syn::Error::new_spanned(second, errors::RELAYOUT_TWICE)),
    };
    match pair {
        Ok(pair) => errors.gate(expand(&input, &pair, memory)),
        Err(error) => {
            errors.push(error);
            Err(errors)
        }
    }
}
