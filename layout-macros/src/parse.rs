//! The syntax around layouts: the crate's path, formats that are macros, and the input of `named_format!`.

use std::fmt::Display;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
#[cfg(any(feature = "arena", feature = "chip"))]
use syn::parse::ParseBuffer;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, Path, Token, bracketed};
#[cfg(any(feature = "arena", feature = "chip"))]
use syn::{braced, parenthesized, token};

use crate::errors;

/// The input from the facade's `macro_rules!`: `[$crate]`, then what the user wrote.
pub(crate) struct Forwarded<T = TokenStream> {
    pub(crate) krate: TokenStream,
    pub(crate) tokens: T,
}

impl<T: Parse> Parse for Forwarded<T> {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        bracketed!(content in input);
        Ok(Self { krate: content.parse()?, tokens: input.parse()? })
    }
}

/// A layout as written.
pub(crate) enum WrittenLayout {
    Layout(TokenStream),
    /// A macro from `named_format!`, `TILED!`, and everything after it.
    Macro(Path, TokenStream),
}

impl Parse for WrittenLayout {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let is_path = input.peek2(Token![::]) || input.peek(Token![::]);
        if !is_path && !input.peek2(Token![!]) {
            return Ok(Self::Layout(input.parse()?));
        }
        let colons = input.fork();
        let path = input.call(Path::parse_mod_style).ok().filter(|_| input.peek(Token![!]));
        let Some(path) = path else {
            return Err(error_here(&colons, errors::TURBOFISH));
        };
        input.parse::<Token![!]>()?;
        Ok(Self::Macro(path, input.parse()?))
    }
}

/// The input of `named_format!`: `#[attributes] NAME = FORMAT, OPTIONS`, or a whole layout.
pub(crate) struct NamedFormat {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) name: Ident,
    /// The format, or the layout.
    pub(crate) layout: TokenStream,
    /// Options that follow a format alone, each after a comma.
    pub(crate) options: TokenStream,
    /// Whether it is a whole layout.
    pub(crate) has_extents: bool,
}

impl Parse for NamedFormat {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let expected = |input: ParseStream<'_>| error_here(input, errors::NAMED_FORMAT_EXPECTED);
        let name = input.parse().map_err(|_| expected(input))?;
        input.parse::<Token![=]>().map_err(|_| expected(input))?;
        if input.is_empty() {
            return Err(expected(input));
        }
        let (mut layout, mut options) = (TokenStream::new(), TokenStream::new());
        let mut has_extents = false;
        while !input.is_empty() && !input.peek(Token![;]) {
            has_extents |= input.peek(Token![<]) && options.is_empty();
            let is_option = !has_extents && (!options.is_empty() || input.peek(Token![,]));
            let token: TokenTree = input.parse()?;
            token.to_tokens(if is_option { &mut options } else { &mut layout });
        }
        input.parse::<Option<Token![;]>>()?;
        if !input.is_empty() {
            return Err(expected(input));
        }
        Ok(Self { attributes, name, layout, options, has_extents })
    }
}

/// Parses, or returns an error with this text.
pub(crate) fn expect<T: Parse>(input: ParseStream<'_>, text: &str) -> syn::Result<T> {
    let span = input.span();
    input.parse().map_err(|_| syn::Error::new(span, text))
}

/// The content of braces.
#[cfg(any(feature = "arena", feature = "chip"))]
pub(crate) fn braces<'a>(input: &ParseBuffer<'a>, text: &str) -> syn::Result<ParseBuffer<'a>> {
    let content;
    match input.peek(token::Brace) {
        true => braced!(content in input),
        false => return Err(syn::Error::new(input.span(), text)),
    };
    Ok(content)
}

/// The content of parentheses.
#[cfg(any(feature = "arena", feature = "chip"))]
pub(crate) fn parentheses<'a>(input: &ParseBuffer<'a>, text: &str) -> syn::Result<ParseBuffer<'a>> {
    let content;
    match input.peek(token::Paren) {
        true => parenthesized!(content in input),
        false => return Err(syn::Error::new(input.span(), text)),
    };
    Ok(content)
}

/// What follows a token, if that is there.
#[cfg(any(feature = "arena", feature = "chip"))]
pub(crate) fn after<S: Parse + token::Token, T: Parse>(
    input: ParseStream<'_>,
) -> syn::Result<Option<T>> {
    input.parse::<Option<S>>()?.map(|_| input.parse()).transpose()
}

/// Returns an error on the next token, or on the whole input at its end, without syn's own words.
fn error_here(input: ParseStream<'_>, message: impl Display) -> syn::Error {
    syn::Error::new(input.span(), format!("{message:#}"))
}
