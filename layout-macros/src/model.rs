//! What the syntax means: axes with extents, factors, element and options, each with its tokens.

use layout_types::spec::{Axis, Extent, Factor, Letters, Name, Spec};
use layout_types::{ElementType, Format, LayoutError};
use proc_macro2::{Delimiter, Literal, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Ident, Lit, Path, Type};

use crate::errors::{self, Errors};
use crate::parse::{Argument, Input, LayoutOption, OptionValue, single};

/// A layout as written, understood and unchecked.
pub(crate) struct Model {
    pub(crate) format: TokenTree,
    pub(crate) extents: TokenStream,
    pub(crate) axes: Vec<ModelAxis>,
    pub(crate) factors: Vec<ModelFactor>,
    pub(crate) element: ModelElement,
    pub(crate) pad: Option<Pad>,
    pub(crate) strides: Option<TokenStream>,
}

pub(crate) struct ModelAxis {
    pub(crate) letter: char,
    pub(crate) extent: Number<usize>,
}

pub(crate) struct ModelFactor {
    pub(crate) factor: Factor,
    /// What the factor's number is in the expansion, where it is not a literal.
    pub(crate) number: Option<TokenStream>,
    /// What to point at.
    pub(crate) tokens: TokenStream,
}

pub(crate) struct ModelElement {
    /// The element type; of a type of the user's own only that it is one.
    pub(crate) known: Option<ElementType>,
    pub(crate) ty: Type,
}

pub(crate) struct Pad {
    /// The bits of the fill.
    pub(crate) bits: TokenStream,
    pub(crate) tokens: TokenStream,
}

/// A number that is a literal, or an expression that const evaluation will know.
pub(crate) struct Number<T> {
    pub(crate) value: Option<T>,
    pub(crate) tokens: TokenStream,
}

impl Model {
    /// Understands `input`, or says all that is wrong with its words.
    pub(crate) fn new(input: Input) -> Result<Self, Errors> {
        let mut errors = Errors::default();
        let crate::parse::FormatName::Letters(format) = input.format else {
            unreachable!("a macro as format is expanded, not understood");
        };
        let element = element(input.element, &mut errors);
        let options = Options::new(input.options, &mut errors);
        let text = format.to_string();
        let understood = match Format::parse(&text) {
            Ok(understood) => understood,
            Err(error) => {
                errors.on(&format, error);
                return Err(errors);
            }
        };
        let axes = axes(&understood, &format, &input.extents, &mut errors);
        let order = axes.iter().fold(Letters::EMPTY, |order, axis| order.with(axis.letter));
        let factors = factors(&understood, &format, order, &options, &mut errors);
        let pad = options.pad.and_then(|option| pad(option, &element, &mut errors));
        let strides = options.strides.map(|option| option.tokens);
        let extents = input.extents.tokens;
        errors.gate(Self { format, extents, axes, factors, element, pad, strides })
    }

    /// The axes for layout-types. `Unknown` where an extent, or a stride, is not a literal.
    pub(crate) fn spec_axes(&self) -> Vec<Axis> {
        let known = self.strides.is_none() || self.factors.iter().all(|f| f.number.is_none());
        let extent = |axis: &ModelAxis| match axis.extent.value {
            Some(value) if known => Extent::Fixed(value),
            _ => Extent::Unknown,
        };
        self.axes.iter().map(|axis| Axis { letter: axis.letter, extent: extent(axis) }).collect()
    }

