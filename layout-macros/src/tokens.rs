//! Tokens as text for layout-core's reader, and the tokens of a part of that text.

use std::ops::Range;

use layout_core::Span;
use proc_macro2::{Delimiter, Group, Punct, Spacing, Span as TokenSpan, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt};
use syn::LitStr;

/// Tokens and their text.
pub(crate) struct Text {
    pub(crate) text: String,
    nodes: Vec<Node>,
}

/// A token, or a group with its tokens.
struct Node {
    range: Range<usize>,
    tree: TokenTree,
    inner: Vec<Node>,
}

impl Text {
    /// Writes words and literals that follow one another with a space between them, and nothing around signs. A string
    /// at the start stands for its contents, as a format that Rust could not split into tokens.
    pub(crate) fn of(tokens: TokenStream) -> Self {
        let mut new = Self { text: String::new(), nodes: Vec::new() };
        new.nodes = new.write(tokens);
        new
    }

    fn write(&mut self, tokens: TokenStream) -> Vec<Node> {
        let nodes = tokens.into_iter().map(|tree| {
            let mut inner = Vec::new();
            let mut start = self.text.len();
            match &tree {
                TokenTree::Group(group) => {
                    let (open, close) = delimiters(group);
                    self.text.push_str(open);
                    inner = self.write(group.stream());
                    self.text.push_str(close);
                }
                TokenTree::Punct(punct) => self.text.push(punct.as_char()),
                TokenTree::Ident(_) | TokenTree::Literal(_) => {
                    if self.text.ends_with(is_of_word) {
                        self.text.push(' ');
                        start += 1;
                    }
                    let word = tree.to_string();
                    self.text.push_str(&match syn::parse2::<LitStr>(tree.to_token_stream()) {
                        Ok(text) if start == 0 => text.value(),
                        _ => word.strip_prefix("r#").unwrap_or(&word).to_owned(),
                    });
                }
            }
            Node { range: start..self.text.len(), tree, inner }
        });
        nodes.collect()
    }

    /// The tokens of a part.
    pub(crate) fn tokens(&self, span: Span) -> TokenStream {
        let mut tokens = TokenStream::new();
        take(&self.nodes, &(span.start..span.end), &mut tokens);
        tokens
    }

    /// Tokens at which an error about a part stands: one at its first token and one at its last.
    pub(crate) fn mark(&self, span: Span) -> TokenStream {
        let mut ends = Vec::new();
        spans(&self.nodes, &(span.start..span.end.max(span.start + 1)), &mut ends);
        if ends.is_empty() {
            // Something is missing at the end.
            spans(&self.nodes, &(0..self.text.len()), &mut ends);
            ends = ends.split_off(ends.len().saturating_sub(1));
        }
        let here = TokenSpan::call_site();
        let (first, last) = (ends.first().unwrap_or(&here), ends.last().unwrap_or(&here));
        let mut tokens = TokenStream::new();
        tokens.append_all([*first, *last].map(|span| {
            let mut punct = Punct::new('.', Spacing::Alone);
            punct.set_span(span);
            punct
        }));
        tokens
    }
}

fn is_of_word(last: char) -> bool {
    last.is_alphanumeric() || matches!(last, '_' | '"' | '\'')
}

fn delimiters(group: &Group) -> (&'static str, &'static str) {
    match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{", "}"),
        // A fragment of `macro_rules!`. One whose signs would end the value is put in braces.
        Delimiter::None => {
            let ends = |token: TokenTree| ['<', '>', ','].iter().any(|sign| is_sign(&token, *sign));
            if group.stream().into_iter().any(ends) { ("{", "}") } else { ("", "") }
        }
    }
}

/// The whole tokens in a range of the text. A group that is in it in part is taken apart.
fn take(nodes: &[Node], range: &Range<usize>, tokens: &mut TokenStream) {
    for node in nodes {
        if range.start <= node.range.start && node.range.end <= range.end {
            node.tree.to_tokens(tokens);
        } else if node.range.start < range.end && range.start < node.range.end {
            take(&node.inner, range, tokens);
        }
    }
}

/// The spans of the tokens that a range of the text touches, those of brackets one by one.
fn spans(nodes: &[Node], range: &Range<usize>, list: &mut Vec<TokenSpan>) {
    let touch = |own: Range<usize>, span: TokenSpan, list: &mut Vec<TokenSpan>| {
        if own.start < range.end && range.start < own.end {
            list.push(span);
        }
    };
    for Node { range: own, tree, inner } in nodes {
        match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                spans(inner, range, list);
            }
            TokenTree::Group(group) => {
                touch(own.start..own.start + 1, group.span_open(), list);
                spans(inner, range, list);
                touch(own.end - 1..own.end, group.span_close(), list);
            }
            tree => touch(own.clone(), tree.span(), list),
        }
    }
}

/// Whether a token is this sign.
pub(crate) fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// The tokens before the first `;`, and what follows it.
#[cfg(any(feature = "pictures", feature = "source"))]
pub(crate) fn before_options(tokens: &[TokenTree]) -> (&[TokenTree], TokenStream) {
    let end = tokens.iter().position(|token| is_sign(token, ';')).unwrap_or(tokens.len());
    let (subject, options) = tokens.split_at(end);
    (subject, options.iter().skip(1).cloned().collect())
}

/// The layout in the tokens, whose numbers are literals.
#[cfg(any(feature = "pictures", feature = "source"))]
pub(crate) fn layout(tokens: &[TokenTree]) -> syn::Result<layout_core::Layout> {
    let text = Text::of(tokens.iter().cloned().collect());
    layout_core::Layout::parse(&text.text).map_err(|error| {
        let std::ops::Range { start, end } = error.range();
        syn::Error::new_spanned(text.mark(Span { start, end }), error.message())
    })
}

/// The span from the first token to the last.
pub(crate) fn span_of(tokens: &impl ToTokens) -> TokenSpan {
    syn::Error::new_spanned(tokens, "").span()
}

/// The span of the last token.
#[cfg(feature = "arena")]
pub(crate) fn last_span_of(tokens: &impl ToTokens) -> TokenSpan {
    tokens.to_token_stream().into_iter().last().map_or_else(TokenSpan::call_site, |own| own.span())
}
