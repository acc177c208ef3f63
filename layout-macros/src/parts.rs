//! The parts of a written layout, each with its tokens.

use layout_core::spec::{Factor, Letters, Name, Rule};
use layout_core::{ElementType, LayoutError};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Ident, Type};

use crate::errors::Errors;
use crate::numbers::{ExtentNumber, Number};
use crate::parse::FormatTokens;

pub(crate) struct ModelAxis {
    pub(crate) letter: char,
    pub(crate) extent: ExtentNumber,
}

pub(crate) struct ModelFactor {
    pub(crate) factor: Factor,
    /// The factor's number in the expansion, if it is not a literal.
    pub(crate) number: Option<TokenStream>,
    /// The start lane of an axis that is distributed over lanes, if it is written.
    pub(crate) start: Option<Start>,
    /// The tokens for errors.
    pub(crate) tokens: TokenStream,
    /// The option from which the factor comes, or the format.
    pub(crate) option: TokenStream,
}

/// A start lane.
pub(crate) struct Start {
    pub(crate) number: Number<usize>,
    /// The tokens as written.
    pub(crate) tokens: TokenStream,
}

impl ModelFactor {
    /// Whether all numbers of the factor are literals.
    pub(crate) fn is_known(&self) -> bool {
        let start = self.start.as_ref().is_none_or(|start| start.number.value.is_some());
        self.number.is_none() && start
    }

    /// Whether the factor distributes an axis over lanes.
    pub(crate) fn is_lanes(&self) -> bool {
        matches!(self.factor, Factor::Lanes(..))
    }

    /// Returns a factor that is part of the format.
    pub(crate) fn of_format(factor: Factor, format: &FormatTokens) -> Self {
        let tokens = format.to_token_stream();
        Self { factor, number: None, start: None, tokens: tokens.clone(), option: tokens }
    }
}

pub(crate) struct ModelElement {
    /// The element type; `None` for a type of the user's own.
    pub(crate) known: Option<ElementType>,
    /// Whether it can be a type of the user's own.
    pub(crate) could_be_a_type: bool,
    pub(crate) ty: Type,
    /// Whether the first element of a byte is in its highest bits.
    pub(crate) is_high_first: bool,
}

impl ModelElement {
    /// Resolves an element type of layout-types, or a type of the user's own.
    pub(crate) fn new(mut ty: Type, errors: &mut Errors) -> Self {
        // Removes the group of a `macro_rules!` fragment.
        while let Type::Group(group) = ty {
            ty = *group.elem;
        }
        let name = ty.to_token_stream().to_string();
        let known = ElementType::from_name(&name);
        // A name of lower-case letters and digits is a misspelt element type or one of another system. Rust's own
        // types of that form are not elements. Anything else can be a type of the user's own.
        let could_be_a_type =
            !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if known.is_none() && !could_be_a_type {
            errors.on(&ty, LayoutError(Rule::UnknownElement { name: Name::new(&name) }));
        }
        Self { known, could_be_a_type, ty, is_high_first: false }
    }

    /// Applies the option `high_first`, which has these tokens.
    pub(crate) fn order_high_first(&mut self, option: &TokenStream, errors: &mut Errors) {
        match self.known.map(ElementType::high_first) {
            Some(Err(error)) => return errors.on(option, error),
            Some(Ok(element)) => self.known = Some(element),
            // The missing trait of the element type is the error.
            None => {}
        }
        self.is_high_first = true;
    }

    /// Returns the element type as it is written.
    pub(crate) fn name(&self) -> String {
        self.ty.to_token_stream().to_string()
    }
}

pub(crate) struct Pad {
    /// The bits of the fill value.
    pub(crate) bits: TokenStream,
    pub(crate) tokens: TokenStream,
}

impl Pad {
    /// Returns padding filled with zeros.
    pub(crate) fn zero(tokens: TokenStream) -> Self {
        Self { bits: quote!(0), tokens }
    }
}

/// Returns the axis with this name.
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
