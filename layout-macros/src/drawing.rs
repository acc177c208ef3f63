//! `picture!`: a picture as a string literal for documentation.
//!
//! The run-time parser of layouts reads the tokens as text, so each error can be mapped back to a token.

use std::ops::Range;

use layout_show::{Color, Picture};
use layout_types::Layout;
use layout_types::access::{Access, Banks};
use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, Token};

use crate::parse::Forwarded;

/// The options, for error texts.
const OPTIONS: &str = "expected an option after `;`: `memory`, `lanes`, `access = M`, `rows = C`, `columns = HW`, or \
    `color =` one of `block`, `order`, `lane` and `banks`";

/// Returns a literal with the picture as HTML that Markdown leaves unchanged.
pub(crate) fn picture(input: TokenStream) -> TokenStream {
    let picture = syn::parse2(input).and_then(|Forwarded { tokens, .. }| draw(tokens));
    match picture {
        Ok(picture) => {
            let svg = picture.to_svg();
            // In Markdown, a `<div>` begins a block of HTML and an empty line ends it. rustdoc drops one of the empty
            // lines.
            let html = format!("\n\n<div style=\"overflow-x:auto\">{svg}</div>\n\n\n");
            Literal::string(&html).to_token_stream()
        }
        Err(error) => error.into_compile_error(),
    }
}

/// `LAYOUT; OPTIONS` or `LAYOUT => LAYOUT; OPTIONS`.
fn draw(tokens: TokenStream) -> syn::Result<Picture> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |token: &TokenTree, sign| matches!(token, TokenTree::Punct(p) if p.as_char() == sign);
    let end = tokens.iter().position(|token| is(token, ';')).unwrap_or(tokens.len());
    let (subject, options) = tokens.split_at(end);
    let options: Options = syn::parse2(options.iter().skip(1).cloned().collect())?;
    let arrow = subject.windows(2).position(|pair| is(&pair[0], '=') && is(&pair[1], '>'));
    let picture = match arrow {
        Some(at) => {
            let (source, destination) = (layout(&subject[..at])?, layout(&subject[at + 2..])?);
            Picture::relayout(&source, &destination).map_err(|error| here(&error))?
        }
        None => options.picture(&layout(subject)?)?,
    };
    Ok(match options.color {
        Some(color) => picture.color(color),
        None => picture,
    })
}

/// Parses the layout in the tokens.
fn layout(tokens: &[TokenTree]) -> syn::Result<Layout> {
    let (mut text, mut spans) = (String::new(), Vec::new());
    write(tokens.iter().cloned().collect(), &mut text, &mut spans);
    Layout::parse(&text).map_err(|error| {
        let range = error.range();
        let hit = spans.iter().find(|(of, _)| of.end > range.start);
        let span = hit.map_or(Span::call_site(), |(_, span)| *span);
        syn::Error::new(span, error.message())
    })
}

/// Appends the tokens, separated by spaces, and records the position of each.
fn write(tokens: TokenStream, text: &mut String, spans: &mut Vec<(Range<usize>, Span)>) {
    let mut put = |piece: &str, span: Span, text: &mut String| {
        let start = text.len();
        text.push_str(piece);
        spans.push((start..text.len(), span));
    };
    let mut groups = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = delimiters(&group);
                put(open, group.span_open(), text);
                let mut inner = Vec::new();
                write(group.stream(), text, &mut inner);
                groups.append(&mut inner);
                put(close, group.span_close(), text);
            }
            // The colons of a path are not separated, and neither are a sign and its number.
            TokenTree::Punct(punct) => put(&punct.as_char().to_string(), punct.span(), text),
            token => {
                if text.ends_with(|last: char| last.is_alphanumeric() || last == '_' || last == ',')
                {
                    text.push(' ');
                }
                put(&token.to_string(), token.span(), text);
            }
        }
    }
    spans.append(&mut groups);
    spans.sort_by_key(|(range, _)| range.start);
}

fn delimiters(group: &Group) -> (&'static str, &'static str) {
    match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::None => ("", ""),
    }
}

#[derive(Default)]
struct Options {
    memory: bool,
    lanes: Option<Ident>,
    access: Option<Ident>,
    rows: Option<Ident>,
    columns: Option<Ident>,
    color: Option<Color>,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut options = Self::default();
        while !input.is_empty() {
            let name: Ident =
                input.parse().map_err(|error| syn::Error::new(error.span(), OPTIONS))?;
            let value = || {
                input.parse::<Token![=]>()?;
                input.parse::<Ident>()
            };
            match name.to_string().as_str() {
                "memory" => options.memory = true,
                "lanes" => options.lanes = Some(name),
                "access" => options.access = Some(value()?),
                "rows" => options.rows = Some(value()?),
                "columns" => options.columns = Some(value()?),
                "color" => options.color = Some(color(&value()?)?),
                _ => return Err(syn::Error::new(name.span(), OPTIONS)),
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

impl Options {
    fn picture(&self, layout: &Layout) -> syn::Result<Picture> {
        let letters = |axes: &Option<Ident>| axes.as_ref().map_or(String::new(), Ident::to_string);
        if let Some(name) = &self.lanes {
            let error = "the layout is not distributed over lanes; leave out `lanes`";
            return Picture::lanes(layout).ok_or_else(|| syn::Error::new(name.span(), error));
        }
        if let Some(axes) = &self.access {
            let access = Access::checked_of(layout, &axes.to_string());
            let access = access.map_err(|error| syn::Error::new(axes.span(), error))?;
            return Ok(Picture::access(&access, &Banks::NVIDIA));
        }
        match (&self.rows, &self.columns) {
            _ if self.memory => Ok(Picture::memory(layout)),
            (None, None) => Ok(Picture::of(layout)),
            (rows, columns) => {
                let span =
                    rows.as_ref().or(columns.as_ref()).map_or(Span::call_site(), Ident::span);
                Picture::with_axes(layout, &letters(rows), &letters(columns))
                    .map_err(|error| syn::Error::new(span, error))
            }
        }
    }
}

fn color(name: &Ident) -> syn::Result<Color> {
    match name.to_string().as_str() {
        "block" => Ok(Color::Blocks),
        "order" => Ok(Color::Order),
        "lane" => Ok(Color::Lane),
        "banks" => Ok(Color::Banks(Banks::NVIDIA)),
        _ => Err(syn::Error::new(name.span(), OPTIONS)),
    }
}

/// Returns an error on the whole call.
fn here(error: &impl ToString) -> syn::Error {
    syn::Error::new(Span::call_site(), error.to_string())
}
