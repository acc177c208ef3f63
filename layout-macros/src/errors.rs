//! All errors of one macro call, and the texts of those that only syntax can cause. The rules of
//! layouts have their texts in layout-types.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// Errors so far, each on its tokens.
#[derive(Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    /// Adds an error on `tokens`, unless the same one is there.
    pub(crate) fn on(&mut self, tokens: impl ToTokens, message: impl Display) {
        let message = message.to_string();
        let new = syn::Error::new_spanned(tokens, &message);
        let same = |error: &syn::Error| {
            error.to_string() == message
                && format!("{:?}", error.span()) == format!("{:?}", new.span())
        };
        if !self.0.iter().any(same) {
            self.0.push(new);
        }
    }

    /// Adds an error that syn found.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// The gate between two phases: goes on only without errors.
    pub(crate) fn gate<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }

    /// The errors where a type or an expression is expected: several make a tuple, since one
    /// type is all that can stand there.
    pub(crate) fn into_place(self) -> TokenStream {
        let errors: Vec<_> = self.compile_errors();
        match errors.as_slice() {
            [error] => error.clone(),
            errors => quote! { (#(#errors,)*) },
        }
    }

    /// The errors where items are expected.
    pub(crate) fn into_items(self) -> TokenStream {
        self.compile_errors().into_iter().collect()
    }

    fn compile_errors(self) -> Vec<TokenStream> {
        self.0.into_iter().flatten().map(|error| error.to_compile_error()).collect()
    }
}

impl From<syn::Error> for Errors {
    fn from(error: syn::Error) -> Self {
        Self(vec![error])
    }
}

/// The options of `layout!`, as errors list them.
pub(crate) const OPTIONS: &str =
    "`pad`, `pad = VALUE`, `strides = [..]`, `align(AXIS = BYTES)`, `broadcast(AXIS)`";

pub(crate) fn unknown_option(name: &str) -> String {
    let name = name.replace(' ', "");
    format!("unknown option `{name}`; options are {OPTIONS}")
}

pub(crate) fn repeated_option(name: &str) -> String {
    format!("option `{name}` is given twice; keep one")
}

pub(crate) fn option_syntax(name: &str, example: &str) -> String {
    format!("option `{name}` is written `{example}`")
}

pub(crate) const MIXED_EXTENTS: &str =
    "extents are named or positional, not both; name all of them or none";

pub(crate) const FORMAT_EXPECTED: &str =
    "expected a format, such as `NCHW4c`, and its extents: `layout!(NCHW4c<1, 64, 56, 56>, i8)`";

pub(crate) const EXTENTS_EXPECTED: &str =
    "expected the extents of the format in `<..>`: `NCHW<1, 3, 224, 224>`";

pub(crate) const ELEMENT_EXPECTED: &str =
    "expected an element type after the extents: `layout!(NCHW<1, 3, 224, 224>, f32)`";

pub(crate) const RUNTIME_EXTENT: &str = "an extent in `layout!` is known at compile time; \
     for extents found at run time make a `Layout` with `Layout::of`";

pub(crate) fn not_whole(what: &str, text: &str) -> String {
    format!(
        "{what} `{text}` is not a whole number of at least 0; write a literal, a const or `{{ const expression }}`"
    )
}

pub(crate) fn not_a_stride(text: &str) -> String {
    format!(
        "stride `{text}` is not a whole number; write a literal, a const or `{{ const expression }}`"
    )
}

pub(crate) fn pad_range(value: &str, element: &str, range: Option<(i128, i128)>) -> String {
    match range {
        Some((low, high)) => {
            format!("pad value {value} does not fit `{element}`; write {low} to {high}")
        }
        None => format!(
            "pad value {value} is not a `{element}`; write a number or a const of that type"
        ),
    }
}

pub(crate) const PAD_OF_PLAIN: &str =
    "padding of a type of your own is filled with zero bytes; write `pad` without a value";

pub(crate) const RELAYOUT_ATTRIBUTE: &str = "`#[derive(Relayout)]` needs to know what to move; \
     add `#[relayout(Source => Destination)]`";

pub(crate) const RELAYOUT_TWICE: &str =
    "`#[relayout(..)]` is given twice; derive the second relayout on a struct of its own";

pub(crate) const RELAYOUT_ARROW: &str =
    "expected `Source => Destination`, two layouts: `#[relayout(Image => Packed)]`";

pub(crate) const RELAYOUT_GENERIC: &str = "a derived relayout works on arrays, whose lengths \
     cannot depend on generic parameters; remove them, or call `relayout` on slices";
