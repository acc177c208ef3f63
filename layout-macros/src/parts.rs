//! The parts that a layout is written with, each with its tokens.

use layout_types::spec::{Factor, Letters, Name, Rule};
use layout_types::{ElementType, LayoutError};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Ident, Type};

use crate::errors::Errors;
use crate::numbers::ExtentNumber;
use crate::parse::FormatTokens;

pub(crate) struct ModelAxis {
    pub(crate) letter: char,
    pub(crate) extent: ExtentNumber,
}

pub(crate) struct ModelFactor {
    pub(crate) factor: Factor,
    /// What the factor's number is in the expansion, where it is not a literal.
    pub(crate) number: Option<TokenStream>,
    /// The start lane of an axis that is distributed over lanes, where it is written.
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
    pub(crate) fn of_format(factor: Factor, format: &FormatTokens) -> Self {
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
    /// Whether the first element of a byte lies in its highest bits.
    pub(crate) is_high_first: bool,
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
        Self { known, could_be_a_type, ty, is_high_first: false }
    }

    /// Applies the option `high_first`, of these tokens.
    pub(crate) fn order_high_first(&mut self, option: &TokenStream, errors: &mut Errors) {
        match self.known.map(ElementType::high_first) {
            Some(Err(error)) => return errors.on(option, error),
            Some(Ok(element)) => self.known = Some(element),
            // The trait that its elements lack says so.
            None => {}
        }
        self.is_high_first = true;
    }

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
