//! The meaning of the syntax: axes with extents, factors, element type and options, each with its tokens.

use layout_core::spec::{
    AxisExtent, Factor, Length, Letters, Name, Rule, Spec, Swizzling, Violation,
};
use layout_core::{ElementType, Format, Layout, LayoutError};
use proc_macro2::TokenStream;
use quote::ToTokens;

use crate::errors::{self, Errors};
use crate::numbers::{self, ExtentNumber};
use crate::options::{self, Options, Order};
use crate::parse::{Extents, FormatName, FormatTokens, Input, OptionValue};
use crate::parts::{ModelAxis, ModelElement, ModelFactor, Pad, axis_letter};

/// A layout as written: understood but not checked.
pub(crate) struct Model {
    pub(crate) format: FormatTokens,
    pub(crate) extents: TokenStream,
    pub(crate) axes: Vec<ModelAxis>,
    pub(crate) factors: Vec<ModelFactor>,
    pub(crate) element: ModelElement,
    pub(crate) pad: Option<Pad>,
    /// Whether padding is meant, even if the option is written wrong.
    pads: bool,
    /// The list of explicit strides.
    pub(crate) strides: Option<TokenStream>,
}

impl Model {
    /// Interprets `input` as far as possible and reports all syntax that has no meaning. Returns `None` if too little
    /// remains to check the rules. `others` lists options of this macro that `layout!` does not have, for error
    /// texts.
    pub(crate) fn new(
        krate: &TokenStream,
        input: Input,
        others: &str,
        errors: &mut Errors,
    ) -> Option<Self> {
        let FormatName::Letters(format) = input.format else {
            unreachable!("a macro as format is expanded, not understood");
        };
        if errors::is_number(&format.to_token_stream().to_string()) {
            errors.on(&format, errors::number(&format.to_token_stream().to_string()));
            return None;
        }
        let mut element = ModelElement::new(input.element, errors);
        let options = Options::new(input.options, others, errors);
        if let Some(option) = &options.high_first {
            element.order_high_first(&option.tokens, errors);
        }
        let numbers: Vec<_> = input
            .extents
            .list
            .iter()
            .map(|extent| numbers::extent(&extent.value, errors))
            .collect();
        let name = format.text.as_str();
        let understood = match format.format() {
            Ok(understood) => understood,
            Err(_) if ElementType::from_name(name).is_some() => {
                errors.on(&format, errors::FORMAT_EXPECTED);
                return None;
            }
            Err((tokens, error)) => {
                errors.on(tokens, error);
                return None;
            }
        };
        let axes = axes(&understood, &format, &input.extents, numbers, errors)?;
        let order = axes.iter().fold(Letters::EMPTY, |order, axis| order.with(axis.letter));
        let order = Order::new(&options, krate, (&understood, &format), order, &element, errors);
        let Order { factors, pads } = order;
        let strides = match options.strides.map(|option| option.value) {
            Some(OptionValue::List { tokens, .. }) => Some(tokens),
            _ => None,
        };
        let pad = match options.pad {
            Some(option) => options::pad(option, krate, &element, errors),
            None => options.storage.filter(|_| pads).map(|option| Pad::zero(option.tokens)),
        };
        let extents = input.extents.tokens;
        Some(Self { format, extents, axes, factors, element, pad, pads, strides })
    }

    /// Returns the axes in coordinate order with the known extents.
    pub(crate) fn axis_extents(&self) -> Vec<AxisExtent> {
        let axes = self.axes.iter().map(|axis| {
            let extent = axis.extent.number.value.map_or(Length::Unknown, Length::Fixed);
            AxisExtent { letter: axis.letter, extent }
        });
        axes.collect()
    }

