//! The options `cast` and `quantize` of `include_tensor!`, which convert elements.

use layout_core::spec::Letters;
use layout_types::Rounding;
use proc_macro2::{TokenStream, TokenTree};
use syn::{Ident, Lit};

use super::texts;
use crate::errors::{self, Errors};
use crate::numbers::literal;
use crate::parse::{Argument, LayoutOption, OptionValue, single};
use crate::parts::axis_letter;

/// The option before its axis is resolved.
pub(super) struct ChangeOption {
    kind: Kind,
    axis: Option<Ident>,
    tokens: TokenStream,
}

/// The option with its axis resolved.
pub(super) struct Change {
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
    /// Removes the option from the options of the layout.
    pub(super) fn take_from(options: &mut Vec<LayoutOption>, errors: &mut Errors) -> Option<Self> {
        let mut found: Option<Self> = None;
        for option in std::mem::take(options) {
            let is = |name| option.name.is_ident(name);
            let (is_cast, is_quantize) = (is("cast"), is("quantize"));
            if !is_cast && !is_quantize {
                options.push(option);
            } else if found.is_some() {
                errors.on(&option.tokens, texts::TWO_CHANGES);
            } else if is_cast {
                if !matches!(option.value, OptionValue::None) {
                    errors.on(&option.tokens, errors::option_syntax("cast", "`cast`"));
                }
                found = Some(Self { kind: Kind::Cast, axis: None, tokens: option.tokens });
            } else {
                found = Self::quantize(&option);
                if found.is_none() {
                    errors.on(&option.tokens, errors::option_syntax("quantize", QUANTIZE));
                }
            }
        }
        found
    }

    fn quantize(option: &LayoutOption) -> Option<Self> {
        let arguments: &[Argument] = match &option.value {
            OptionValue::None => &[],
            OptionValue::Arguments(arguments) => arguments,
            _ => return None,
        };
        let (mut axis, mut scale, mut zero_point, mut rounding) = (None, None, None, None);
        for Argument { name, value } in arguments {
            match name.as_ref().map(Ident::to_string).as_deref() {
                None if axis.is_none() => match single(value)? {
                    TokenTree::Ident(name) => axis = Some(name),
                    _ => return None,
                },
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
        Some(Self { kind, axis, tokens: option.tokens.clone() })
    }

    /// Resolves the axis of the option.
    pub(super) fn over(self, axes: Letters, errors: &mut Errors) -> Change {
        let axis = self.axis.as_ref().and_then(|name| axis_letter(name, axes, errors));
        Change { kind: self.kind, axis, tokens: self.tokens }
    }
}

/// Parses a literal as a number.
fn number<T: std::str::FromStr>(tokens: &TokenStream) -> Option<T> {
    let (negative, literal) = literal(tokens)?;
    let digits = match &literal {
        Lit::Int(number) => number.base10_digits(),
        Lit::Float(number) => number.base10_digits(),
        _ => return None,
    };
    format!("{}{digits}", if negative { "-" } else { "" }).parse().ok()
}
