//! The Rust types of elements that have a name.

use layout_core::ElementType;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The type of an element that has a name.
pub(crate) fn element_type(krate: &TokenStream, element: ElementType) -> TokenStream {
    let name = |text: &str| Ident::new(text, Span::call_site());
    match element {
        ElementType::Integer(_) => {
            let sign =
                if element.integer_range().is_some_and(|(low, _)| low < 0) { "i" } else { "u" };
            let (stored, bits) = (name(&format!("{sign}{}", element.bits())), element.value_bits());
            quote!(#krate::__private::elements::Int<#krate::__private::elements::#stored, #bits>)
        }
        _ => {
            let name = name(element.name().as_str());
            quote!(#krate::__private::elements::#name)
        }
    }
}
