//! The options of `layout!` and their effects on the memory order.

use layout_core::spec::{Factor, Letters, Name, Rule, check_stride_count};
use layout_core::{Format, LayoutError, LayoutOption as Known};
use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use crate::accelerator;
use crate::element_type::element_type;
use crate::errors::{self, Errors};
use crate::numbers::{const_argument, literal, signed, spelled, unsigned};
use crate::parse::{Argument, FormatTokens, LayoutOption, OptionValue, name_of, single};
use crate::parts::{ModelElement, ModelFactor, Pad, axis_letter};
use crate::swizzle_option::{is_swizzle, swizzle};

/// The options, each at most once and in its own form.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) pad: Option<LayoutOption>,
    /// Whether `pad` occurs in any form, so that padding is meant.
    pub(crate) pads: bool,
    pub(crate) strides: Option<LayoutOption>,
    align: Option<LayoutOption>,
    broadcast: Option<LayoutOption>,
    lanes: Option<LayoutOption>,
    swizzle: Option<LayoutOption>,
    swizzle_bytes: Option<LayoutOption>,
    pub(crate) high_first: Option<LayoutOption>,
    /// The storage of a chip: `bm1684x::aligned`.
    pub(crate) storage: Option<LayoutOption>,
}

/// The memory order made of format and options.
pub(crate) struct Order {
    pub(crate) factors: Vec<ModelFactor>,
    /// Whether padding is meant, even if the option is written wrong.
    pub(crate) pads: bool,
}

impl Order {
    /// Returns the memory order of `format` with the options that change it. `order` is the coordinate order of the
    /// axes.
    pub(crate) fn new(
        options: &Options,
        krate: &TokenStream,
        (understood, format): (&Format, &FormatTokens),
        order: Letters,
        element: &ModelElement,
        errors: &mut Errors,
    ) -> Self {
        let there = understood.axes();
        let broadcast = options.broadcast_axes(there, errors);
        let storage = options.storage.as_ref().and_then(|option| {
            accelerator::storage(option, krate, (understood, format), element, errors)
        });
        let distributed =
            options.lanes.as_ref().and_then(|option| accelerator::lanes(option, there, errors));
        if let (Some(option), Some(_), Some(_)) = (&options.lanes, &storage, &distributed) {
            errors.on(&option.tokens, errors::LANES_AND_STORAGE);
        }
        let distributed = distributed.filter(|_| storage.is_none());
        let factors = storage.iter().flat_map(|(factors, _)| factors);
        let lanes = distributed.iter().chain(factors).any(ModelFactor::is_lanes);
        let mut aligned = options.alignments(there, lanes, errors);
        let swizzles = options.swizzles(krate, errors);
        let mut strides = Vec::new();
        if let Some(option) = &options.strides {
            strides = self::strides(option, order, &broadcast, errors);
            if let (Some(storage), Some(_)) = (&options.storage, &storage) {
                let other = Name::new(&errors::storage_named(&storage.name));
                errors.on(&storage.tokens, LayoutError(Rule::StridesWith { other }));
            }
        }
        let storage = storage.filter(|_| options.strides.is_none());
        let pads = options.pads || storage.as_ref().is_some_and(|(_, pads)| *pads);
        let of_format = || {
            let factors = understood.factors().iter();
            factors.map(|&factor| ModelFactor::of_format(factor, format)).collect()
        };
        let whole = storage.map_or_else(of_format, |(factors, _)| factors);
        let mut factors = Vec::new();
        for mut model in distributed.into_iter().chain(whole) {
            match model.factor {
                Factor::Axis(letter) if options.strides.is_some() => {
                    let own = strides.iter().position(|one| one.factor.is_rest_of(letter));
                    model = own.map_or(model, |own| strides.swap_remove(own));
                }
                Factor::Axis(letter) if broadcast.contains(&letter) => {
                    model.factor = Factor::Broadcast(letter);
                }
                factor if factor.is_block() => options.blame_strides(&mut model),
                _ => {}
            }
            let place = AlignedPart::after(model.factor);
            factors.push(model);
            if let Some(i) = aligned.iter().position(|(own, _)| Some(*own) == place) {
                factors.push(aligned.swap_remove(i).1);
            }
        }
        factors.extend(swizzles);
        Self { factors, pads }
    }
}

/// The part of a layout that is aligned.
#[derive(Clone, Copy, PartialEq)]
enum AlignedPart {
    /// Everything faster than an axis.
    Axis(char),
    /// The part of each lane.
    Lane,
}

