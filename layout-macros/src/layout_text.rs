//! Layouts in `picture!` and `source!`. The run-time parser of layouts reads the tokens as text, so each error can be
//! mapped back to a token.

use std::ops::Range;

use layout_core::Layout;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

/// Whether a token is this sign.
pub(crate) fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// The tokens before the first `;`, and what follows it.
pub(crate) fn before_options(tokens: &[TokenTree]) -> (&[TokenTree], TokenStream) {
    let end = tokens.iter().position(|token| is_sign(token, ';')).unwrap_or(tokens.len());
    let (subject, options) = tokens.split_at(end);
    (subject, options.iter().skip(1).cloned().collect())
}

/// Parses the layout in the tokens.
pub(crate) fn layout(tokens: &[TokenTree]) -> syn::Result<Layout> {
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
