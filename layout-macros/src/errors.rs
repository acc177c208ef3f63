//! The errors of one macro call, and the texts of errors about syntax. The texts of rules are templates in
//! layout-core.

use std::fmt::Display;

use layout_core::LayoutError;
use layout_core::chip::Storage;
use layout_core::spec::{Name, Rule};
use proc_macro2::TokenStream;
use quote::ToTokens;

/// The errors so far, each with its tokens.
#[derive(Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    /// Adds an error on `tokens`, unless it is already there.
    pub(crate) fn on(&mut self, tokens: impl ToTokens, message: impl Display) {
        // `#` selects the remedy for macros, which differs from that for functions.
        let message = format!("{message:#}");
        let new = syn::Error::new_spanned(tokens, &message);
        let same = |error: &syn::Error| {
            error.to_string() == message
                && format!("{:?}", error.span()) == format!("{:?}", new.span())
        };
        if !self.0.iter().any(same) {
            self.0.push(new);
        }
    }

    /// Returns a single error.
    #[cfg(feature = "include")]
    pub(crate) fn one(tokens: impl ToTokens, message: impl Display) -> Self {
        let mut errors = Self::default();
        errors.on(tokens, message);
        errors
    }

    /// Adds an error that syn found.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// Ends a phase: returns `value` if there are no errors.
    pub(crate) fn gate<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }

    /// Returns the errors as items or statements.
    pub(crate) fn into_items(self) -> TokenStream {
        self.0.into_iter().flatten().map(|error| error.into_compile_error()).collect()
    }

    /// Returns the errors as an expression.
    #[cfg(feature = "include")]
    pub(crate) fn into_expression(self) -> TokenStream {
        let items = self.into_items();
        quote::quote!({ #items })
    }
}

impl From<syn::Error> for Errors {
    fn from(error: syn::Error) -> Self {
        Self(vec![error])
    }
}

/// `others` lists the options of one macro, each followed by a comma.
pub(crate) fn unknown_option(name: &str, others: &str) -> String {
    let name = Name::new(&name.replace(' ', ""));
    let text = format!("{:#}", LayoutError(Rule::UnknownOption { name }));
    text.replacen("write one of ", &format!("write one of {others}"), 1)
}

pub(crate) fn repeated_option(name: &str) -> LayoutError {
    LayoutError(Rule::RepeatedOption { name: Name::new(name) })
}

pub(crate) fn option_syntax(name: &'static str, form: &'static str) -> LayoutError {
    LayoutError(Rule::OptionForm { name, form })
}

pub(crate) const TWO_STORAGES: LayoutError = LayoutError(Rule::TwoStorages);

pub(crate) const LANES_AND_STORAGE: LayoutError = LayoutError(Rule::LanesAndStorage);

/// Returns a storage as a phrase with its path.
pub(crate) fn storage_named(path: &syn::Path) -> String {
    let name = path.segments.last().map(|last| last.ident.to_string());
    format!("storage `{}`", name.unwrap_or_default())
}

/// `path` is the storage with its chip.
pub(crate) fn storage_syntax(path: &str, storage: &Storage) -> LayoutError {
    LayoutError(storage.malformed(Name::new(path)))
}

pub(crate) const MIXED_EXTENTS: LayoutError = LayoutError(Rule::MixedExtents);

pub(crate) const FORMAT_EXPECTED: LayoutError = LayoutError(Rule::FormatExpected);

/// Whether Rust reads a format as a number without the digits of its exponent. Rust's own error does not mention
/// formats. It happens to a leading block of axis E without a following digit.
pub(crate) fn is_number(format: &str) -> bool {
    let rest = format.trim_start_matches(|digit: char| digit.is_ascii_digit());
    match rest.strip_prefix(['e', 'E']) {
        Some(exponent) => {
            rest.len() < format.len() && !exponent.starts_with(|digit: char| digit.is_ascii_digit())
        }
        None => false,
    }
}

pub(crate) fn number(format: &str) -> String {
    format!(
        "Rust reads format `{format}` as a number with an exponent; write it in quotes, `\"{format}\"`"
    )
}

pub(crate) const EXTENTS_EXPECTED: LayoutError = LayoutError(Rule::ExtentsExpected);

pub(crate) const ELEMENT_EXPECTED: LayoutError = LayoutError(Rule::ElementExpected);

pub(crate) fn not_whole(what: &str, least: usize, text: &str) -> String {
    format!(
        "{what} `{text}` is not an integer of at least {least}; write a literal, a const or `{{ const \
         expression }}`"
    )
}

pub(crate) fn not_an_integer(what: &str, text: &str) -> String {
    format!(
        "{what} `{text}` is not an integer; write a literal, a const or `{{ const expression }}`"
    )
}

pub(crate) fn past_usize(what: &str, text: &str) -> String {
    format!("{what} `{text}` does not fit in `usize`; write at most {}", usize::MAX)
}

pub(crate) fn past_isize(what: &str, text: &str) -> String {
    format!("{what} `{text}` does not fit in `isize`; write {} to {}", isize::MIN, isize::MAX)
}

pub(crate) fn suffix(what: &str, text: &str, suffix: &str, digits: &str) -> String {
    format!("{what} `{text}` has type `{suffix}`; write `{digits}`")
}

pub(crate) const VALUE_EXPECTED: &str =
    "expected a value; write a literal, a const or `{ const expression }`";

pub(crate) const COMMA_EXPECTED: LayoutError = LayoutError(Rule::CommaExpected);

pub(crate) const NOT_CLOSED: LayoutError = LayoutError(Rule::ExtentsNotClosed);

pub(crate) const OPTION_EXPECTED: LayoutError = LayoutError(Rule::OptionExpected);

pub(crate) const TURBOFISH: &str = "`::` cannot follow a format; write `!` after a format of your own, as in \
     `layout!(formats::NAME!<1, 3, 4, 4>, i8)`";

pub(crate) const NAMED_FORMAT_EXPECTED: &str =
    "expected `NAME = FORMAT`; write it as in `named_format!(TILED = NCHW4h4w4c)`";

pub(crate) const PAD_OF_PLAIN: LayoutError = LayoutError(Rule::PadOfPlain);

pub(crate) const OPERATION_EXPECTED: &str =
    "expected `,` and an operation with its arguments; write them as in `slice('H', 8, 1, 40)`";

pub(crate) const RELAYOUT_ATTRIBUTE: &str = "`#[derive(Relayout)]` needs two layouts; \
     add `#[relayout(Source => Destination)]`";

pub(crate) const RELAYOUT_TWICE: &str =
    "`#[relayout(..)]` is given twice; derive the second relayout on another struct";

pub(crate) const RELAYOUT_ARROW: &str =
    "expected `Source => Destination`; write two layouts as in `#[relayout(Image => Packed)]`";

pub(crate) const RELAYOUT_CONVERT: &str = "expected a conversion or nothing after the two layouts; write it as in \
     `#[relayout(Camera => Input, convert = Conversion::cast())]`";

pub(crate) const RELAYOUT_GENERIC: &str = "array lengths of a derived relayout cannot depend \
     on generic parameters; remove the parameters, or call `relayout` on slices";
