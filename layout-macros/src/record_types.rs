//! Records as types: what `layout!` does with braces, and with the names that `record!` gives.

use layout_core::{Span, Writing};
use layout_records::{MacroRecord, RecordError};
use proc_macro2::{Delimiter, Literal, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Path, Token, bracketed};

use crate::errors::Errors;
use crate::model::argument;
use crate::model::{TokenText, is_sign};

/// The input of a macro: the records whose names have been looked up, then what the user wrote, such as a record.
pub(crate) struct Input {
    pub(crate) known: Vec<DeclaredRecord>,
    pub(crate) tokens: Vec<TokenTree>,
}

/// What the macro that `record!` makes says of a record.
#[derive(Clone)]
pub(crate) struct DeclaredRecord {
    path: TokenStream,
    fields: LitStr,
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut known = Vec::new();
        if input.peek(Token![@]) {
            input.parse::<Token![@]>()?;
            input.parse::<Ident>()?;
            let list;
            bracketed!(list in input);
            while !list.is_empty() {
                let declared;
                bracketed!(declared in list);
                let path;
                bracketed!(path in declared);
                known.push(DeclaredRecord { path: path.parse()?, fields: declared.parse()? });
            }
        }
        Ok(Self { known, tokens: input.parse::<TokenStream>()?.into_iter().collect() })
    }
}

impl Input {
    /// The fields of records by their names, as they are written.
    fn names(&self) -> Vec<(String, String)> {
        let name = |known: &DeclaredRecord| TokenText::of(known.path.clone()).text;
        self.known.iter().map(|known| (name(known), known.fields.value())).collect()
    }

    /// The first name of a record that is not known yet.
    fn unknown(&self) -> Option<Path> {
        let mut paths = Vec::new();
        find_paths(&self.tokens, &mut paths);
        let names = self.names();
        paths.into_iter().find(|path| {
            let text = TokenText::of(path.to_token_stream()).text;
            let is_known = names.iter().any(|(name, _)| *name == text);
            !is_known && layout_records::named(&text).is_err()
        })
    }

    /// The input, if it is a record.
    pub(crate) fn of_record(tokens: TokenStream) -> Option<Self> {
        let input: Self = syn::parse2(tokens).ok()?;
        content_at(&input.tokens)?;
        Some(input)
    }

