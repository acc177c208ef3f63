//! Numbers in `layout!`: literals, whose value is known here, and expressions, which const evaluation computes.

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Lit;

use crate::errors::{self, Errors};
use crate::parse::single;

/// A number that is a literal, or an expression.
pub(crate) struct Number<T> {
    /// The value, if the number is a valid literal.
    pub(crate) value: Option<T>,
    /// The number as an argument for a const parameter.
    pub(crate) tokens: TokenStream,
}

/// A number, or `_` for one that is known only at run time.
pub(crate) struct ExtentNumber {
    pub(crate) number: Number<usize>,
    /// Whether it is `_`.
    pub(crate) is_runtime: bool,
}

/// An extent: a literal, a const parameter, a const expression, or `_`.
pub(crate) fn extent(tokens: &TokenStream, errors: &mut Errors) -> ExtentNumber {
    let number = unsigned("extent", 1, tokens, errors);
    ExtentNumber { number, is_runtime: is_underscore(tokens) }
}

/// Parses a number of at least 0. The rules say whether 0 is allowed; `least` is their minimum, for error texts.
pub(crate) fn unsigned(
    what: &str,
    least: usize,
    tokens: &TokenStream,
    errors: &mut Errors,
) -> Number<usize> {
    let Some((negative, literal)) = literal(tokens) else {
        return Number { value: None, tokens: const_argument(tokens) };
    };
    let value = match &literal {
        Lit::Int(number) if !negative => match number.base10_parse::<usize>() {
            _ if !matches!(number.suffix(), "" | "usize") => {
                Err(errors::suffix(what, &spelled(tokens), number.suffix(), number.base10_digits()))
            }
            Ok(value) => Ok(value),
            Err(_) => Err(errors::past_usize(what, &spelled(tokens))),
        },
        _ => Err(errors::not_whole(what, least, &spelled(tokens))),
    };
    match value {
        Ok(value) => {
            let mut number = Literal::usize_unsuffixed(value);
            number.set_span(literal.span());
            Number { value: Some(value), tokens: number.to_token_stream() }
        }
        Err(message) => {
            errors.on(tokens, message);
            Number { value: None, tokens: tokens.clone() }
        }
    }
}

/// Parses a number that may be negative.
pub(crate) fn signed(what: &str, tokens: &TokenStream, errors: &mut Errors) -> Number<isize> {
    if is_underscore(tokens) {
        errors.on(tokens, errors::not_an_integer(what, "_"));
    }
    let Some((negative, literal)) = literal(tokens) else {
        return Number { value: None, tokens: const_argument(tokens) };
    };
    let value = match &literal {
        Lit::Int(number) if !matches!(number.suffix(), "" | "isize") => {
            Err(errors::suffix(what, &spelled(tokens), number.suffix(), number.base10_digits()))
        }
        Lit::Int(number) => {
            let sign = if negative { "-" } else { "" };
            let text = format!("{sign}{}", number.base10_digits());
            text.parse::<isize>().map_err(|_| errors::past_isize(what, &spelled(tokens)))
        }
        _ => Err(errors::not_an_integer(what, &spelled(tokens))),
    };
    let value = value.map_err(|message| errors.on(tokens, message)).ok();
    Number { value, tokens: tokens.clone() }
}

/// Returns a literal, and whether a minus precedes it. Groups around it are ignored.
pub(crate) fn literal(tokens: &TokenStream) -> Option<(bool, Lit)> {
    if let Some(TokenTree::Group(group)) = single(tokens) {
        return match group.delimiter() {
            Delimiter::Brace | Delimiter::Parenthesis => literal(&group.stream()),
            _ => None,
        };
    }
    let mut trees = ungrouped(tokens).into_iter().peekable();
    let negative = matches!(trees.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == '-');
    let rest: TokenStream = trees.skip(usize::from(negative)).collect();
    match single(&rest)? {
        TokenTree::Literal(literal) => Some((negative, Lit::new(literal))),
        TokenTree::Ident(name) if name == "true" || name == "false" => {
            Some((negative, Lit::Bool(syn::LitBool::new(name == "true", name.span()))))
        }
        _ => None,
    }
}

/// Returns tokens as an argument for a const parameter: in braces, so that a name is never taken for a type.
pub(crate) fn const_argument(tokens: &TokenStream) -> TokenStream {
    match single(tokens) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => silent(&group),
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
            let group = silent(&group);
            quote!({ #group })
        }
        _ => quote!({ #tokens }),
    }
}

/// Returns a group that no lint reports as unnecessary in the expansion. Its delimiters keep their position but
/// belong to the expansion.
fn silent(group: &Group) -> TokenStream {
    let mut new = Group::new(group.delimiter(), group.stream());
    new.set_span(Span::call_site().located_at(group.span()));
    new.into_token_stream()
}

/// Removes groups without delimiters around the tokens.
fn ungrouped(tokens: &TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => {
            ungrouped(&group.stream())
        }
        _ => tokens.clone(),
    }
}

/// Returns tokens as an error quotes them.
pub(crate) fn spelled(tokens: &TokenStream) -> String {
    tokens.to_string().replace("- ", "-")
}

fn is_underscore(tokens: &TokenStream) -> bool {
    single(tokens).is_some_and(|token| token.to_string() == "_")
}
