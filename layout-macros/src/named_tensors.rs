//! What `place!` and `arena!` share: errors about names of tensors, and errors that const evaluation finds.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

pub(crate) fn unknown_tensor(name: &Ident, there: &str) -> String {
    format!("tensor `{name}` does not exist; write one of {there}")
}

pub(crate) fn repeated_tensor(name: &Ident) -> String {
    format!("tensor `{name}` is given twice; keep one")
}

/// The names in a list, for errors.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a Ident>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// An optional value.
pub(crate) fn option(value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

/// Returns a constant whose evaluation fails with the error of `result`, if there is one, on the tokens from `first`
/// to `last`.
pub(crate) fn report(
    krate: &TokenStream,
    first: Span,
    last: Span,
    result: &TokenStream,
) -> TokenStream {
    let function = quote_spanned!(first=> __report);
    let call = quote_spanned!(last=> (#result));
    quote! {
        const _: () = {
            use #krate::__private::report as __report;
            #function #call
        };
    }
}
