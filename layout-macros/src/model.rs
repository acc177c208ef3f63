//! What the syntax means: axes with extents, factors, element and options, each with its tokens.

use layout_types::spec::{AxisExtent, Factor, Length, Letters, Name, Rule, Spec, Violations};
use layout_types::{ElementType, Format, Layout, LayoutError};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Ident, Type};

use crate::errors::{self, Errors};
use crate::numbers::{self, ExtentNumber};
use crate::options::{self, Options, Order};
use crate::parse::{Extents, FormatName, Input, OptionValue};

/// A layout as written, understood and unchecked.
pub(crate) struct Model {
    pub(crate) format: TokenTree,
    pub(crate) extents: TokenStream,
    pub(crate) axes: Vec<ModelAxis>,
    pub(crate) factors: Vec<ModelFactor>,
    pub(crate) element: ModelElement,
    pub(crate) pad: Option<Pad>,
    /// Whether padding is meant, be it written right or wrong.
    pads: bool,
    /// The list of explicit strides.
    pub(crate) strides: Option<TokenStream>,
}

pub(crate) struct ModelAxis {
    pub(crate) letter: char,
    pub(crate) extent: ExtentNumber,
}

pub(crate) struct ModelFactor {
    pub(crate) factor: Factor,
    /// What the factor's number is in the expansion, where it is not a literal.
    pub(crate) number: Option<TokenStream>,
    /// The start lane of an axis that is dealt over lanes, where it is written.
    pub(crate) start: Option<Start>,
    /// What to point at.
    pub(crate) tokens: TokenStream,
    /// The option that the factor comes from, or the format.
    pub(crate) option: TokenStream,
}

/// A start lane.
pub(crate) struct Start {
    /// What it is in the expansion.
    pub(crate) number: TokenStream,
    /// As written.
    pub(crate) tokens: TokenStream,
}

impl ModelFactor {
    /// Whether the factor deals an axis over lanes.
    pub(crate) fn is_lanes(&self) -> bool {
        matches!(self.factor, Factor::Lanes(..))
    }

    /// A factor that the format itself has.
    pub(crate) fn of_format(factor: Factor, format: &TokenTree) -> Self {
        let tokens = format.to_token_stream();
        Self { factor, number: None, start: None, tokens: tokens.clone(), option: tokens }
    }
}

pub(crate) struct ModelElement {
    /// The element type; `None` for a type of the user's own.
    pub(crate) known: Option<ElementType>,
    /// Whether it may be a type of the user's own.
    pub(crate) could_be_a_type: bool,
    pub(crate) ty: Type,
}

impl ModelElement {
    /// As written.
    pub(crate) fn name(&self) -> String {
        self.ty.to_token_stream().to_string()
    }
}

pub(crate) struct Pad {
    /// The bits of the fill.
    pub(crate) bits: TokenStream,
    pub(crate) tokens: TokenStream,
}

impl Pad {
    /// Padding that holds zeros.
    pub(crate) fn zero(tokens: TokenStream) -> Self {
        Self { bits: quote!(0), tokens }
    }
}

impl Model {
    /// Understands `input` as far as it can be, and reports all that is wrong with its words.
    /// `None` where too little is left to hold against the rules. `others` are the options that the
    /// macro takes besides those of `layout!`, as errors list them before those.
    pub(crate) fn new(
        krate: &TokenStream,
        input: Input,
        others: &str,
        errors: &mut Errors,
    ) -> Option<Self> {
        let FormatName::Letters(format) = input.format else {
            unreachable!("a macro as format is expanded, not understood");
        };
        let element = ModelElement::new(input.element, errors);
        let options = Options::new(input.options, others, errors);
        let numbers: Vec<_> = input
            .extents
            .list
            .iter()
            .map(|extent| numbers::extent(&extent.value, errors))
            .collect();
        let name = format.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name);
        let understood = match Format::parse(name) {
            Ok(understood) => understood,
            Err(_) if ElementType::from_name(name).is_some() => {
                errors.on(&format, errors::FORMAT_EXPECTED);
                return None;
            }
            Err(error) => {
                errors.on(&format, error);
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

    /// The axes in coordinate order with the extents that are known.
    pub(crate) fn axis_extents(&self) -> Vec<AxisExtent> {
        let axes = self.axes.iter().map(|axis| {
            let extent = axis.extent.number.value.map_or(Length::Unknown, Length::Fixed);
            AxisExtent { letter: axis.letter, extent }
        });
        axes.collect()
    }

    /// The rules of layout-types that the layout breaks, as far as it is known: an extent that is
    /// not a literal is not.
    pub(crate) fn violations(&self) -> Violations {
        let axes = self.axis_extents();
        let factors: Vec<_> = self.factors.iter().map(|factor| factor.factor).collect();
        // The size of a type of the user's own is not known here; const evaluation knows it.
        let element = self.element.known.unwrap_or(ElementType::Plain { bytes: 1, align: 1 });
        let fill = self.pads.then_some(0);
        let spec = Spec { element, axes: &axes, factors: &factors, fill };
        // A stride that is not known stands as 1, which breaks no rule but that of overlaps.
        let known = self.strides.is_none() || self.factors.iter().all(|f| f.number.is_none());
        if known { Layout::check(&spec) } else { spec.check() }
    }
}

impl ModelElement {
    /// A name of layout-types, or a type of the user's own.
    pub(crate) fn new(mut ty: Type, errors: &mut Errors) -> Self {
        // The group that a `macro_rules!` fragment leaves.
        while let Type::Group(group) = ty {
            ty = *group.elem;
        }
        let name = ty.to_token_stream().to_string();
        let known = ElementType::from_name(&name);
        // What is not just a misspelt or a foreign element type: those are lower-case letters and
        // digits, and Rust's own types of that form are not elements.
        let could_be_a_type =
            !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if known.is_none() && !could_be_a_type {
            errors.on(&ty, LayoutError(Rule::UnknownElement { name: Name::new(&name) }));
        }
        Self { known, could_be_a_type, ty }
    }
}

/// The axes in coordinate order with their extents; `None` where they do not match.
fn axes(
    understood: &Format,
    format: &TokenTree,
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
        let name = Name::new(&format.to_string());
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

/// Named extents, sorted into the coordinate order where the axes have one.
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
    if let Some(order) = understood.coordinate_order() {
        axes.sort_by_key(|axis| order.position(axis.letter));
    }
    (axes.len() == there.count()).then_some(axes)
}

/// The axis that `name` names.
pub(crate) fn axis_letter(name: &Ident, axes: Letters, errors: &mut Errors) -> Option<char> {
    let text = name.to_string();
    let mut letters = text.chars();
    let letter = match (letters.next(), letters.next()) {
        (Some(letter), None) => axes.position(letter.to_ascii_uppercase()).map(|i| axes.at(i)),
        _ => None,
    };
    if letter.is_none() {
        errors.on(name, LayoutError(Rule::UnknownAxis { name: Name::new(&text), axes }));
    }
    letter
}
