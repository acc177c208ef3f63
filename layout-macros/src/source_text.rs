//! `source!`: index functions as a string literal.

use layout_source::{Language, Source};
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Token;
use syn::punctuated::Punctuated;

use crate::model::{before_options, is_sign, layout};
use crate::parse::Forwarded;

/// What the macro takes, for errors.
const FORM: &str =
    "expected `LANGUAGE, NAME = LAYOUT`, such as `Wgsl, act = NCHW4<1, 8, 2, 2>, i8`";
const LANGUAGES: &str = "expected a language: `C`, `Cuda`, `OpenCl`, `Metal`, `Wgsl` or `Glsl`";
const OPTIONS: &str = "expected an option after `;`: `wide`, `strides` or `header`";

/// A literal with the text.
pub(crate) fn source(input: TokenStream) -> TokenStream {
    let text = syn::parse2(input).and_then(|Forwarded { tokens, .. }: Forwarded| text(tokens));
    match text {
        Ok(text) => Literal::string(&text).to_token_stream(),
        Err(error) => error.into_compile_error(),
    }
}

/// `LANGUAGE, NAME = LAYOUT; OPTIONS`
fn text(tokens: TokenStream) -> syn::Result<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let [TokenTree::Ident(language), comma, TokenTree::Ident(name), equals, rest @ ..] =
        &tokens[..]
    else {
        let span = tokens.first().map_or(Span::call_site(), TokenTree::span);
        return Err(syn::Error::new(span, FORM));
    };
    if !is_sign(comma, ',') || !is_sign(equals, '=') {
        return Err(syn::Error::new(comma.span(), FORM));
    }
    let (subject, options) = before_options(rest);
    let options =
        syn::parse::Parser::parse2(Punctuated::<Ident, Token![,]>::parse_terminated, options)?;
    let (text, language) = (name.to_string(), language_of(language)?);
    let mut source = Source::new(&text, layout(subject)?);
    let mut part = None;
    for option in options {
        match option.to_string().as_str() {
            "wide" => source = source.wide(),
            "strides" | "header" if part.is_none() => part = Some(option),
            "strides" | "header" => {
                let error = "this option and one before it are two texts; leave one of them out";
                return Err(syn::Error::new(option.span(), error));
            }
            _ => return Err(syn::Error::new(option.span(), OPTIONS)),
        }
    }
    let is_header = part.as_ref().is_some_and(|part| part == "header");
    let made = match part {
        None => source.functions(language).map(|text| text.to_string()),
        Some(_) if !is_header => source.strides(language).map(|text| text.to_string()),
        Some(_) if language == Language::C => source.header().map(|text| text.to_string()),
        Some(part) => {
            let error = "a header is in C; write `C`, or leave `header` out";
            return Err(syn::Error::new(part.span(), error));
        }
    };
    made.map_err(|error| syn::Error::new(name.span(), error))
}

fn language_of(name: &Ident) -> syn::Result<Language> {
    let has_name = |language: &Language| *name == format!("{language:?}");
    Language::ALL.into_iter().find(has_name).ok_or_else(|| syn::Error::new(name.span(), LANGUAGES))
}
