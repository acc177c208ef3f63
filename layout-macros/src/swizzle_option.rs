//! The options `swizzle` and `swizzle_bytes` of `layout!`.

use layout_core::spec::{Factor, Name, Rule, SWIZZLE_NAMES, Swizzling};
use layout_core::{LayoutError, Swizzle};
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use crate::errors::Errors;
use crate::numbers::{Number, const_argument, signed, spelled, unsigned};
use crate::parse::{Argument, LayoutOption, OptionValue, single};
use crate::parts::ModelFactor;

/// The names of Triton's numbers.
const PHASES: [&str; 3] = ["vec", "per_phase", "max_phase"];

/// Whether an option has the form of a swizzle. A swizzle of bytes has no names.
pub(crate) fn is_swizzle(value: &OptionValue, bytes: bool) -> bool {
    match value {
        OptionValue::Expression(_) => !bytes,
        OptionValue::Arguments(list) => {
            list.len() == 3
                && (list.iter().all(|one| one.name.is_none()) || (!bytes && is_phases(list)))
        }
        OptionValue::None | OptionValue::List { .. } => false,
    }
}

fn is_phases(list: &[Argument]) -> bool {
    PHASES.iter().all(|name| argument(list, name).is_some())
}

fn argument<'a>(list: &'a [Argument], name: &str) -> Option<&'a TokenStream> {
    list.iter().find(|one| one.name.as_ref().is_some_and(|own| own == name)).map(|one| &one.value)
}

/// A placeholder that is valid for every element type and extent, for numbers of const evaluation.
const UNKNOWN: (usize, usize, isize) = (0, 30, 0);

/// Returns the factor of the option. `bytes` says that it applies to addresses in bytes.
pub(crate) fn swizzle(
    option: &LayoutOption,
    krate: &TokenStream,
    bytes: bool,
    errors: &mut Errors,
) -> Option<ModelFactor> {
    let (swizzling, number) = match &option.value {
        OptionValue::Expression(value) => named(value, krate, errors)?,
        OptionValue::Arguments(list) if list.iter().any(|one| one.name.is_some()) => {
            let mut number = |name| {
                let value = argument(list, name)?;
                Some(unsigned("number of a swizzle", 1, value, errors))
            };
            let [vec, per_phase, max_phase] =
                [number(PHASES[0])?, number(PHASES[1])?, number(PHASES[2])?];
            match (vec.value, per_phase.value, max_phase.value) {
                (Some(vec), Some(per_phase), Some(max_phase)) => {
                    (Swizzling::Phases(vec, per_phase, max_phase), None)
                }
                // A placeholder for numbers of const evaluation, which breaks no rule.
                _ => {
                    let tokens = [vec.tokens, per_phase.tokens, max_phase.tokens];
                    (Swizzling::Phases(1, 1, 1), Some(quote!(#(#tokens),*)))
                }
            }
        }
        OptionValue::Arguments(list) => three(list, bytes, errors)?,
        OptionValue::None | OptionValue::List { .. } => return None,
    };
    let (factor, tokens) = (Factor::Swizzle(swizzling), option.tokens.clone());
    Some(ModelFactor { factor, number, start: None, tokens: tokens.clone(), option: tokens })
}

type Numbers = (Swizzling, Option<TokenStream>);

/// `3, 4, 3`
fn three(list: &[Argument], bytes: bool, errors: &mut Errors) -> Option<Numbers> {
    let [bits, base, shift] = list else { return None };
    let mut number = |one: &Argument| unsigned("number of bits", 0, &one.value, errors);
    let (bits, base): (Number<usize>, Number<usize>) = (number(bits), number(base));
    let shift = signed("shift", &shift.value, errors);
    let (known, number) = match (bits.value, base.value, shift.value) {
        (Some(bits), Some(base), Some(shift)) => ((bits, base, shift), None),
        _ => {
            let (bits, base, shift) = (bits.tokens, base.tokens, shift.tokens);
            (UNKNOWN, Some(quote!(#bits, #base, { #shift })))
        }
    };
    let swizzling = match bytes {
        true => Swizzling::Bytes(known.0, known.1, known.2),
        false => Swizzling::Elements(known.0, known.1, known.2),
    };
    Some((swizzling, number))
}

/// `b128`, or a constant of the user's program.
fn named(value: &TokenStream, krate: &TokenStream, errors: &mut Errors) -> Option<Numbers> {
    let text = spelled(value);
    if let Some(swizzle) = Swizzle::named(&text) {
        return Some((Swizzling::Bytes(swizzle.bits(), swizzle.base(), swizzle.shift()), None));
    }
    let is_constant = match single(value) {
        Some(TokenTree::Ident(name)) => name.to_string().starts_with(|c: char| c.is_uppercase()),
        Some(TokenTree::Literal(_)) => false,
        _ => !value.is_empty(),
    };
    if !is_constant {
        let (name, known) = (Name::new(&text), SWIZZLE_NAMES);
        errors.on(value, LayoutError(Rule::UnknownSwizzle { name, known }));
        return None;
    }
    let value = const_argument(value);
    let of = |part: TokenStream| quote!({ #krate::Swizzle::#part(#value) });
    let (bits, base, shift) = (of(quote!(bits)), of(quote!(base)), of(quote!(shift)));
    let number = quote!(#bits, #base, #shift);
    let (bits, base, shift) = UNKNOWN;
    Some((Swizzling::Bytes(bits, base, shift), Some(number)))
}
