//! Tokens to syntax: what was written, each part with its tokens, without judging it.

use std::fmt::Display;

use layout_core::{Format, LayoutError};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, Ident, Lit, Path, Token, Type, bracketed, parenthesized, token};

use crate::errors;

/// The input from the facade's `macro_rules!`: `[$crate]`, then what the user wrote.
pub(crate) struct Forwarded {
    pub(crate) krate: TokenStream,
    pub(crate) tokens: TokenStream,
}

/// The input of `layout!`: `FORMAT<EXTENTS>, ELEMENT, OPTIONS`.
pub(crate) struct Input {
    pub(crate) format: FormatName,
    pub(crate) extents: Extents,
    pub(crate) element: Type,
    pub(crate) options: Vec<LayoutOption>,
}

/// A format as written: letters and blocks, or a name from the table. A leading block makes it a literal with a
/// suffix, `4cNHW`. Weights of blocks take several tokens, `RC32r4r/32 4c`. Formats that Rust cannot tokenize are
/// quoted, `"4eABCDE"`.
#[derive(Clone)]
pub(crate) struct FormatTokens {
    pub(crate) tokens: TokenStream,
    /// The text for `Format::parse`.
    pub(crate) text: String,
    /// Where each token ends in the text.
    ends: Vec<usize>,
}

impl ToTokens for FormatTokens {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.tokens.to_tokens(tokens);
    }
}

/// What is written where a format is expected.
pub(crate) enum FormatName {
    Letters(FormatTokens),
    /// A macro from `named_format!`, `TILED!`, and everything after it.
    Macro(Path, TokenStream),
}

impl ToTokens for FormatName {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Letters(format) => format.to_tokens(tokens),
            Self::Macro(path, _) => path.to_tokens(tokens),
        }
    }
}

/// `<2, 64, 3, 3>` or `<N = 2, ..>`. It has no tokens if there are no extents, as for `SCALAR`.
pub(crate) struct Extents {
    /// Everything from `<` to `>`.
    pub(crate) tokens: TokenStream,
    pub(crate) list: Vec<Argument>,
}

/// A value that may have a name: `64`, `C = 64`.
pub(crate) struct Argument {
    pub(crate) name: Option<Ident>,
    pub(crate) value: TokenStream,
}

pub(crate) struct LayoutOption {
    pub(crate) name: Path,
    pub(crate) value: OptionValue,
    /// The whole option.
    pub(crate) tokens: TokenStream,
}

pub(crate) enum OptionValue {
    /// `pad`
    None,
    /// `pad = 1`
    Expression(TokenStream),
    /// `strides = [1, 2]`
    List { tokens: TokenStream, values: Vec<Argument> },
    /// `align(H = 64)`, `broadcast(N)`
    Arguments(Vec<Argument>),
}

/// The input of `named_format!`: `#[attributes] NAME = FORMAT, OPTIONS`, or a whole layout.
pub(crate) struct NamedFormat {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) name: Ident,
    pub(crate) format: FormatTokens,
    /// What follows the format of a whole layout: extents, element type and options.
    pub(crate) rest: TokenStream,
    /// Options that follow a format alone.
    pub(crate) options: Vec<LayoutOption>,
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let format: FormatName = input.parse()?;
        if let FormatName::Macro(..) = format {
            let extents = Extents { tokens: TokenStream::new(), list: Vec::new() };
            let element = syn::parse_quote!(());
            return Ok(Self { format, extents, element, options: Vec::new() });
        }
        if let (FormatName::Letters(written), false) = (&format, input.peek(Token![<])) {
            // An element type instead of extents.
            let second = written.tokens.clone().into_iter().nth(1);
            if let (Some(second), false) = (second, written.text.contains('/')) {
                return Err(error_on(second, errors::EXTENTS_EXPECTED));
            }
        }
        let extents: Extents = input.parse()?;
        if !input.is_empty() && !input.peek(Token![,]) {
            let expected = match extents.tokens.is_empty() {
                true => errors::EXTENTS_EXPECTED,
                false => errors::ELEMENT_EXPECTED,
            };
            return Err(error_here(input, expected));
        }
        let comma: Option<Token![,]> = input.parse()?;
        if comma.is_none() || input.is_empty() || input.peek(Token![,]) {
            let mut all = format.to_token_stream();
            extents.tokens.to_tokens(&mut all);
            comma.to_tokens(&mut all);
            return Err(error_on(all, errors::ELEMENT_EXPECTED));
        }
        let expected = error_here(
            input,
            match extents.tokens.is_empty() {
                true => errors::EXTENTS_EXPECTED,
                false => errors::ELEMENT_EXPECTED,
            },
        );
        let element = input.parse().map_err(|_| expected)?;
        let own = parse_options(input)?;
        // The options of a named format follow `;`. They come first.
        let mut options = Vec::new();
        if input.peek(Token![;]) {
            if !input.peek2(Token![,]) {
                return Err(error_here(input, errors::OPTION_EXPECTED));
            }
            input.parse::<Token![;]>()?;
            options = parse_options(input)?;
        }
        options.extend(own);
        Ok(Self { format, extents, element, options })
    }
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
        let format = parse_letters(input)?;
        let mut rest = TokenStream::new();
        if input.peek(Token![<]) {
            while !input.is_empty() && !input.peek(Token![;]) {
                input.parse::<TokenTree>()?.to_tokens(&mut rest);
            }
        }
        if !input.is_empty() && !input.peek(Token![;]) && !input.peek(Token![,]) {
            return Err(expected(input));
        }
        let options = parse_options(input)?;
        input.parse::<Option<Token![;]>>()?;
        if !input.is_empty() {
            return Err(expected(input));
        }
        Ok(Self { attributes, name, format, rest, options })
    }
}

