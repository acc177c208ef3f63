//! A layout as written: its tokens as text for layout-core's reader, the draft of that text, and its errors on their tokens.

use crate::errors::{self, Errors};
use layout_core::chip::Step;
use layout_core::spec::{AxisExtent, Factor, Rule, Spec, Subject, Swizzling};
use layout_core::{Assembly, Draft, ElementType, Layout, LayoutError, Place, Site, Span, Writing};
use proc_macro2::{Delimiter, Group, Punct, Spacing, Span as TokenSpan, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt, quote};
use std::ops::Range;
use syn::{Expr, LitStr};

/// A layout that breaks no rule, as far as that is known without const evaluation.
pub(crate) struct Model {
    pub(crate) text: TokenText,
    pub(crate) draft: Draft,
    pub(crate) assembly: Assembly,
}

impl Model {
    /// Reads a layout, and reports all that is wrong with it. `others` lists options of this macro that `layout!` does
    /// not have, for error texts.
    pub(crate) fn new(tokens: TokenStream, others: &str, errors: &mut Errors) -> Option<Self> {
        if let Some((format, message)) = errors::format_like_a_number(&tokens) {
            errors.on(&format, message);
            return None;
        }
        let text = TokenText::of(tokens);
        let (parts, faults) = parts(&text.text);
        for (error, span) in &faults {
            errors.on(text.mark(*span), errors::with_options(error, others));
        }
        let (draft, assembly) = parts?;
        Some(Self { text, draft, assembly })
    }

    /// Reports an error on a part.
    #[cfg(feature = "include")]
    pub(crate) fn report(&self, site: Site, message: impl std::fmt::Display, errors: &mut Errors) {
        errors.on(self.text.mark(self.draft.span(site)), message);
    }

    /// The element type, or `None` for a type of the user's own.
    pub(crate) fn element(&self) -> Option<ElementType> {
        (!self.draft.written(Site::Element).is_expression())
            .then_some(self.draft.template.element())
    }

    /// The numbers that only const evaluation knows.
    #[cfg(feature = "include")]
    pub(crate) fn unknown(&self) -> impl Iterator<Item = Span> {
        let extents = self.draft.template.axes().iter();
        let extents = extents.map(|axis| self.draft.written(Site::Extent(axis.letter)));
        let parts = LayoutParts { draft: &self.draft, assembly: &self.assembly };
        let factors = (0..self.assembly.factors().len()).flat_map(move |i| parts.places(i));
        let all = extents.chain(factors).chain([self.draft.places.fill_value]);
        all.filter(|place| place.writing != Writing::Literal).map(|place| place.span)
    }

    /// An extent as an argument of a const parameter, or `None` if it is `_`.
    pub(crate) fn extent(&self, axis: &AxisExtent) -> Option<TokenStream> {
        let place = self.draft.written(Site::Extent(axis.letter));
        match (place.writing, axis.extent.value()) {
            (Writing::Open, _) => None,
            (Writing::Literal, Some(extent)) => {
                let mut number = proc_macro2::Literal::usize_unsuffixed(extent);
                let first = self.text.mark(place.span).into_iter().next();
                number.set_span(first.map_or(TokenSpan::call_site(), |token| token.span()));
                Some(number.to_token_stream())
            }
            _ => Some(self.argument(place)),
        }
    }

    /// An expression as an argument of a const parameter.
    pub(crate) fn argument(&self, place: Place) -> TokenStream {
        argument(&self.text.tokens(place.span))
    }

    /// A number as an argument of a const parameter, if it is an expression.
    pub(crate) fn expression(&self, site: Site) -> Option<TokenStream> {
        let place = self.draft.written(site);
        place.is_expression().then(|| self.argument(place))
    }
}