    /// Returns the rules of layout-core that the layout breaks whatever the values are that only const evaluation
    /// knows. An extent is known if it is a literal.
    pub(crate) fn violations(&self) -> Vec<Violation> {
        let axes = self.axis_extents();
        let is_plain = self.element.known.is_none();
        // The size of an element says how many of them a number of bytes holds.
        let has_size =
            |factor: &Factor| !is_plain || !matches!(factor, Factor::Swizzle(Swizzling::Bytes(..)));
        let factors = self.factors.iter().map(|factor| factor.factor).filter(has_size);
        let factors: Vec<_> = factors.collect();
        let element = self.element.known.unwrap_or(ElementType::Plain { bytes: 1, align: 1 });
        let fill = self.pads.then_some(0);
        let spec = Spec { element, axes: &axes, factors: &factors, fill };
        // Placeholders stand for unknown numbers. They break no rule on their own, but strides and lengths follow from
        // all numbers, and from the size of an element where rows are rounded.
        let is_rounded =
            self.pads || factors.iter().any(|factor| matches!(factor, Factor::Align(_)));
        let has_strides =
            self.factors.iter().all(ModelFactor::is_known) && !(is_plain && is_rounded);
        let violations = if has_strides { Layout::check(&spec) } else { spec.check() };
        let is_known =
            |broken: &&Violation| !is_plain || !matches!(broken.error.0, Rule::TooLarge { .. });
        violations.iter().filter(is_known).copied().collect()
    }
}

/// Returns the axes in coordinate order with their extents, or `None` if they do not match.
fn axes(
    understood: &Format,
    format: &FormatTokens,
    extents: &Extents,
    numbers: Vec<ExtentNumber>,
    errors: &mut Errors,
) -> Option<Vec<ModelAxis>> {
    let named = extents.list.iter().filter(|extent| extent.name.is_some()).count();
    if named > 0 && named < extents.list.len() {
        let positional = extents.list.iter().find(|extent| extent.name.is_none())?;
        errors.on(&positional.value, errors::MIXED_EXTENTS);
        return None;
    }
    if named > 0 {
        return named_axes(understood, extents, numbers, errors);
    }
    let Some(order) = understood.coordinate_order() else {
        errors.on(format, LayoutError(Rule::UnknownOrder { axes: understood.axes() }));
        return None;
    };
    if numbers.len() != order.count() {
        let name = Name::new(&format.text);
        let error =
            LayoutError(Rule::ExtentCount { format: name, axes: order, given: numbers.len() });
        match extents.tokens.is_empty() {
            true => errors.on(format, error),
            false => errors.on(&extents.tokens, error),
        }
        return None;
    }
    let letters = (0..order.count()).map(|i| order.at(i));
    Some(letters.zip(numbers).map(|(letter, extent)| ModelAxis { letter, extent }).collect())
}

/// Returns named extents in coordinate order.
fn named_axes(
    understood: &Format,
    extents: &Extents,
    numbers: Vec<ExtentNumber>,
    errors: &mut Errors,
) -> Option<Vec<ModelAxis>> {
    let there = understood.axes();
    let mut axes: Vec<ModelAxis> = Vec::new();
    let mut complete = true;
    for (argument, extent) in extents.list.iter().zip(numbers) {
        let name = argument.name.as_ref()?;
        match axis_letter(name, there, errors) {
            Some(letter) if axes.iter().any(|axis| axis.letter == letter) => {
                errors.on(name, LayoutError(Rule::RepeatedName { letter }));
                complete = false;
            }
            Some(letter) => axes.push(ModelAxis { letter, extent }),
            None => complete = false,
        }
    }
    for letter in (0..there.count()).map(|i| there.at(i)) {
        if complete && !axes.iter().any(|axis| axis.letter == letter) {
            errors.on(&extents.tokens, LayoutError(Rule::MissingExtent { letter }));
        }
    }
    let named = axes.iter().fold(Letters::EMPTY, |named, axis| named.with(axis.letter));
    let order = understood.order_of_named(named);
    axes.sort_by_key(|axis| order.position(axis.letter));
    (axes.len() == there.count()).then_some(axes)
}