impl AlignedPart {
    /// Returns the part that follows `factor`.
    fn after(factor: Factor) -> Option<Self> {
        match factor {
            Factor::Axis(letter) | Factor::Broadcast(letter) | Factor::Stride(letter, _) => {
                Some(Self::Axis(letter))
            }
            Factor::Lanes(..) => Some(Self::Lane),
            _ => None,
        }
    }
}

impl Options {
    /// Sorts the options by name. `others` lists those that the macro has removed, for error texts.
    pub(crate) fn new(list: Vec<LayoutOption>, others: &str, errors: &mut Errors) -> Self {
        let mut new = Self::default();
        for option in list {
            let name = name_of(&option.name);
            new.pads |= name == "pad";
            let known = Known::named(&name);
            if known == Some(Known::Lanes) && accelerator::add_start(&mut new.lanes, &option) {
                continue;
            }
            let (place, fits) = match known {
                Some(Known::Pad) => (
                    &mut new.pad,
                    matches!(option.value, OptionValue::None | OptionValue::Expression(_)),
                ),
                Some(Known::Strides) => (
                    &mut new.strides,
                    matches!(&option.value, OptionValue::List { values, .. }
                        if values.iter().all(|stride| stride.name.is_none())),
                ),
                Some(Known::Align) => (
                    &mut new.align,
                    matches!(&option.value, OptionValue::Arguments(list)
                        if !list.is_empty() && list.iter().all(|axis| axis.name.is_some())),
                ),
                Some(Known::Broadcast) => (
                    &mut new.broadcast,
                    matches!(&option.value, OptionValue::Arguments(list)
                        if !list.is_empty() && list.iter().all(is_name)),
                ),
                Some(Known::Lanes) => (
                    &mut new.lanes,
                    matches!(&option.value, OptionValue::Arguments(list) if accelerator::is_lanes(list)),
                ),
                Some(Known::Swizzle) => (&mut new.swizzle, is_swizzle(&option.value, false)),
                Some(Known::SwizzleBytes) => {
                    (&mut new.swizzle_bytes, is_swizzle(&option.value, true))
                }
                Some(Known::HighFirst) => {
                    (&mut new.high_first, matches!(option.value, OptionValue::None))
                }
                None if option.name.segments.len() > 1 => (&mut new.storage, true),
                None => {
                    errors.on(&option.name, errors::unknown_option(&name, others));
                    continue;
                }
            };
            if place.is_some() && option.name.segments.len() > 1 {
                errors.on(&option.name, errors::TWO_STORAGES);
            } else if place.is_some() {
                errors.on(&option.name, errors::repeated_option(&name));
            } else if fits {
                *place = Some(option);
            } else if let Some(known) = known {
                errors.on(&option.tokens, errors::option_syntax(known.name(), known.form()));
            }
        }
        new
    }

    /// Makes strides the subject of errors about a block, which contradicts them.
    fn blame_strides(&self, block: &mut ModelFactor) {
        if let Some(option) = &self.strides {
            let name = option.name.to_token_stream();
            (block.tokens, block.option) = (name.clone(), name);
        }
    }

    /// Returns the swizzle of elements or of bytes.
    fn swizzles(&self, krate: &TokenStream, errors: &mut Errors) -> Vec<ModelFactor> {
        let elements = self.swizzle.as_ref();
        let elements = elements.and_then(|option| swizzle(option, krate, false, errors));
        let bytes = self.swizzle_bytes.as_ref();
        let bytes = bytes.and_then(|option| swizzle(option, krate, true, errors));
        elements.into_iter().chain(bytes).collect()
    }

    fn broadcast_axes(&self, there: Letters, errors: &mut Errors) -> Vec<char> {
        let mut axes = Vec::new();
        for Argument { value, .. } in arguments(&self.broadcast) {
            let Some(TokenTree::Ident(name)) = single(value) else { continue };
            match axis_letter(&name, there, errors) {
                Some(letter) if axes.contains(&letter) => {
                    errors.on(&name, LayoutError(Rule::RepeatedName { letter }));
                }
                Some(letter) => axes.push(letter),
                None => {}
            }
        }
        axes
    }