/// An expression as an argument of a const parameter: in braces, so that a name is never taken for a type.
pub(crate) fn argument(tokens: &TokenStream) -> TokenStream {
    if let Some(error) = errors::unless::<Expr>(tokens, errors::NOT_AN_EXPRESSION) {
        return quote!({ #error });
    }
    match single(tokens) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => silent(&group),
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
            let group = silent(&group);
            quote!({ #group })
        }
        _ => quote!({ #tokens }),
    }
}

/// A mistake, and the part of the text that has it.
pub(crate) type Fault = (LayoutError, Span);

/// The draft of a text and its factors, and all that is wrong with it, in the order of the text.
pub(crate) fn parts(text: &str) -> (Option<(Draft, Assembly)>, Vec<Fault>) {
    let (draft, faults) = layout_core::draft(text);
    let mut faults: Vec<_> = faults.collect();
    let mut parts = None;
    if let Some(draft) = draft {
        match draft.template.assembly() {
            Ok(assembly) => {
                faults.extend(LayoutParts { draft: &draft, assembly: &assembly }.violations());
                parts = Some((draft, assembly));
            }
            Err((error, site)) => faults.push((error, draft.span(site))),
        }
    }
    faults.sort_by_key(|(_, span)| span.start);
    (parts, faults)
}

/// What the rules are checked on.
#[derive(Clone, Copy)]
struct LayoutParts<'a> {
    draft: &'a Draft,
    assembly: &'a Assembly,
}

impl<'a> LayoutParts<'a> {
    /// Returns the rules of layout-core that the layout breaks whatever the values are that only const evaluation
    /// knows.
    fn violations(self) -> Vec<Fault> {
        let is_plain = self.draft.written(Site::Element).is_expression();
        // The size of an element says how many of them a number of bytes holds.
        let has_size =
            |factor: &Factor| !is_plain || !matches!(factor, Factor::Swizzle(Swizzling::Bytes(..)));
        let factors = self.assembly.factors();
        let factors: Vec<_> = factors.iter().copied().filter(has_size).collect();
        let element = match is_plain {
            true => ElementType::Plain { bytes: 1, align: 1 },
            false => self.draft.template.element(),
        };
        let fill = self.assembly.fill;
        let spec = Spec { element, axes: self.draft.template.axes(), factors: &factors, fill };
        // Placeholders stand for unknown numbers. They break no rule on their own, but strides and lengths follow from
        // all numbers, and from the size of an element where rows are rounded.
        let is_rounded = fill.is_some()
            || factors.iter().any(|factor| matches!(factor, Factor::Align(_) | Factor::Pitch(_)));
        let known = (0..self.assembly.factors().len())
            .all(|i| !self.places(i).iter().any(Place::is_expression));
        let has_strides = known && !(is_plain && is_rounded);
        let violations = if has_strides { Layout::check(&spec) } else { spec.check() };
        // Const evaluation says what names the size of an element, or a number that a placeholder stands for.
        let is_known = |rule: Rule, subject| match (rule, subject) {
            (Rule::PitchAlign { .. }, Subject::Factor(i)) => {
                !self.places(i + 1).iter().any(Place::is_expression)
            }
            (Rule::TooLarge { .. } | Rule::Alignment { .. } | Rule::Pitch { .. }, _) => !is_plain,
            (Rule::BufferStart { .. }, _) => !is_plain,
            _ => true,
        };
        let found = violations.iter().filter(|broken| is_known(broken.error.0, broken.subject));
        let span = |subject| self.draft.span(self.assembly.site(subject));
        found.map(|broken| (broken.error, span(broken.subject))).collect()
    }

    /// The numbers of a factor.
    fn places(self, i: usize) -> Vec<Place> {
        let place = |site| self.draft.written(site);
        match (self.assembly.factors()[i], self.assembly.site_of(i)) {
            (Factor::Lanes(..), Site::Storage(_)) => {
                vec![self.draft.places.chip, place(Site::StartLane)]
            }
            (Factor::Lanes(..), site) => vec![place(site), place(Site::StartLane)],
            (Factor::Swizzle(_), _) => self.draft.places.swizzle_numbers.to_vec(),
            (Factor::Part(..), _) => self.draft.places.part_numbers.to_vec(),
            (Factor::Whole(..), _) => {
                vec![self.draft.places.part_numbers[1], place(Site::Stride(0))]
            }
            (_, Site::Storage(i)) => match self.draft.step(i) {
                Some(Step::Aligned | Step::Channels(_)) => vec![self.draft.places.chip],
                _ => Vec::new(),
            },
            (_, site) => vec![place(site)],
        }
    }
}

/// Returns the only token inside groups without delimiters, which a `macro_rules!` fragment creates.
fn single(tokens: &TokenStream) -> Option<TokenTree> {
    let mut trees = tokens.clone().into_iter();
    match (trees.next()?, trees.next()) {
        (TokenTree::Group(group), None) if group.delimiter() == Delimiter::None => {
            single(&group.stream())
        }
        (tree, None) => Some(tree),
        _ => None,
    }
}

/// Returns a group that no lint reports as unnecessary in the expansion. Its delimiters keep their position but
/// belong to the expansion.
fn silent(group: &Group) -> TokenStream {
    let mut new = Group::new(group.delimiter(), group.stream());
    new.set_span(TokenSpan::call_site().located_at(group.span()));
    new.into_token_stream()
}

/// Tokens and their text.
pub(crate) struct TokenText {
    pub(crate) text: String,
    nodes: Vec<Node>,
}

/// A token, or a group with its tokens.
struct Node {
    range: Range<usize>,
    tree: TokenTree,
    inner: Vec<Node>,
}

impl TokenText {
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
    let touch = |touched: Range<usize>, span: TokenSpan, list: &mut Vec<TokenSpan>| {
        if touched.start < range.end && range.start < touched.end {
            list.push(span);
        }
    };
    for Node { range: part, tree, inner } in nodes {
        match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                spans(inner, range, list);
            }
            TokenTree::Group(group) => {
                touch(part.start..part.start + 1, group.span_open(), list);
                spans(inner, range, list);
                touch(part.end - 1..part.end, group.span_close(), list);
            }
            tree => touch(part.clone(), tree.span(), list),
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
    let text = TokenText::of(tokens.iter().cloned().collect());
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
    tokens
        .to_token_stream()
        .into_iter()
        .last()
        .map_or_else(TokenSpan::call_site, |token| token.span())
}
