//! The errors of one macro call, and the texts of errors about syntax. The texts of rules are templates in
//! layout-core.

use std::fmt::Display;

use layout_core::LayoutError;
use layout_core::spec::Rule;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parse;

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

    /// Whether nothing is wrong so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Ends a phase: returns `value` if there are no errors.
    pub(crate) fn gate<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }

    /// Returns the first error, of which there is one at least.
    #[cfg(all(feature = "records", feature = "pictures"))]
    pub(crate) fn first(mut self) -> syn::Error {
        self.0.swap_remove(0)
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

/// Returns an error on tokens that do not parse as `T`: the compiler's own would point at the whole macro call.
pub(crate) fn unless<T: Parse>(tokens: &TokenStream, message: &str) -> Option<TokenStream> {
    syn::parse2::<T>(tokens.clone()).err()?;
    let message = format!("`{tokens}` {message}");
    Some(syn::Error::new_spanned(tokens, message).into_compile_error())
}

impl From<syn::Error> for Errors {
    fn from(error: syn::Error) -> Self {
        Self(vec![error])
    }
}

/// The text of an error. `others` lists the options of one macro, each followed by a comma.
pub(crate) fn with_options(error: &LayoutError, others: &str) -> String {
    let text = format!("{error:#}");
    match error.0 {
        Rule::UnknownOption { .. } => {
            text.replacen("write one of ", &format!("write one of {others}"), 1)
        }
        _ => text,
    }
}

#[cfg(feature = "include")]
pub(crate) fn option_syntax(name: &'static str, form: &'static str) -> LayoutError {
    LayoutError(Rule::OptionForm { name, form })
}

/// The format, and the error, if Rust reads it as a number without the digits of its exponent. Rust's own error does
/// not mention formats. It happens to a leading block of axis E without a following digit.
pub(crate) fn format_like_a_number(layout: &TokenStream) -> Option<(TokenTree, String)> {
    let token = layout.clone().into_iter().next()?;
    let format = token.to_string();
    let rest = format.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let exponent = rest.strip_prefix(['e', 'E'])?;
    let is_number =
        rest.len() < format.len() && !exponent.starts_with(|digit: char| digit.is_ascii_digit());
    let error = format!(
        "Rust reads format `{format}` as a number with an exponent; write it in quotes, `\"{format}\"`"
    );
    is_number.then_some((token, error))
}

pub(crate) const TURBOFISH: &str = "`::` cannot follow a format; write `!` after a format of your own, as in \
     `layout!(formats::NAME!<1, 3, 4, 4>, i8)`";

/// After the tokens.
pub(crate) const NOT_A_TYPE: &str = "is not a type; write an element type, such as `f16`";

/// After the tokens.
pub(crate) const NOT_AN_EXPRESSION: &str =
    "is not an expression; write a literal, a const or `{ const expression }`";

pub(crate) const NAMED_FORMAT_EXPECTED: &str =
    "expected `NAME = FORMAT`; write it as in `named_format!(TILED = NCHW4h4w4c)`";

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

pub(crate) const RELAYOUT_RECORDS: &str = "records are moved without a conversion; \
     write nothing after them, or compute values by a `ValuePlan`";

pub(crate) const RELAYOUT_GENERIC: &str = "array lengths of a derived relayout cannot depend \
     on generic parameters; remove the parameters, or call `relayout` on slices";

pub(crate) const DIVISIBLE_ARGUMENTS: &str = "`#[divisible]` takes no arguments; remove them";

pub(crate) const DIVISIBLE_ITEM: &str = "`#[divisible]` is for items with generic parameters; write it on a function, \
     an `impl`, a struct, an enum or a trait";

pub(crate) const DIVISIBLE_NOTHING: &str = "no `layout!` of this item has a const parameter as the extent of an axis in \
     blocks; remove `#[divisible]`, or write the extent as the name of the parameter alone";

#[cfg(feature = "records")]
pub(crate) const RECORD_EXPECTED: &str = "expected `NAME = FORMAT { FIELDS }`; write it as in \
     `record! { pub Q8_0 = MK { d: f16, q: 32k i8 } = d * q }`";

#[cfg(feature = "records")]
pub(crate) const RECORD_EXTENTS: &str = "`record!` names fields without extents; remove these, and write them where the \
     record is used, as in `layout!(MK<2, 64>, NAME!)`";

#[cfg(all(feature = "records", any(feature = "include", feature = "pictures")))]
pub(crate) const RECORD_NUMBER: &str =
    "this macro needs the extents of a record before constants are known; write a literal number";

/// The error of a field whose method has a name that another field has, or that is taken otherwise.
#[cfg(feature = "records")]
pub(crate) fn field_name(name: &str, is_of_field: bool) -> String {
    match is_of_field {
        true => format!("two fields have methods of one name at `{name}`; rename one of them"),
        false => {
            format!("field `{name}` has no method of its name, which is taken; rename the field")
        }
    }
}