    fn alignments(
        &self,
        there: Letters,
        lanes: bool,
        errors: &mut Errors,
    ) -> Vec<(AlignedPart, ModelFactor)> {
        let mut aligned: Vec<(AlignedPart, ModelFactor)> = Vec::new();
        for Argument { name, value } in arguments(&self.align) {
            let Some(name) = name else { continue };
            let part = if lanes && name == "lanes" {
                AlignedPart::Lane
            } else {
                match axis_letter(name, there, errors) {
                    Some(letter) => AlignedPart::Axis(letter),
                    None => continue,
                }
            };
            if aligned.iter().any(|(own, _)| *own == part) {
                match part {
                    AlignedPart::Axis(letter) => {
                        errors.on(name, LayoutError(Rule::RepeatedName { letter }));
                    }
                    AlignedPart::Lane => errors.on(name, errors::repeated_option("align(lanes)")),
                }
            }
            let bytes = unsigned("alignment", 1, value, errors);
            let number = if bytes.value.is_none() { Some(bytes.tokens) } else { None };
            // A placeholder for a number of const evaluation. No alignment breaks a rule here.
            let factor = Factor::Align(bytes.value.unwrap_or(64));
            let option = self.align.as_ref().map(|option| option.tokens.clone());
            let (tokens, option) = (value.clone(), option.unwrap_or_default());
            aligned.push((part, ModelFactor { factor, number, start: None, tokens, option }));
        }
        aligned
    }
}

fn arguments(option: &Option<LayoutOption>) -> &[Argument] {
    match option.as_ref().map(|option| &option.value) {
        Some(OptionValue::Arguments(list)) => list,
        _ => &[],
    }
}

fn is_name(argument: &Argument) -> bool {
    argument.name.is_none() && matches!(single(&argument.value), Some(TokenTree::Ident(_)))
}

/// Returns one stride for each axis in coordinate order.
fn strides(
    option: &LayoutOption,
    order: Letters,
    broadcast: &[char],
    errors: &mut Errors,
) -> Vec<ModelFactor> {
    let mut factors = Vec::new();
    let OptionValue::List { tokens, values } = &option.value else { return factors };
    if let Err(error) = check_stride_count(order, values.len()) {
        errors.on(tokens, error);
        // Placeholders for unknown strides, so that everything else is checked.
        for letter in (0..order.count()).map(|i| order.at(i)) {
            let (factor, tokens) = (Factor::Stride(letter, 1), tokens.clone());
            let number = Some(TokenStream::new());
            let option = tokens.clone();
            factors.push(ModelFactor { factor, number, start: None, tokens, option });
        }
        return factors;
    }
    for (i, Argument { value: tokens, .. }) in values.iter().enumerate() {
        let letter = order.at(i);
        let number = signed("stride", tokens, errors);
        let factor = if !broadcast.contains(&letter) {
            Factor::Stride(letter, number.value.unwrap_or(1))
        } else {
            if number.value != Some(0) {
                let stride = Name::new(&spelled(tokens));
                errors.on(tokens, LayoutError(Rule::BroadcastStride { letter, stride }));
            }
            Factor::Broadcast(letter)
        };
        let expression = if number.value.is_none() { Some(number.tokens) } else { None };
        let (tokens, option) = (tokens.clone(), option.tokens.clone());
        factors.push(ModelFactor { factor, number: expression, start: None, tokens, option });
    }
    factors
}

/// Returns the fill value of padding as bits.
pub(crate) fn pad(
    option: LayoutOption,
    krate: &TokenStream,
    element: &ModelElement,
    errors: &mut Errors,
) -> Option<Pad> {
    let LayoutOption { value, tokens, .. } = option;
    let OptionValue::Expression(value) = value else {
        return Some(Pad::zero(tokens));
    };
    let Some(known) = element.known else {
        // An unknown element type is reported elsewhere.
        if element.could_be_a_type {
            errors.on(&value, errors::PAD_OF_PLAIN);
        }
        return None;
    };
    let literal = literal(&value);
    let text = match &literal {
        Some((true, literal)) => format!("-{}", literal.to_token_stream()),
        Some((false, literal)) => literal.to_token_stream().to_string(),
        None => spelled(&value),
    };
    let found = layout_core::pad(known, &text);
    if literal.is_none() && found.is_err() {
        // The fill is a constant of the element type; this function returns its bits.
        let (ty, value) = (element_type(krate, known.low_first()), const_argument(&value));
        let bits = quote!({ #krate::__private::bits_of::<#ty>(#value) });
        return Some(Pad { bits, tokens });
    }
    match found {
        Ok(bits) => Some(Pad { bits: Literal::u64_unsuffixed(bits).to_token_stream(), tokens }),
        Err(rule) => {
            errors.on(&value, LayoutError(rule));
            None
        }
    }
}
