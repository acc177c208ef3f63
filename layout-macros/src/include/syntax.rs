//! The syntax of the input of `include_tensor!`.

use layout_core::{Format, LayoutError, Span};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, LitInt, LitStr, Token, Type, Visibility};

use super::texts;
use crate::errors::Errors;
use crate::model::TokenText;
use crate::parse::WrittenLayout;

/// `#[attributes] pub struct NAME = "PATH", "TENSOR", FORMAT, ELEMENT => LAYOUT`. Only the path, the format and the
/// layout are required.
pub(super) struct Include {
    /// The records whose names have been looked up, `@record [..]`, or nothing, and all that follows.
    #[cfg_attr(not(feature = "records"), allow(dead_code, reason = "of records"))]
    pub(super) known: (TokenStream, TokenStream),
    pub(super) item: Option<Item>,
    pub(super) path: LitStr,
    /// The tensor in a file with several tensors.
    pub(super) name: Option<TensorName>,
    pub(super) source: FileSource,
    /// The input of `layout!`, whose options may include those of this macro.
    pub(super) destination: WrittenLayout,
}

/// A tensor of a file, by its name or its index.
pub(super) enum TensorName {
    Text(LitStr),
    Index(LitInt),
}

impl ToTokens for TensorName {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Text(text) => text.to_tokens(tokens),
            Self::Index(index) => index.to_tokens(tokens),
        }
    }
}

/// A format as written.
pub(super) struct FormatText {
    pub(super) tokens: TokenStream,
    pub(super) text: TokenText,
}

impl FormatText {
    /// The format, or `None` after its error is reported.
    pub(super) fn format(&self, errors: &mut Errors) -> Option<Format> {
        let parsed = Format::parse_at(&self.text.text);
        let report = |(error, (start, last)): (LayoutError, (usize, usize))| {
            errors.on(self.text.mark(Span { start, end: last + 1 }), error);
        };
        parsed.map_err(report).ok()
    }
}

/// `#[attributes] pub struct NAME =`
pub(super) struct Item {
    pub(super) attributes: Vec<Attribute>,
    pub(super) visibility: Visibility,
    pub(super) name: Ident,
}

/// `FORMAT, ELEMENT =>`
pub(super) struct FileSource {
    pub(super) format: FormatText,
    /// The element type that the file must have, or of raw bytes.
    pub(super) element: Option<Type>,
}

impl Parse for Include {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let expected =
            |input: ParseStream<'_>| syn::Error::new(input.span(), texts::INCLUDE_EXPECTED);
        let mut known = TokenStream::new();
        if input.peek(Token![@]) {
            for _ in 0..3 {
                known.extend([input.parse::<TokenTree>()?]);
            }
        }
        let known = (known, input.fork().parse()?);
        let item = match input.peek(LitStr) {
            true => None,
            false => Some(input.parse().map_err(|_| expected(input))?),
        };
        let path = input.parse().map_err(|_| expected(input))?;
        input.parse::<Token![,]>().map_err(|_| expected(input))?;
        let name = match () {
            () if input.peek(LitStr) => Some(TensorName::Text(input.parse()?)),
            () if input.peek(LitInt) && input.peek2(Token![,]) => {
                Some(TensorName::Index(input.parse()?))
            }
            () if input.peek(Token![-]) => {
                return Err(syn::Error::new(input.span(), texts::NEGATIVE_INDEX));
            }
            () => None,
        };
        if name.is_some() {
            input.parse::<Token![,]>().map_err(|_| expected(input))?;
        }
        let (source, destination) = (FileSource::parse(input)?, input.parse()?);
        Ok(Self { known, item, path, name, source, destination })
    }
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        input.parse::<Token![struct]>()?;
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Self { attributes, visibility, name })
    }
}

impl FileSource {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let start = input.span();
        let expected = |at| syn::Error::new(at, texts::SOURCE_EXPECTED);
        let mut tokens = TokenStream::new();
        let ends = || input.peek(Token![,]) || input.peek(Token![=>]) || input.peek(Token![<]);
        while !input.is_empty() && !ends() {
            input.parse::<TokenTree>()?.to_tokens(&mut tokens);
        }
        if tokens.is_empty() {
            return Err(expected(start));
        }
        let format = FormatText { text: TokenText::of(tokens.clone()), tokens };
        let element = match input.parse::<Option<Token![,]>>()? {
            Some(_) => Some(input.parse().map_err(|_| expected(input.span()))?),
            None => None,
        };
        input.parse::<Token![=>]>().map_err(|_| expected(start))?;
        Ok(Self { format, element })
    }
}