/// Parses options, each after a comma, up to the end or `;`.
fn parse_options(input: ParseStream<'_>) -> syn::Result<Vec<LayoutOption>> {
    let mut options = Vec::new();
    while !input.is_empty() && !input.peek(Token![;]) {
        if input.parse::<Option<Token![,]>>()?.is_none() {
            return Err(error_here(input, errors::OPTION_EXPECTED));
        }
        if !input.is_empty() && !input.peek(Token![;]) {
            options.push(input.parse()?);
        }
    }
    Ok(options)
}

/// Returns an error on the next token, or on the whole input at its end, without syn's own words.
fn error_here(input: ParseStream<'_>, message: impl Display) -> syn::Error {
    syn::Error::new(input.span(), format!("{message:#}"))
}

/// Returns an error on tokens.
fn error_on(tokens: impl ToTokens, message: impl Display) -> syn::Error {
    syn::Error::new_spanned(tokens, format!("{message:#}"))
}

impl Parse for Forwarded {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        bracketed!(content in input);
        Ok(Self { krate: content.parse()?, tokens: input.parse()? })
    }
}

impl Parse for FormatName {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek2(Token![!]) || input.peek2(Token![::]) || input.peek(Token![::]) {
            let colons = input.fork();
            let path = input.call(Path::parse_mod_style).ok().filter(|_| input.peek(Token![!]));
            let Some(path) = path else {
                return Err(error_here(&colons, errors::TURBOFISH));
            };
            input.parse::<Token![!]>()?;
            return Ok(Self::Macro(path, input.parse()?));
        }
        parse_letters(input).map(Self::Letters)
    }
}

/// Parses the tokens of a format, up to the first that cannot be one.
pub(crate) fn parse_letters(input: ParseStream<'_>) -> syn::Result<FormatTokens> {
    if input.is_empty() {
        return Err(error_here(input, errors::FORMAT_EXPECTED));
    }
    let first: TokenTree = input.parse()?;
    let mut format = match single(&first.to_token_stream()) {
        Some(token @ (TokenTree::Ident(_) | TokenTree::Literal(_))) => FormatTokens::of(&token),
        _ => return Err(error_on(first, errors::FORMAT_EXPECTED)),
    };
    while input.peek(Token![/]) || input.peek(Ident::peek_any) || input.peek(Lit) {
        let token: TokenTree = input.parse()?;
        let is_apart = !matches!(token, TokenTree::Punct(_)) && !format.text.ends_with('/');
        format.text.push_str(if is_apart { " " } else { "" });
        format.text.push_str(&token.to_string());
        format.ends.push(format.text.len());
        token.to_tokens(&mut format.tokens);
    }
    Ok(format)
}

impl FormatTokens {
    fn of(token: &TokenTree) -> Self {
        let text = match syn::parse2(token.to_token_stream()) {
            Ok(Lit::Str(text)) => text.value(),
            _ => token.to_string(),
        };
        let text = text.strip_prefix("r#").unwrap_or(&text).to_owned();
        Self { tokens: token.to_token_stream(), ends: vec![text.len()], text }
    }

    /// Returns the format, or the error and the tokens that it is about.
    pub(crate) fn format(&self) -> Result<Format, (TokenStream, LayoutError)> {
        Format::parse_at(&self.text).map_err(|(error, (first, last))| {
            let is_before = |byte: usize| self.ends.iter().take_while(|end| **end <= byte).count();
            let (skipped, end) = (is_before(first), is_before(last) + 1);
            (self.tokens.clone().into_iter().take(end).skip(skipped).collect(), error)
        })
    }
}

