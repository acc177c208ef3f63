//! Accelerator memory in `layout!`: the option `lanes`, and storages of chips such as `bm1684x::aligned(start = 2)`.

use layout_core::Format;
use layout_core::chip::{Chip, Step, Storage};
use layout_core::spec::{Factor, Letters, Name};
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::{Ident, Path};

use crate::errors::{self, Errors};
use crate::numbers::{Number, unsigned};
use crate::parse::{Argument, FormatTokens, LayoutOption, OptionValue, name_of, single};
use crate::parts::{ModelElement, ModelFactor, Start, axis_letter};

/// A placeholder for a chip whose numbers only const evaluation knows. Its numbers break no rule.
const UNKNOWN: Chip =
    Chip { name: "", lanes: 1, lane_bytes: 4, banks: 1, alignment: 4, kernel_bytes: 4 };

/// Whether arguments have the form of the option `lanes`.
pub(crate) fn is_lanes(arguments: &[Argument]) -> bool {
    let start = |argument: &Argument| argument.name.as_ref().is_some_and(|name| name == "start");
    match arguments {
        [count] => count.name.is_none() && !is_letter(&count.value),
        [axis, count, rest @ ..] => {
            axis.name.is_none()
                && matches!(single(&axis.value), Some(TokenTree::Ident(_)))
                && count.name.is_none()
                && rest.len() <= 1
                && rest.iter().all(start)
        }
        _ => false,
    }
}

/// Adds the start lane of `lanes(start = LANE)` to the lanes of a named format without one. Returns false if the
/// option says something else.
pub(crate) fn add_start(lanes: &mut Option<LayoutOption>, start: &LayoutOption) -> bool {
    let Some(LayoutOption { value: OptionValue::Arguments(own), .. }) = lanes else { return false };
    let OptionValue::Arguments(added) = &start.value else { return false };
    match (own.len(), added.as_slice()) {
        (2, [argument]) if argument.name.as_ref().is_some_and(|name| name == "start") => {
            let (name, value) = (argument.name.clone(), argument.value.clone());
            own.push(Argument { name, value });
            true
        }
        _ => false,
    }
}

/// Whether the tokens are a single letter: the name of an axis, not a number.
fn is_letter(tokens: &TokenStream) -> bool {
    matches!(single(tokens), Some(TokenTree::Ident(name)) if name.to_string().len() == 1)
}

/// Returns the factor of the option `lanes`.
pub(crate) fn lanes(
    option: &LayoutOption,
    there: Letters,
    errors: &mut Errors,
) -> Option<ModelFactor> {
    let OptionValue::Arguments(arguments) = &option.value else { return None };
    if let [count] = arguments.as_slice() {
        let lanes = unsigned("number of lanes", 1, &count.value, errors);
        return Some(ModelFactor {
            // A placeholder of one lane breaks no rule.
            factor: Factor::LaneArray(lanes.value.unwrap_or(1)),
            number: if lanes.value.is_none() { Some(lanes.tokens) } else { None },
            start: None,
            tokens: count.value.clone(),
            option: option.tokens.clone(),
        });
    }
    let [axis, count, rest @ ..] = arguments.as_slice() else { return None };
    let Some(TokenTree::Ident(axis)) = single(&axis.value) else { return None };
    let letter = axis_letter(&axis, there, errors);
    let lanes = unsigned("number of lanes", 1, &count.value, errors);
    let start = rest.first().map(|start| start_lane(start, errors));
    let factor = distributed(letter?, lanes, start, option.tokens.clone());
    Some(ModelFactor { tokens: count.value.clone(), ..factor })
}

fn start_lane(argument: &Argument, errors: &mut Errors) -> (Number<usize>, TokenStream) {
    (unsigned("start lane", 0, &argument.value, errors), argument.value.clone())
}

/// Distributes an axis over lanes. Unknown numbers are replaced by ones that break no rule.
fn distributed(
    letter: char,
    lanes: Number<usize>,
    start: Option<(Number<usize>, TokenStream)>,
    option: TokenStream,
) -> ModelFactor {
    let known = lanes.value;
    let value = start.as_ref().and_then(|(number, _)| number.value).unwrap_or(0);
    let start = start.map(|(number, tokens)| Start { number, tokens });
    ModelFactor {
        factor: Factor::Lanes(letter, known.unwrap_or(1), known.map_or(0, |_| value)),
        number: if known.is_none() { Some(lanes.tokens) } else { None },
        start,
        tokens: option.clone(),
        option,
    }
}

/// A chip as the user wrote it.
pub(crate) struct NamedChip {
    /// The chip's numbers, or a placeholder.
    pub(crate) chip: Chip,
    /// The path, if the chip is a constant of the user's program.
    pub(crate) path: Option<Path>,
}

impl NamedChip {
    /// Finds the chip by its name or path. Constants are written in capitals.
    pub(crate) fn new(path: &Path, errors: &mut Errors) -> Option<Self> {
        let last = path.segments.last()?.ident.to_string();
        if path.segments.len() > 1 || last.starts_with(|first: char| first.is_uppercase()) {
            return Some(Self { chip: UNKNOWN, path: Some(path.clone()) });
        }
        match Chip::named(&last) {
            Ok(chip) => Some(Self { chip: *chip, path: None }),
            Err(error) => {
                errors.on(path, error);
                None
            }
        }
    }

