//! The errors of one macro call, and the texts of those that only syntax can cause. The texts of
//! rules are templates in layout-types.

use std::fmt::Display;

use layout_types::chip::Storage;
use proc_macro2::TokenStream;
use quote::ToTokens;

/// Errors so far, each on its tokens.
#[derive(Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    /// Adds an error on `tokens`, unless the same one is there.
    pub(crate) fn on(&mut self, tokens: impl ToTokens, message: impl Display) {
        // `#` asks for the remedy in macros, where functions have another.
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

    /// The gate between two phases: `value` if there are no errors.
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
     `lanes(AXIS, LANES, start = LANE)`, or a storage such as `bm1684x::aligned`";

/// `others` are options of one macro, each followed by a comma.
pub(crate) fn unknown_option(name: &str, others: &str) -> String {
    let name = name.replace(' ', "");
    format!("unknown option `{name}`; write one of {others}{OPTIONS}")
}

pub(crate) fn repeated_option(name: &str) -> String {
    format!("option `{name}` is given twice; keep one")
}

pub(crate) fn option_syntax(name: &str, form: &str) -> String {
    format!("option `{name}` is malformed; write {form}")
}

pub(crate) const TWO_STORAGES: &str = "two storages are given; keep one";

pub(crate) const LANES_AND_STORAGE: &str = "option `lanes` cannot be combined with a storage, which has its own lanes; remove one of the two";

/// A storage in a sentence, by its path.
pub(crate) fn storage_named(path: &syn::Path) -> String {
    let name = path.segments.last().map(|last| last.ident.to_string());
    format!("storage `{}`", name.unwrap_or_default())
}

/// `path` is the storage with its chip.
pub(crate) fn storage_syntax(path: &str, storage: &Storage) -> String {
    let forms = match (storage.has_width(), storage.has_start()) {
        (true, _) => format!("`{path}(w = WIDTH)` or `{path}(w = WIDTH, start = LANE)`"),
        (false, true) => format!("`{path}` or `{path}(start = LANE)`"),
        (false, false) => format!("`{path}`"),
    };
    format!("storage `{}` is malformed; write {forms}", storage.name)
}

pub(crate) const MIXED_EXTENTS: &str =
    "named and positional extents are mixed; name all of them or none";

pub(crate) const FORMAT_EXPECTED: &str =
    "expected a format and its extents; write them as in `layout!(NCHW4c<1, 64, 56, 56>, i8)`";

pub(crate) const EXTENTS_EXPECTED: &str =
    "expected the extents of the format; write them as in `NCHW<1, 3, 224, 224>`";

pub(crate) const ELEMENT_EXPECTED: &str = "expected an element type after the extents; write it as in `layout!(NCHW<1, 3, 224, 224>, f32)`";

pub(crate) fn not_whole(what: &str, least: usize, text: &str) -> String {
    format!(
        "{what} `{text}` is not an integer of at least {least}; write a literal, a const or `{{ const \
         expression }}`"
    )
}

pub(crate) fn not_a_stride(text: &str) -> String {
    format!(
        "stride `{text}` is not an integer; write a literal, a const or `{{ const expression }}`"
    )
}

pub(crate) fn past_usize(what: &str, text: &str) -> String {
    format!("{what} `{text}` does not fit in `usize`; write at most {}", usize::MAX)
}

pub(crate) fn past_isize(text: &str) -> String {
    format!("stride `{text}` does not fit in `isize`; write {} to {}", isize::MIN, isize::MAX)
}

pub(crate) fn suffix(what: &str, text: &str, suffix: &str, digits: &str) -> String {
    format!("{what} `{text}` has type `{suffix}`; write `{digits}`")
}

/// A pad value that is a number out of range, or not a number.
pub(crate) fn pad_value(value: &str, element: &str, number: bool, range: String) -> String {
    match number {
        true => format!("pad value {value} does not fit in `{element}`; write {range}"),
        false => format!("pad value {value} does not have type `{element}`; write {range}"),
    }
}

pub(crate) const VALUE_EXPECTED: &str =
    "expected a value; write a literal, a const or `{ const expression }`";

pub(crate) const COMMA_EXPECTED: &str = "expected `,` between two values; add it";

pub(crate) const NOT_CLOSED: &str = "the list of extents has no end; add `>`";

pub(crate) const OPTION_EXPECTED: &str = "expected `,` and an option; write them as in `, pad`";

pub(crate) const TURBOFISH: &str = "`::` cannot follow a format; write `!` after a format of your own, as in \
     `layout!(formats::NAME!<1, 3, 4, 4>, i8)`";

pub(crate) const NAMED_FORMAT_EXPECTED: &str =
    "expected `NAME = FORMAT`; write it as in `named_format!(TILED = NCHW4h4w4c)`";

pub(crate) const PAD_OF_PLAIN: &str = "pad values need an element type of this crate; write `pad`, which fills the padding of your own type \
     with zero bytes";

pub(crate) const OPERATION_EXPECTED: &str =
    "expected `,` and an operation with its arguments; write them as in `slice('H', 8, 1, 40)`";

pub(crate) const PLACE_EXPECTED: &str = "expected `struct NAME in CHIP { .. }`; write it as in \
     `place! { struct Conv in bm1684x { INPUT: Input = 0x0 } }`";

pub(crate) const TENSOR_EXPECTED: &str = "expected a tensor or `apart`; write `NAME: LAYOUT`, \
     `NAME: LAYOUT = ADDRESS` or `apart(NAME, NAME)`, separated by commas";

pub(crate) const APART_OF_ONE: &str =
    "`apart` has fewer than two tensors; name the tensors to keep in different banks";

pub(crate) fn unknown_tensor(name: &str, there: &str) -> String {
    format!("tensor `{name}` does not exist; write one of {there}")
}

pub(crate) fn repeated_tensor(name: &str) -> String {
    format!("tensor `{name}` is given twice; keep one")
}

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