impl Parse for Extents {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut tokens = TokenStream::new();
        let mut list = Vec::new();
        if input.peek(Token![<]) {
            input.parse::<Token![<]>()?.to_tokens(&mut tokens);
            while !input.peek(Token![>]) {
                if input.is_empty() {
                    return Err(error_on(tokens, errors::NOT_CLOSED));
                }
                let argument = Argument::parse_until(input, |input| input.peek(Token![>]))?;
                argument.to_tokens(&mut tokens);
                list.push(argument);
                if let Some(comma) = input.parse::<Option<Token![,]>>()? {
                    comma.to_tokens(&mut tokens);
                }
            }
            input.parse::<Token![>]>()?.to_tokens(&mut tokens);
        }
        Ok(Self { tokens, list })
    }
}

impl Argument {
    /// Parses up to a comma, the end, or where `ends` returns true.
    fn parse_until(
        input: ParseStream<'_>,
        ends: impl Fn(ParseStream<'_>) -> bool,
    ) -> syn::Result<Self> {
        let named = input.peek(syn::Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
        let name = if named {
            let name = input.parse()?;
            input.parse::<Token![=]>()?;
            Some(name)
        } else {
            None
        };
        let mut value = TokenStream::new();
        while !input.is_empty() && !input.peek(Token![,]) && !ends(input) {
            // Two neighboring literals are two values.
            if input.cursor().literal().is_some() && ends_in_literal(&value) {
                return Err(error_here(input, errors::COMMA_EXPECTED));
            }
            input.parse::<TokenTree>()?.to_tokens(&mut value);
        }
        if value.is_empty() {
            return Err(error_here(input, errors::VALUE_EXPECTED));
        }
        // A literal goes into the expansion unchanged.
        let is_literal = matches!(single(&value), Some(TokenTree::Literal(_)));
        if !is_literal && syn::parse2::<Expr>(value.clone()).is_err() {
            return Err(error_on(value, errors::VALUE_EXPECTED));
        }
        Ok(Self { name, value })
    }

    /// Parses all arguments, separated by commas.
    fn parse_all(input: ParseStream<'_>) -> syn::Result<Vec<Self>> {
        let mut list = Vec::new();
        while !input.is_empty() {
            list.push(Self::parse_until(input, |_| false)?);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(list)
    }
}

impl ToTokens for Argument {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        if let Some(name) = &self.name {
            name.to_tokens(tokens);
            <Token![=]>::default().to_tokens(tokens);
        }
        self.value.to_tokens(tokens);
    }
}

impl Parse for LayoutOption {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let Ok(name) = input.call(Path::parse_mod_style) else {
            return Err(error_here(input, errors::OPTION_EXPECTED));
        };
        let mut tokens = name.to_token_stream();
        let value = if input.peek(token::Paren) {
            let content;
            let group = input.fork().parse::<TokenTree>()?;
            parenthesized!(content in input);
            group.to_tokens(&mut tokens);
            OptionValue::Arguments(Argument::parse_all(&content)?)
        } else if input.peek(Token![=]) {
            let equals = input.parse::<Token![=]>()?;
            equals.to_tokens(&mut tokens);
            if input.peek(token::Bracket) {
                let content;
                let group = input.fork().parse::<TokenTree>()?;
                bracketed!(content in input);
                group.to_tokens(&mut tokens);
                let values = Argument::parse_all(&content)?;
                OptionValue::List { tokens: group.to_token_stream(), values }
            } else if is_end(input) {
                return Err(error_on(equals, errors::VALUE_EXPECTED));
            } else {
                let value = Argument::parse_until(input, |input| input.peek(Token![;]))?.value;
                value.to_tokens(&mut tokens);
                OptionValue::Expression(value)
            }
        } else {
            OptionValue::None
        };
        if !is_end(input) {
            return Err(error_here(input, errors::OPTION_EXPECTED));
        }
        Ok(Self { name, value, tokens })
    }
}

/// Whether an option ends here.
fn is_end(input: ParseStream<'_>) -> bool {
    input.is_empty() || input.peek(Token![,]) || input.peek(Token![;])
}

fn ends_in_literal(tokens: &TokenStream) -> bool {
    matches!(tokens.clone().into_iter().last(), Some(TokenTree::Literal(_)))
}

/// Returns the only token inside groups without delimiters, which a `macro_rules!` fragment creates.
pub(crate) fn single(tokens: &TokenStream) -> Option<TokenTree> {
    let mut trees = tokens.clone().into_iter();
    match (trees.next()?, trees.next()) {
        (TokenTree::Group(group), None) if group.delimiter() == Delimiter::None => {
            single(&group.stream())
        }
        (tree, None) => Some(tree),
        _ => None,
    }
}

/// Returns the span from the first token to the last.
pub(crate) fn span_of(tokens: &impl ToTokens) -> Span {
    syn::Error::new_spanned(tokens, "").span()
}

/// Returns a path as it is written.
pub(crate) fn name_of(path: &Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}