    /// Returns a number of the chip, with the expression for const evaluation.
    fn number(&self, value: usize, expression: TokenStream) -> Number<usize> {
        match &self.path {
            Some(path) => Number { value: None, tokens: quote!({ #path.#expression }) },
            None => Number { value: Some(value), tokens: TokenStream::new() },
        }
    }
}

/// Splits `CHIP::STORAGE`.
fn chip_and_storage(name: &Path, errors: &mut Errors) -> Option<(NamedChip, &'static Storage)> {
    let mut path = name.clone();
    let storage = path.segments.pop()?.into_value().ident;
    path.segments.pop_punct();
    let chip = NamedChip::new(&path, errors);
    match Storage::named(&storage.to_string()) {
        Ok(storage) => Some((chip?, storage)),
        Err(error) => {
            errors.on(&storage, error);
            None
        }
    }
}

/// The arguments of a storage.
#[derive(Default)]
struct StorageArguments {
    start: Option<(Number<usize>, TokenStream)>,
    width: Option<(Number<usize>, TokenStream)>,
}

impl StorageArguments {
    fn new(option: &LayoutOption, storage: &Storage, errors: &mut Errors) -> Option<Self> {
        let mut new = Self::default();
        let arguments = match &option.value {
            OptionValue::None => &[][..],
            OptionValue::Arguments(list) => list,
            _ => {
                errors.on(&option.tokens, errors::storage_syntax(&name_of(&option.name), storage));
                return None;
            }
        };
        for argument in arguments {
            let name = argument.name.as_ref().map(Ident::to_string);
            let (place, what, least) = match name.as_deref() {
                Some("start") => (&mut new.start, "start lane", 0),
                Some("w") => (&mut new.width, "width", 1),
                _ => {
                    errors.on(argument, errors::storage_syntax(&name_of(&option.name), storage));
                    return None;
                }
            };
            if place.is_some() {
                errors.on(&argument.name, errors::repeated_option(&name.unwrap_or_default()));
            }
            *place = Some((unsigned(what, least, &argument.value, errors), argument.value.clone()));
        }
        let broken = storage.check_arguments(new.start.is_some(), new.width.is_some());
        broken.map_err(|error| errors.on(&option.tokens, error)).ok()?;
        Some(new)
    }
}

/// Returns the memory order of a storage, and whether it pads. Returns `None` if the storage is unknown or does not
/// take this tensor.
pub(crate) fn storage(
    option: &LayoutOption,
    krate: &TokenStream,
    (understood, format): (&Format, &FormatTokens),
    element: &ModelElement,
    errors: &mut Errors,
) -> Option<(Vec<ModelFactor>, bool)> {
    let (chip, storage) = chip_and_storage(&option.name, errors)?;
    let mut arguments = StorageArguments::new(option, storage, errors)?;
    let axes = storage.axes(understood).map_err(|error| errors.on(format, error)).ok();
    // An unknown element type is reported elsewhere.
    if !element.known.is_some_and(|known| storage.takes(known))
        && (element.known.is_some() || element.could_be_a_type)
    {
        errors.on(&element.ty, storage.wrong_element(Name::new(&element.name())));
        return None;
    }
    let (axes, known) = (axes?, element.known?);
    let tokens = &option.tokens;
    let own = |factor, number: Number<usize>| ModelFactor {
        factor,
        number: if number.value.is_none() { Some(number.tokens) } else { None },
        start: None,
        tokens: tokens.clone(),
        option: tokens.clone(),
    };
    let step = |step: &Step| {
        let width = arguments.width.as_ref().and_then(|(number, _)| number.value).unwrap_or(1);
        let factor = step.factor(&chip.chip, axes, known, 0, width);
        match (*step, factor) {
            (Step::Lanes(_), Factor::Lanes(letter, lanes, _)) => {
                // One check for all numbers of the chip.
                let lanes = chip.number(lanes, quote!(checked().lanes));
                distributed(letter, lanes, arguments.start.take(), tokens.clone())
            }
            (Step::Aligned, Factor::Align(bytes)) => {
                own(factor, chip.number(bytes, quote!(alignment)))
            }
            (Step::Channels(_), Factor::Block(_, size)) => {
                let name = &element.ty;
                let ty = quote!(<#krate::__private::elements::#name as #krate::Element>::TYPE);
                own(factor, chip.number(size, quote!(channels_together(#ty))))
            }
            (Step::Width(_), _) => match arguments.width.take() {
                Some((number, tokens)) => ModelFactor { tokens, ..own(factor, number) },
                None => own(factor, Number { value: Some(width), tokens: TokenStream::new() }),
            },
            _ => own(factor, Number { value: Some(0), tokens: TokenStream::new() }),
        }
    };
    Some((storage.steps.iter().map(step).collect(), storage.pads()))
}
