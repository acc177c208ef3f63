//! All errors of one macro call, and the texts of those that only syntax can cause. The rules of
//! layouts have their texts in layout-types.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// Errors so far, each on its tokens.
#[derive(Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    /// Adds an error on `tokens`, unless the same one is there.
    pub(crate) fn on(&mut self, tokens: impl ToTokens, message: impl Display) {
        // Of an error that functions return too, what to write in a macro.
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

    /// One error alone.
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

    /// The gate between two phases: goes on only without errors.
    pub(crate) fn gate<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }

    /// The errors where items or statements are expected.
    pub(crate) fn into_items(self) -> TokenStream {
        self.0.into_iter().flatten().map(|error| error.into_compile_error()).collect()
    }

    /// The errors where an expression is expected.
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

/// The options of `layout!`, as errors list them.
pub(crate) const OPTIONS: &str = "`pad`, `pad = VALUE`, `strides = [..]`, `align(AXIS = BYTES)`, `broadcast(AXIS)`, \
     `lanes(AXIS, LANES, start = LANE)`, and storages such as `bm1684x::aligned`";

/// `others` are options of one macro, each with a comma behind it.
pub(crate) fn unknown_option(name: &str, others: &str) -> String {
    let name = name.replace(' ', "");
    format!("unknown option `{name}`; options are {others}{OPTIONS}")
}

pub(crate) fn repeated_option(name: &str) -> String {
    format!("option `{name}` is given twice; keep one")
}

pub(crate) fn option_syntax(name: &str, form: &str) -> String {
    format!("option `{name}` is written {form}")
}

pub(crate) const TWO_STORAGES: &str = "a tensor has one storage; keep one of them";

pub(crate) const LANES_AND_STORAGE: &str =
    "a storage says what is dealt over lanes; keep one of option `lanes` and the storage";

/// A storage in a sentence, by its path.
pub(crate) fn storage_named(path: &syn::Path) -> String {
    let name = path.segments.last().map(|last| last.ident.to_string());
    format!("storage `{}`", name.unwrap_or_default())
}

pub(crate) fn storage_syntax(name: &str) -> String {
    format!("storage `{name}` takes `start = LANE` and `w = WIDTH` only")
}

pub(crate) const MIXED_EXTENTS: &str =
    "extents are named or positional, not both; name all of them or none";

pub(crate) const FORMAT_EXPECTED: &str =
    "expected a format, such as `NCHW4c`, and its extents: `layout!(NCHW4c<1, 64, 56, 56>, i8)`";

pub(crate) const EXTENTS_EXPECTED: &str =
    "expected the extents of the format in `<..>`: `NCHW<1, 3, 224, 224>`";

pub(crate) const ELEMENT_EXPECTED: &str =
    "expected an element type after the extents: `layout!(NCHW<1, 3, 224, 224>, f32)`";

pub(crate) fn not_whole(what: &str, least: usize, text: &str) -> String {
    format!(
        "{what} `{text}` is not a whole number of at least {least}; write a literal, a const or `{{ const \
         expression }}`"
    )
}

pub(crate) fn not_a_stride(text: &str) -> String {
    format!(
        "stride `{text}` is not a whole number; write a literal, a const or `{{ const expression }}`"
    )
}

pub(crate) fn past_usize(what: &str, text: &str) -> String {
    format!("{what} `{text}` does not fit `usize`; write at most {}", usize::MAX)
}

pub(crate) fn past_isize(text: &str) -> String {
    format!("stride `{text}` does not fit `isize`; write {} to {}", isize::MIN, isize::MAX)
}

pub(crate) fn suffix(what: &str, text: &str, suffix: &str, digits: &str) -> String {
    format!("{what} `{text}` is a `{suffix}`; write `{digits}`")
}

/// A pad value that is not one of the element type: a number that does not fit, or no number.
pub(crate) fn pad_value(value: &str, element: &str, number: bool, range: String) -> String {
    match number {
        true => format!("pad value {value} does not fit `{element}`; write {range}"),
        false => format!("pad value {value} is not of type `{element}`; write {range}"),
    }
}

pub(crate) const VALUE_EXPECTED: &str = "expected a value";

pub(crate) const COMMA_EXPECTED: &str = "expected `,` between values";

pub(crate) const NOT_CLOSED: &str = "the extents are not closed; add `>`";

pub(crate) const OPTION_EXPECTED: &str = "expected `,` and an option";

pub(crate) const TURBOFISH: &str = "remove `::`; a format of your own is written with `!`: `layout!(formats::NAME!<1, 3, 4, 4>, i8)`";

pub(crate) const NAMED_FORMAT_EXPECTED: &str =
    "expected `NAME = FORMAT`: `named_format!(TILED = NCHW4h4w4c)`";

pub(crate) const PAD_OF_PLAIN: &str =
    "padding of a type of your own is filled with zero bytes; write `pad` without a value";

pub(crate) const OPERATION_EXPECTED: &str =
    "expected `,` and an operation with its arguments, such as `slice('H', 8, 1, 40)`";

pub(crate) const PLACE_EXPECTED: &str = "expected `struct NAME in CHIP { .. }`: \
     `place! { struct Conv in bm1684x { INPUT: Input = 0x0 } }`";

pub(crate) const TENSOR_EXPECTED: &str = "expected `NAME: LAYOUT`, `NAME: LAYOUT = ADDRESS` or \
     `apart(NAME, NAME)`, with commas between them";

pub(crate) const APART_OF_ONE: &str = "`apart` keeps tensors in different banks; name two or more";

pub(crate) fn unknown_tensor(name: &str, there: &str) -> String {
    format!("there is no tensor `{name}`; write one of {there}")
}

pub(crate) fn repeated_tensor(name: &str) -> String {
    format!("tensor `{name}` is given twice; keep one")
}

pub(crate) const RELAYOUT_ATTRIBUTE: &str = "`#[derive(Relayout)]` needs to know what to move; \
     add `#[relayout(Source => Destination)]`";

pub(crate) const RELAYOUT_TWICE: &str =
    "`#[relayout(..)]` is given twice; derive the second relayout on a struct of its own";

pub(crate) const RELAYOUT_ARROW: &str =
    "expected `Source => Destination`, two layouts: `#[relayout(Image => Packed)]`";

pub(crate) const RELAYOUT_CONVERT: &str = "after the two layouts there can only be a conversion: \
     `#[relayout(Camera => Input, convert = Conversion::cast())]`";

pub(crate) const RELAYOUT_GENERIC: &str = "a derived relayout works on arrays, whose lengths \
     cannot depend on generic parameters; remove them, or call `relayout` on slices";
