//! The options `cast` and `quantize` of `include_tensor!`, which convert elements.

use layout_core::LayoutError;
use layout_core::spec::{Letters, Name, Rule};
use layout_types::Rounding;
use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, Lit, Token, parenthesized};

use super::texts;
use crate::errors::{self, Errors};
use crate::model::is_sign;

/// The option before its axis is resolved.
pub(super) struct ChangeOption {
    kind: Kind,
    axis: Option<Ident>,
    tokens: TokenStream,
}

/// The option with its axis resolved.
pub(super) struct ElementChange {
    pub(super) kind: Kind,
    /// The axis whose coordinates each have a scale.
    pub(super) axis: Option<char>,
    /// The tokens of the option, for errors.
    pub(super) tokens: TokenStream,
}

pub(super) enum Kind {
    /// `cast`
    Cast,
    /// `quantize(AXIS, scale = SCALE, zero_point = POINT, rounding = ROUNDING)`
    Quantize { given: Option<(f32, i32)>, rounding: Rounding },
}

/// The options, for error texts.
pub(super) const OPTIONS: &str = "`cast`, `quantize`, ";

const QUANTIZE: &str = "`quantize`, `quantize(O)` for one scale per coordinate of an axis, or \
     `quantize(scale = 0.05, zero_point = 3)`, each with or without `rounding = half_away`";

impl ChangeOption {
    /// Removes the option from a layout. It follows the extents and the element type.
    pub(super) fn take_from(layout: &mut TokenStream, errors: &mut Errors) -> Option<Self> {
        let tokens: Vec<TokenTree> = std::mem::take(layout).into_iter().collect();
        let mut found: Option<Self> = None;
        let mut is_in_extents = false;
        for (i, part) in at_commas(&tokens).into_iter().enumerate() {
            let before = is_in_extents;
            is_in_extents |= i == 0 && part.iter().any(|token| is_sign(token, '<'));
            is_in_extents &= !part.iter().any(|token| is_sign(token, '>'));
            let option = part.iter().skip(usize::from(i > 0)).cloned();
            let option: TokenStream = option.take_while(|token| !is_sign(token, ';')).collect();
            let name = option.clone().into_iter().next().map(|name| name.to_string());
            let is_cast = name.as_deref() == Some("cast");
            if i < 2 || before || !(is_cast || name.as_deref() == Some("quantize")) {
                layout.extend(part.iter().cloned());
                continue;
            }
            // The options of a named format follow.
            layout.extend(part.iter().skip_while(|token| !is_sign(token, ';')).cloned());
            if found.is_some() {
                errors.on(&option, texts::TWO_CHANGES);
                continue;
            }
            match Self::read(&option, is_cast) {
                Some(change) => found = Some(change),
                None if is_cast => errors.on(&option, errors::option_syntax("cast", "`cast`")),
                None => errors.on(&option, errors::option_syntax("quantize", QUANTIZE)),
            }
        }
        found
    }

    fn read(tokens: &TokenStream, is_cast: bool) -> Option<Self> {
        let WrittenChange { arguments } = syn::parse2(tokens.clone()).ok()?;
        let tokens = tokens.clone();
        if is_cast {
            return arguments.is_none().then_some(Self { kind: Kind::Cast, axis: None, tokens });
        }
        let (mut axis, mut scale, mut zero_point, mut rounding) = (None, None, None, None);
        for QuantizeArgument { name, value } in arguments.into_iter().flatten() {
            match name.as_ref().map(Ident::to_string).as_deref() {
                None if axis.is_none() => axis = Some(syn::parse2::<Ident>(value).ok()?),
                Some("scale") if scale.is_none() => scale = Some(number::<f32>(value)?),
                Some("zero_point") if zero_point.is_none() => {
                    zero_point = Some(number::<i32>(value)?);
                }
                Some("rounding") if rounding.is_none() => {
                    rounding = Some(match value.to_string().as_str() {
                        "half_even" => Rounding::HalfEven,
                        "half_away" => Rounding::HalfAway,
                        _ => return None,
                    });
                }
                _ => return None,
            }
        }
        let given = match (scale, zero_point) {
            (Some(scale), point) => Some((scale, point.unwrap_or(0))),
            (None, None) => None,
            (None, Some(_)) => return None,
        };
        if given.is_some() && axis.is_some() {
            return None;
        }
        let kind = Kind::Quantize { given, rounding: rounding.unwrap_or_default() };
        Some(Self { kind, axis, tokens })
    }

    /// Resolves the axis of the option.
    pub(super) fn over(self, axes: Letters, errors: &mut Errors) -> ElementChange {
        let axis = self.axis.as_ref().and_then(|name| {
            let text = name.to_string();
            let letter = text.chars().next().filter(|_| text.len() == 1);
            let letter = letter.map(|letter| letter.to_ascii_uppercase());
            let found = letter.filter(|letter| axes.position(*letter).is_some());
            if found.is_none() {
                let rule = Rule::UnknownAxis { name: Name::new(&text), axes };
                errors.on(name, LayoutError(rule));
            }
            found
        });
        ElementChange { kind: self.kind, axis, tokens: self.tokens }
    }
}

/// `NAME` or `NAME(ARGUMENTS)`.
struct WrittenChange {
    arguments: Option<Punctuated<QuantizeArgument, Token![,]>>,
}

/// `VALUE` or `NAME = VALUE`.
struct QuantizeArgument {
    name: Option<Ident>,
    value: TokenStream,
}

impl Parse for WrittenChange {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Ident>()?;
        if input.is_empty() {
            return Ok(Self { arguments: None });
        }
        let content;
        parenthesized!(content in input);
        Ok(Self { arguments: Some(Punctuated::parse_terminated(&content)?) })
    }
}

impl Parse for QuantizeArgument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut name = None;
        if input.peek(Ident) && input.peek2(Token![=]) {
            name = Some(input.parse()?);
            input.parse::<Token![=]>()?;
        }
        let mut value = TokenStream::new();
        while !input.is_empty() && !input.peek(Token![,]) {
            value.extend([input.parse::<TokenTree>()?]);
        }
        Ok(Self { name, value })
    }
}

/// Tokens in parts that begin with their commas.
fn at_commas(tokens: &[TokenTree]) -> Vec<&[TokenTree]> {
    let commas = (1..tokens.len()).filter(|&i| is_sign(&tokens[i], ','));
    let ends = commas.chain([tokens.len()]);
    let mut start = 0;
    ends.map(|end| &tokens[std::mem::replace(&mut start, end)..end]).collect()
}

/// Parses a literal as a number.
fn number<T: std::str::FromStr>(tokens: TokenStream) -> Option<T> {
    let mut trees = tokens.into_iter().peekable();
    let negative = trees.next_if(|first| is_sign(first, '-')).is_some();
    let digits = match syn::parse2(trees.collect()).ok()? {
        Lit::Int(number) => number.base10_digits().to_owned(),
        Lit::Float(number) => number.base10_digits().to_owned(),
        _ => return None,
    };
    format!("{}{digits}", if negative { "-" } else { "" }).parse().ok()
}