    /// Calls `use_spec` with the layout as layout-types sees it.
    pub(crate) fn with_spec<T>(&self, use_spec: impl FnOnce(&Spec<'_>) -> T) -> T {
        let axes = self.spec_axes();
        let factors: Vec<_> = self.factors.iter().map(|factor| factor.factor).collect();
        // The size of a type of the user's own is not known here; const evaluation knows it.
        let element = self.element.known.unwrap_or(ElementType::Plain { bytes: 1, align: 1 });
        let fill = self.pad.as_ref().map(|_| 0);
        use_spec(&Spec { element, axes: &axes, factors: &factors, fill })
    }
}

/// The element type: a name of layout-types, or a type of the user's own.
fn element(ty: Type, errors: &mut Errors) -> ModelElement {
    let name = ty.to_token_stream().to_string();
    let known = ElementType::from_name(&name);
    if known.is_none() && !could_be_a_type(&name) {
        errors.on(&ty, LayoutError::UnknownElement { name: Name::new(&name) });
    }
    ModelElement { known, ty }
}

/// Whether a name is not just a misspelt or a foreign element type: those are lower-case letters
/// and digits, and Rust's own types of that form are not elements.
fn could_be_a_type(name: &str) -> bool {
    !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// The axes in coordinate order with their extents; empty after an error.
fn axes(
    understood: &Format,
    format: &TokenTree,
    extents: &crate::parse::Extents,
    errors: &mut Errors,
) -> Vec<ModelAxis> {
    let named = extents.list.iter().filter(|extent| extent.name.is_some()).count();
    if named > 0 && named < extents.list.len() {
        for extent in extents.list.iter().filter(|extent| extent.name.is_none()) {
            errors.on(&extent.value, errors::MIXED_EXTENTS);
        }
        return Vec::new();
    }
    let numbers: Vec<_> =
        extents.list.iter().map(|extent| extent_number(&extent.value, errors)).collect();
    if named > 0 {
        return named_axes(understood, extents, numbers, errors);
    }
    let Some(order) = understood.coordinate_order() else {
        errors.on(format, LayoutError::UnknownOrder { axes: understood.axes() });
        return Vec::new();
    };
    if numbers.len() != order.count() {
        let name = Name::new(&format.to_string());
        let error = LayoutError::ExtentCount { format: name, axes: order, given: numbers.len() };
        match extents.tokens.is_empty() {
            true => errors.on(format, error),
            false => errors.on(&extents.tokens, error),
        }
        return Vec::new();
    }
    let letters = (0..order.count()).map(|i| order.at(i));
    letters.zip(numbers).map(|(letter, extent)| ModelAxis { letter, extent }).collect()
}

/// Named extents, sorted into the coordinate order where the axes have one.
fn named_axes(
    understood: &Format,
    extents: &crate::parse::Extents,
    numbers: Vec<Number<usize>>,
    errors: &mut Errors,
) -> Vec<ModelAxis> {
    let there = understood.axes();
    let mut axes: Vec<ModelAxis> = Vec::new();
    let mut complete = true;
    for (argument, extent) in extents.list.iter().zip(numbers) {
        let Some(name) = &argument.name else { continue };
        match axis_letter(name, there, errors) {
            Some(letter) if axes.iter().any(|axis| axis.letter == letter) => {
                errors.on(name, LayoutError::RepeatedExtent { letter });
                complete = false;
            }
            Some(letter) => axes.push(ModelAxis { letter, extent }),
            None => complete = false,
        }
    }
    for letter in (0..there.count()).map(|i| there.at(i)) {
        if complete && !axes.iter().any(|axis| axis.letter == letter) {
            errors.on(&extents.tokens, LayoutError::MissingExtent { letter });
        }
    }
    if let Some(order) = understood.coordinate_order() {
        axes.sort_by_key(|axis| order.position(axis.letter));
    }
    axes
}

/// The axis that `name` names.
fn axis_letter(name: &Ident, axes: Letters, errors: &mut Errors) -> Option<char> {
    let text = name.to_string();
    let mut letters = text.chars();
    let letter = match (letters.next(), letters.next()) {
        (Some(letter), None) => axes.position(letter.to_ascii_uppercase()).map(|i| axes.at(i)),
        _ => None,
    };
    if letter.is_none() {
        errors.on(name, LayoutError::UnknownAxis { name: Name::new(&text), axes });
    }
    letter
}

/// An extent: a literal, a const parameter or a const expression.
fn extent_number(tokens: &TokenStream, errors: &mut Errors) -> Number<usize> {
    if single(tokens).is_some_and(|token| token.to_string() == "_") {
        errors.on(tokens, errors::RUNTIME_EXTENT);
    }
    whole_number("extent", tokens, errors)
}

/// A number of at least 0.
fn whole_number(what: &str, tokens: &TokenStream, errors: &mut Errors) -> Number<usize> {
    let mut refuse = || errors.on(tokens, errors::not_whole(what, &spelled(tokens)));
    match literal(tokens) {
        Some((true, _)) => refuse(),
        Some((false, Lit::Int(number))) => match number.base10_parse::<usize>() {
            Ok(value) => {
                let mut literal = Literal::usize_unsuffixed(value);
                literal.set_span(number.span());
                return Number { value: Some(value), tokens: literal.to_token_stream() };
            }
            Err(_) => refuse(),
        },
        Some((false, _)) => refuse(),
        None => {}
    }
    Number { value: None, tokens: const_argument(tokens) }
}

/// A stride, which may be negative.
fn stride_number(tokens: &TokenStream, errors: &mut Errors) -> Number<isize> {
    let Some((negative, literal)) = literal(tokens) else {
        return Number { value: None, tokens: const_argument(tokens) };
    };
    if let Lit::Int(number) = &literal {
        let sign = if negative { "-" } else { "" };
        if let Ok(value) = format!("{sign}{}", number.base10_digits()).parse::<isize>() {
            return Number { value: Some(value), tokens: tokens.clone() };
        }
    }
    errors.on(tokens, errors::not_a_stride(&spelled(tokens)));
    Number { value: None, tokens: tokens.clone() }
}

/// A literal, and whether a minus stands before it.
fn literal(tokens: &TokenStream) -> Option<(bool, Lit)> {
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
        _ => None,
    }
}

/// The tokens without a group around them that has no delimiters.
fn ungrouped(tokens: &TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => {
            ungrouped(&group.stream())
        }
        _ => tokens.clone(),
    }
}