    /// A call of the macro of the first name that is not known yet, which calls the macro `door` again with these tokens.
    pub(crate) fn unknown_asked(&self, door: &str, tokens: &TokenStream) -> Option<TokenStream> {
        let (path, door) = (self.unknown()?, format_ident!("{door}"));
        let known =
            self.known.iter().map(|DeclaredRecord { path, fields }| quote!([[#path] #fields]));
        Some(quote!(#path! { @#door [#path] [#(#known)*] #tokens }))
    }

    /// The text, and the record.
    pub(crate) fn read(&self) -> (TokenText, Result<MacroRecord, Errors>) {
        let text = TokenText::of(self.tokens.iter().cloned().collect());
        let names = self.names();
        let names: Vec<_> =
            names.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let record =
            MacroRecord::read(&text.text, &names).map_err(|error| on_tokens(&text, &error));
        (text, record)
    }

    /// The text, what is read of it, and the record, whose extents are all written as numbers.
    #[cfg(any(feature = "include", feature = "pictures"))]
    pub(crate) fn whole(&self) -> Result<(TokenText, MacroRecord, layout_records::Record), Errors> {
        let (text, record) = self.read();
        let (record, mut errors) = (record?, Errors::default());
        for (range, _) in
            record.extents.iter().flatten().filter(|extent| extent.1 != Writing::Literal)
        {
            let place = text.mark(Span { start: range.start, end: range.end });
            errors.on(place, crate::errors::RECORD_NUMBER);
        }
        errors.gate(())?;
        match record.template.with_extents(&[]) {
            Ok(whole) => Ok((text, record, whole)),
            Err(error) => Err(on_tokens(&text, &error)),
        }
    }

    /// The name, if all fields are those of one record with a name.
    pub(crate) fn only_name(&self) -> Option<&TokenStream> {
        let (path, _) = path_at(&self.tokens, content_at(&self.tokens)?)?;
        let text = TokenText::of(path.into_token_stream()).text;
        let at = self.names().iter().position(|(name, _)| *name == text)?;
        Some(&self.known[at].path)
    }
}

/// Where the content of a record begins in the tokens of `layout!`: braces or the name of a record, first or after the
/// extents. `None` if there is a layout.
pub(crate) fn content_at(tokens: &[TokenTree]) -> Option<usize> {
    let sign = |at: usize, sign| tokens.get(at).is_some_and(|token| is_sign(token, sign));
    let is_brace = |at: usize| matches!(tokens.get(at), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace);
    let begins = |at: usize| at >= 2 && sign(at - 1, ',') && sign(at - 2, '>');
    (0..tokens.len()).find(|&at| {
        let starts = at == 0 || begins(at);
        let is_name = begins(at) && path_at(tokens, at).is_some();
        is_name || is_brace(at) && (starts || at > 0 && is_format(&tokens[..at]))
    })
}

/// Whether the tokens are a format without extents.
fn is_format(tokens: &[TokenTree]) -> bool {
    let is_part = |token: &TokenTree| match token {
        TokenTree::Ident(_) | TokenTree::Literal(_) => true,
        TokenTree::Punct(punct) => matches!(punct.as_char(), '/' | ','),
        TokenTree::Group(_) => false,
    };
    tokens.iter().all(is_part)
}

/// The name of a record that begins at a token, `formats::Q4_0!` or `ggml::Q4_0`, and the token after it.
fn path_at(tokens: &[TokenTree], at: usize) -> Option<(Path, usize)> {
    let is_colon = |at: usize| tokens.get(at).is_some_and(|token| is_sign(token, ':'));
    let mut end = at;
    loop {
        if !matches!(tokens.get(end), Some(TokenTree::Ident(_))) {
            return None;
        }
        end += 1;
        if !is_colon(end) || !is_colon(end + 1) {
            break;
        }
        end += 2;
    }
    let path: TokenStream = tokens[at..end].iter().cloned().collect();
    // A record of the library has the same name in a text.
    let is_marked = tokens.get(end).is_some_and(|token| is_sign(token, '!'));
    let is_record = is_marked || layout_records::named(&TokenText::of(path.clone()).text).is_ok();
    is_record.then_some((syn::parse2(path).ok()?, end + is_marked as usize))
}

/// The names of records in tokens and in the groups among them.
fn find_paths(tokens: &[TokenTree], paths: &mut Vec<Path>) {
    let mut at = 0;
    while at < tokens.len() {
        if let TokenTree::Group(group) = &tokens[at] {
            find_paths(&group.stream().into_iter().collect::<Vec<_>>(), paths);
        }
        match path_at(tokens, at) {
            Some((path, end)) => {
                paths.push(path);
                at = end;
            }
            None => at += 1,
        }
    }
}

/// The type of a record, or the call of the macro of a name in it. `None` if the tokens are a layout.
pub(crate) fn record_type(
    krate: &TokenStream,
    tokens: &TokenStream,
) -> Option<Result<TokenStream, Errors>> {
    let input = Input::of_record(tokens.clone())?;
    if let Some(asked) = input.unknown_asked("layout", &input.tokens.iter().cloned().collect()) {
        return Some(Ok(asked));
    }
    let (text, record) = input.read();
    Some(record.map(|record| expanded(krate, &text, &record, input.only_name())))
}

/// The error of a text on its tokens.
pub(crate) fn on_tokens(text: &TokenText, error: &RecordError) -> Errors {
    let range = error.range().unwrap_or(0..text.text.len());
    let mut errors = Errors::default();
    errors.on(text.mark(Span { start: range.start, end: range.end }), error.message());
    errors
}

pub(crate) fn expanded(
    krate: &TokenStream,
    text: &TokenText,
    record: &MacroRecord,
    name: Option<&TokenStream>,
) -> TokenStream {
    let mut unknown = 0;
    let axes = record.template.axes();
    let extents = axes.iter().zip(&record.extents).map(|(axis, place)| {
        let letter = axis.letter;
        let extent = match (place, axis.extent.value()) {
            (_, Some(extent)) => Literal::usize_unsuffixed(extent).into_token_stream(),
            (Some((range, Writing::Expression)), None) => {
                argument(&text.tokens(Span { start: range.start, end: range.end }))
            }
            _ => {
                unknown += 1;
                return quote!(#krate::typed::Runtime<#letter>);
            }
        };
        quote!(#krate::typed::Extent<#letter, #extent>)
    });
    let extents: Vec<_> = extents.collect();
    let rank = Literal::usize_unsuffixed(axes.len());
    let name = name.map_or(quote!(()), |path| quote!(#path::Name));
    let words = words(krate, record.template.words());
    if unknown == 0 {
        return quote!(#krate::records::StaticRecord::<#name, (#(#extents,)*), #words, #rank>);
    }
    let unknown = Literal::usize_unsuffixed(unknown);
    quote!(#krate::records::MixedRecord::<#name, (#(#extents,)*), #words, #rank, #unknown>)
}

/// The numbers of a tree as a type: eight at a time, after those before them.
fn words(krate: &TokenStream, words: impl Iterator<Item = u128>) -> TokenStream {
    let words: Vec<_> = words.collect();
    words.chunks(8).fold(quote!(()), |before, chunk| {
        let numbers =
            (0..8).map(|at| Literal::u128_unsuffixed(chunk.get(at).copied().unwrap_or(0)));
        quote!(#krate::records::TreeWords<#before, #(#numbers),*>)
    })
}