/// Tokens as an argument for a const parameter: in braces, unless they are one name.
fn const_argument(tokens: &TokenStream) -> TokenStream {
    match single(tokens) {
        Some(TokenTree::Ident(name)) => name.to_token_stream(),
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            group.to_token_stream()
        }
        _ => quote!({ #tokens }),
    }
}

/// Tokens as an error quotes them.
fn spelled(tokens: &TokenStream) -> String {
    tokens.to_string().replace("- ", "-")
}

/// The options, each at most once and each in its form.
#[derive(Default)]
struct Options {
    pad: Option<LayoutOption>,
    strides: Option<LayoutOption>,
    align: Option<LayoutOption>,
    broadcast: Option<LayoutOption>,
}

impl Options {
    fn new(list: Vec<LayoutOption>, errors: &mut Errors) -> Self {
        let mut new = Self::default();
        for option in list {
            let name = name_of(&option.name);
            let (place, fits, example) = match name.as_str() {
                "pad" => (
                    &mut new.pad,
                    matches!(option.value, OptionValue::None | OptionValue::Expression(_)),
                    "pad` or `pad = VALUE",
                ),
                "strides" => (
                    &mut new.strides,
                    matches!(option.value, OptionValue::List(_)),
                    "strides = [24, 8, 4, 2]",
                ),
                "align" => (
                    &mut new.align,
                    matches!(&option.value, OptionValue::Arguments(list)
                        if !list.is_empty() && list.iter().all(|axis| axis.name.is_some())),
                    "align(H = 64)",
                ),
                "broadcast" => (
                    &mut new.broadcast,
                    matches!(&option.value, OptionValue::Arguments(list)
                        if !list.is_empty() && list.iter().all(is_name)),
                    "broadcast(N)",
                ),
                _ => {
                    errors.on(&option.name, errors::unknown_option(&name));
                    continue;
                }
            };
            if place.is_some() {
                errors.on(&option.name, errors::repeated_option(&name));
            } else if fits {
                *place = Some(option);
            } else {
                errors.on(&option.tokens, errors::option_syntax(&name, example));
            }
        }
        new
    }
}

fn name_of(path: &Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

fn is_name(argument: &Argument) -> bool {
    argument.name.is_none() && matches!(single(&argument.value), Some(TokenTree::Ident(_)))
}

/// The memory order, with the options in it that change it.
fn factors(
    understood: &Format,
    format: &TokenTree,
    order: Letters,
    options: &Options,
    errors: &mut Errors,
) -> Vec<ModelFactor> {
    let there = understood.axes();
    let broadcast = broadcast_axes(options, there, errors);
    let mut aligned = alignments(options, there, errors);
    let plain = |factor| ModelFactor { factor, number: None, tokens: format.to_token_stream() };
    if let Some(option) = &options.strides {
        let mut factors = strides(option, order, &broadcast, errors);
        let blocks =
            understood.factors().iter().filter(|factor| matches!(factor, Factor::Block(..)));
        let blocks = blocks
            .map(|&block| ModelFactor { tokens: option.name.to_token_stream(), ..plain(block) });
        factors.extend(blocks);
        factors.extend(aligned.into_iter().map(|(_, align)| align));
        return factors;
    }
    let mut factors = Vec::new();
    for &factor in understood.factors() {
        let Factor::Axis(letter) = factor else {
            factors.push(plain(factor));
            continue;
        };
        match broadcast.iter().find(|(own, _)| *own == letter) {
            Some(_) => factors.push(plain(Factor::Broadcast(letter))),
            None => factors.push(plain(factor)),
        }
        if let Some(i) = aligned.iter().position(|(own, _)| *own == letter) {
            factors.push(aligned.swap_remove(i).1);
        }
    }
    factors
}

/// One stride for each axis in coordinate order, or nothing after an error.
fn strides(
    option: &LayoutOption,
    order: Letters,
    broadcast: &[(char, TokenStream)],
    errors: &mut Errors,
) -> Vec<ModelFactor> {
    let OptionValue::List(values) = &option.value else { return Vec::new() };
    // Without axes their extents were wrong, which has been said.
    if order.count() == 0 && !values.is_empty() {
        return Vec::new();
    }
    if values.len() != order.count() {
        errors.on(&option.tokens, LayoutError::StrideCount { axes: order, given: values.len() });
        return Vec::new();
    }
    let mut factors = Vec::new();
    for (i, tokens) in values.iter().enumerate() {
        let letter = order.at(i);
        let number = stride_number(tokens, errors);
        let is_broadcast = broadcast.iter().any(|(own, _)| *own == letter);
        let factor = match number.value {
            Some(stride) if is_broadcast && stride != 0 => {
                errors.on(tokens, LayoutError::BroadcastStride { letter, stride });
                Factor::Broadcast(letter)
            }
            _ if is_broadcast => Factor::Broadcast(letter),
            value => Factor::Stride(letter, value.unwrap_or(1)),
        };
        let expression = if number.value.is_none() { Some(number.tokens) } else { None };
        factors.push(ModelFactor { factor, number: expression, tokens: tokens.clone() });
    }
    factors
}

fn broadcast_axes(
    options: &Options,
    there: Letters,
    errors: &mut Errors,
) -> Vec<(char, TokenStream)> {
    let Some(OptionValue::Arguments(list)) = options.broadcast.as_ref().map(|o| &o.value) else {
        return Vec::new();
    };
    let mut axes: Vec<(char, TokenStream)> = Vec::new();
    for argument in list {
        let Some(TokenTree::Ident(name)) = single(&argument.value) else { continue };
        if let Some(letter) = axis_letter(&name, there, errors) {
            if axes.iter().any(|(own, _)| *own == letter) {
                errors.on(&name, LayoutError::RepeatedAxis { letter });
            }
            axes.push((letter, name.to_token_stream()));
        }
    }
    axes
}

fn alignments(options: &Options, there: Letters, errors: &mut Errors) -> Vec<(char, ModelFactor)> {
    let Some(OptionValue::Arguments(list)) = options.align.as_ref().map(|o| &o.value) else {
        return Vec::new();
    };
    let mut aligned: Vec<(char, ModelFactor)> = Vec::new();
    for Argument { name, value } in list {
        let Some(name) = name else { continue };
        let Some(letter) = axis_letter(name, there, errors) else { continue };
        if aligned.iter().any(|(own, _)| *own == letter) {
            errors.on(name, LayoutError::RepeatedAxis { letter });
        }
        let bytes = whole_number("alignment", value, errors);
        let number = if bytes.value.is_none() { Some(bytes.tokens) } else { None };
        // What const evaluation will know must break no rule here: no alignment does.
        let factor = Factor::Align(bytes.value.unwrap_or(64));
        aligned.push((letter, ModelFactor { factor, number, tokens: value.clone() }));
    }
    aligned
}

/// The fill of padding as bits.
fn pad(option: LayoutOption, element: &ModelElement, errors: &mut Errors) -> Option<Pad> {
    let LayoutOption { value, tokens, .. } = option;
    let OptionValue::Expression(value) = value else {
        return Some(Pad { bits: quote!(0), tokens });
    };
    let Some(known) = element.known else {
        errors.on(&value, errors::PAD_OF_PLAIN);
        return None;
    };
    let Some((negative, literal)) = literal(&value) else {
        // A const of the element type; `expand` wraps it in the function that takes its bits.
        let bits = const_bits(known, &value);
        return Some(Pad { bits, tokens });
    };
    match literal_bits(known, negative, &literal) {
        Some(bits) => Some(Pad { bits: Literal::u64_unsuffixed(bits).to_token_stream(), tokens }),
        None => {
            let name = known.name();
            let range = match literal {
                Lit::Int(_) | Lit::Float(_) => known.integer_range(),
                _ => None,
            };
            let text = errors::pad_range(&spelled(&value), name.as_str(), range);
            errors.on(&value, text);
            None
        }
    }
}

fn const_bits(element: ElementType, value: &TokenStream) -> TokenStream {
    let name = Ident::new(element.name().as_str(), proc_macro2::Span::call_site());
    quote!(fill::#name({ #value }))
}

/// The bits of a literal as an element, or `None` where it does not fit.
fn literal_bits(element: ElementType, negative: bool, literal: &Lit) -> Option<u64> {
    let sign = if negative { "-" } else { "" };
    let digits = match literal {
        Lit::Int(number) => number.base10_digits(),
        Lit::Float(number) => number.base10_digits(),
        _ => return None,
    };
    let text = format!("{sign}{digits}");
    if let Some((low, high)) = element.integer_range() {
        let value: i128 = text.parse().ok()?;
        let mask = u64::MAX >> (64 - element.bits());
        return (low..=high).contains(&value).then_some(value as u64 & mask);
    }
    let value: f64 = text.parse().ok()?;
    match element {
        ElementType::F16 => Some(layout_types::f16::from_f64(value).to_bits().into()),
        ElementType::BF16 => Some(layout_types::bf16::from_f64(value).to_bits().into()),
        ElementType::F32 => Some((value as f32).to_bits().into()),
        ElementType::F64 => Some(value.to_bits()),
        _ if value == 0.0 && !negative => Some(0),
        _ => None,
    }
}
